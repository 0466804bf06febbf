"""How pages elect: each proposes places, all say what speaks for them, the best is taken."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from flong.patterns.selectors import Selector
from flong.patterns.thresholds import THRESHOLDS

Choice = TypeVar("Choice")


class Rated(NamedTuple, Generic[Choice]):
    """What can be elected, and what speaks for it."""

    choice: Choice
    """Itself."""
    score: float
    """Evidence, on the mean of all pages."""
    preference: tuple[float, ...]
    """What decides between equals: larger is better."""


class Candidates:
    """The selectors of an election by number: pages name the same again and again.

    The elements of a template have one and the same tuple of selectors on all of its pages
    (`selectors_of`): each is looked through once.
    """

    def __init__(self) -> None:
        self._numbers: dict[Selector, int] = {}
        # The tuples are kept, so that none of them has the id of another.
        self._known: dict[int, tuple[tuple[Selector, ...], tuple[int, ...]]] = {}

    def numbers(self, selectors: tuple[Selector, ...]) -> tuple[int, ...]:
        """Return the numbers of some selectors, which those that are new get in order.

        >>> nominees = Candidates()
        >>> nominees.numbers((Selector("h1"), Selector("h2"))), nominees.numbers((Selector("h2"),))
        ((0, 1), (1,))
        """
        known = self._known.get(id(selectors))
        if known is None:
            numbers = self._numbers
            found = tuple([numbers.setdefault(each, len(numbers)) for each in selectors])
            known = self._known[id(selectors)] = selectors, found
        return known[1]

    def selectors(self) -> list[Selector]:
        """Return the selectors, each at its number."""
        return [*self._numbers]


def nominate(ballots: Iterable[Iterable[tuple[Selector, ...]]], most: int) -> list[Selector]:
    """Return what three pages of ten propose, so many at most, what most of them propose first.

    A ballot is one page's: for each element that it proposes the selectors that stand for it.

    >>> one, two = Selector("h1"), Selector("h2")
    >>> [str(found) for found in nominate([[(one,)], [(two, one)], [(one,), (one,)], [(one,)]], 9)]
    ['h1']
    """
    counts: Counter[int] = Counter()
    nominees, pages = Candidates(), 0
    for ballot in ballots:
        pages += 1
        proposed = dict.fromkeys(map(nominees.numbers, ballot))
        counts.update(dict.fromkeys(chain.from_iterable(proposed)).keys())
    least, selectors = THRESHOLDS.nominating_pages * pages, nominees.selectors()
    return [selectors[at] for at, often in counts.most_common(most) if often >= least]


def elect(rated: Iterable[Rated[Choice]], as_good: float = 0.0) -> Rated[Choice] | None:
    """Return the best; of those that are worse by `as_good` at most the one that is preferred.

    >>> elect([Rated("a", 0.9, (1,)), Rated("b", 0.88, (2,))], 0.03).choice
    'b'
    """
    known = list(rated)
    best = max((one.score for one in known), default=0.0)
    near = [one for one in known if one.score >= best - as_good]
    return max(near, key=lambda one: one.preference, default=None)
