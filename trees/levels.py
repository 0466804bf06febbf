"""The unrestricted top-down distance, to compare with (the paper's Figure 10).

Selkow, "The tree-to-tree editing problem" (1977); Chawathe, "Comparing hierarchical data in
external memory" (1999) computes the same. Every pair of vertices of one level is aligned,
whether their labels are equal or not.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trees.machine import compiled
from trees.shape import Shape


class Levels(NamedTuple):
    """A tree, and its vertices level by level."""

    label: NDArray[np.int32]
    size: NDArray[np.int32]
    vertices: NDArray[np.int32]
    start: NDArray[np.int32]
    """Vertices of level d are `vertices[start[d]:start[d + 1]]`."""


class Table(NamedTuple):
    """Distances of sub-trees of one level, the row of an alignment, and the costs."""

    found: NDArray[np.int32]
    row: NDArray[np.int32]
    costs: NDArray[np.int32]


@compiled
def _align(a: Levels, b: Levels, u: int, v: int, table: Table) -> int:
    """Return the cost of turning the children of u into those of v."""
    found, row = table.found, table.row
    delete, insert = table.costs[0], table.costs[1]
    u_stop, v_stop = u + a.size[u], v + b.size[v]
    row[0], length, j = 0, 0, v + 1
    while j < v_stop:
        row[length + 1] = row[length] + insert * b.size[j]
        length, j = length + 1, j + b.size[j]
    i = u + 1
    while i < u_stop:
        diagonal, removal = row[0], delete * a.size[i]
        left = diagonal + removal
        row[0], k, j = left, 1, v + 1
        while j < v_stop:
            up = row[k]
            left = min(left + insert * b.size[j], up + removal, diagonal + found[i, j])
            row[k], diagonal = left, up
            k, j = k + 1, j + b.size[j]
        i += a.size[i]
    return row[length]


@compiled
def top_down(a: Levels, b: Levels, table: Table) -> int:
    """Return the distance of the roots."""
    for level in range(min(len(a.start), len(b.start)) - 2, -1, -1):
        for u in a.vertices[a.start[level] : a.start[level + 1]]:
            for v in b.vertices[b.start[level] : b.start[level + 1]]:
                change = table.costs[2] if a.label[u] != b.label[v] else 0
                table.found[u, v] = change + _align(a, b, u, v, table)
    return table.found[0, 0]


@compiled
def _fill_depth(size: NDArray[np.int32], ends: NDArray[np.int32], depth: NDArray[np.int32]) -> None:
    """Find the level of each vertex; `ends` has as much room."""
    level = 0
    for vertex in range(len(size)):
        while level and ends[level - 1] <= vertex:
            level -= 1
        depth[vertex], ends[level] = level, vertex + size[vertex]
        level += 1


def levels(shape: Shape) -> Levels:
    """Return a tree level by level."""
    depth = np.empty_like(shape.size)
    _fill_depth(shape.size, np.empty_like(shape.size), depth)
    return Levels(
        label=shape.label,
        size=shape.size,
        vertices=np.argsort(depth, kind="stable").astype(np.int32),
        start=np.concatenate([[0], np.cumsum(np.bincount(depth))]).astype(np.int32),
    )
