"""Runs a comparison and reads the mapping out of it."""

from typing import NamedTuple

import numpy as np

from patterns.kernel.equality import ONLY, PAIR, SAME, classes_fit, equal
from patterns.kernel.records import (
    HEAD,
    HEIGHT,
    INFINITE,
    LEFT,
    LINK,
    NO_ROOM,
    PENALTY,
    RECORDS,
    RIGHT,
    SKIPPED,
    STATE,
    TAIL,
    WIDTH,
    Job,
    make_job,
    room_for,
)
from patterns.kernel.sequences import (
    DROP_LEFT,
    DROP_RIGHT,
    LEAVE,
    MAP,
    STAY,
    cell_at,
    left_at,
    right_at,
    step_alignment,
    step_match,
    step_taken,
)
from patterns.kernel.sides import ALIGN, KIND, MATCH, NEED, SIZE, TAG, ZERO, Numbers, Side
from patterns.kernel.walk import end_pair, fill, walk
from patterns.pattern import KLEENE, PLUS, Ints
from trees import compiled


class Found(NamedTuple):
    """The mapping so far."""

    spans: Ints
    """For each left vertex the first right vertex that it maps to or takes, and where the
    sub-trees that it takes end; -1 for none."""
    pending: Numbers
    """Records of mapped pairs, still to be read, after their number."""


def compare_trees(mode: int, left: Side, right: Side, most: int = 0) -> tuple[int, Ints]:
    """Return the cost of mapping two trees root to root, and what each left vertex takes.

    What a vertex takes is where it starts and stops on the right, -1 for nothing. When patterns
    are aligned, stop is negative where the labels of a pair differ: the two map as a whole. In a
    match the cost is `INFINITE` if more than `most` vertices of the two are left over.
    """
    spans = np.full((len(left.nodes), 2), -1, np.int32)
    job = make_job(mode, left, right, (512, 4096, 4096))
    cost = _map_roots(job, most)
    while cost == NO_ROOM:
        lengths = len(job.records), len(job.cells), len(job.table)
        job = make_job(mode, left, right, room_for(job.counts.tolist(), lengths))
        cost = _map_roots(job, most)
    if cost < INFINITE:
        _read(job, Found(spans, np.zeros(int(job.counts[RECORDS]) + 1, np.int64)))
    return cost, spans


@compiled
def _map_roots(job: Job, most: int) -> int:
    """Fill the records; return the cost, infinite if the roots or too many others differ."""
    fits = job.mode == ALIGN or classes_fit(job, ZERO, ZERO)
    if job.left.nodes[0, TAG] != job.right.nodes[0, TAG]:
        return INFINITE
    if job.mode == MATCH and job.left.nodes[0, NEED] - job.right.nodes[0, SIZE] > most:
        return INFINITE
    cost = walk(job, 0 if fits else PENALTY)
    return INFINITE if job.mode == MATCH and cost // PENALTY > most else cost


@compiled
def _read(job: Job, found: Found) -> None:
    """Follow the best ways from the roots down."""
    found.pending[0] = 1
    while found.pending[0]:
        at = found.pending[found.pending[0]]
        found.pending[0] -= 1
        row = job.records[at]
        _take(job, found, row[LEFT], row[RIGHT])
        for k in range(row[HEAD] + row[TAIL]):
            a, b = end_pair(job, at, k)
            _take_pair(job, found, a, b, SAME)
        if row[STATE] == SKIPPED:
            continue
        fill(job, at)
        if job.mode == ALIGN:
            _read_alignment(job, found, at)
        else:
            _read_match(job, found, at)


@compiled
def _take(job: Job, found: Found, a: int, b: int) -> None:
    """Note that a left vertex takes a sub-tree, after those it has."""
    if found.spans[a, 0] < 0:
        found.spans[a, 0] = b
    found.spans[a, 1] = b + job.right.nodes[b, SIZE]


@compiled
def _take_pair(job: Job, found: Found, a: int, b: int, link: int) -> None:
    """Note that two vertices map as the link of their cell says."""
    if link >= 0:
        found.pending[0] += 1
        found.pending[found.pending[0]] = link
    elif link == PAIR:
        _take(job, found, a, b)
    elif link == SAME:
        for k in range(job.left.nodes[a, SIZE]):
            _take(job, found, a + k, b + k)
    elif link == ONLY:
        _take(job, found, a, b)
        if job.right.nodes[b, SIZE] > 1:
            found.spans[a + 1, 0] = b + 1
        if job.right.nodes[b, SIZE] > 1 and (job.mode != ALIGN or equal(job, a + 1, b + 1)):
            found.spans[a + 1, 1] = b + job.right.nodes[b, SIZE]


@compiled
def _read_alignment(job: Job, found: Found, at: int) -> None:
    i = j = ZERO
    while i < job.records[at, HEIGHT] and j < job.records[at, WIDTH]:
        step = step_alignment(job, at, i, j)
        if step == MAP:
            a, b = left_at(job, at, i), right_at(job, at, j)
            found.spans[a, 0] = b
            _take_pair(job, found, a, b, job.cells[cell_at(job, at, i, j), LINK])
        i += 0 if step == DROP_RIGHT else 1
        j += 0 if step == DROP_LEFT else 1


@compiled
def _read_match(job: Job, found: Found, at: int) -> None:
    i, j, many = ZERO, ZERO, False
    while i < job.records[at, HEIGHT] or j < job.records[at, WIDTH]:
        step = step_taken(job, at, i, j) if many else step_match(job, at, i, j)
        many = False
        if step in (MAP, STAY):
            a, b = left_at(job, at, i), right_at(job, at, j)
            many = job.left.nodes[a, KIND] in (PLUS, KLEENE)
            _take_pair(job, found, a, b, job.cells[cell_at(job, at, i, j), LINK])
        i += 0 if many or step == DROP_RIGHT else 1
        j += 0 if step in (DROP_LEFT, LEAVE) else 1
