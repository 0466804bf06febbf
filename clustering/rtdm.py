"""Restricted top-down distance (RTDM) between subtree classes of an index, compiled.

Reis, Golgher, da Silva, Laender, "Automatic Web News Extraction Using Tree Edit Distance" (WWW
2004), with the corrections of docs/clustering.md. Equal subtrees form one class, so each distance
between two subtrees is computed once per site.
"""

# numba treats integers of numpy and Python as one type; mypy does not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.clustering.alignment import AlignmentRows, add_child, begin, cost, least, new_rows
from flong.tree import compiled

NO_LIMIT = 2**31 - 2
"""Limit larger than any distance."""

BUCKETS = 64
"""Number of buckets for root paths. Paths in one bucket count as equal, which only weakens the
bound."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class Memo(NamedTuple):
    """Hash table of distances, by pair of classes."""

    keys: NDArray[np.int64]
    """Keys; -1 for an empty slot. The length is a power of two."""
    values: NDArray[np.int32]
    count: NDArray[np.int64]
    """Number of used slots, as an array of one element."""


@compiled
def slot_of(memo: Memo, key: int) -> int:
    """Return the slot of a key, or the empty slot for it."""
    mask = len(memo.keys) - 1
    mixed = np.uint64(key) * _MULTIPLIER
    i = np.int64(mixed >> np.uint64(32)) & mask
    while memo.keys[i] != key and memo.keys[i] != -1:
        i = (i + 1) & mask
    return i


@compiled
def move(memo: Memo, larger: Memo) -> None:
    """Copy all distances to a larger table."""
    for i in range(len(memo.keys)):
        if memo.keys[i] != -1:
            slot = slot_of(larger, memo.keys[i])
            larger.keys[slot], larger.values[slot] = memo.keys[i], memo.values[i]
    larger.count[0] = memo.count[0]


def new_memo(places: int) -> Memo:
    """Return an empty table; `places` must be a power of two."""
    return Memo(
        keys=np.full(places, -1, dtype=np.int64),
        values=np.empty(places, dtype=np.int32),
        count=np.zeros(1, dtype=np.int64),
    )


class Classes(NamedTuple):
    """Subtree classes. The children of a class have smaller ids than the class."""

    label: NDArray[np.int32]
    size: NDArray[np.int32]
    child_start: NDArray[np.int32]
    """Children of c are `child[child_start[c]:child_start[c + 1]]`."""
    child: NDArray[np.int32]


class Work(NamedTuple):
    """Scratch space and parameters of the kernel."""

    classes: Classes
    memo: Memo
    costs: NDArray[np.int32]
    """Costs of deleting, inserting and replacing a vertex."""
    frames: NDArray[np.int32]
    """Stack frames, one per level of the deepest tree."""
    rows: AlignmentRows
    near: NDArray[np.int32]
    """Cost of mapping the current child to each distinct child of the other side, minus the cost
    of inserting that child."""
    change: NDArray[np.int32]
    """The same for all children of the other side, in order. One row per distinct child of this
    side, as far as they fit."""
    number: NDArray[np.uint32]
    """Index of each child among the distinct classes of its side."""
    different: NDArray[np.int32]
    """Distinct classes of both sides."""
    known: NDArray[np.int32]
    """Index of each class in `different`; valid only if `different` agrees."""


_TOP_A, _TOP_B, _A, _B, _A_START, _A_STOP, _B_START, _B_STOP = range(8)
_OURS, _THEIRS, _ROW, _COLUMN = range(8, 12)
"""Fields of a frame: two classes, the pair below them with the same distance, the ranges of
children to compare, the number of distinct children per side, and the current pair of them."""

_DELETE, _INSERT, _REPLACE = range(3)


@compiled
def _key(work: Work, a: int, b: int) -> int:
    """Return the key of a pair; with symmetric costs, the same for both directions."""
    if work.costs[_DELETE] == work.costs[_INSERT] and a > b:
        a, b = b, a
    return np.int64(a) << 32 | np.int64(b)


@compiled
def _known(work: Work, a: int, b: int) -> int:
    """Return the distance of two classes if it is trivial or in the memo, else -1."""
    classes, costs = work.classes, work.costs
    if a == b:
        return np.int64(0)
    below = np.int64(costs[_DELETE]) * (classes.size[a] - 1)
    below += np.int64(costs[_INSERT]) * (classes.size[b] - 1)
    if classes.label[a] != classes.label[b]:
        return below + costs[_REPLACE]
    if classes.size[a] == 1 or classes.size[b] == 1:
        return below
    slot = slot_of(work.memo, _key(work, a, b))
    return np.int64(work.memo.values[slot]) if work.memo.keys[slot] != -1 else np.int64(-1)


@compiled
def _trim(work: Work, frame: NDArray[np.int32]) -> None:
    """Exclude equal children at both ends."""
    classes, a, b = work.classes, frame[_A], frame[_B]
    i, stop = classes.child_start[a], classes.child_start[a + 1]
    j, end = classes.child_start[b], classes.child_start[b + 1]
    while i < stop and j < end and classes.child[i] == classes.child[j]:
        i, j = i + 1, j + 1
    while i < stop and j < end and classes.child[stop - 1] == classes.child[end - 1]:
        stop, end = stop - 1, end - 1
    frame[_A_START], frame[_A_STOP], frame[_B_START], frame[_B_STOP] = i, stop, j, end


@compiled
def _push(work: Work, depth: int, a: int, b: int) -> None:
    """Start the comparison of two classes.

    If they differ in a single child with equal labels, their distance is that of the two children.
    The comparison then descends to these, repeatedly.
    """
    frame, child = work.frames[depth], work.classes.child
    frame[_TOP_A], frame[_TOP_B], frame[_ROW] = a, b, 0
    while True:
        frame[_A], frame[_B] = a, b
        _trim(work, frame)
        if frame[_A_STOP] - frame[_A_START] != 1 or frame[_B_STOP] - frame[_B_START] != 1:
            return
        a, b = child[frame[_A_START]], child[frame[_B_START]]
        if _known(work, a, b) >= 0:
            return


@compiled
def _number(work: Work, side: int, start: int, stop: int) -> int:
    """Assign numbers to the distinct classes among some children; return their count."""
    child, different, known = work.classes.child, work.different[side], work.known
    count = 0
    for i in range(start, stop):
        number = known[child[i]]
        if number >= count or different[number] != child[i]:
            number = count
            different[number], known[child[i]] = child[i], number
            count += 1
        work.number[side, i - start] = number
    return count


@compiled
def _fill_row(work: Work, frame: NDArray[np.int32], row: int) -> bool:
    """Compute the costs of mapping one distinct child to each of the other side.

    Return False at the first pair with an unknown distance.
    """
    ours = work.different[0, row]
    for column in range(frame[_THEIRS]):
        found = _known(work, ours, work.different[1, column])
        if found < 0:
            frame[_COLUMN] = column
            return False
        work.near[column] = found - _added(work, work.different[1, column])
    start = _place(work, frame, row)
    for j in range(frame[_B_STOP] - frame[_B_START]):
        work.change[start + j] = work.near[work.number[1, j]]
    return True


@compiled
def _place(work: Work, frame: NDArray[np.int32], row: int) -> int:
    """Return the offset of a row in `change`: separate rows if all fit, else one shared row."""
    length = frame[_B_STOP] - frame[_B_START]
    return np.int64(row) * length if _has_room(work, frame) else np.int64(0)


@compiled
def _has_room(work: Work, frame: NDArray[np.int32]) -> bool:
    """Return True if the costs of all distinct children fit into `change`."""
    return np.int64(frame[_OURS]) * (frame[_B_STOP] - frame[_B_START]) <= len(work.change)


@compiled
def _missing(work: Work, frame: NDArray[np.int32]) -> bool:
    """Assign numbers to the children and compute the costs of all pairs.

    Return True at the first pair with an unknown distance; the next call continues there.
    """
    frame[_OURS] = _number(work, np.int64(0), frame[_A_START], frame[_A_STOP])
    frame[_THEIRS] = _number(work, np.int64(1), frame[_B_START], frame[_B_STOP])
    first = frame[_ROW]
    for row in range(first, frame[_OURS]):
        frame[_ROW] = row
        if not _fill_row(work, frame, row):
            return True
    if _has_room(work, frame):
        for row in range(first):  # rows filled before the last descent were overwritten
            _fill_row(work, frame, row)
    return False


@compiled
def _added(work: Work, theirs: int) -> int:
    """Return the cost of inserting a class."""
    return np.int64(work.costs[_INSERT]) * work.classes.size[theirs]


@compiled
def _begin(work: Work, frame: NDArray[np.int32]) -> int:
    """Start the alignment; return the number of children of b."""
    start, length = frame[_B_START], frame[_B_STOP] - frame[_B_START]
    work.rows.added[0] = 0
    for j in range(length):
        added = _added(work, work.classes.child[start + j])
        work.rows.added[j + 1] = work.rows.added[j] + added
    begin(work.rows, length)
    return length


@compiled
def _align(work: Work, frame: NDArray[np.int32], limit: int) -> int:
    """Return the cost of aligning the two lists of children, or `limit` + 1 if it is larger.

    The children must be numbered and all distances among them known.
    """
    length, filled = _begin(work, frame), _has_room(work, frame)
    for i in range(frame[_A_STOP] - frame[_A_START]):
        ours = work.number[0, i]
        if not filled:
            _fill_row(work, frame, np.int32(ours))
        size = work.classes.size[work.different[0, ours]]
        start = _place(work, frame, np.int32(ours))
        change = work.change[start : start + length]
        add_child(work.rows, length, np.int32(work.costs[_DELETE] * size), change)
        if limit < NO_LIMIT and least(work.rows, length) > limit:
            return np.int64(limit + 1)
    return min(cost(work.rows, length), np.int64(limit + 1))


@compiled
def _keep(work: Work, a: int, b: int, found: int) -> None:
    """Store a distance."""
    key = _key(work, a, b)
    slot = slot_of(work.memo, key)
    work.memo.count[0] += work.memo.keys[slot] == -1
    work.memo.keys[slot], work.memo.values[slot] = key, found


@compiled
def distance(work: Work, a: int, b: int, limit: int) -> int:
    """Return the distance of two classes; `limit` + 1 if larger, -1 if the memo is full."""
    found = _known(work, a, b)
    if found >= 0:
        return min(found, limit + 1)
    depth = 0
    _push(work, np.int64(0), a, b)
    while depth >= 0:
        frame = work.frames[depth]
        if _missing(work, frame):
            depth += 1
            ours, theirs = work.different[0, frame[_ROW]], work.different[1, frame[_COLUMN]]
            _push(work, depth, ours, theirs)
        elif 3 * work.memo.count[0] > 2 * len(work.memo.keys):
            return np.int64(-1)
        else:
            found = _align(work, frame, NO_LIMIT if depth else limit)
            if depth or found <= limit:
                _keep(work, frame[_A], frame[_B], found)
                _keep(work, frame[_TOP_A], frame[_TOP_B], found)
            depth -= 1
    return found


@compiled
def distances(work: Work, pairs: NDArray[np.int32], done: int) -> int:
    """Fill the last column of pairs (a, b, limit, distance), starting at row `done`.

    Return the number of finished rows: fewer than all if the memo is full.
    """
    for i in range(done, len(pairs)):
        found = distance(work, pairs[i, 0], pairs[i, 1], pairs[i, 2])
        if found < 0:
            return i
        pairs[i, 3] = found
    return len(pairs)


def new_work(classes: Classes, costs: NDArray[np.int32], depth: int) -> Work:
    """Return scratch space for these classes, with an empty memo."""
    widest = int(np.diff(classes.child_start).max(initial=0)) + 1
    return Work(
        classes=classes,
        memo=new_memo(1 << 12),
        costs=costs,
        frames=np.empty((depth + 1, 12), dtype=np.int32),
        rows=new_rows(widest),
        near=np.empty(widest, dtype=np.int32),
        change=np.empty(max(widest, min(widest * widest, 1 << 16)), dtype=np.int32),
        number=np.empty((2, widest), dtype=np.uint32),
        different=np.empty((2, widest), dtype=np.int32),
        known=np.zeros(len(classes.label), dtype=np.int32),
    )


@compiled
def _count(
    classes: Classes, root: int, stack: NDArray[np.int64], histogram: NDArray[np.int32]
) -> None:
    """Count the vertices of a tree by their path of labels from the root."""
    stack[0, 0], stack[0, 1] = root, classes.label[root]
    top = 1
    while top:
        top -= 1
        vertex, path = stack[top]
        bucket = ((path * 0x5851F42D4C957F2D) >> 40) & (BUCKETS - 1)
        histogram[bucket] += 1
        for k in range(classes.child_start[vertex], classes.child_start[vertex + 1]):
            child = classes.child[k]
            stack[top, 0], stack[top, 1] = child, path * 31 + classes.label[child] + 1
            top += 1


@compiled
def lower_bounds(
    histograms: NDArray[np.int32], size: NDArray[np.int32], one: int, found: NDArray[np.int32]
) -> None:
    """Compute a lower bound of the distance between one tree and each other tree."""
    ours = histograms[one]
    for other in range(len(size)):
        theirs = histograms[other]
        common = np.int32(0)
        for k in range(BUCKETS):
            common += min(ours[k], theirs[k])
        found[other] = max(size[one], size[other]) - common


def path_histograms(classes: Classes, roots: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the histogram of root paths of each tree."""
    histograms = np.zeros((len(roots), BUCKETS), dtype=np.int32)
    stack = np.empty((classes.size[roots].max(initial=1), 2), dtype=np.int64)
    for root, histogram in zip(roots, histograms, strict=True):
        _count(classes, root, stack, histogram)
    return histograms
