"""Runs the trial whether a pattern accepts a page, and reads what each of its vertices takes."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="assignment,no-any-return,return-value"

import numpy as np

from patterns.kernel.accept import accept
from patterns.kernel.equality import ONLY, SAME
from patterns.kernel.records import INFINITE, NO_ROOM, room_for
from patterns.kernel.sides import SIZE, ZERO, Numbers, Side
from patterns.kernel.trials import (
    BEST,
    COST,
    FIRST_CELL,
    FIRST_ROW,
    HEAD,
    LEFT,
    LINK,
    LOW,
    NEVER,
    OURS,
    RIGHT,
    ROOM,
    START,
    TAIL,
    TAKEN,
    UP,
    Trial,
    cost_at,
    end_pair,
    kind_at,
    left_at,
    make_trial,
    right_at,
)
from patterns.pattern import KLEENE, PLUS, Ints
from trees import compiled


def match_strictly(left: Side, right: Side) -> tuple[int, Ints]:
    """Return what it costs that a pattern accepts a page, and what each of its vertices takes.

    That is where it starts and stops on the right, -1 for nothing.
    """
    spans = np.full((len(left.nodes), 2), -1, np.int32)
    trial = make_trial(left, right, spans, ROOM)
    cost = _match(trial)
    while cost == NO_ROOM:
        lengths = len(trial.records), len(trial.cells), len(trial.rows)
        trial = make_trial(left, right, spans, room_for(trial.counts.tolist(), lengths))
        cost = _match(trial)
    return cost, spans


@compiled
def _match(trial: Trial) -> int:
    cost = accept(trial)
    if cost == NEVER:
        return INFINITE
    if cost != NO_ROOM:
        _trace(trial)
    return cost


@compiled
def _trace(trial: Trial) -> None:
    """Note what each vertex of the pattern takes, once it accepts the page."""
    waiting = ZERO  # the first of the records still to be read; each names the next
    while waiting >= 0:
        at, record = waiting, trial.records[waiting]
        waiting = record[UP]
        _take(trial, record[LEFT], record[RIGHT])
        for k in range(record[HEAD] + record[TAIL]):
            a, b = end_pair(trial, at, k)
            waiting = _take_pair(trial, a, b, trial.cells[record[FIRST_CELL] + k, LINK], waiting)
        waiting = _trace_rows(trial, at, waiting)


@compiled
def _trace_rows(trial: Trial, at: int, waiting: int) -> int:
    """Follow the best way through the rows of a record; ties go to those to the left."""
    record = trial.records[at]
    i = j = ZERO
    while i < record[OURS]:
        row, under = trial.rows[record[FIRST_ROW] + i], trial.rows[record[FIRST_ROW] + i + 1]
        kind, a = kind_at(trial, at, i), left_at(trial, at, i)
        cell = row[START] + j - row[LOW]
        if kind in (PLUS, KLEENE):
            end = _last_taken(trial, row, j)
            for k in range(j, end):
                _take(trial, a, right_at(trial, at, k))
            j = end
        else:
            best = cost_at(trial, under, j + 1, BEST) + trial.cells[cell, COST]
            if trial.cells[cell, BEST] == best:
                link = trial.cells[cell, LINK]
                waiting = _take_pair(trial, a, right_at(trial, at, j), link, waiting)
                j += 1
        i += 1
    return waiting


@compiled
def _last_taken(trial: Trial, row: Numbers, j: int) -> int:
    """Return where the children end that a `+` or `*` takes from j on: as many as it can."""
    best = cost_at(trial, row, j, BEST)
    while cost_at(trial, row, j + 1, TAKEN) == best:
        j += 1
    return j


@compiled
def _take(trial: Trial, a: int, b: int) -> None:
    """Note that a vertex takes a sub-tree, after those it has."""
    if trial.spans[a, 0] < 0:
        trial.spans[a, 0] = b
    trial.spans[a, 1] = b + trial.right.nodes[b, SIZE]


@compiled
def _take_pair(trial: Trial, a: int, b: int, link: int, waiting: int) -> int:
    """Note that two vertices map as the link of their cell says; return the record that waits."""
    if link >= 0:
        trial.records[link, UP] = waiting
        return link
    _take(trial, a, b)
    if link == SAME:
        for k in range(1, trial.left.nodes[a, SIZE]):
            _take(trial, a + k, b + k)
    elif link == ONLY and trial.right.nodes[b, SIZE] > 1:
        trial.spans[a + 1, 0] = b + 1
        trial.spans[a + 1, 1] = b + trial.right.nodes[b, SIZE]
    return waiting
