"""Kernel that compares two trees: strict match, bounded match and RTDM mapping.

Pairs of vertices are compared from the roots down, without recursion. A pair whose children decide
becomes a *record*. Children at both ends that certainly map do so one to one. For those between,
each child on the left makes a *row* of states: the number of children on the right passed before
it. The cheapest way through the rows is found from the end, so that it can be read from the
beginning. Ties go to the earliest pair and to the longest wildcard.

A strict match leaves nothing over. Its rows contain only states that can be reached from the row
above and can still be completed. Other pairs are never compared, and a record is given up at the
first row without a state. Time and space are at most the product of the lengths of two lists of
children, and about linear for a page and its own pattern.
"""

# The compiler treats integers of numpy and Python as one type, mypy does not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

import numpy as np

from flong.patterns.kernel.equality import classes_fit, compare, equal
from flong.patterns.kernel.layout import (
    ALIGN,
    BOUNDED,
    CELLS,
    DESCEND,
    FAILED,
    INFINITE,
    LIMIT,
    NO_ROOM,
    ONLY,
    OPEN,
    PAIR,
    PENALTY,
    RECORDS,
    ROWS,
    SAME,
    SKIPPED,
    STRICT,
    ZERO,
    Comparison,
    Scratch,
    Side,
    SideArrays,
    StateRow,
    make_scratch,
    room_for,
)
from flong.patterns.pattern import KLEENE, OPTION, PLAIN, PLUS, SINGLE, Ints
from flong.tree import compiled

DECIDED = -2
"""No cell needs a record."""

_spare: list[Scratch] = []
"""Arrays for the next comparison, one set for each concurrent thread."""


def compare_trees(
    mode: int, left: SideArrays, right: SideArrays, most: int = 0
) -> tuple[int, Ints]:
    """Return the cost of mapping two trees root to root, and the span of each left vertex.

    A span is start and stop on the right, -1 for nothing. In an alignment, stop is negative where
    the labels of a pair differ: the two map as a whole. The cost of a match is `INFINITE` if more
    than `most` vertices of the two are left over.
    """
    try:
        usual = _spare.pop()
    except IndexError:  # other threads use all
        usual = make_scratch()
    scratch = usual
    spans = np.empty((len(left[0]), 2), np.int32)
    cost = _compare(mode, left, right, scratch, spans, most)
    while cost == NO_ROOM:
        *short, counts = scratch
        scratch = make_scratch(room_for(counts.tolist(), [len(array) for array in short]))
        cost = _compare(mode, left, right, scratch, spans, most)
    _spare.append(usual)
    return cost, spans


@compiled
def _compare(  # noqa: PLR0913, PLR0917 - the parts of a comparison
    mode: int, left: SideArrays, right: SideArrays, scratch: Scratch, spans: Ints, most: int
) -> int:
    """Compare two sides given as plain tuples."""
    records, cells, rows, counts = scratch
    sides = Side(*left), Side(*right)
    return _map_roots(Comparison(mode, *sides, records, cells, rows, counts, spans), most)


@compiled
def _map_roots(job: Comparison, most: int) -> int:
    """Return the cost, infinite if the roots differ or too much is left over; fill the spans."""
    for v in range(len(job.spans)):
        job.spans[v, 0] = job.spans[v, 1] = -1
    job.counts[:] = 0
    left, right = job.left.vertices[0], job.right.vertices[0]
    fits = job.mode == ALIGN or classes_fit(job, ZERO, ZERO)
    if left.tag != right.tag or (job.mode == STRICT and not fits):
        return INFINITE
    if job.mode == BOUNDED and left.need - right.size > most:
        return INFINITE
    cost = _walk(job, ZERO if fits else ZERO + PENALTY)
    if job.mode == BOUNDED and cost // PENALTY > most:
        return INFINITE
    if 0 <= cost < INFINITE:
        _trace(job)
    return cost


