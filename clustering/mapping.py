"""Cheapest restricted top-down mapping between two trees."""

import numpy as np
from numpy.typing import NDArray

from flong.clustering.skeleton import Skeleton
from flong.clustering.subtree_distances import RTDM, Costs, SubtreeDistances
from flong.clustering.subtree_index import SubtreeIndex, build_index


def map_trees(first: Skeleton, second: Skeleton, costs: Costs = RTDM) -> list[tuple[int, int]]:
    """Return the pairs of vertices of a cheapest mapping, in preorder of both trees.

    The parents of a pair are a pair, and the order of siblings is kept. Nothing is mapped below a
    replaced vertex. Among cheapest mappings, one with few replacements is preferred.

    >>> from flong.tree.build import build_tree
    >>> from flong.clustering.skeleton import skeleton_of
    >>> one, two = (skeleton_of(build_tree(h)) for h in ("<h1>a</h1><p>b", "<p>b<hr>"))
    >>> print(one, two, map_trees(one, two))
    body(h1 p) body(p hr) [(0, 0), (2, 1)]
    """
    index = build_index([first, second])
    distances = SubtreeDistances(index, costs)
    numbers = [_classes(index, skeleton) for skeleton in (first, second)]
    pairs = []
    stack = [(0, 0)]
    while stack:
        a, b = stack.pop()
        pairs.append((a, b))
        if numbers[0][a] == numbers[1][b]:
            pairs += [(a + i, b + i) for i in range(1, int(first.size[a]))]
        elif first.label[a] == second.label[b]:
            ours, theirs = _children(first, a), _children(second, b)
            alignment = _Alignment(distances, numbers[0][ours], numbers[1][theirs])
            stack += [(ours[i], theirs[j]) for i, j in alignment.pairs()]
    return sorted(pairs)


def _classes(index: SubtreeIndex, skeleton: Skeleton) -> NDArray[np.int64]:
    """Return the class of each vertex."""
    order = np.argsort(index.kind)
    return order[np.searchsorted(index.kind, skeleton.kind, sorter=order)]


def _children(skeleton: Skeleton, vertex: int) -> list[int]:
    """Return the children of a vertex."""
    found = []
    child, end = vertex + 1, vertex + int(skeleton.size[vertex])
    while child < end:
        found.append(child)
        child += int(skeleton.size[child])
    return found


class _Alignment:
    """Cheapest alignment of two lists of children."""

    def __init__(
        self, distances: SubtreeDistances, ours: NDArray[np.int64], theirs: NDArray[np.int64]
    ) -> None:
        size = distances.index.size
        self.remove = distances.costs.delete * size[ours]
        self.add = distances.costs.insert * size[theirs]
        grid = np.repeat(ours, len(theirs)), np.tile(theirs, len(ours))
        self.change = distances.measure_classes(*grid).reshape(len(ours), len(theirs))
        self.best = np.zeros((len(ours) + 1, len(theirs) + 1), dtype=np.int64)
        self.best[1:, 0], self.best[0, 1:] = np.cumsum(self.remove), np.cumsum(self.add)
        for i in range(len(ours)):
            for j in range(len(theirs)):
                self.best[i + 1, j + 1] = min(self._ways(i, j))

    def _ways(self, i: int, j: int) -> tuple[int, int, int]:
        """Return the costs of deleting, inserting and mapping children i and j."""
        return (
            self.best[i, j + 1] + self.remove[i],
            self.best[i + 1, j] + self.add[j],
            self.best[i, j] + self.change[i, j],
        )

    def pairs(self) -> list[tuple[int, int]]:
        """Return the mapped pairs of children."""
        i, j = self.change.shape[0] - 1, self.change.shape[1] - 1
        found = []
        while i >= 0 and j >= 0:
            ways = self._ways(i, j)
            way = ways.index(min(ways))
            if way == 2:
                found.append((i, j))
            i, j = i - (way != 1), j - (way != 0)
        return found
