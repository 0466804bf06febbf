"""Pairwise distances between the pages of a site, pruned by bounds and computed on all cores."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar, TypeVarTuple

import numpy as np
from numpy.typing import NDArray

from flong.clustering.subtree_distances import Costs, SubtreeDistances
from flong.clustering.subtree_index import SubtreeIndex
from flong.progress import Meter, Progress, unwatched

Positions = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]

Given = TypeVarTuple("Given")
Result = TypeVar("Result")

_WORTH_SHARING = 20_000
"""Minimum number of pairs for which threads are started."""
_AT_ONCE = 2_000
"""Number of pairs between two progress reports."""
STEP = "distances"
"""Name of this step in progress reports."""


def positions_by(labels: Positions, count: int) -> list[Positions]:
    """Return the positions of each label from 0 to `count` - 1, in order.

    >>> [found.tolist() for found in positions_by(np.array([1, 0, 1]), 3)]
    [[1], [0, 2], []]
    """
    ends = np.cumsum(np.bincount(labels, minlength=count))
    return list[Positions](np.split(np.argsort(labels, kind="stable"), ends)[:-1])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PageDistances:
    """Distances between the trees of an index, divided by the total size of both trees.

    Uses one thread per core: the compiled code releases the GIL.
    """

    index: SubtreeIndex
    """Index of distinct trees."""
    costs: Costs
    """Edit costs."""
    cut: float
    """Maximum distance of near trees."""
    tell: Progress = unwatched
    """Called with the number of measured pairs."""

    def matrix(self, trees: Positions) -> Floats:
        """Return the distances between some trees; NaN for pairs that cannot be near."""
        chunks, meter = self._shares(np.arange(len(trees)), len(trees) ** 2 // 2)
        found = _on_cores(_later, [(self, trees, chunk, meter) for chunk in chunks])
        whole = np.full((len(trees), len(trees)), np.nan)
        np.fill_diagonal(whole, 0)
        for one, other, distance in found:
            whole[one, other] = whole[other, one] = distance
        return whole

    def complete(self, trees: Positions, matrix: Floats) -> Floats:
        """Return the matrix of some trees with all distances filled in."""
        one, other = np.nonzero(np.triu(np.isnan(matrix), 1))
        shares, meter = self._shares(np.arange(len(one)), len(one))
        pairs = [(trees[one[share]], trees[other[share]]) for share in shares]
        found = _on_cores(_measure, [(self, *some, meter) for some in pairs])
        whole = matrix.copy()
        for share, distance in zip(shares, found, strict=True):
            pair = one[share], other[share]
            whole[pair] = whole[pair[::-1]] = distance
        return whole

    def nearest(self, trees: Positions, medoids: Positions) -> tuple[Positions, Floats]:
        """Return the nearest medoid of each tree and its distance.

        Trees without a near medoid other than themselves get -1 and NaN. Ties go to the first
        medoid.
        """
        shares, meter = self._shares(np.arange(len(trees)), len(trees) * len(medoids))
        found = _on_cores(_nearest, [(self, trees[share], medoids, meter) for share in shares])
        which, distance = np.full(len(trees), -1), np.full(len(trees), np.nan)
        for share, (one, how_far) in zip(shares, found, strict=True):
            which[share], distance[share] = one, how_far
        return which, distance

    def _shares(self, work: Positions, pairs: int) -> tuple[list[Positions], Meter]:
        """Split the work between cores; small amounts use one core and report no progress."""
        much = pairs > _WORTH_SHARING
        cores = _cores() if much else 1
        shares = [work[start::cores] for start in range(cores)]
        return shares, Meter(self.tell if much else unwatched, STEP)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _on_cores(work: Callable[[*Given], Result], shares: Sequence[tuple[*Given]]) -> list[Result]:
    """Return the results of all shares in order, computed in threads."""
    if len(shares) == 1:
        return [work(*shares[0])]
    with ThreadPoolExecutor(len(shares)) as threads:
        return list(threads.map(lambda share: work(*share), shares))


def components(matrix: Floats, cut: float) -> list[Positions]:
    """Return the connected components of the graph of near trees, each in order.

    Average linkage never merges trees of two components at or below the cut.

    >>> far = np.nan
    >>> matrix = np.array([[0, far, 0.1], [far, 0, 0.5], [0.1, 0.5, 0]])
    >>> [part.tolist() for part in components(matrix, 0.2)]
    [[0, 2], [1]]
    """
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415 - takes long to import

    count, label = connected_components(matrix <= cut, directed=False)
    return positions_by(label, count)


def _measure(distances: PageDistances, first: Positions, second: Positions, meter: Meter) -> Floats:
    """Return the distance of each pair, on one core."""
    subtrees = SubtreeDistances(distances.index, distances.costs)
    return _metered(distances, subtrees, (first, second), meter)


def _metered(
    distances: PageDistances,
    subtrees: SubtreeDistances,
    pairs: tuple[Positions, Positions],
    meter: Meter,
) -> Floats:
    """Return the distance of each pair and report progress."""
    first, second = pairs
    size = distances.index.size[distances.index.root]
    meter.expect(len(first))
    found = [np.zeros(0)]
    for start in range(0, len(first), _AT_ONCE):
        one, other = first[start : start + _AT_ONCE], second[start : start + _AT_ONCE]
        found.append(subtrees.measure(one, other) / (size[one] + size[other]))
        meter.advance(len(one))
    return np.concatenate(found)


def _limits(distances: PageDistances, one: int, others: Positions) -> Positions:
    """Return the maximum undivided distance at which each of the others is near."""
    size = distances.index.size[distances.index.root]
    limits = np.floor(distances.cut * (size[one] + size[others]) + 1e-9)
    return np.asarray(limits, dtype=np.int64)


def _later(
    distances: PageDistances, trees: Positions, chunk: Positions, meter: Meter
) -> tuple[Positions, Positions, Floats]:
    """Return the pairs of some trees and later ones that may be near, with distances."""
    subtrees = SubtreeDistances(distances.index, distances.costs)
    ones, others = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for i in chunk.tolist():
        bound = subtrees.lower_bounds(int(trees[i]))[trees[i + 1 :]]
        possible = i + 1 + np.flatnonzero(bound <= _limits(distances, trees[i], trees[i + 1 :]))
        ones.append(np.full_like(possible, i))
        others.append(possible)
    one, other = np.concatenate(ones), np.concatenate(others)
    return one, other, _metered(distances, subtrees, (trees[one], trees[other]), meter)


def _nearest(
    distances: PageDistances, trees: Positions, medoids: Positions, meter: Meter
) -> tuple[Positions, Floats]:
    """Implement `PageDistances.nearest` for one core."""
    subtrees = SubtreeDistances(distances.index, distances.costs)
    size = distances.index.size[distances.index.root]
    which, distance = np.full(len(trees), -1), np.full(len(trees), np.nan)
    meter.expect(len(trees) * len(medoids))
    for i, tree in enumerate(trees.tolist()):
        meter.advance(len(medoids))
        limits = _limits(distances, tree, medoids)
        may_be_near = subtrees.lower_bounds(tree)[medoids] <= limits
        possible = np.flatnonzero(may_be_near & (medoids != tree))
        found = subtrees.measure(np.full_like(possible, tree), medoids[possible], limits[possible])
        share = np.where(
            found <= limits[possible], found / (size[tree] + size[medoids[possible]]), 2
        )
        if share.min(initial=2) <= 1:
            which[i], distance[i] = possible[share.argmin()], share.min()
    return which, distance