@compiled
def _walk(job: Comparison, base: int) -> int:
    """Return the cost of mapping root to root, or `NO_ROOM`; record 0 is that of the roots."""
    at = ZERO
    if not _begin(job, ZERO, ZERO, base, ZERO - 1):
        return NO_ROOM
    while True:
        cell = _advance(job, at)
        if cell == NO_ROOM:
            return NO_ROOM
        if cell >= 0:
            a, b = _pair(job, at)
            job.cells[cell].link = job.counts[RECORDS]
            if not _begin(job, a, b, job.cells[cell].cost, at):
                return NO_ROOM
            at = job.cells[cell].link
            continue
        cost = _settle(job, at)
        at = job.records[at].up
        if at < 0:
            return cost
        _decide(job, at, cost)


@compiled
def _begin(job: Comparison, a: int, b: int, base: int, up: int) -> bool:
    """Begin a record for a pair of vertices; return False if there is no room."""
    number = job.counts[RECORDS]
    job.counts[RECORDS] = number + 1
    if number == len(job.records):
        return False
    record, left, right = job.records[number], job.left.vertices[a], job.right.vertices[b]
    ours, theirs = left.kids_end - left.kids, right.kids_end - right.kids
    record.left, record.right, record.up, record.base = a, b, up, base
    record.head, record.tail = _ends(job, a, b)
    ends = record.head + record.tail
    record.height, record.width = ours - ends, theirs - ends
    record.current, record.state = -1, OPEN
    record.row = job.counts[ROWS]
    record.cell = record.now = record.end = job.counts[CELLS]
    if job.mode == STRICT and (theirs < ends or (ours == ends and theirs > ours)):
        record.state = FAILED
    elif job.mode != STRICT and record.cell + record.height * record.width > LIMIT:
        record.state = SKIPPED if job.mode == ALIGN else FAILED
    if record.state == FAILED:
        return True
    if not _reserve(job, number, ends):
        return False
    if job.mode != STRICT:
        while record.now < record.end:
            job.cells[record.now].link = SAME
            _decide(job, number, ZERO)
    return _measure(job, number)


@compiled
def _ends(job: Comparison, a: int, b: int) -> tuple[int, int]:
    """Return the number of children at both ends that map one to one.

    In a strict match these are the children outside the first and last wildcard of variable length,
    otherwise equal sub-trees, which lose nothing.
    """
    left, right = job.left.vertices[a], job.right.vertices[b]
    most = ours = left.kids_end - left.kids
    if job.mode != STRICT:
        most = min(ours, right.kids_end - right.kids)
    head = tail = ZERO
    while head < most and _maps_surely(job, left.kids + head, right.kids + head):
        head += 1
    while head + tail < most and _maps_surely(
        job, left.kids_end - 1 - tail, right.kids_end - 1 - tail
    ):
        tail += 1
    return head, tail


@compiled
def _maps_surely(job: Comparison, i: int, j: int) -> bool:
    """Return True if the i-th child on the left certainly maps to the j-th on the right."""
    a = job.left.kids[i]
    if job.mode == STRICT:
        return job.left.vertices[a].kind <= SINGLE
    return compare(job, a, job.right.kids[j])[1] == SAME


@compiled
def _reserve(job: Comparison, at: int, cells: int) -> bool:
    """Reserve the cells that a record decides next; return False if there is no room."""
    record, first = job.records[at], job.counts[CELLS]
    job.counts[CELLS] = first + cells
    if first + cells > len(job.cells):
        return False
    record.now, record.end = first, first + cells
    for cell in range(first, first + cells):
        job.cells[cell].best = 1
    return True


