"""Answers that are kept, within bounds."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

Asked = TypeVarTuple("Asked")
Answer = TypeVar("Answer")

LONGEST = 1000
"""Characters of a question whose answer is kept: pages may have any."""
_TEXTS = str, bytes


def cached_if_short(
    most: int,
) -> Callable[[Callable[[*Asked], Answer]], Callable[[*Asked], Answer]]:
    """Let a pure function of texts keep its last answers, `most` of them, to short questions.

    Pages of one template ask the same again and again. Nobody may change an answer.

    >>> asked = []
    >>> count = cached_if_short(2)(lambda text: asked.append(text) or len(text))
    >>> count("a"), count("a"), count("b" * 2000), count("b" * 2000), len(asked)
    (1, 1, 2000, 2000, 3)
    """

    def decorate(function: Callable[[*Asked], Answer]) -> Callable[[*Asked], Answer]:
        kept = lru_cache(most)(function)

        @wraps(function)
        def ask(*asked: *Asked) -> Answer:
            for one in asked:
                if isinstance(one, _TEXTS) and len(one) > LONGEST:
                    return function(*asked)
            return kept(*asked)

        return ask

    return decorate
