"""Compares two trees pair by pair, from the roots down, without recursion.

A pair of vertices whose children decide becomes a *record*. Its first `HEAD` and last `TAIL`
children map one to one; between them lies a grid of cells, one for each pair of a left and a
right child, through which `patterns.sequences` then finds the best way. A record is settled
when the records of its cells are; each pair is looked at once.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from patterns.compiled import compiled
from patterns.pattern import PLAIN, SINGLE
from patterns.sequences import Costs, Grid, fill_alignment, fill_match
from patterns.sides import ALIGN, DESCEND, INFINITE, PAIR, SAME, STRICT, Side, compare

LEFT, RIGHT, HEAD, TAIL, OFFSET, BASE, STATE = range(7)
"""Columns of a record: the pair, its head and tail, where its cells begin, what the pair costs
by itself, whether it can be settled."""

OPEN, FAILED, SKIPPED = range(3)
"""States of a record: can be settled; costs infinitely much; so wide that nothing in it maps."""

RECORDS, CELLS, TOP = range(3)
"""Counts: records so far, cells so far, the top of the stack."""

LIMIT = 1 << 23
"""Cells that one comparison may take (100 MB); what is beyond does not map."""


class Work(NamedTuple):
    """The growing arrays of a comparison."""

    cost: Costs
    """Cost of each cell."""
    link: NDArray[np.int32]
    """Record of each cell, or how its pair stands."""
    records: NDArray[np.int64]
    """A row per record."""
    stack: NDArray[np.int64]
    """Records under way: number, next cell."""
    table: Costs
    """Space for one filled grid."""
    counts: NDArray[np.int64]
    """How much of the other arrays is used."""


@compiled
def walk(mode: int, left: Side, right: Side, base: int) -> tuple[int, Work]:
    """Return the cost of mapping root to root, and all records; the roots' is number 0."""
    work = Work(
        np.empty(1024, np.int64),
        np.empty(1024, np.int32),
        np.empty((256, 7), np.int64),
        np.empty((64, 2), np.int64),
        np.empty(1024, np.int64),
        np.array([0, 0, -1]),
    )
    work = _push(mode, left, right, work, 0, 0, base)
    while True:
        top = work.counts[TOP]
        row = work.records[work.stack[top, 0]]
        position = _advance(mode, left, right, work, row, work.stack[top, 1])
        if position >= 0:
            work.stack[top, 1] = position
            cell = row[OFFSET] + position
            work.link[cell] = work.counts[RECORDS]
            a, b = cell_pair(mode, left, right, row, position)
            work = _push(mode, left, right, work, a, b, work.cost[cell])
        else:
            cost, work = _settle(mode, left, right, work, row)
            if top == 0:
                return cost, work
            work.counts[TOP] = top - 1
            _hand_up(mode, work, cost)