@compiled
def _measure(job: Comparison, at: int) -> bool:
    """Reserve rows and fill their bounds; return False if there is no room.

    The last row stands for the rest after all children on the left.
    """
    record, cell = job.records[at], job.counts[CELLS]
    low = record.width if job.mode == STRICT else ZERO
    job.counts[ROWS] = record.row + record.height + 1
    job.counts[CELLS] = cell + record.width - low + 1
    if job.counts[ROWS] > len(job.rows) or job.counts[CELLS] > len(job.cells):
        return False
    least = most = ZERO
    for i in range(record.height - 1, -1, -1):
        row, kind = job.rows[record.row + i], _kind_at(job, at, i)
        least += 0 if kind in (OPTION, KLEENE) else 1
        most += record.width if kind in (PLUS, KLEENE) else 1
        row.least, row.most = least, most
    last = job.rows[record.row + record.height]
    last.cell, last.low, last.high = cell, low, record.width
    cost = ZERO
    for j in range(record.width, low - 1, -1):
        if j < record.width:
            cost = min(cost + _surplus(job, _right_at(job, at, j)), INFINITE)
        job.cells[cell + j - low].best = cost
    return True


@compiled
def _left_at(job: Comparison, at: int, i: int) -> int:
    """Return the i-th left child between the ends."""
    record = job.records[at]
    return job.left.kids[job.left.vertices[record.left].kids + record.head + i]


@compiled
def _right_at(job: Comparison, at: int, j: int) -> int:
    """Return the j-th right child between the ends."""
    record = job.records[at]
    return job.right.kids[job.right.vertices[record.right].kids + record.head + j]


@compiled
def _kind_at(job: Comparison, at: int, i: int) -> int:
    """Return the kind of the i-th left child between the ends; always plain in an alignment."""
    return PLAIN if job.mode == ALIGN else job.left.vertices[_left_at(job, at, i)].kind


@compiled
def _discard(job: Comparison, a: int) -> int:
    """Return the cost of a left vertex without counterpart."""
    vertex = job.left.vertices[a]
    if job.mode == ALIGN:
        return vertex.size
    if vertex.kind in (OPTION, KLEENE):
        return 1
    return INFINITE if job.mode == STRICT else PENALTY * vertex.need


@compiled
def _surplus(job: Comparison, b: int) -> int:
    """Return the cost of a right vertex that is left over."""
    if job.mode == STRICT:
        return INFINITE
    return job.right.vertices[b].size * (1 if job.mode == ALIGN else PENALTY)


@compiled
def _end_pair(job: Comparison, at: int, k: int) -> tuple[int, int]:
    """Return the k-th pair at the ends."""
    record = job.records[at]
    i = j = k - record.head
    if k >= record.head:
        i, j = i + record.height, j + record.width
    return _left_at(job, at, i), _right_at(job, at, j)


@compiled
def _pair(job: Comparison, at: int) -> tuple[int, int]:
    """Return the pair of the cell that a record is deciding."""
    record = job.records[at]
    if record.current < 0:
        return _end_pair(job, at, record.now - record.cell)
    row = job.rows[record.row + record.current]
    j = row.low + record.now - row.cell
    return _left_at(job, at, record.current), _right_at(job, at, j)


@compiled
def _advance(job: Comparison, at: int) -> int:
    """Decide the cells of a record in turn; return the next that needs a record.

    Return `DECIDED` if none does, or `NO_ROOM`.
    """
    record = job.records[at]
    while record.state == OPEN:
        cell = _decide_cells(job, at)
        if cell >= 0 or record.current + 1 == record.height:
            return cell
        record.current += 1
        if record.state == OPEN and not _open_row(job, at):
            return NO_ROOM
    return DECIDED


@compiled
def _decide_cells(job: Comparison, at: int) -> int:
    """Decide the remaining cells of the row or the ends, up to one that needs a record."""
    record = job.records[at]
    past = record.end
    if record.current >= 0:
        row = job.rows[record.row + record.current]
        past = row.cell + record.width - row.low
        if _kind_at(job, at, record.current) in (PLUS, KLEENE):
            record.now = record.end  # they take any child at no cost
    while record.now < record.end and record.state == OPEN:
        cost, stand = INFINITE, PAIR
        if record.now < past and job.cells[record.now].best:
            a, b = _pair(job, at)
            cost = ZERO
            if job.mode == ALIGN or job.left.vertices[a].kind == PLAIN:
                cost, stand = compare(job, a, b)
        job.cells[record.now].link = stand
        if stand == DESCEND:
            job.cells[record.now].cost = cost
            return record.now
        _decide(job, at, cost)
    return DECIDED


