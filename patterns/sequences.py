"""The best way to map two sequences of siblings, once the cost of every pair is known.

Tables are filled from the end, so that a way can be read from the beginning and ties go to
the earliest pair and to the longest wildcard. Time and space are the product of the lengths.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from patterns.compiled import compiled
from patterns.pattern import KLEENE, OPTION, PLAIN, PLUS, SINGLE, Ints
from patterns.sides import INFINITE, PENALTY, STRICT, Side

Costs = NDArray[np.int64]

MAP, DROP_LEFT, DROP_RIGHT, STAY, LEAVE = range(5)
"""Steps: the pair maps (or a wildcard takes its first sibling); the left one is left over; the
right one is left over; a `+` or `*` takes one more sibling; it takes no more."""


class Grid(NamedTuple):
    """Two sequences of siblings."""

    left: Ints
    """Vertices of the left sequence."""
    right: Ints
    """Vertices of the right sequence."""
    cost: Costs
    """Cost of mapping `left[i]` to `right[j]` at `i * len(right) + j`."""


@compiled
def fill_alignment(left: Side, right: Side, grid: Grid, table: Costs) -> int:
    """Fill `table[i, j]` with the distance of `grid.left[i:]` and `grid.right[j:]`."""
    m, n = len(grid.left), len(grid.right)
    width = n + 1
    table[m * width + n] = 0
    for j in range(n - 1, -1, -1):
        table[m * width + j] = table[m * width + j + 1] + right.size[grid.right[j]]
    for i in range(m - 1, -1, -1):
        row, below, drop = i * width, (i + 1) * width, left.size[grid.left[i]]
        table[row + n] = table[below + n] + drop
        for j in range(n - 1, -1, -1):
            best = min(table[below + j] + drop, table[row + j + 1] + right.size[grid.right[j]])
            table[row + j] = min(best, table[below + j + 1] + grid.cost[i * n + j])
    return table[0]


@compiled
def step_alignment(left: Side, right: Side, grid: Grid, table: Costs, i: int, j: int) -> int:
    """Return the best step at a place of a filled table."""
    m, n = len(grid.left), len(grid.right)
    here = table[i * (n + 1) + j]
    if i < m and j < n and here == table[(i + 1) * (n + 1) + j + 1] + grid.cost[i * n + j]:
        return MAP
    if i < m and here == table[(i + 1) * (n + 1) + j] + left.size[grid.left[i]]:
        return DROP_LEFT
    return DROP_RIGHT


@compiled
def penalty(mode: int, vertices: int) -> int:
    """Return what it costs to leave vertices over: infinitely much unless the match is bounded."""
    return INFINITE if mode == STRICT else vertices * PENALTY


@compiled
def discard(mode: int, left: Side, a: int) -> int:
    """Return what it costs to leave a vertex of the pattern without counterpart."""
    kind = left.kind[a]
    return 1 if kind == OPTION or kind == KLEENE else penalty(mode, left.need[a])


@compiled
def fill_match(mode: int, left: Side, right: Side, grid: Grid, table: Costs) -> int:
    """Fill `table[i, j]` with the cost of matching `grid.left[i:]` to `grid.right[j:]`.

    A second layer holds the same for a `+` or `*` at i that has taken a sibling already.
    """
    m, n = len(grid.left), len(grid.right)
    width, layer = n + 1, (m + 1) * (n + 1)
    table[m * width + n] = 0
    for j in range(n - 1, -1, -1):
        rest = table[m * width + j + 1] + penalty(mode, right.size[grid.right[j]])
        table[m * width + j] = min(rest, INFINITE)
    for i in range(m - 1, -1, -1):
        kind = left.kind[grid.left[i]]
        if kind == PLUS or kind == KLEENE:
            _fill_many(mode, left, right, grid, table[i * width :], table[layer + i * width :], i)
        else:
            _fill_one(mode, left, right, grid, table[i * width :], i)
    return table[0]


@compiled
def _fill_many(
    mode: int, left: Side, right: Side, grid: Grid, row: Costs, taken: Costs, i: int
) -> None:
    """Fill the rows of a `+` or `*`."""
    n = len(grid.right)
    drop = discard(mode, left, grid.left[i])
    below = row[n + 1 :]
    taken[n] = below[n]
    row[n] = min(below[n] + drop, INFINITE)
    for j in range(n - 1, -1, -1):
        taken[j] = min(taken[j + 1], below[j])
        row[j] = min(taken[j + 1], below[j] + drop)


@compiled
def _fill_one(mode: int, left: Side, right: Side, grid: Grid, row: Costs, i: int) -> None:
    """Fill the row of a plain vertex, a `.` or a `?`."""
    n = len(grid.right)
    drop = discard(mode, left, grid.left[i])
    plain = left.kind[grid.left[i]] == PLAIN
    below = row[n + 1 :]
    row[n] = min(below[n] + drop, INFINITE)
    for j in range(n - 1, -1, -1):
        map_cost = grid.cost[i * n + j] if plain else 0
        best = min(below[j + 1] + map_cost, below[j] + drop)
        best = min(best, row[j + 1] + penalty(mode, right.size[grid.right[j]]))
        row[j] = min(best, INFINITE)


@compiled
def step_match(
    mode: int, left: Side, right: Side, grid: Grid, table: Costs, i: int, j: int, taken: bool
) -> int:
    """Return the best step at a place of a filled table; `taken` if i has a sibling already."""
    m, n = len(grid.left), len(grid.right)
    width, layer = n + 1, (m + 1) * (n + 1)
    if i == m:
        return DROP_RIGHT
    kind = left.kind[grid.left[i]]
    many = kind == PLUS or kind == KLEENE
    if taken:
        stay = j < n and table[layer + i * width + j] == table[layer + i * width + j + 1]
        return STAY if stay else LEAVE
    here = table[i * width + j]
    if j < n and many and here == table[layer + i * width + j + 1]:
        return MAP
    map_cost = grid.cost[i * n + j] if kind == PLAIN and j < n else 0
    if j < n and not many and here == table[(i + 1) * width + j + 1] + map_cost:
        return MAP
    if here == table[(i + 1) * width + j] + discard(mode, left, grid.left[i]):
        return DROP_LEFT
    return DROP_RIGHT
