"""Where dates and bylines are printed: found near the title, elected by the pages of a pattern."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

import numpy as np

from flong.patterns.ballots import Rated, elect, nominate
from flong.patterns.dates import may_have_date, parse_date
from flong.patterns.labels import LabelledPage
from flong.patterns.metadata import Metadata
from flong.patterns.person_names import line_at
from flong.patterns.selectors import Selector, Starts, find, in_pattern, plainness, selectors_of
from flong.patterns.thresholds import THRESHOLDS
from flong.tree import TEXT, Tree

_BEFORE, _AFTER, _BELOW = 5, 9, 6
"""So many lines are looked at before and from the title on, and at the end of the body."""
_TRIED = 80
"""So many selectors are tried at most."""


@dataclass(frozen=True, slots=True)
class BylineSample:
    """One page that votes."""

    tree: Tree
    """The page."""
    labelled: LabelledPage
    """What its labels give."""
    starts: Starts | None
    """Where the vertices of its pattern are."""
    published: date | None
    """Day of publication by its metadata."""
    authors: tuple[str, ...]
    """Authors by its metadata."""
    metadata: Metadata = field(default_factory=Metadata)
    """What its head says."""


def lines_around(tree: Tree, labelled: LabelledPage, *, with_digits: bool = False) -> list[int]:
    """Return short text leaves above and below title and body, where dates and names stand.

    Lines `with_digits` are those that may have a date (`may_have_date`).
    """
    leaves = np.flatnonzero(tree.tag == TEXT)
    at = int(leaves.searchsorted(max(labelled.title, 0)))
    near = {*leaves[max(at - _BEFORE, 0) : at + _AFTER].tolist()}
    if labelled.body:
        end = int(leaves.searchsorted(labelled.body[-1]))
        near.update(leaves[max(end - 1, 0) : end + _BELOW].tolist())
    return [
        leaf
        for leaf in sorted(near)
        if 0 < tree.words[leaf] <= THRESHOLDS.byline_words
        and (not with_digits or may_have_date(tree.text, tree.start[leaf], tree.end[leaf]))
    ]


def elect_date(samples: Sequence[BylineSample]) -> Selector | None:
    """Return where the date is printed on at least half of the pages."""

    def worth(sample: BylineSample, vertex: int) -> float:
        moment = parse_date(line_at(sample.tree, vertex), language=sample.tree.head.language)
        if moment is None:
            return 0.0
        if sample.published is None:
            return THRESHOLDS.any_date
        return float(moment.day == sample.published)

    selector, score = vote(samples, worth, line_vertices)
    return selector if score >= THRESHOLDS.least_score else None


Worth = Callable[[BylineSample, int], float]
"""How much speaks, from 0 to 1, for a vertex of a page as the place of a field."""
Vertices = Callable[[BylineSample], Iterable[int]]
"""Where on a page a field may be."""


def vote(
    samples: Sequence[BylineSample], worth: Worth, vertices: Vertices
) -> tuple[Selector | None, float]:
    """Return the selector for which most speaks, and how much on the mean of all pages."""
    judged = [_Judged(sample, worth) for sample in samples]
    tried = nominate((page.proposals(vertices(page.sample)) for page in judged), _TRIED)
    found = [
        [page.at(find(sample.tree, selector, sample.starts)) for selector in tried]
        for page, sample in zip(judged, samples, strict=True)
    ]
    best = elect(map(_rated, tried, zip(*found, strict=True)))
    return (best.choice, best.score) if best is not None and best.score else (None, 0.0)


def _rated(selector: Selector, found: Sequence[tuple[float, int]]) -> Rated[Selector]:
    """Return a selector with what speaks for where it leads on each page, and the words there."""
    worth, words = map(sum, zip(*found, strict=True))
    preference = (-words / len(found), *plainness(selector))
    return Rated(selector, round(worth / len(found), 2), preference)


class _Judged:
    """A page that votes: many selectors lead to the same vertices, which are judged once."""

    def __init__(self, sample: BylineSample, worth: Worth) -> None:
        self.sample, self._worth = sample, worth
        self._known: dict[int, tuple[float, int]] = {-1: (0.0, 0)}

    def at(self, vertex: int) -> tuple[float, int]:
        """Return how much speaks for a vertex, and its words."""
        if vertex not in self._known:
            words = int(self.sample.tree.words[vertex])
            self._known[vertex] = self._worth(self.sample, vertex), words
        return self._known[vertex]

    def proposals(self, vertices: Iterable[int]) -> Iterator[tuple[Selector, ...]]:
        """Yield the selectors that stand for those of some vertices for which something speaks."""
        for vertex in dict.fromkeys(vertices):
            if vertex > 0 and self.at(vertex)[0] > 0:
                yield selectors_of(self.sample.tree, vertex)
                yield in_pattern(self.sample.starts, vertex)


def line_vertices(sample: BylineSample) -> Iterator[int]:
    """Yield the elements around short lines near title and text."""
    for leaf in lines_around(sample.tree, sample.labelled):
        around = int(sample.tree.parent[leaf])
        yield from (around, int(sample.tree.parent[around]))
