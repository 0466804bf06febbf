"""How pages elect: each proposes places, all say what speaks for them, the best is taken."""

from collections import Counter
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from patterns.selectors import Selector
from patterns.thresholds import THRESHOLDS

Choice = TypeVar("Choice")


class Rated(NamedTuple, Generic[Choice]):
    """What can be elected, and what speaks for it."""

    choice: Choice
    """Itself."""
    score: float
    """Evidence, on the mean of all pages."""
    preference: tuple[float, ...]
    """What decides between equals: larger is better."""


def nominate(ballots: Iterable[Iterable[Selector]], most: int) -> list[Selector]:
    """Return what three pages of ten propose, so many at most, what most of them propose first.

    >>> one, two = Selector("h1"), Selector("h2")
    >>> [str(found) for found in nominate([[one], [two, one], [one], [one]], 9)]
    ['h1']
    """
    counts: Counter[Selector] = Counter()
    pages = 0
    for ballot in ballots:
        pages += 1
        counts.update(dict.fromkeys(ballot).keys())
    least = THRESHOLDS.third * pages
    return [selector for selector, often in counts.most_common(most) if often >= least]


def elect(rated: Iterable[Rated[Choice]], as_good: float = 0.0) -> Rated[Choice] | None:
    """Return the best; of those that are worse by `as_good` at most the one that is preferred.

    >>> elect([Rated("a", 0.9, (1,)), Rated("b", 0.88, (2,))], 0.03).choice
    'b'
    """
    known = list(rated)
    best = max((one.score for one in known), default=0.0)
    near = [one for one in known if one.score >= best - as_good]
    return max(near, key=lambda one: one.preference, default=None)
