"""Unrestricted top-down distance, for comparison (the paper's Figure 10).

Selkow, "The tree-to-tree editing problem" (1977); Chawathe, "Comparing hierarchical data in
external memory" (1999) computes the same. All pairs of vertices of one level are aligned, whether
or not their labels are equal.
"""

# numba treats integers of numpy and Python as one type; mypy does not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.clustering.alignment import AlignmentRows, add_child, begin, cost
from flong.clustering.skeleton import Skeleton
from flong.tree import compiled


class TreeLevels(NamedTuple):
    """A tree with its vertices grouped by level."""

    label: NDArray[np.int32]
    size: NDArray[np.int32]
    vertices: NDArray[np.int32]
    start: NDArray[np.int32]
    """Vertices of level d are `vertices[start[d]:start[d + 1]]`."""


class SelkowTable(NamedTuple):
    """Distances of subtrees of one level, scratch space for the alignment, and costs."""

    found: NDArray[np.int32]
    rows: AlignmentRows
    change: NDArray[np.int32]
    """Cost of mapping a child to each child of the other side, minus the cost of inserting it."""
    costs: NDArray[np.int32]


@compiled
def _align(a: TreeLevels, b: TreeLevels, u: int, v: int, table: SelkowTable) -> int:
    """Return the cost of aligning the children of u with those of v."""
    rows, change = table.rows, table.change
    delete, insert = table.costs[0], table.costs[1]
    rows.added[0], length, j = 0, 0, v + 1
    while j < v + b.size[v]:
        rows.added[length + 1] = rows.added[length] + insert * b.size[j]
        length, j = length + 1, j + b.size[j]
    begin(rows, length)
    i = u + 1
    while i < u + a.size[u]:
        j = v + 1
        for k in range(length):
            change[k] = table.found[i, j] - insert * b.size[j]
            j += b.size[j]
        add_child(rows, length, np.int32(delete * a.size[i]), change)
        i += a.size[i]
    return cost(rows, length)


@compiled
def top_down(a: TreeLevels, b: TreeLevels, table: SelkowTable) -> int:
    """Return the distance of the roots."""
    for level in range(min(len(a.start), len(b.start)) - 2, -1, -1):
        for u in a.vertices[a.start[level] : a.start[level + 1]]:
            for v in b.vertices[b.start[level] : b.start[level + 1]]:
                change = table.costs[2] if a.label[u] != b.label[v] else 0
                table.found[u, v] = change + _align(a, b, u, v, table)
    return table.found[0, 0]


@compiled
def _fill_depth(size: NDArray[np.int32], ends: NDArray[np.int32], depth: NDArray[np.int32]) -> None:
    """Compute the level of each vertex; `ends` is scratch space of the same length."""
    level = 0
    for vertex in range(len(size)):
        while level and ends[level - 1] <= vertex:
            level -= 1
        depth[vertex], ends[level] = level, vertex + size[vertex]
        level += 1


def levels(skeleton: Skeleton) -> TreeLevels:
    """Group the vertices of a tree by level."""
    depth = np.empty_like(skeleton.size)
    _fill_depth(skeleton.size, np.empty_like(skeleton.size), depth)
    return TreeLevels(
        label=skeleton.label,
        size=skeleton.size,
        vertices=np.argsort(depth, kind="stable").astype(np.int32),
        start=np.concatenate([[0], np.cumsum(np.bincount(depth))]).astype(np.int32),
    )
