"""Where dates and bylines are printed: found near the title, elected by the pages of a pattern."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from patterns.dates import parse_date
from patterns.labels import LabelledPage
from patterns.person_names import LONGEST, line_at
from patterns.selectors import Selector, Starts, find, in_pattern, plainness, selectors_of
from patterns.thresholds import THRESHOLDS
from trees import TEXT, Tree

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


def lines_around(tree: Tree, labelled: LabelledPage) -> list[int]:
    """Return short text leaves above and below title and body, where dates and names stand."""
    leaves = np.flatnonzero(tree.tag == TEXT)
    at = int(np.searchsorted(leaves, max(labelled.title, 0)))
    near = set(leaves[max(0, at - _BEFORE) : at + _AFTER].tolist())
    if labelled.body:
        end = int(np.searchsorted(leaves, labelled.body[-1]))
        near.update(leaves[max(0, end - 1) : end + _BELOW].tolist())
    return sorted(leaf for leaf in near if 0 < tree.words[leaf] <= LONGEST)


def elect_date(samples: Sequence[BylineSample]) -> Selector | None:
    """Return where the date is printed on at least half of the pages."""

    def worth(sample: BylineSample, vertex: int) -> float:
        moment = parse_date(line_at(sample.tree, vertex), language=sample.tree.head.language)
        if moment is None:
            return 0.0
        if sample.published is None:
            return THRESHOLDS.any_date
        return 1.0 if moment.day == sample.published else THRESHOLDS.other_date

    selector, score = _vote(samples, worth)
    return selector if score >= THRESHOLDS.nominated else None


def _vote(
    samples: Sequence[BylineSample], worth: Callable[[BylineSample, int], float]
) -> tuple[Selector | None, float]:
    counts: Counter[Selector] = Counter()
    for sample in samples:
        counts.update(dict.fromkeys(_proposals(sample, worth)).keys())
    least = THRESHOLDS.nominated * len(samples)
    tried = [selector for selector, pages in counts.most_common(_TRIED) if pages >= least]
    best: tuple[float, float, tuple[int, int]] = (0.0, 0.0, (0, 0))
    chosen = None
    for selector in tried:
        found = [(sample, find(sample.tree, selector, sample.starts)) for sample in samples]
        score = sum(worth(sample, vertex) for sample, vertex in found if vertex >= 0)
        words = sum(int(sample.tree.words[vertex]) for sample, vertex in found if vertex >= 0)
        row = round(score / len(samples), 2), -words / len(samples), plainness(selector)
        if row > best:
            best, chosen = row, selector
    return chosen, best[0]


def _proposals(
    sample: BylineSample, worth: Callable[[BylineSample, int], float]
) -> Iterator[Selector]:
    for leaf in lines_around(sample.tree, sample.labelled):
        around = int(sample.tree.parent[leaf])
        for vertex in (around, int(sample.tree.parent[around])):
            if vertex > 0 and worth(sample, vertex) > 0:
                yield from selectors_of(sample.tree, vertex)
                yield from in_pattern(sample.starts, vertex)
