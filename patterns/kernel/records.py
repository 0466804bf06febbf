"""A comparison under way: its two trees, and the arrays it fills."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from patterns.kernel.sides import Numbers, Side

INFINITE = 1 << 60
"""More than any cost."""

PENALTY = 1 << 20
"""Cost of one vertex that a bounded match leaves over; a discarded wildcard costs 1."""

NO_ROOM = -1
"""In place of a cost: the arrays are too short; the counts say how long they must be at least."""

LIMIT = 1 << 22
"""Cells of 16 bytes that one comparison may take; what is beyond does not map."""

(
    LEFT,
    RIGHT,
    HEAD,
    TAIL,
    OFFSET,
    LEFT_KID,
    RIGHT_KID,
    HEIGHT,
    WIDTH,
    BASE,
    STATE,
    UP,
    NOW,
) = range(13)
"""Columns of a record: its pair; how many children map one to one at both ends; its first cell;
the first children of the grid and how many on each side; what the pair costs by itself; a state;
the record that waits for it; the cell at which it is now."""

OPEN, FAILED, SKIPPED = range(3)
"""States: can be settled; costs infinitely much; so wide that nothing between the ends maps."""

COST, LINK = range(2)
"""Columns of a cell: what it costs that its pair maps; its record, or how the pair stands."""

RECORDS, CELLS, TABLE = range(3)
"""Counts: records and cells that are used; the space that the largest grid needs."""


class Job(NamedTuple):
    """A comparison."""

    mode: int
    """What is asked."""
    left: Side
    """The pattern."""
    right: Side
    """The page, or the other pattern."""
    cells: Numbers
    """A row per cell."""
    records: Numbers
    """A row per record."""
    table: Numbers
    """Space for one filled grid."""
    counts: Numbers
    """How much of the others is used."""


def make_job(mode: int, left: Side, right: Side, counts: tuple[int, int, int]) -> Job:
    """Return a comparison with room for so many records, cells and places of a grid."""
    return Job(
        mode,
        left,
        right,
        np.empty((counts[CELLS], LINK + 1), np.int64),
        np.empty((counts[RECORDS], NOW + 1), np.int64),
        np.empty(counts[TABLE], np.int64),
        np.zeros(3, np.int64),
    )


def room_for(needs: Sequence[int], lengths: Sequence[int]) -> tuple[int, int, int]:
    """Return how long the arrays of the next attempt should be: much longer where too short.

    >>> room_for([5, 3, 9], [4, 4, 8])
    (80, 4, 144)
    """
    records, cells, others = (
        16 * need if need > length else length for need, length in zip(needs, lengths, strict=True)
    )
    return records, cells, others
