"""Distances between the shapes of a site: all that matter, no more than needed, on all cores."""

from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from clustering.partition import Positions, positions_by
from trees import Costs, Forest, Ruler

Floats = NDArray[np.float64]

_WORTH_SHARING = 20_000
"""Below so many pairs one core is done before others have begun."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Distances:
    """Measures the trees of a forest; a distance is divided by the two trees' vertices.

    The work is shared out by joblib: to threads, since the kernel runs outside Python's
    lock, unless the caller's `joblib.parallel_config` says otherwise.
    """

    forest: Forest
    """The trees, all different."""
    costs: Costs
    """What a change costs."""
    cut: float
    """Beyond this distance trees are not near."""
    jobs: int = -1
    """Cores to use, as in joblib."""

    def matrix(self, trees: Positions) -> Floats:
        """Return the distances among some trees, NaN where they are certainly not near."""
        chunks = self._shares(np.arange(len(trees)), len(trees) ** 2 // 2)
        found = Parallel(n_jobs=len(chunks), prefer="threads")(
            delayed(_later)(self, trees, chunk) for chunk in chunks
        )
        whole = np.full((len(trees), len(trees)), np.nan)
        np.fill_diagonal(whole, 0)
        for one, other, distance in found:
            whole[one, other] = whole[other, one] = distance
        return whole

    def complete(self, trees: Positions, matrix: Floats) -> Floats:
        """Return the matrix of some trees with every distance in it."""
        one, other = np.nonzero(np.triu(np.isnan(matrix), 1))
        shares = self._shares(np.arange(len(one)), len(one))
        found = Parallel(n_jobs=len(shares), prefer="threads")(
            delayed(_measure)(self, trees[one[share]], trees[other[share]]) for share in shares
        )
        whole = matrix.copy()
        for share, distance in zip(shares, found, strict=True):
            pair = one[share], other[share]
            whole[pair] = whole[pair[::-1]] = distance
        return whole

    def nearest(self, trees: Positions, medoids: Positions) -> tuple[Positions, Floats]:
        """Return for each tree which medoid is the nearest, and its distance.

        Where none but itself is near that is -1 and NaN. Of medoids equally near the first is
        taken.
        """
        shares = self._shares(np.arange(len(trees)), len(trees) * len(medoids))
        found = Parallel(n_jobs=len(shares), prefer="threads")(
            delayed(_nearest)(self, trees[share], medoids) for share in shares
        )
        which, distance = np.full(len(trees), -1), np.full(len(trees), np.nan)
        for share, (one, how_far) in zip(shares, found, strict=True):
            which[share], distance[share] = one, how_far
        return which, distance

    def _shares(self, work: Positions, pairs: int) -> list[Positions]:
        """Split a list so that each core has its share."""
        cores = effective_n_jobs(self.jobs) if pairs > _WORTH_SHARING else 1
        return [work[start::cores] for start in range(cores)]


def components(matrix: Floats, cut: float) -> list[Positions]:
    """Return which trees are joined by chains of near ones, each list in order.

    Average linkage never joins trees of two components at or below the cut.

    >>> far = np.nan
    >>> matrix = np.array([[0, far, 0.1], [far, 0, 0.5], [0.1, 0.5, 0]])
    >>> [part.tolist() for part in components(matrix, 0.2)]
    [[0, 2], [1]]
    """
    count, label = connected_components(matrix <= cut, directed=False)
    return positions_by(label, count)


def _measure(distances: Distances, first: Positions, second: Positions) -> Floats:
    """Return the distance of each pair, on one core."""
    size = distances.forest.size[distances.forest.root]
    measured = Ruler(distances.forest, distances.costs).measure(first, second)
    return np.asarray(measured / (size[first] + size[second]))


def _limits(distances: Distances, one: int, others: Positions) -> Positions:
    """Return the largest distance, not divided, at which each of the others is near."""
    size = distances.forest.size[distances.forest.root]
    limits = np.floor(distances.cut * (size[one] + size[others]) + 1e-9)
    return np.asarray(limits, dtype=np.int64)


def _later(
    distances: Distances, trees: Positions, chunk: Positions
) -> tuple[Positions, Positions, Floats]:
    """Return the pairs of some trees and those after them that may be near, with distances."""
    ruler = Ruler(distances.forest, distances.costs)
    size = distances.forest.size[distances.forest.root[trees]]
    ones, others = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for i in chunk.tolist():
        bound = ruler.lower_bounds(int(trees[i]))[trees[i + 1 :]]
        possible = i + 1 + np.flatnonzero(bound <= _limits(distances, trees[i], trees[i + 1 :]))
        ones.append(np.full_like(possible, i))
        others.append(possible)
    one, other = np.concatenate(ones), np.concatenate(others)
    measured = ruler.measure(trees[one], trees[other])
    return one, other, np.asarray(measured / (size[one] + size[other]))


def _nearest(
    distances: Distances, trees: Positions, medoids: Positions
) -> tuple[Positions, Floats]:
    """Return what `Distances.nearest` does, on one core."""
    ruler = Ruler(distances.forest, distances.costs)
    size = distances.forest.size[distances.forest.root]
    which, distance = np.full(len(trees), -1), np.full(len(trees), np.nan)
    for i, tree in enumerate(trees.tolist()):
        limits = _limits(distances, tree, medoids)
        may_be_near = ruler.lower_bounds(tree)[medoids] <= limits
        possible = np.flatnonzero(may_be_near & (medoids != tree))
        found = ruler.measure(np.full_like(possible, tree), medoids[possible], limits[possible])
        share = np.where(
            found <= limits[possible], found / (size[tree] + size[medoids[possible]]), 2
        )
        if share.min(initial=2) <= 1:
            which[i], distance[i] = possible[share.argmin()], share.min()
    return which, distance
