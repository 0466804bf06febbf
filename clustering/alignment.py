"""Row-by-row alignment of two lists of children, shared by all tree distances.

Costs are relative: the cost of aligning a prefix of b minus the cost of inserting that whole
prefix. Insertions then cost nothing, and a row ends with its running minimum.
"""

# numba treats integers of numpy and Python as one type; mypy does not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.tree import compiled

_BEFORE = 4
"""Number of cells before the first child; the last of them stands for an empty prefix."""
_WIDE = 32
"""Minimum number of children for the vectorised sweep."""
_SIGN = np.int32(31)


class AlignmentRows(NamedTuple):
    """One row of the alignment table, with scratch space."""

    row: NDArray[np.int32]
    best: NDArray[np.int32]
    spare: NDArray[np.int32]
    added: NDArray[np.int32]
    """Cost of inserting each prefix of b."""


@compiled
def begin(rows: AlignmentRows, length: int) -> None:
    """Fill the row for an empty prefix of a."""
    for j in range(length + _BEFORE):
        rows.row[j] = 0


@compiled
def add_child(rows: AlignmentRows, length: int, removal: int, change: NDArray[np.int32]) -> None:
    """Extend the prefix of a by one child.

    `removal` is the cost of deleting it. `change` is the cost of mapping it to each child of b,
    minus the cost of inserting that child.
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
    """Write the running minimum of `best`, starting with `left`.

    Branch-free arithmetic is faster than a minimum with mispredicted branches.
    """
    rows.row[_BEFORE - 1] = left
    for j in range(_BEFORE, length + _BEFORE):
        less = np.int32(rows.best[j] - left)
        left = np.int32(left + (less & (less >> _SIGN)))
        rows.row[j] = left


@compiled
def _sweep_wide(rows: AlignmentRows, length: int, left: int) -> None:
    """Write the running minimum in vectorised steps.

    Minima of two, then of four cells, then of four cells and all previous ones.
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
    """Return the cost of aligning all children of a added so far with the first `length` of b."""
    return np.int64(rows.row[length + _BEFORE - 1]) + rows.added[length]


@compiled
def least(rows: AlignmentRows, length: int) -> int:
    """Return the minimum cost of the row, a lower bound for all alignments that extend it."""
    found = cost(rows, np.int64(0))
    for j in range(length):
        found = min(found, cost(rows, j + 1))
    return found


def new_rows(widest: int) -> AlignmentRows:
    """Return scratch space for lists of up to `widest` children."""
    return AlignmentRows(
        *(np.empty(widest + _BEFORE, dtype=np.int32) for _ in AlignmentRows._fields)
    )
