"""Agglomerative clustering of trees, weighted by the number of pages per tree."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flong.clustering.dendrogram import Dendrogram
from flong.clustering.page_distances import (
    Floats,
    PageDistances,
    Positions,
    components,
    positions_by,
)

_TIE = 1e-9
"""Maximum offset added to equal distances."""


def untie(matrix: Floats, kinds: NDArray[np.int64]) -> Floats:
    """Return the matrix with ties broken by the hashes of the trees (`kinds`).

    Average linkage of equal distances depends on their order. With unequal ones it depends only on
    the trees.

    >>> untied = untie(np.array([[0, 0.5], [0.5, 0]]), np.array([3, 8]))
    >>> bool(0.5 < untied[0, 1] == untied[1, 0] < 0.5 + 1e-9), float(untied[0, 0])
    (True, 0.0)
    """
    mixed = kinds.astype(np.uint64)
    low, high = np.minimum.outer(mixed, mixed), np.maximum.outer(mixed, mixed)
    hashed = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F))
    hashed = (hashed ^ (hashed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return np.where(low == high, matrix, matrix + (hashed >> np.uint64(11)) * (_TIE / 2**53))


def link(matrix: Floats) -> Floats:
    """Return scipy's average linkage of a distance matrix; empty for a single tree.

    >>> link(np.array([[0, 0.5], [0.5, 0]])).tolist(), link(np.zeros((1, 1))).tolist()
    ([[0.0, 1.0, 0.5, 2.0]], [])
    """
    if len(matrix) < 2:
        return np.zeros((0, 4))
    from scipy.cluster.hierarchy import linkage  # noqa: PLC0415 - takes most of a second to import
    from scipy.spatial.distance import squareform  # noqa: PLC0415

    return np.asarray(linkage(squareform(matrix, checks=False), "average"))


def cut_linkage(merges: Floats, cut: float) -> list[Positions]:
    """Return the groups of leaves merged at or below the cut, in order.

    >>> [group.tolist() for group in cut_linkage(np.array([[0, 1, 0.5, 2]]), 0.2)]
    [[0], [1]]
    """
    if not len(merges):
        return [np.zeros(1, dtype=np.int64)]
    from scipy.cluster.hierarchy import fcluster  # noqa: PLC0415

    labels = fcluster(merges, cut + 2 * _TIE, "distance")
    groups = positions_by(labels - 1, labels.max())
    return sorted(groups, key=lambda group: int(group[0]))


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Trees linked into one group."""

    trees: Positions
    """Positions in the index."""
    distance: Floats
    """Distance of each tree to the medoid."""
    medoid: int
    """Tree with the smallest mean distance to all pages of the group."""


class Agglomerator:
    """Groups the trees of an index, one sample of its pages at a time."""

    def __init__(self, distances: PageDistances, tree_of: NDArray[np.int64]) -> None:
        trees = len(distances.index.root)
        self.distances = distances
        self.tree_of = tree_of
        self.groups: list[Group] = []
        self.dendrograms: list[Dendrogram] = []
        self.group_of = np.full(trees, -1)
        self.distance = np.full(trees, np.nan)

    def rest(self) -> Positions:
        """Return the pages that are in no group."""
        return np.flatnonzero(self.group_of[self.tree_of] < 0)

    def link(self, pages: Positions) -> None:
        """Form groups of these pages."""
        trees, local = np.unique(self.tree_of[pages], return_inverse=True)
        matrix = self.distances.matrix(trees)
        place = np.empty(len(trees), dtype=np.int64)
        part_of = np.empty(len(trees), dtype=np.int64)
        parts = components(matrix, self.distances.cut)
        for number, part in enumerate(parts):
            place[part], part_of[part] = np.arange(len(part)), number
        by_part = positions_by(part_of[local], len(parts))
        for part, some in zip(parts, by_part, strict=True):
            whole = self.distances.complete(trees[part], matrix[np.ix_(part, part)])
            self._link_part(trees[part], whole, place[local[some]], pages[some])

    def _link_part(
        self, trees: Positions, matrix: Floats, place: Positions, pages: Positions
    ) -> None:
        """Link the pages of one component; `place` is the tree of each page."""
        index = self.distances.index
        untied = untie(matrix, index.kind[index.root[trees]])
        merges = link(untied[np.ix_(place, place)])
        self.dendrograms.append(Dendrogram(pages, merges))
        for leaves in cut_linkage(merges, self.distances.cut):
            some, weight = np.unique(place[leaves], return_counts=True)
            among = matrix[np.ix_(some, some)]
            medoid = int(np.argmin(among @ weight))
            self._add(Group(trees[some], among[medoid], int(trees[some[medoid]])))

    def _add(self, group: Group) -> None:
        self.group_of[group.trees] = len(self.groups)
        self.distance[group.trees] = group.distance
        self.groups.append(group)

    def assign(self) -> None:
        """Add trees without a group to the group of the nearest medoid, if one is near."""
        trees = np.flatnonzero(self.group_of < 0)
        medoids = np.array([group.medoid for group in self.groups])
        which, distance = self.distances.nearest(trees, medoids)
        near = which >= 0
        self.group_of[trees[near]], self.distance[trees[near]] = which[near], distance[near]

    def separations(self) -> Floats:
        """Return the distance of each medoid to the nearest other one, at most twice the cut."""
        medoids = np.array([group.medoid for group in self.groups], dtype=np.int64)
        wider = replace(self.distances, cut=2 * self.distances.cut)
        _, distance = wider.nearest(medoids, medoids)
        return np.nan_to_num(distance, nan=wider.cut)
