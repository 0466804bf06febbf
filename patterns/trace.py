"""Runs a comparison and reads the mapping out of it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from patterns.compiled import compiled
from patterns.pattern import KLEENE, PLAIN, PLUS, Arrays, Ints
from patterns.sequences import (
    DROP_LEFT,
    DROP_RIGHT,
    LEAVE,
    MAP,
    STAY,
    Grid,
    step_alignment,
    step_match,
)
from patterns.sides import (
    ALIGN,
    INFINITE,
    PAIR,
    PENALTY,
    SAME,
    STRICT,
    Side,
    classes_fit,
    prepare,
)
from patterns.walk import (
    HEAD,
    LEFT,
    OFFSET,
    RECORDS,
    RIGHT,
    SKIPPED,
    STATE,
    TAIL,
    Work,
    end_pair,
    fill,
    forced,
    grid_of,
    walk,
)

Rows = NDArray[np.int64]


class Found(NamedTuple):
    """The mapping so far."""

    start: Ints
    """First right vertex that each left vertex maps to or takes; -1 for none."""
    stop: Ints
    """Where the sub-trees that it takes end."""
    pending: Rows
    """Records of mapped pairs, still to be read."""
    count: Rows
    """How many those are."""


@compiled
def align(left_arrays: Arrays, right_arrays: Arrays) -> tuple[int, Ints, Ints]:
    """Return the RTDM distance of two patterns with equal roots, partners, and which are equal.

    The partner of a left vertex is -1 if it has none; the last array is negative where a partner
    has another label: the two map as a whole, and nothing below them has a partner.
    """
    left, right = prepare(left_arrays, ALIGN), prepare(right_arrays, ALIGN)
    cost, work = walk(ALIGN, left, right, 0)
    found = _read(ALIGN, left, right, work)
    return cost, found.start, found.stop


@compiled
def fit(pattern: Arrays, page: Arrays, mode: int, most: int) -> tuple[int, Ints, Ints]:
    """Return the cost of matching a page, and where each vertex of the pattern starts and stops.

    The cost is `INFINITE` if the page is not accepted or more than `most` vertices of the two
    are left over. Starts are -1 where a vertex has no counterpart.
    """
    left, right = prepare(pattern, mode), prepare(page, mode)
    nothing = np.full(len(left.tag), -1, np.int32)
    if left.kind[0] != PLAIN:
        return 0, np.zeros(1, np.int32), np.full(1, len(right.tag), np.int32)
    fits = classes_fit(left, 0, right, 0)
    if left.tag[0] != right.tag[0] or (mode == STRICT and not fits):
        return INFINITE, nothing, nothing
    cost, work = walk(mode, left, right, 0 if fits else PENALTY)
    if cost >= INFINITE or cost // PENALTY > most:
        return INFINITE, nothing, nothing
    found = _read(mode, left, right, work)
    return cost, found.start, found.stop


@compiled
def _read(mode: int, left: Side, right: Side, work: Work) -> Found:
    """Follow the best ways from the roots down."""
    found = Found(
        np.full(len(left.tag), -1, np.int32),
        np.full(len(left.tag), -1, np.int32),
        np.zeros(work.counts[RECORDS], np.int64),
        np.ones(1, np.int64),
    )
    while found.count[0]:
        found.count[0] -= 1
        row = work.records[found.pending[found.count[0]]]
        _take(found, right, row[LEFT], row[RIGHT])
        for k in range(row[HEAD] + row[TAIL]):
            a, b = end_pair(left, right, row, k)
            link = work.link[row[OFFSET] + k] if mode == STRICT else SAME
            _take_pair(found, left, a, right, b, link)
        if row[STATE] != SKIPPED:
            grid = grid_of(mode, left, right, work, row)
            _, work = fill(mode, left, right, work, grid)
            if mode == ALIGN:
                _read_alignment(found, left, right, work, row, grid)
            else:
                _read_match(mode, found, left, right, work, row, grid)
    return found


@compiled
def _take(found: Found, right: Side, a: int, b: int) -> None:
    """Note that a left vertex takes a sub-tree, after those it has."""
    if found.start[a] < 0:
        found.start[a] = b
    found.stop[a] = b + right.size[b]


@compiled
def _take_pair(found: Found, left: Side, a: int, right: Side, b: int, link: int) -> None:
    """Note that two vertices map as the link of their cell says."""
    if link >= 0:
        found.pending[found.count[0]] = link
        found.count[0] += 1
    elif link == PAIR:
        _take(found, right, a, b)
    elif link == SAME:
        for k in range(left.size[a]):
            _take(found, right, a + k, b + k)


@compiled
def _read_alignment(
    found: Found, left: Side, right: Side, work: Work, row: Rows, grid: Grid
) -> None:
    m, n = len(grid.left), len(grid.right)
    i = j = 0
    while i < m and j < n:
        step = step_alignment(left, right, grid, work.table, i, j)
        if step == MAP:
            a, b = grid.left[i], grid.right[j]
            found.start[a] = b
            _take_pair(found, left, a, right, b, work.link[row[OFFSET] + i * n + j])
        i += step != DROP_RIGHT
        j += step != DROP_LEFT


@compiled
def _read_match(
    mode: int, found: Found, left: Side, right: Side, work: Work, row: Rows, grid: Grid
) -> None:
    m, n = len(grid.left), len(grid.right)
    cells = row[OFFSET] + forced(mode, row)
    i, j, taken = 0, 0, False
    while i < m or j < n:
        step = step_match(mode, left, right, grid, work.table, i, j, taken)
        if step == STAY:
            _take(found, right, grid.left[i], grid.right[j])
        elif step == MAP:
            link = work.link[cells + i * n + j]
            _take_pair(found, left, grid.left[i], right, grid.right[j], link)
        many = step == MAP and left.kind[grid.left[i]] in (PLUS, KLEENE)
        taken = many or step == STAY
        i += step in (DROP_LEFT, LEAVE) or (step == MAP and not many)
        j += step in (MAP, STAY, DROP_RIGHT)
