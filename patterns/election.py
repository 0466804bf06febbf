"""Elections: the pages of one pattern vote for the place of a field (section 4.4 of the paper).

The paper labels title and body by two fixed heuristics. Here each field has a table of features,
and all elections go the same way:

1. Each page proposes candidates. `shortlist` keeps those that enough pages propose.
2. Each candidate gets the points of its features on every page.
3. `elect` returns the candidate with the most points; preferences decide near-ties.

The tables are `TITLE` (`title_election`), `CONTAINER` and `EXCLUSION` (`body_election`), `BYLINE`
and `BYLINES` (`authors`), `DATE`, `STANDFIRST`, `SECTION` and `TAGS` (`field_elections`).
`python -m benchmarks.ablation` switches one row after the other off, as it does with thresholds.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from flong.patterns.selectors import Selector
from flong.patterns.thresholds import THRESHOLDS

Seen = TypeVar("Seen")
Choice = TypeVar("Choice")


@dataclass(frozen=True, eq=False, slots=True)
class Feature(Generic[Seen]):
    """One row of a table: a property of a candidate that counts for or against it."""

    name: str
    """Name, as shown in reports."""
    points: float
    """Points for the candidate; negative if the feature counts against it."""
    reason: str
    """Reason why it counts."""
    value: Callable[[Seen], float]
    """Degree to which a candidate has it, from 0 to 1."""


class FeatureTable(Generic[Seen]):
    """The features of one election. Points add up; some rows exclude each other.

    >>> table = FeatureTable("colour", Feature("red", 0.6, "it glows", lambda seen: "red" in seen),
    ...                      Feature("old", -0.2, "it fades", lambda seen: "old" in seen))
    >>> table.score("red"), table.score("old")
    (0.6, -0.2)
    """

    def __init__(self, name: str, *features: Feature[Seen]) -> None:
        self.name, self.features = name, features

    def score(self, seen: Seen) -> float:
        """Return the points of a candidate."""
        total = 0.0
        for feature in self.features:
            total += feature.points * feature.value(seen)
        return total

    @contextmanager
    def without(self, name: str) -> Iterator[None]:
        """Switch one feature off."""
        features = self.features
        self.features = tuple(feature for feature in features if feature.name != name)
        try:
            yield
        finally:
            self.features = features


class Rated(NamedTuple, Generic[Choice]):
    """A candidate with its score."""

    choice: Choice
    """The candidate."""
    score: float
    """Mean points over all pages."""
    preference: tuple[float, ...]
    """Decides near-ties; larger is better."""


def elect(
    rated: Iterable[Rated[Choice]], *, least: float = float("-inf"), tolerance: float = 0.0
) -> Rated[Choice] | None:
    """Return the highest-scoring candidate; break near-ties (within `tolerance`) by preference.

    Return None if no candidate has at least `least` points.

    >>> elect([Rated("a", 0.9, (1,)), Rated("b", 0.88, (2,))], tolerance=0.03).choice
    'b'
    """
    known = [one for one in rated if one.score >= least]
    best = max((one.score for one in known), default=0.0)
    near = [one for one in known if one.score >= best - tolerance]
    return max(near, key=lambda one: one.preference, default=None)


class Candidates:
    """The selectors of an election, numbered: pages propose the same ones again and again.

    The elements of a template have the same tuple of selectors on all of its pages
    (`selectors_of`), so each tuple is looked up once.
    """

    def __init__(self) -> None:
        self._numbers: dict[Selector, int] = {}
        # The cache keeps the tuples alive; otherwise a new tuple could get the id of an old one.
        self._known: dict[int, tuple[tuple[Selector, ...], tuple[int, ...]]] = {}

    def numbers(self, selectors: tuple[Selector, ...]) -> tuple[int, ...]:
        """Return the numbers of some selectors; new selectors get the next numbers.

        >>> candidates = Candidates()
        >>> candidates.numbers((Selector("h1"), Selector("h2")))
        (0, 1)
        >>> candidates.numbers((Selector("h2"),))
        (1,)
        """
        known = self._known.get(id(selectors))
        if known is None:
            numbers = self._numbers
            found = tuple([numbers.setdefault(each, len(numbers)) for each in selectors])
            known = self._known[id(selectors)] = selectors, found
        return known[1]

    def selectors(self) -> Sequence[Selector]:
        """Return the selectors, each at its number."""
        return [*self._numbers]


def shortlist(proposals: Iterable[Iterable[tuple[Selector, ...]]], most: int) -> list[Selector]:
    """Return at most `most` candidates that enough pages propose, the most frequent first.

    Each page proposes elements; for each element it gives the selectors that lead to it.

    >>> one, two = Selector("h1"), Selector("h2")
    >>> [str(found) for found in shortlist([[(one,)], [(two, one)], [(one,), (one,)], [(one,)]], 9)]
    ['h1']
    """
    counts: Counter[int] = Counter()
    candidates, pages = Candidates(), 0
    for proposed in proposals:
        pages += 1
        tuples = dict.fromkeys(map(candidates.numbers, proposed))
        counts.update(dict.fromkeys(chain.from_iterable(tuples)).keys())
    least, selectors = THRESHOLDS.candidate_pages * pages, candidates.selectors()
    return [selectors[at] for at, often in counts.most_common(most) if often >= least]