@compiled
def _decide(job: Comparison, at: int, cost: int) -> None:
    """Record the cost of a cell's pair, and go to the next cell."""
    record = job.records[at]
    job.cells[record.now].cost = cost
    if cost >= INFINITE and record.current < 0:
        record.state = FAILED
    record.now += 1


@compiled
def _open_row(job: Comparison, at: int) -> bool:
    """Make the next row; return False if there is no room."""
    record = job.records[at]
    i, row = record.current, job.rows[record.row + record.current]
    low, high = ZERO, record.width
    if job.mode == STRICT:
        low, high = _reachable(job, at)
        kind = _kind_at(job, at, i)
        if low <= high and kind in (PLUS, KLEENE):  # it may have taken some already
            high = record.width - row.least + (1 if kind == PLUS else 0)
    row.cell, row.low, row.high = job.counts[CELLS], low, high
    if low > high or (job.mode == STRICT and row.cell + high - low > LIMIT):
        record.state = FAILED
        return True
    if not _reserve(job, at, high - low + 1):
        return False
    if job.mode == STRICT and i > 0:
        for j in range(low, high + 1):
            job.cells[row.cell + j - low].best = 1 if _reaches(job, at, j) else 0
    return True


@compiled
def _reachable(job: Comparison, at: int) -> tuple[int, int]:
    """Return the lowest and the highest state of the new row; they cross if it has none."""
    record = job.records[at]
    row = job.rows[record.row + record.current]
    least, most = max(ZERO, record.width - row.most), record.width - row.least
    if record.current == 0:
        return least, min(ZERO, most)
    above, over = job.rows[record.row + record.current - 1], _kind_at(job, at, record.current - 1)
    low = max(least, above.low + (0 if over in (OPTION, KLEENE) else 1))
    high = min(most, record.width if over in (PLUS, KLEENE) else above.high + 1)
    while low <= high and not _reaches(job, at, low):
        low += 1
    while low <= high and not _reaches(job, at, high):
        high -= 1
    return low, high


@compiled
def _reaches(job: Comparison, at: int, j: int) -> bool:
    """Return True if a state of the new row can be reached from the row above."""
    record = job.records[at]
    above, over = job.rows[record.row + record.current - 1], _kind_at(job, at, record.current - 1)
    if over in (PLUS, KLEENE):
        return True
    here = above.cell + j - above.low
    taken = above.low < j <= above.high + 1 and job.cells[here - 1].cost < INFINITE
    left = over == OPTION and above.low <= j <= above.high and job.cells[here].best != 0
    return taken or left


@compiled
def _settle(job: Comparison, at: int) -> int:
    """Return the cost of a record whose cells are decided; free the space of a failed one."""
    record = job.records[at]
    if record.state == SKIPPED:
        return job.left.vertices[record.left].size + job.right.vertices[record.right].size - 2
    cost = INFINITE
    if record.state == OPEN:
        cost = record.base
        for cell in range(record.cell, record.cell + record.head + record.tail):
            cost += job.cells[cell].cost
        for i in range(record.height - 1, -1, -1):
            _fill(job, at, i)
        cost += _best_at(job, job.rows[record.row], ZERO)
    if cost < INFINITE:
        return cost
    job.counts[RECORDS], job.counts[CELLS], job.counts[ROWS] = at, record.cell, record.row
    return INFINITE


