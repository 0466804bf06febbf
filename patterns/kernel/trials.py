"""The trial whether a pattern accepts a page: the arrays that it fills, and ways to read them.

A pair of vertices whose children decide becomes a *record*. Children before the first and after
the last wildcard of variable length must map one to one; they are decided first. For those
between, each child of the pattern makes a *row* of states: how many children of the page can have
been taken before it. A row is made when the row above is decided, and holds only states that can
be reached and can still be completed; a pair that no such state asks about is never compared.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np

from patterns.kernel.records import CELLS, RECORDS
from patterns.kernel.sides import KID, KID_END, KIND, ZERO, Numbers, Side
from patterns.pattern import KLEENE, OPTION, PLUS, SINGLE, Ints
from trees import compiled

LEFT, RIGHT, UP, HEAD, TAIL, OURS, THEIRS, FIRST_CELL, FIRST_ROW, ROW, NOW, END, FAILED = range(13)
"""Columns of a record: its pair; the record that waits for it; how many children map one to one at
both ends; how many are between on each side; its first cell and row; the row that is decided, -1
for the ends; the cell that is decided and where those of the row end; whether it cannot match."""

START, LOW, HIGH, LEAST, MOST = range(5)
"""Columns of a row: its first cell; its lowest and highest state; how many children the vertices
from here on take at least and at most."""

COST, LINK, BEST, TAKEN = range(4)
"""Columns of a cell, which is a state and the pair it asks about: what it costs that the pair
maps; its record, or how the pair stands; whether the state can be reached, and later the cost
from here on; the same for a `+` or `*` that has taken a child already."""

NEVER = 1 << 29
"""More than any cost of a trial; twice as much is still a number of a cell."""

ROWS = 2
"""Counts are `RECORDS`, `CELLS`, and rows that are used."""

ROOM = (128, 1024, 512)
"""For so many of each there is room in most trials."""


class Trial(NamedTuple):
    """A trial under way."""

    left: Side
    """The pattern."""
    right: Side
    """The page."""
    cells: Ints
    """A row per cell, in small numbers, because there may be many."""
    records: Numbers
    """A row per record."""
    rows: Numbers
    """A row per row of states."""
    counts: Numbers
    """How many of each are used."""
    spans: Ints
    """For each vertex of the pattern where what it takes begins and ends; -1 for nothing."""


def make_trial(left: Side, right: Side, spans: Ints, room: tuple[int, int, int]) -> Trial:
    """Return a trial with room for so many records, cells and rows."""
    return Trial(
        left,
        right,
        np.empty((room[CELLS], TAKEN + 1), np.int32),
        np.empty((room[RECORDS], FAILED + 1), np.int64),
        np.empty((room[ROWS], MOST + 1), np.int64),
        np.zeros(3, np.int64),
        spans,
    )


@compiled
def left_at(trial: Trial, at: int, i: int) -> int:
    """Return the i-th of the pattern's children between the ends."""
    record = trial.records[at]
    return trial.left.kids[trial.left.nodes[record[LEFT], KID] + record[HEAD] + i]


@compiled
def right_at(trial: Trial, at: int, j: int) -> int:
    """Return the j-th of the page's children between the ends."""
    record = trial.records[at]
    return trial.right.kids[trial.right.nodes[record[RIGHT], KID] + record[HEAD] + j]


@compiled
def kind_at(trial: Trial, at: int, i: int) -> int:
    """Return the kind of the i-th of the pattern's children between the ends."""
    return trial.left.nodes[left_at(trial, at, i), KIND]


@compiled
def end_pair(trial: Trial, at: int, k: int) -> tuple[int, int]:
    """Return the k-th of the pairs at both ends."""
    record = trial.records[at]
    if k < record[HEAD]:
        return left_at(trial, at, k - record[HEAD]), right_at(trial, at, k - record[HEAD])
    k -= record[HEAD]
    return left_at(trial, at, record[OURS] + k), right_at(trial, at, record[THEIRS] + k)


@compiled
def cost_at(trial: Trial, row: Numbers, j: int, column: int) -> int:
    """Return the cost from a state of a row on, infinitely much if there is no such state."""
    if not row[LOW] <= j <= row[HIGH]:
        return NEVER
    return trial.cells[row[START] + j - row[LOW], column]


@compiled
def begin(trial: Trial, a: int, b: int, up: int) -> bool:
    """Begin a record for a pair of vertices; return whether there is room for it."""
    left, right, number = trial.left, trial.right, trial.counts[RECORDS]
    trial.counts[RECORDS] = number + 1
    if number == len(trial.records):
        return False
    first, last = left.nodes[a, KID], left.nodes[a, KID_END] - 1
    ours, theirs = last + 1 - first, right.nodes[b, KID_END] - right.nodes[b, KID]
    head = tail = ZERO
    while head < ours and left.nodes[left.kids[first + head], KIND] <= SINGLE:
        head += 1
    while head + tail < ours and left.nodes[left.kids[last - tail], KIND] <= SINGLE:
        tail += 1
    record = trial.records[number]
    record[LEFT], record[RIGHT], record[UP] = a, b, up
    record[HEAD], record[TAIL], record[ROW] = head, tail, -1
    record[OURS], record[THEIRS] = ours - head - tail, theirs - head - tail
    record[FAILED] = theirs < head + tail or (head == ours and theirs > ours)
    record[FIRST_ROW] = trial.counts[ROWS]
    record[FIRST_CELL] = record[NOW] = record[END] = trial.counts[CELLS]
    if record[FAILED]:
        return True
    return reserve(trial, number, head + tail) and _measure(trial, number)


@compiled
def reserve(trial: Trial, at: int, cells: int) -> bool:
    """Set cells apart in which a record decides next; return whether there is room."""
    record = trial.records[at]
    first = trial.counts[CELLS]
    trial.counts[CELLS] = first + cells
    if first + cells > len(trial.cells):
        return False
    record[NOW], record[END] = first, first + cells
    trial.cells[first : first + cells, BEST] = 1
    return True


@compiled
def _measure(trial: Trial, at: int) -> bool:
    """Set rows apart and note what is taken from each on; return whether there is room.

    Below them is one more with a single state: all children are taken, at no further cost.
    """
    record = trial.records[at]
    first, ours, cell = record[FIRST_ROW], record[OURS], trial.counts[CELLS]
    trial.counts[ROWS], trial.counts[CELLS] = first + ours + 1, cell + 1
    if trial.counts[ROWS] > len(trial.rows) or cell == len(trial.cells):
        return False
    least = most = ZERO
    for i in range(ours - 1, -1, -1):
        kind = kind_at(trial, at, i)
        least += 0 if kind in (OPTION, KLEENE) else 1
        most += record[THEIRS] if kind in (PLUS, KLEENE) else 1
        trial.rows[first + i, LEAST], trial.rows[first + i, MOST] = least, most
    last = trial.rows[first + ours]
    last[START], last[LOW], last[HIGH] = cell, record[THEIRS], record[THEIRS]
    trial.cells[cell, BEST] = 0
    return True
