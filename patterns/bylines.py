"""Where dates and bylines are printed: found near the title, elected by the pages of a pattern."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from patterns.dates import parse_date
from patterns.labels import Reading
from patterns.names import LONGEST, line_at
from patterns.places import Place, Starts, find, in_pattern, places_of, plainness
from trees import TEXT, Tree


@dataclass(frozen=True, slots=True)
class Sample:
    """One page that votes."""

    tree: Tree
    """The page."""
    reading: Reading
    """What its labels give."""
    starts: Starts | None
    """Where the vertices of its pattern are."""
    published: datetime | None
    """Date of publication by its metadata."""
    authors: tuple[str, ...]
    """Authors by its metadata."""


def lines_around(tree: Tree, reading: Reading) -> list[int]:
    """Return short text leaves above and below title and body, where dates and names stand."""
    leaves = np.flatnonzero(tree.tag == TEXT)
    at = int(np.searchsorted(leaves, max(reading.title, 0)))
    near = set(leaves[max(0, at - 5) : at + 9].tolist())
    if reading.body:
        end = int(np.searchsorted(leaves, reading.body[-1]))
        near.update(leaves[max(0, end - 1) : end + 6].tolist())
    return sorted(leaf for leaf in near if 0 < tree.words[leaf] <= LONGEST)


def vote_date(samples: Sequence[Sample]) -> Place | None:
    """Return where the date is printed on at least half of the pages."""

    def worth(sample: Sample, vertex: int) -> float:
        date = parse_date(line_at(sample.tree, vertex))
        if date is None:
            return 0.0
        if sample.published is None:
            return 0.5
        return 1.0 if date.date() == sample.published.date() else 0.2

    place, score = _vote(samples, worth)
    return place if score >= 0.3 else None


def _vote(
    samples: Sequence[Sample], worth: Callable[[Sample, int], float]
) -> tuple[Place | None, float]:
    counts: Counter[Place] = Counter()
    for sample in samples:
        counts.update(dict.fromkeys(_proposals(sample, worth)).keys())
    tried = [place for place, pages in counts.most_common(80) if pages >= 0.3 * len(samples)]
    best: tuple[float, float, tuple[int, int]] = (0.0, 0.0, (0, 0))
    chosen = None
    for place in tried:
        found = [(sample, find(sample.tree, place, sample.starts)) for sample in samples]
        score = sum(worth(sample, vertex) for sample, vertex in found if vertex >= 0)
        words = sum(int(sample.tree.words[vertex]) for sample, vertex in found if vertex >= 0)
        row = round(score / len(samples), 2), -words / len(samples), plainness(place)
        if row > best:
            best, chosen = row, place
    return chosen, best[0]


def _proposals(sample: Sample, worth: Callable[[Sample, int], float]) -> Iterator[Place]:
    for leaf in lines_around(sample.tree, sample.reading):
        around = int(sample.tree.parent[leaf])
        for vertex in (around, int(sample.tree.parent[around])):
            if vertex > 0 and worth(sample, vertex) > 0:
                yield from places_of(sample.tree, vertex)
                yield from in_pattern(sample.starts, vertex)