@compiled
def _best_at(job: Comparison, row: StateRow, j: int) -> int:
    """Return the cost from a state of a row on, infinite if the row lacks the state."""
    return job.cells[row.cell + j - row.low].best if row.low <= j <= row.high else INFINITE


@compiled
def _taken_at(job: Comparison, row: StateRow, j: int) -> int:
    """Return the same for a `+` or `*` that has already taken a child."""
    return job.cells[row.cell + j - row.low].cost if row.low <= j <= row.high else INFINITE


@compiled
def _fill(job: Comparison, at: int, i: int) -> None:
    """Fill the costs of a row's states from those of the row below."""
    first, kind = job.records[at].row + i, _kind_at(job, at, i)
    row, under, drop = job.rows[first], job.rows[first + 1], _discard(job, _left_at(job, at, i))
    taken = best = INFINITE
    for j in range(row.high, row.low - 1, -1):
        cell, below = job.cells[row.cell + j - row.low], _best_at(job, under, j)
        if kind in (PLUS, KLEENE):
            best = taken
            cell.cost = taken = min(taken, below)
        else:
            skip = j < row.high and job.mode != STRICT
            best = best + _surplus(job, _right_at(job, at, j)) if skip else INFINITE
            best = min(best, _best_at(job, under, j + 1) + cell.cost)
        best = min(best, below + drop, INFINITE)
        cell.best = best


@compiled
def _trace(job: Comparison) -> None:
    """Fill the spans by following the best ways from the roots down."""
    waiting = ZERO  # the first of the records still to be read; each names the next
    while waiting >= 0:
        at, record = waiting, job.records[waiting]
        waiting = record.up
        _take(job, record.left, record.right)
        for k in range(record.head + record.tail):
            a, b = _end_pair(job, at, k)
            waiting = _take_pair(job, a, b, job.cells[record.cell + k].link, waiting)
        if record.state == OPEN:
            waiting = _trace_rows(job, at, waiting)


@compiled
def _trace_rows(job: Comparison, at: int, waiting: int) -> int:
    """Follow the best way through the rows of a record, leftmost first in ties."""
    record = job.records[at]
    i = j = ZERO
    while i < record.height:
        row, under = job.rows[record.row + i], job.rows[record.row + i + 1]
        a, best = _left_at(job, at, i), _best_at(job, row, j)
        if _kind_at(job, at, i) in (PLUS, KLEENE):
            while _taken_at(job, row, j + 1) == best:
                _take(job, a, _right_at(job, at, j))
                j += 1
            i += 1
            continue
        cell = job.cells[row.cell + j - row.low]
        if j < record.width and best == _best_at(job, under, j + 1) + cell.cost:
            b = _right_at(job, at, j)
            if job.mode == ALIGN:
                job.spans[a, 0] = b
            waiting = _take_pair(job, a, b, cell.link, waiting)
            i, j = i + 1, j + 1
        elif best == _best_at(job, under, j) + _discard(job, a):
            i += 1
        else:
            j += 1
    return waiting


@compiled
def _take(job: Comparison, a: int, b: int) -> None:
    """Add a sub-tree to the span of a left vertex."""
    if job.spans[a, 0] < 0:
        job.spans[a, 0] = b
    job.spans[a, 1] = b + job.right.vertices[b].size


@compiled
def _take_pair(job: Comparison, a: int, b: int, link: int, waiting: int) -> int:
    """Fill the spans of a pair according to the link of its cell; return the waiting record."""
    if link >= 0:
        job.records[link].up = waiting
        return link
    if link in (PAIR, ONLY, SAME):
        _take(job, a, b)
    if link == SAME:
        for k in range(1, job.left.vertices[a].size):
            _take(job, a + k, b + k)
    size = job.right.vertices[b].size
    if link == ONLY and size > 1:
        job.spans[a + 1, 0] = b + 1
        if job.mode != ALIGN or equal(job, a + 1, b + 1):
            job.spans[a + 1, 1] = b + size
    return waiting
