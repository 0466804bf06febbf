"""Compares two trees pair by pair, from the roots down, without recursion.

A pair of vertices whose children decide becomes a *record*. Its first `HEAD` and last `TAIL`
children map one to one; between them lies a grid of cells, one for each pair of a left and a
right child, through which the module `sequences` finds the best way. A record is settled when
the records of its cells are; each pair is looked at once.
"""

from patterns.kernel.equality import DESCEND, PAIR, SAME, compare
from patterns.kernel.records import (
    BASE,
    CELLS,
    COST,
    FAILED,
    HEAD,
    HEIGHT,
    INFINITE,
    LEFT,
    LEFT_KID,
    LIMIT,
    LINK,
    NO_ROOM,
    NOW,
    OFFSET,
    OPEN,
    RECORDS,
    RIGHT,
    RIGHT_KID,
    SKIPPED,
    STATE,
    TABLE,
    TAIL,
    UP,
    WIDTH,
    Job,
)
from patterns.kernel.sequences import fill_alignment, fill_match
from patterns.kernel.sides import ALIGN, KID, KID_END, KIND, SIZE, ZERO
from patterns.pattern import PLAIN
from trees import compiled


@compiled
def walk(job: Job, base: int) -> int:
    """Return the cost of mapping root to root, or `NO_ROOM`; the roots' record is number 0.

    `base` is what it costs already that the roots map.
    """
    at = ZERO
    if not _begin(job, ZERO, ZERO, base, ZERO - 1):
        return NO_ROOM
    while True:
        cell = _advance(job, at)
        if cell >= 0:
            a, b = cell_pair(job, at)
            job.cells[cell, LINK] = job.counts[RECORDS]
            if not _begin(job, a, b, job.cells[cell, COST], at):
                return NO_ROOM
            at = job.cells[cell, LINK]
            continue
        cost = _settle(job, at)
        at = job.records[at, UP]
        if at < 0:
            return cost
        _hand_up(job, at, cost)


@compiled
def _begin(job: Job, a: int, b: int, base: int, up: int) -> bool:
    """Begin a record for a pair of vertices; return whether there is room for it."""
    number = job.counts[RECORDS]
    job.counts[RECORDS] = number + 1
    if number == len(job.records):
        return False
    row = job.records[number]
    row[LEFT], row[RIGHT], row[BASE], row[UP], row[NOW] = a, b, base, up, 0
    row[OFFSET] = job.counts[CELLS]
    row[HEAD], row[TAIL] = _same_ends(job, a, b)
    row[LEFT_KID] = job.left.nodes[a, KID] + row[HEAD]
    row[RIGHT_KID] = job.right.nodes[b, KID] + row[HEAD]
    row[HEIGHT] = job.left.nodes[a, KID_END] - row[TAIL] - row[LEFT_KID]
    row[WIDTH] = job.right.nodes[b, KID_END] - row[TAIL] - row[RIGHT_KID]
    row[STATE] = OPEN
    return _reserve(job, number)


@compiled
def _reserve(job: Job, at: int) -> bool:
    """Set cells apart for a record; return whether there is room."""
    row = job.records[at]
    cells = row[OFFSET] + row[HEIGHT] * row[WIDTH]
    if cells > LIMIT:
        row[STATE] = SKIPPED if job.mode == ALIGN else FAILED
        return True
    job.counts[CELLS] = cells
    job.counts[TABLE] = max(job.counts[TABLE], 2 * (row[HEIGHT] + 1) * (row[WIDTH] + 1))
    return bool(cells <= len(job.cells) and job.counts[TABLE] <= len(job.table))


@compiled
def _same_ends(job: Job, a: int, b: int) -> tuple[int, int]:
    """Return how many children at both ends are equal sub-trees, which map without loss."""
    first, last = job.left.nodes[a, KID], job.left.nodes[a, KID_END] - 1
    other, other_last = job.right.nodes[b, KID], job.right.nodes[b, KID_END] - 1
    most = min(last - first, other_last - other) + 1
    head = tail = 0
    while head < most and _same(job, first + head, other + head):
        head += 1
    while head + tail < most and _same(job, last - tail, other_last - tail):
        tail += 1
    return head, tail


@compiled
def _same(job: Job, i: int, j: int) -> bool:
    return compare(job, job.left.kids[i], job.right.kids[j])[1] == SAME


@compiled
def end_pair(job: Job, at: int, k: int) -> tuple[int, int]:
    """Return the k-th of the pairs of head and tail."""
    row = job.records[at]
    i, j = row[LEFT_KID] + k - row[HEAD], row[RIGHT_KID] + k - row[HEAD]
    if k >= row[HEAD]:
        i, j = i + row[HEIGHT], j + row[WIDTH]
    return job.left.kids[i], job.right.kids[j]


@compiled
def cell_pair(job: Job, at: int) -> tuple[int, int]:
    """Return the two vertices of the cell at which a record is."""
    row = job.records[at]
    i, j = row[NOW] // row[WIDTH], row[NOW] % row[WIDTH]
    return job.left.kids[row[LEFT_KID] + i], job.right.kids[row[RIGHT_KID] + j]


@compiled
def _advance(job: Job, at: int) -> int:
    """Decide the cells of a record in turn; return the next that needs a record, or -1."""
    row = job.records[at]
    if row[STATE] != OPEN:
        return -1
    end = row[HEIGHT] * row[WIDTH]
    while row[NOW] < end:
        a, b = cell_pair(job, at)
        cost, stand = 0, PAIR
        if job.mode == ALIGN or job.left.nodes[a, KIND] == PLAIN:
            cost, stand = compare(job, a, b)
        cell = row[OFFSET] + row[NOW]
        job.cells[cell, COST] = cost
        job.cells[cell, LINK] = stand
        if stand == DESCEND:
            return int(cell)
        row[NOW] += 1
    return -1


@compiled
def fill(job: Job, at: int) -> int:
    """Fill the table with the best ways through a record's grid; return the best cost."""
    if job.records[at, HEIGHT] == 0 and job.records[at, WIDTH] == 0:
        return 0
    return fill_alignment(job, at) if job.mode == ALIGN else fill_match(job, at)


@compiled
def _settle(job: Job, at: int) -> int:
    """Return the cost of a record whose cells are all decided."""
    row = job.records[at]
    if row[STATE] == FAILED:
        return INFINITE
    if row[STATE] == SKIPPED:
        return int(job.left.nodes[row[LEFT], SIZE] + job.right.nodes[row[RIGHT], SIZE] - 2)
    return min(fill(job, at) + int(row[BASE]), INFINITE)


@compiled
def _hand_up(job: Job, at: int, cost: int) -> None:
    """Tell a record what the cell at which it is costs, and move it on."""
    row = job.records[at]
    job.cells[row[OFFSET] + row[NOW], COST] = cost
    row[NOW] += 1
