"""Decides whether a pattern accepts a page."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="assignment,no-any-return,return-value"

from patterns.kernel.equality import DESCEND, PAIR, classes_fit, compare_strictly
from patterns.kernel.records import CELLS, LIMIT, NO_ROOM, RECORDS
from patterns.kernel.sides import KID, KIND, TAG, ZERO, Numbers
from patterns.kernel.trials import (
    BEST,
    COST,
    END,
    FAILED,
    FIRST_CELL,
    FIRST_ROW,
    HEAD,
    HIGH,
    LEAST,
    LINK,
    LOW,
    MOST,
    NEVER,
    NOW,
    OURS,
    RIGHT,
    ROW,
    ROWS,
    START,
    TAIL,
    TAKEN,
    THEIRS,
    UP,
    Trial,
    begin,
    cost_at,
    end_pair,
    kind_at,
    left_at,
    reserve,
    right_at,
)
from patterns.pattern import KLEENE, OPTION, PLAIN, PLUS
from trees import compiled

DECIDED = -2
"""In place of a cell: none needs a record."""


@compiled
def accept(trial: Trial) -> int:
    """Return what a match of the roots costs, infinitely much if there is none, or `NO_ROOM`."""
    left, right = trial.left.nodes, trial.right.nodes
    if left[0, TAG] != right[0, TAG] or not classes_fit(trial, ZERO, ZERO):
        return NEVER
    at = ZERO
    if not begin(trial, ZERO, ZERO, ZERO - 1):
        return NO_ROOM
    while True:
        cell = _advance(trial, at)
        if cell == NO_ROOM:
            return NO_ROOM
        if cell >= 0:
            a, b = _pair(trial, at)
            trial.cells[cell, LINK] = trial.counts[RECORDS]
            if not begin(trial, a, b, at):
                return NO_ROOM
            at = trial.cells[cell, LINK]
            continue
        cost = _settle(trial, at)
        at = trial.records[at, UP]
        if at < 0:
            return cost
        _decide(trial, at, cost)


@compiled
def _pair(trial: Trial, at: int) -> tuple[int, int]:
    """Return the pair of the cell that a record decides."""
    record = trial.records[at]
    if record[ROW] < 0:
        return end_pair(trial, at, record[NOW] - record[FIRST_CELL])
    row = trial.rows[record[FIRST_ROW] + record[ROW]]
    return left_at(trial, at, record[ROW]), right_at(trial, at, row[LOW] + record[NOW] - row[START])


@compiled
def _advance(trial: Trial, at: int) -> int:
    """Decide the cells of a record in turn; return the next that needs a record.

    `DECIDED` if none does, or `NO_ROOM`.
    """
    record = trial.records[at]
    while not record[FAILED]:
        cell = _decide_ends(trial, at) if record[ROW] < 0 else _decide_row(trial, at)
        if cell >= 0 or record[ROW] + 1 == record[OURS]:
            return cell
        record[ROW] += 1
        if not record[FAILED] and not _open_row(trial, at):
            return NO_ROOM
    return DECIDED


@compiled
def _decide_ends(trial: Trial, at: int) -> int:
    """Decide the pairs at both ends that are left, up to one that needs a record."""
    record = trial.records[at]
    while record[NOW] < record[END] and not record[FAILED]:
        a, b = _pair(trial, at)
        cost, stand = 0, PAIR
        if trial.left.nodes[a, KIND] == PLAIN:
            cost, stand = compare_strictly(trial, a, b)
        trial.cells[record[NOW], LINK] = stand
        if stand == DESCEND:
            return record[NOW]
        _decide(trial, at, cost)
    return DECIDED


@compiled
def _decide_row(trial: Trial, at: int) -> int:
    """Decide the cells of a row that are left, up to one that needs a record."""
    record, cells = trial.records[at], trial.cells
    row, a = trial.rows[record[FIRST_ROW] + record[ROW]], left_at(trial, at, record[ROW])
    first = trial.right.nodes[record[RIGHT], KID] + record[HEAD] + row[LOW] - row[START]
    for cell in range(record[NOW], record[END]):
        cost, stand = NEVER, PAIR
        if cells[cell, BEST]:
            cost, stand = compare_strictly(trial, a, trial.right.kids[first + cell])
        cells[cell, COST], cells[cell, LINK] = cost, stand
        if stand == DESCEND:
            record[NOW] = cell
            return cell
    record[NOW] = record[END]
    return DECIDED


@compiled
def _decide(trial: Trial, at: int, cost: int) -> None:
    """Note what the pair of a cell costs, and go on to the next."""
    record = trial.records[at]
    trial.cells[record[NOW], COST] = cost
    record[FAILED] = cost >= NEVER and record[ROW] < 0
    record[NOW] += 1


@compiled
def _open_row(trial: Trial, at: int) -> bool:
    """Make the row that is decided next; return whether there is room for it."""
    record = trial.records[at]
    i, theirs = record[ROW], record[THEIRS]
    row, kind = trial.rows[record[FIRST_ROW] + i], kind_at(trial, at, i)
    low, high = _reachable(trial, at)
    if low <= high and kind in (PLUS, KLEENE):  # it may have taken some already
        high = theirs - row[LEAST] + (1 if kind == PLUS else 0)
    row[START], row[LOW], row[HIGH] = trial.counts[CELLS], low, high
    record[FAILED] = low > high or trial.counts[CELLS] - low + high > LIMIT
    if record[FAILED]:
        return True
    if not reserve(trial, at, high - low + 1):
        return False
    if i > 0:
        above, over = trial.rows[record[FIRST_ROW] + i - 1], kind_at(trial, at, i - 1)
        for j in range(low, high + 1):
            trial.cells[row[START] + j - low, BEST] = _reaches(trial, above, over, j)
    if kind != PLAIN:
        _decide_wildcard(trial, at)
    return True


@compiled
def _reachable(trial: Trial, at: int) -> tuple[int, int]:
    """Return the lowest and the highest state of the row that is opened; none if they cross."""
    record = trial.records[at]
    i, theirs = record[ROW], record[THEIRS]
    row = trial.rows[record[FIRST_ROW] + i]
    if i == 0:
        return max(ZERO, theirs - row[MOST]), min(ZERO, theirs - row[LEAST])
    above, over = trial.rows[record[FIRST_ROW] + i - 1], kind_at(trial, at, i - 1)
    low = above[LOW] + (0 if over in (OPTION, KLEENE) else 1)
    high = theirs if over in (PLUS, KLEENE) else above[HIGH] + 1
    low, high = max(low, theirs - row[MOST]), min(high, theirs - row[LEAST])
    while low <= high and not _reaches(trial, above, over, low):
        low += 1
    while low <= high and not _reaches(trial, above, over, high):
        high -= 1
    return low, high


@compiled
def _reaches(trial: Trial, above: Numbers, over: int, j: int) -> bool:
    """Return whether a state can be reached from the row above, whose vertex is of a kind."""
    if over in (PLUS, KLEENE):
        return True
    here = above[START] + j - above[LOW]
    taken = above[LOW] < j <= above[HIGH] + 1 and trial.cells[here - 1, COST] < NEVER
    left = over == OPTION and above[LOW] <= j <= above[HIGH] and trial.cells[here, BEST] != 0
    return taken or left


@compiled
def _decide_wildcard(trial: Trial, at: int) -> None:
    """Decide all cells of a wildcard's row: it takes any child."""
    record = trial.records[at]
    row = trial.rows[record[FIRST_ROW] + record[ROW]]
    for cell in range(record[NOW], record[END]):
        taken = trial.cells[cell, BEST] and row[LOW] + cell - row[START] < record[THEIRS]
        trial.cells[cell, LINK] = PAIR
        trial.cells[cell, COST] = 0 if taken else NEVER
    record[NOW] = record[END]