@compiled
def grown(array: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Return the array, or a longer copy of it if it is shorter than asked."""
    if len(array) >= length:
        return array
    longer = np.empty((max(length, 2 * len(array)), *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


@compiled
def _push(mode: int, left: Side, right: Side, work: Work, a: int, b: int, base: int) -> Work:
    """Begin a record for a pair of vertices."""
    number, offset, top = work.counts[RECORDS], work.counts[CELLS], work.counts[TOP] + 1
    head, tail, state = _ends(mode, left, a, right, b)
    row = np.array([a, b, head, tail, offset, base, state])
    cells = 0
    if state == OPEN:
        m, n = grid_shape(left, right, row)
        cells = m * n + forced(mode, row)
        if offset + cells > LIMIT:
            row[STATE] = SKIPPED if mode == ALIGN else FAILED
            cells = 0
    work = Work(
        grown(work.cost, offset + cells),
        grown(work.link, offset + cells),
        grown(work.records, number + 1),
        grown(work.stack, top + 1),
        work.table,
        work.counts,
    )
    work.records[number] = row
    work.stack[top, 0], work.stack[top, 1] = number, 0
    work.counts[:] = (number + 1, offset + cells, top)
    return work


@compiled
def _ends(mode: int, left: Side, a: int, right: Side, b: int) -> tuple[int, int, int]:
    """Return how many children map one to one at the beginning and at the end, and a state.

    In a strict match all before the first and after the last wildcard of variable length must;
    otherwise equal sub-trees do, without loss.
    """
    ours = left.kids[left.first[a] : left.first[a + 1]]
    theirs = right.kids[right.first[b] : right.first[b + 1]]
    m, n = len(ours), len(theirs)
    head = tail = 0
    if mode == STRICT:
        while head < m and left.kind[ours[head]] <= SINGLE:
            head += 1
        while tail < m - head and left.kind[ours[m - 1 - tail]] <= SINGLE:
            tail += 1
        fits = head + tail <= n and (head < m or m == n)
        return head, tail, OPEN if fits else FAILED
    short = min(m, n)
    while head < short and compare(mode, left, ours[head], right, theirs[head])[1] == SAME:
        head += 1
    while (
        tail < short - head
        and compare(mode, left, ours[m - 1 - tail], right, theirs[n - 1 - tail])[1] == SAME
    ):
        tail += 1
    return head, tail, OPEN


@compiled
def forced(mode: int, row: NDArray[np.int64]) -> int:
    """Return how many cells stand before the grid: those of head and tail, if not yet decided."""
    return row[HEAD] + row[TAIL] if mode == STRICT else 0


@compiled
def grid_shape(left: Side, right: Side, row: NDArray[np.int64]) -> tuple[int, int]:
    """Return how many children of either side lie between head and tail."""
    a, b, ends = row[LEFT], row[RIGHT], row[HEAD] + row[TAIL]
    return left.first[a + 1] - left.first[a] - ends, right.first[b + 1] - right.first[b] - ends


@compiled
def end_pair(left: Side, right: Side, row: NDArray[np.int64], k: int) -> tuple[int, int]:
    """Return the k-th of the pairs of head and tail."""
    i, j = left.first[row[LEFT]], right.first[row[RIGHT]]
    if k >= row[HEAD]:
        m, n = grid_shape(left, right, row)
        i, j = i + m, j + n
    return left.kids[i + k], right.kids[j + k]


@compiled
def cell_pair(
    mode: int, left: Side, right: Side, row: NDArray[np.int64], position: int
) -> tuple[int, int]:
    """Return the two vertices of a cell."""
    inside = position - forced(mode, row)
    if inside < 0:
        return end_pair(left, right, row, position)
    n = grid_shape(left, right, row)[1]
    i = left.first[row[LEFT]] + row[HEAD] + inside // n
    j = right.first[row[RIGHT]] + row[HEAD] + inside % n
    return left.kids[i], right.kids[j]


@compiled
def grid_of(mode: int, left: Side, right: Side, work: Work, row: NDArray[np.int64]) -> Grid:
    """Return the grid of a record."""
    m, n = grid_shape(left, right, row)
    i = left.first[row[LEFT]] + row[HEAD]
    j = right.first[row[RIGHT]] + row[HEAD]
    cell = row[OFFSET] + forced(mode, row)
    return Grid(left.kids[i : i + m], right.kids[j : j + n], work.cost[cell : cell + m * n])


@compiled
def fill(mode: int, left: Side, right: Side, work: Work, grid: Grid) -> tuple[int, Work]:
    """Fill the table with the best ways through a grid; return the best cost."""
    layers = 1 if mode == ALIGN else 2
    room = layers * (len(grid.left) + 1) * (len(grid.right) + 1)
    table = grown(work.table, room)
    work = Work(work.cost, work.link, work.records, work.stack, table, work.counts)
    if mode == ALIGN:
        return fill_alignment(left, right, grid, table), work
    return fill_match(mode, left, right, grid, table), work


@compiled
def _advance(
    mode: int, left: Side, right: Side, work: Work, row: NDArray[np.int64], position: int
) -> int:
    """Decide cells from a position on; return the next that needs a record, or -1."""
    if row[STATE] != OPEN:
        return -1
    m, n = grid_shape(left, right, row)
    before = forced(mode, row)
    while position < before + m * n:
        a, b = cell_pair(mode, left, right, row, position)
        cost, stand = 0, PAIR
        if mode == ALIGN or left.kind[a] == PLAIN:
            cost, stand = compare(mode, left, a, right, b)
        work.cost[row[OFFSET] + position] = cost
        work.link[row[OFFSET] + position] = stand
        if stand == DESCEND:
            return position
        if cost >= INFINITE and position < before:
            row[STATE] = FAILED
            return -1
        position += 1
    return -1


@compiled
def _settle(
    mode: int, left: Side, right: Side, work: Work, row: NDArray[np.int64]
) -> tuple[int, Work]:
    """Return the cost of a record whose cells are all decided."""
    if row[STATE] == FAILED:
        return INFINITE, work
    if row[STATE] == SKIPPED:
        return left.size[row[LEFT]] + right.size[row[RIGHT]] - 2, work
    cost, work = fill(mode, left, right, work, grid_of(mode, left, right, work, row))
    cost += row[BASE]
    for cell in range(row[OFFSET], row[OFFSET] + forced(mode, row)):
        cost += work.cost[cell]
    return min(cost, INFINITE), work


@compiled
def _hand_up(mode: int, work: Work, cost: int) -> None:
    """Tell the record below on the stack what its cell costs."""
    top = work.counts[TOP]
    position = work.stack[top, 1]
    row = work.records[work.stack[top, 0]]
    work.cost[row[OFFSET] + position] = cost
    work.stack[top, 1] = position + 1
    if cost >= INFINITE and position < forced(mode, row):
        row[STATE] = FAILED
