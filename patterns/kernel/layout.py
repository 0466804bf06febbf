"""Arrays that a comparison of two trees reads and fills, each described once.

A row of an array is a record of integers, named by a class. Compiled code reads `vertices[v].tag`,
so a column of another array cannot be used by mistake.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from flong.patterns.pattern import Ints

Numbers = NDArray[np.int64]
Fields = TypeVar("Fields")

ALIGN, STRICT, BOUNDED = range(3)
"""Modes: RTDM mapping of two patterns, strict match, bounded match."""

INFINITE = 1 << 58
"""Larger than any cost; a few of them added do not overflow."""

PENALTY = 1 << 20
"""Cost of one vertex that a bounded match leaves over; an unused wildcard costs 1."""

NO_ROOM = -1
"""Returned in place of a cost if arrays are too short; the counts give the minimum lengths."""

LIMIT = 1 << 22
"""Maximum number of cells in one comparison; beyond it vertices do not map."""

ZERO = cast(int, np.int64(0))
"""Zero as an argument. A literal 0 would have the compiler specialise all callees again."""

DESCEND, APART, PAIR, ONLY, SAME = -5, -4, -3, -2, -1
"""States of a pair: their children decide; nothing in them maps; only they map; they map and the
leaf below the left takes everything below the right; all map in turn."""

OPEN, FAILED, SKIPPED = range(3)
"""States of a record: can be settled; infinite cost; so wide that nothing between the ends maps."""

RECORDS, CELLS, ROWS = range(3)
"""Positions of the counts."""


class TreeVertex:
    """A vertex of a compared tree."""

    kind: int
    """As in a pattern."""
    tag: int
    size: int
    text: int
    classes: int
    """Start of its class tokens in their list ..."""
    classes_end: int
    """... and end."""
    kids: int
    """Start of its children in their list ..."""
    kids_end: int
    """... and end."""
    digest: int
    """Equal for equal sub-trees (in a match without classes)."""
    need: int
    """Minimum number of vertices of the sub-tree that a match maps."""
    ground: int
    """1 if the sub-tree has no wildcard."""


class Record:
    """A pair of vertices whose children decide.

    Children at both ends map one to one; each left child between them makes a row.
    """

    left: int
    right: int
    up: int
    """The record that waits for it."""
    base: int
    """Cost of the mapping without children."""
    state: int
    head: int
    """Number of children that map one to one at the beginning ..."""
    tail: int
    """... and at the end."""
    height: int
    """Number of children between them on the left ..."""
    width: int
    """... and on the right."""
    cell: int
    """Its first cell, of the ends."""
    row: int
    """Its first row."""
    current: int
    """The row being decided; -1 for the ends."""
    now: int
    """The cell being decided ..."""
    end: int
    """... and the end of the row's cells."""


class StateRow:
    """States of one left child: numbers of right children taken before it."""

    cell: int
    """Its first cell."""
    low: int
    """Its lowest state ..."""
    high: int
    """... and its highest."""
    least: int
    """Minimum number of right children taken from here on ..."""
    most: int
    """... and maximum."""


class Cell:
    """A state, with its pair of children."""

    cost: int
    """Cost of mapping the pair. For a `+` or `*`, later the cost from here on once it has taken a
    child."""
    best: int
    """1 if the state can be reached; later the cost from here on."""
    link: int
    """Record of the pair, or state of the pair."""


class Side(NamedTuple):
    """One tree of a comparison."""

    vertices: Sequence[TreeVertex]
    kids: Numbers
    """Children of v are `kids[vertices[v].kids : vertices[v].kids_end]`."""
    classes: Numbers
    """Class tokens of v are `classes[vertices[v].classes : vertices[v].classes_end]`."""


class Comparison(NamedTuple):
    """A comparison in progress."""

    mode: int
    """`ALIGN`, `STRICT` or `BOUNDED`."""
    left: Side
    """The pattern."""
    right: Side
    """The page, or the other pattern."""
    records: Sequence[Record]
    cells: Sequence[Cell]
    rows: Sequence[StateRow]
    counts: Numbers
    """Number of used records, cells and rows."""
    spans: Ints
    """For each left vertex the first right vertex that it maps to or takes, and the end of the
    sub-trees that it takes; -1 for none."""


_DTYPES: dict[type, np.dtype[np.void]] = {
    fields: np.dtype([(name, np.int64) for name in fields.__annotations__])
    for fields in (TreeVertex, Record, StateRow, Cell)
}


def make_array(fields: type[Fields], length: int) -> Sequence[Fields]:
    """Return an array of records with these fields."""
    return cast(Sequence[Fields], np.empty(length, _DTYPES[fields]))


SideArrays = tuple[Sequence[TreeVertex], Numbers, Numbers]
"""A `Side` as passed to compiled code, which reads plain tuples in half the time."""
Scratch = tuple[Sequence[Record], Sequence[Cell], Sequence[StateRow], Numbers]
"""Records, cells, rows and counts that a comparison fills; reused by the next."""


def make_scratch(room: tuple[int, int, int] = (1 << 12, 1 << 18, 1 << 14)) -> Scratch:
    """Return arrays with this room for records, cells and rows.

    The default of 7 MB is enough for nearly all pages; unused parts take no memory.
    """
    return (
        make_array(Record, room[RECORDS]),
        make_array(Cell, room[CELLS]),
        make_array(StateRow, room[ROWS]),
        np.empty(3, np.int64),
    )


def room_for(needs: Sequence[int], lengths: Sequence[int]) -> tuple[int, int, int]:
    """Return the lengths of the arrays for the next attempt, from the counts of the last.

    All become much longer: the first one that is too short is rarely the only one.

    >>> room_for([5, 3, 9], [4, 4, 8])
    (160, 96, 288)
    """
    records, cells, rows = (
        max(length, 32 * need) for need, length in zip(needs, lengths, strict=True)
    )
    return records, cells, rows
