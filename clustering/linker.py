"""Which trees of a site belong together; each tree stands for all pages of that shape."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from clustering.dendrogram import Dendrogram
from clustering.distances import Distances, Floats, components
from clustering.linkages import cut_linkage, link, untie
from clustering.partition import Positions, positions_by


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Trees that were linked."""

    trees: Positions
    """Their positions in the forest."""
    distance: Floats
    """Of each to the medoid."""
    medoid: int
    """The tree that has the least mean distance to the pages of all."""


class Linker:
    """Groups the trees of a forest, a sample of its pages at a time."""

    def __init__(self, distances: Distances, tree_of: NDArray[np.int64]) -> None:
        trees = len(distances.forest.root)
        self.distances = distances
        self.tree_of = tree_of
        self.groups: list[Group] = []
        self.dendrograms: list[Dendrogram] = []
        self.group_of = np.full(trees, -1)
        self.distance = np.full(trees, np.nan)

    def rest(self) -> Positions:
        """Return the pages that are in no group yet."""
        return np.flatnonzero(self.group_of[self.tree_of] < 0)

    def link(self, pages: Positions) -> None:
        """Make groups of these pages."""
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
        """Link pages of one component; `place` says which of the trees each page has."""
        forest = self.distances.forest
        untied = untie(matrix, forest.kind[forest.root[trees]])
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
        """Put trees that are in no group into that of the nearest medoid, if one is near."""
        trees = np.flatnonzero(self.group_of < 0)
        medoids = np.array([group.medoid for group in self.groups])
        which, distance = self.distances.nearest(trees, medoids)
        near = which >= 0
        self.group_of[trees[near]], self.distance[trees[near]] = which[near], distance[near]

    def separations(self) -> Floats:
        """Return how far each group's medoid is from the nearest other, at most twice the cut."""
        medoids = np.array([group.medoid for group in self.groups], dtype=np.int64)
        wider = replace(self.distances, cut=2 * self.distances.cut)
        _, distance = wider.nearest(medoids, medoids)
        return np.nan_to_num(distance, nan=wider.cut)
