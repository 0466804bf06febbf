"""The arrays that a comparison of two trees reads and fills, each described once.

A row of an array is a record of whole numbers; the class beside it names them. Compiled code reads
`vertices[v].tag`, so a name cannot be taken from another array by mistake.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from flong.patterns.pattern import Ints

Numbers = NDArray[np.int64]
Fields = TypeVar("Fields")

ALIGN, STRICT, BOUNDED = range(3)
"""What is asked: the RTDM mapping of two patterns; whether a pattern accepts a page; how a pattern
nearly fits a page."""

INFINITE = 1 << 58
"""More than any cost; a few of them together are still a number."""

PENALTY = 1 << 20
"""Cost of one vertex that a bounded match leaves over; a discarded wildcard costs 1."""

NO_ROOM = -1
"""In place of a cost: the arrays are too short; the counts say how long they must be at least."""

LIMIT = 1 << 22
"""Cells that one comparison may take; what is beyond does not map."""

ZERO = cast(int, np.int64(0))
"""A literal 0 as argument makes the compiler do all that is called a second time."""

DESCEND, APART, PAIR, ONLY, SAME = -5, -4, -3, -2, -1
"""How a pair of vertices stands: their children decide; nothing in them maps; only they map; they
map and the one leaf below the left takes all that is below the right; all map in turn."""

OPEN, FAILED, SKIPPED = range(3)
"""States of a record: can be settled; costs infinitely much; so wide that nothing between the ends
maps."""

RECORDS, CELLS, ROWS = range(3)
"""Counts: how many of each are used."""


class TreeVertex:
    """A vertex of a tree that is compared."""

    kind: int
    """As in a pattern."""
    tag: int
    size: int
    text: int
    classes: int
    """Where its class tokens begin in their list ..."""
    classes_end: int
    """... and end."""
    kids: int
    """Where its children begin in their list ..."""
    kids_end: int
    """... and end."""
    digest: int
    """Equal for equal sub-trees (in a match: but for the classes)."""
    need: int
    """How many vertices of the sub-tree a match cannot do without."""
    ground: int
    """Whether there is no wildcard in the sub-tree."""


class Record:
    """A pair of vertices whose children decide.

    Children at both ends map one to one; for those between, each on the left makes a row.
    """

    left: int
    right: int
    up: int
    """The record that waits for it."""
    base: int
    """What it costs without their children that the two map."""
    state: int
    head: int
    """How many children map one to one at the beginning ..."""
    tail: int
    """... and at the end."""
    height: int
    """How many children are between on the left ..."""
    width: int
    """... and on the right."""
    cell: int
    """Its first cell: those of the ends."""
    row: int
    """Its first row."""
    current: int
    """The row that is decided; -1 for the ends."""
    now: int
    """The cell that is decided ..."""
    end: int
    """... and where those of the row end."""


class StateRow:
    """States of one left child: how many right children can have been taken before it."""

    cell: int
    """Its first cell."""
    low: int
    """Its lowest state ..."""
    high: int
    """... and its highest."""
    least: int
    """How many right children are taken from here on at least ..."""
    most: int
    """... and at most."""


class Cell:
    """A state, and the pair of children it asks about."""

    cost: int
    """What it costs that the pair maps; for a `+` or `*` later what it costs from here on if it has
    taken a child already."""
    best: int
    """Whether the state can be reached; later the cost from here on."""
    link: int
    """The pair's record, or how it stands."""


class Side(NamedTuple):
    """One tree of a comparison."""

    vertices: Sequence[TreeVertex]
    kids: Numbers
    """Children of v are `kids[vertices[v].kids : vertices[v].kids_end]`."""
    classes: Numbers
    """Its class tokens are `classes[vertices[v].classes : vertices[v].classes_end]`."""


class Comparison(NamedTuple):
    """A comparison under way."""

    mode: int
    """What is asked."""
    left: Side
    """The pattern."""
    right: Side
    """The page, or the other pattern."""
    records: Sequence[Record]
    cells: Sequence[Cell]
    rows: Sequence[StateRow]
    counts: Numbers
    """How many of each are used."""
    spans: Ints
    """For each left vertex the first right vertex that it maps to or takes, and where the sub-trees
    that it takes end; -1 for none."""


_DTYPES: dict[type, np.dtype[np.void]] = {
    fields: np.dtype([(name, np.int64) for name in fields.__annotations__])
    for fields in (TreeVertex, Record, StateRow, Cell)
}


def make_array(fields: type[Fields], length: int) -> Sequence[Fields]:
    """Return an array of records with these fields."""
    return cast(Sequence[Fields], np.empty(length, _DTYPES[fields]))


SideArrays = tuple[Sequence[TreeVertex], Numbers, Numbers]
"""A `Side` as it is given to compiled code, which reads plain tuples in half of the time."""
Scratch = tuple[Sequence[Record], Sequence[Cell], Sequence[StateRow], Numbers]
"""The records, cells, rows and counts that a comparison fills; the next one may have them."""


def make_scratch(room: tuple[int, int, int] = (1 << 12, 1 << 18, 1 << 14)) -> Scratch:
    """Return arrays with room for so many records, cells and rows.

    The usual ones, of 7 MB, are enough for nearly all pages; what is never used takes no memory.
    """
    return (
        make_array(Record, room[RECORDS]),
        make_array(Cell, room[CELLS]),
        make_array(StateRow, room[ROWS]),
        np.empty(3, np.int64),
    )


def room_for(needs: Sequence[int], lengths: Sequence[int]) -> tuple[int, int, int]:
    """Return how long the arrays of the next attempt should be, by what one had used at its end.

    All of them are much longer: what was too short first is seldom the only one.

    >>> room_for([5, 3, 9], [4, 4, 8])
    (160, 96, 288)
    """
    records, cells, rows = (
        max(length, 32 * need) for need, length in zip(needs, lengths, strict=True)
    )
    return records, cells, rows
