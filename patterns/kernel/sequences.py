"""The best way to map two sequences of siblings, once the cost of every pair is known.

Tables are filled from the end, so that a way can be read from the beginning and ties go to
the earliest pair and to the longest wildcard. Time and space are the product of the lengths.
"""

from patterns.kernel.records import (
    COST,
    HEIGHT,
    INFINITE,
    LEFT_KID,
    OFFSET,
    PENALTY,
    RIGHT_KID,
    WIDTH,
    Job,
)
from patterns.kernel.sides import KIND, NEED, SIZE
from patterns.pattern import KLEENE, OPTION, PLUS
from trees import compiled

MAP, DROP_LEFT, DROP_RIGHT, STAY, LEAVE = range(5)
"""Steps: the pair maps (or a wildcard takes its first sibling); the left one is left over; the
right one is left over; a `+` or `*` takes one more sibling; it takes no more."""


@compiled
def cell_at(job: Job, at: int, i: int, j: int) -> int:
    """Return the cell of the i-th left and j-th right child of a record's grid."""
    row = job.records[at]
    return int(row[OFFSET] + i * row[WIDTH] + j)


@compiled
def left_at(job: Job, at: int, i: int) -> int:
    """Return the i-th left child of a record's grid."""
    return int(job.left.kids[job.records[at, LEFT_KID] + i])


@compiled
def right_at(job: Job, at: int, j: int) -> int:
    """Return the j-th right child of a record's grid."""
    return int(job.right.kids[job.records[at, RIGHT_KID] + j])


@compiled
def fill_alignment(job: Job, at: int) -> int:
    """Fill the table at (i, j) with the distance of the children from i and from j on."""
    m, n, table = job.records[at, HEIGHT], job.records[at, WIDTH], job.table
    below = m * (n + 1)
    table[below + n] = 0
    for j in range(n - 1, -1, -1):
        table[below + j] = table[below + j + 1] + job.right.nodes[right_at(job, at, j), SIZE]
    for i in range(m - 1, -1, -1):
        row, below = i * (n + 1), (i + 1) * (n + 1)
        drop = job.left.nodes[left_at(job, at, i), SIZE]
        table[row + n] = table[below + n] + drop
        for j in range(n - 1, -1, -1):
            insert = job.right.nodes[right_at(job, at, j), SIZE]
            table[row + j] = min(
                table[below + j] + drop,
                table[row + j + 1] + insert,
                table[below + j + 1] + job.cells[cell_at(job, at, i, j), COST],
            )
    return int(table[0])


@compiled
def step_alignment(job: Job, at: int, i: int, j: int) -> int:
    """Return the best step at a place (i, j) inside a filled table."""
    n, table = job.records[at, WIDTH], job.table
    here, below = i * (n + 1) + j, (i + 1) * (n + 1) + j
    if table[here] == table[below + 1] + job.cells[cell_at(job, at, i, j), COST]:
        return MAP
    drop = job.left.nodes[left_at(job, at, i), SIZE]
    return DROP_LEFT if table[here] == table[below] + drop else DROP_RIGHT


@compiled
def _discard(job: Job, a: int) -> int:
    """Return what it costs to leave a vertex of the pattern without counterpart."""
    if job.left.nodes[a, KIND] in (OPTION, KLEENE):
        return 1
    return int(PENALTY * job.left.nodes[a, NEED])


@compiled
def fill_match(job: Job, at: int) -> int:
    """Fill the table at (i, j) with the cost of matching the children from i and from j on.

    A second layer holds the same for a `+` or `*` at i that has taken a sibling already.
    """
    m, n, table = job.records[at, HEIGHT], job.records[at, WIDTH], job.table
    last = m * (n + 1)
    table[last + n] = 0
    for j in range(n - 1, -1, -1):
        over = PENALTY * job.right.nodes[right_at(job, at, j), SIZE]
        table[last + j] = min(table[last + j + 1] + over, INFINITE)
    for i in range(m - 1, -1, -1):
        if job.left.nodes[left_at(job, at, i), KIND] in (PLUS, KLEENE):
            _fill_many(job, at, i)
        else:
            _fill_one(job, at, i)
    return int(table[0])


@compiled
def _fill_many(job: Job, at: int, i: int) -> None:
    """Fill the rows of a `+` or `*`."""
    m, n, table = job.records[at, HEIGHT], job.records[at, WIDTH], job.table
    drop = _discard(job, left_at(job, at, i))
    row, below, taken = i * (n + 1), (i + 1) * (n + 1), (m + 1 + i) * (n + 1)
    table[taken + n] = table[below + n]
    table[row + n] = min(table[below + n] + drop, INFINITE)
    for j in range(n - 1, -1, -1):
        table[taken + j] = min(table[taken + j + 1], table[below + j])
        table[row + j] = min(table[taken + j + 1], table[below + j] + drop)


@compiled
def _fill_one(job: Job, at: int, i: int) -> None:
    """Fill the row of a plain vertex, a `.` or a `?`."""
    n, table = job.records[at, WIDTH], job.table
    drop = _discard(job, left_at(job, at, i))
    row, below = i * (n + 1), (i + 1) * (n + 1)
    table[row + n] = min(table[below + n] + drop, INFINITE)
    for j in range(n - 1, -1, -1):
        table[row + j] = min(
            table[below + j + 1] + job.cells[cell_at(job, at, i, j), COST],
            table[below + j] + drop,
            table[row + j + 1] + PENALTY * job.right.nodes[right_at(job, at, j), SIZE],
            INFINITE,
        )


@compiled
def step_match(job: Job, at: int, i: int, j: int) -> int:
    """Return the best step at a place (i, j) of a filled table, if i has not taken any yet."""
    m, n, table = job.records[at, HEIGHT], job.records[at, WIDTH], job.table
    if i == m:
        return DROP_RIGHT
    a = left_at(job, at, i)
    here, below = i * (n + 1) + j, (i + 1) * (n + 1) + j
    if j < n:
        mapped = table[below + 1] + job.cells[cell_at(job, at, i, j), COST]
        if job.left.nodes[a, KIND] in (PLUS, KLEENE):
            mapped = table[(m + 1) * (n + 1) + here + 1]
        if table[here] == mapped:
            return MAP
    return DROP_LEFT if table[here] == table[below] + _discard(job, a) else DROP_RIGHT


@compiled
def step_taken(job: Job, at: int, i: int, j: int) -> int:
    """Return the best step of a `+` or `*` at i that has taken a sibling already."""
    m, n, table = job.records[at, HEIGHT], job.records[at, WIDTH], job.table
    here = (m + 1 + i) * (n + 1) + j
    return STAY if j < n and table[here] == table[here + 1] else LEAVE
