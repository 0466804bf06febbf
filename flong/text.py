"""Words of texts: one way to split, count and compare them."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

Asked = TypeVarTuple("Asked")
Answer = TypeVar("Answer")

LONGEST = 1000
"""Maximum characters of a cached argument."""
_TEXTS = str, bytes


def cached_if_short(
    most: int,
) -> Callable[[Callable[[*Asked], Answer]], Callable[[*Asked], Answer]]:
    """Cache the last `most` results of a pure function of texts, for short arguments.

    Pages of one template repeat the same calls. Results must not be modified.

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


UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
"""Scripts without spaces, as ranges of a regular expression; each character counts as a word."""

_WORD = re.compile(rf"[{UNSPACED}]|[^\W_]+")
_ASCII = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 0x20 for code in range(0x80))
_PLAIN = _ASCII.ljust(0x100)
"""Translation of bytes: ASCII letters and digits in lower case, all others to spaces."""
_FOLDED = 4096
"""Size of the cache of folded texts: a title is in the head, on the page and in links."""


def words(text: str) -> list[str]:
    """Return the words of a text, in order, without case and punctuation.

    >>> words("Don't panic, Zürich!")
    ['don', 't', 'panic', 'zürich']
    >>> words("東京 2024")
    ['東', '京', '2024']
    """
    if text.isascii():  # the same, five times as fast
        return text.encode().translate(_PLAIN).decode().split()
    return _WORD.findall(plain_letters(text))


def plain_letters(text: str) -> str:
    r"""Return a text in lower case and in the usual form of each letter; it contains its words.

    >>> plain_letters("Don\u2019t PAN\uff29C")
    'don\u2019t panic'
    """
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower()


def word_count(text: str) -> int:
    """Return the number of words of a text; a CJK or Thai character counts as one.

    >>> word_count("two words"), word_count("東京"), word_count("...")
    (2, 2, 0)
    """
    return len(words(text))


@cached_if_short(_FOLDED)
def fold_text(text: str) -> str:
    """Return the words of a text, so that two spellings of a title become equal.

    >>> fold_text("  The END - of it. ")
    'the end of it'
    """
    return " ".join(words(text))


def token_f1(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the F1 of the words of two texts, in any order.

    >>> token_f1(words("Rain all day."), words("All day long!")) == 2 / 3, token_f1([], [])
    (True, 0.0)
    """
    shared = (Counter(one) & Counter(other)).total()
    return 2 * shared / max(1, len(one) + len(other))


def shared_trigrams(one: str, other: str) -> float:
    """Return the fraction of one text's word trigrams that another text contains.

    Texts share trigrams if one is a copy of the other, not if only the language is the same. A text
    of less than three words is one run.

    >>> shared_trigrams("the rain fell on us", "then the rain fell on them")
    0.6666666666666666
    >>> shared_trigrams("", "anything")
    0.0
    """
    runs = trigrams(words(one))
    return len(runs & trigrams(words(other))) / len(runs) if runs else 0.0


def trigrams(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    """Return all runs of three words; fewer than three words are one run.

    >>> sorted(trigrams("to be or not".split()))
    [('be', 'or', 'not'), ('to', 'be', 'or')]
    """
    if len(words) < 3:
        return frozenset([tuple(words)] if words else [])
    return frozenset(zip(words, words[1:], words[2:], strict=False))
