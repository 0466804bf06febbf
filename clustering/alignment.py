"""The alignment of two lists of children, a row at a time, for all tree distances.

Numbers are relative: what it costs to make the first children of b from those of a, less what
it costs to add them all. Then the costs of adding children one by one drop out, and a row ends
in the least of each beginning of itself.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.tree import compiled

_BEFORE = 4
"""Places before those of the children; the last of them is for no child at all."""
_WIDE = 32
"""From so many children on it pays to look at several at once."""
_SIGN = np.int32(31)


class AlignmentRows(NamedTuple):
    """A row, and room for what becomes of it."""

    row: NDArray[np.int32]
    best: NDArray[np.int32]
    spare: NDArray[np.int32]
    added: NDArray[np.int32]
    """What it costs to add the first children."""


@compiled
def begin(rows: AlignmentRows, length: int) -> None:
    """Fill the row for no child of a."""
    for j in range(length + _BEFORE):
        rows.row[j] = 0


@compiled
def add_child(rows: AlignmentRows, length: int, removal: int, change: NDArray[np.int32]) -> None:
    """Go on to one child of a more.

    `removal` is what it costs to leave it out, `change` to turn it into each child of b instead
    of adding that.
    """
    row, best = rows.row, rows.best
    left = np.int32(row[_BEFORE - 1] + removal)
    for j in range(length):
        mapped, removed = np.int32(row[j + 3] + change[j]), np.int32(row[j + 4] + removal)
        best[j + 4] = min(mapped, removed)
    if length < _WIDE:
        _sweep(rows, length, left)
    else:
        _sweep_wide(rows, length, left)


@compiled
def _sweep(rows: AlignmentRows, length: int, left: int) -> None:
    """Write the least of each beginning of `best`; `left` comes before it.

    A minimum that is guessed wrongly, as a processor does, takes longer than this arithmetic.
    """
    rows.row[_BEFORE - 1] = left
    for j in range(_BEFORE, length + _BEFORE):
        less = np.int32(rows.best[j] - left)
        left = np.int32(left + (less & (less >> _SIGN)))
        rows.row[j] = left


@compiled
def _sweep_wide(rows: AlignmentRows, length: int, left: int) -> None:
    """Do the same in steps that each work on several children at once.

    The least of two is found, of four, then of four and all before them.
    """
    row, best, spare = rows.row, rows.best, rows.spare
    for j in range(_BEFORE):
        row[j] = best[j] = spare[j] = left
    for j in range(length):
        spare[j + 4] = min(best[j + 4], best[j + 3])
    for j in range(length):
        best[j + 4] = min(spare[j + 4], spare[j + 2])
    for j in range(length):
        row[j + 4] = min(best[j + 4], row[j])


@compiled
def cost(rows: AlignmentRows, length: int) -> int:
    """Return what it costs to make so many children of b from all of a so far."""
    return np.int64(rows.row[length + _BEFORE - 1]) + rows.added[length]


@compiled
def least(rows: AlignmentRows, length: int) -> int:
    """Return the least cost of the row: no alignment that goes on from here costs less."""
    found = cost(rows, np.int64(0))
    for j in range(length):
        found = min(found, cost(rows, j + 1))
    return found


def new_rows(widest: int) -> AlignmentRows:
    """Return room for lists of so many children."""
    return AlignmentRows(
        *(np.empty(widest + _BEFORE, dtype=np.int32) for _ in AlignmentRows._fields)
    )