@compiled
def _settle(trial: Trial, at: int) -> int:
    """Return the cost of a record whose cells are decided; forget all about one that fails."""
    record = trial.records[at]
    cost = NEVER
    if not record[FAILED]:
        cost = ZERO
        for cell in range(record[FIRST_CELL], record[FIRST_CELL] + record[HEAD] + record[TAIL]):
            cost += trial.cells[cell, COST]
        for i in range(record[OURS] - 1, -1, -1):
            _fill(trial, at, i)
        cost += cost_at(trial, trial.rows[record[FIRST_ROW]], ZERO, BEST)
    if cost < NEVER:
        return cost
    trial.counts[RECORDS] = at
    trial.counts[CELLS] = record[FIRST_CELL]
    trial.counts[ROWS] = record[FIRST_ROW]
    return NEVER


@compiled
def _fill(trial: Trial, at: int, i: int) -> None:
    """Fill in the costs of a row's states from that state on; the row below has them."""
    first, kind = trial.records[at, FIRST_ROW], kind_at(trial, at, i)
    row, under = trial.rows[first + i], trial.rows[first + i + 1]
    taken = NEVER
    for j in range(row[HIGH], row[LOW] - 1, -1):
        cell = row[START] + j - row[LOW]
        below = cost_at(trial, under, j, BEST)
        if kind in (PLUS, KLEENE):
            best = taken
            taken = min(taken, below)
            trial.cells[cell, TAKEN] = taken
        else:
            best = cost_at(trial, under, j + 1, BEST) + trial.cells[cell, COST]
        if kind in (OPTION, KLEENE):
            best = min(best, below + 1)
        trial.cells[cell, BEST] = min(best, NEVER)
