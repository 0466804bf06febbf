"""The restricted top-down distance in machine code, between sub-tree classes of a forest.

Reis, Golgher, da Silva, Laender, "Automatic Web News Extraction Using Tree Edit Distance"
(WWW 2004), with the corrections of docs/clustering.md. Equal sub-trees are one class, so
that a distance that was found between two sub-trees is known on all pages of the site.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trees.compiled import compiled
from trees.memo import Memo, new_memo, slot_of

NO_LIMIT = 2**31 - 2
"""A limit that no distance exceeds."""


class Classes(NamedTuple):
    """Sub-tree classes; the children of a class have smaller numbers than itself."""

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
    """Of deleting, inserting and replacing a vertex."""
    frames: NDArray[np.int32]
    """As many as the deepest tree has levels."""
    row: NDArray[np.int32]
    """As long as the longest list of children and one more."""
    spare: NDArray[np.int32]
    begin: NDArray[np.int32]
    """What it costs to add the first children."""
    change: NDArray[np.int32]
    """What it costs to turn a child into each of the others."""
    number: NDArray[np.uint32]
    """For each child of either side which of its side's different classes it is."""
    different: NDArray[np.int32]
    """The different classes of either side."""
    known: NDArray[np.int32]
    """For each class its number in `different`, if `different` agrees."""
    table: NDArray[np.int32]
    """Distances of different classes, as far as there is room."""


_TOP_A, _TOP_B, _A, _B, _A_START, _A_STOP, _B_START, _B_STOP = range(8)
_OURS, _THEIRS, _PAIR, _TABULATED = range(8, 12)
"""A frame: two classes, those below them that have the same distance, the children to compare,
how many different ones each side has, which pair of them is next, and whether all are tabulated."""

_DELETE, _INSERT, _REPLACE = range(3)


@compiled
def _key(work: Work, a: int, b: int) -> int:
    """Return the key of a pair; if cost allows the same for both directions."""
    if work.costs[_DELETE] == work.costs[_INSERT] and a > b:
        a, b = b, a
    return np.int64(a) << 32 | np.int64(b)


@compiled
def _known(work: Work, a: int, b: int) -> int:
    """Return the distance of two classes where no recursion is needed or it was done, else -1."""
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
    """Leave out the children that are equal at both ends."""
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
    """Begin the comparison of two classes.

    Where they differ in one child only, their distance is that of the two children, if these
    have equal labels: then those are compared instead, and so on down.
    """
    frame, child = work.frames[depth], work.classes.child
    frame[_TOP_A], frame[_TOP_B], frame[_PAIR] = a, b, 0
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
    """Give numbers to the different classes among some children; return how many there are."""
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
def _distance_of(work: Work, frame: NDArray[np.int32], pair: int) -> int:
    """Return the distance of a pair of different children, -1 if it is not known."""
    theirs = frame[_THEIRS]
    return _known(work, work.different[0, pair // theirs], work.different[1, pair % theirs])


@compiled
def _missing(work: Work, frame: NDArray[np.int32]) -> bool:
    """Give numbers to the children; stop at the first pair whose distance is not known."""
    frame[_OURS] = _number(work, 0, frame[_A_START], frame[_A_STOP])
    frame[_THEIRS] = _number(work, 1, frame[_B_START], frame[_B_STOP])
    pairs = frame[_OURS] * frame[_THEIRS]
    frame[_TABULATED] = pairs <= len(work.table) and frame[_PAIR] == 0
    while frame[_PAIR] < pairs:
        found = _distance_of(work, frame, frame[_PAIR])
        if found < 0:
            return True
        if frame[_TABULATED]:
            work.table[frame[_PAIR]] = found
        frame[_PAIR] += 1
    return False


@compiled
def _tabulate(work: Work, frame: NDArray[np.int32]) -> bool:
    """Have the distances of all different children in the table; return whether there is room."""
    pairs = frame[_OURS] * frame[_THEIRS]
    if pairs <= len(work.table) and not frame[_TABULATED]:
        for pair in range(pairs):
            work.table[pair] = _distance_of(work, frame, pair)
    return pairs <= len(work.table)


@compiled
def _begin_row(work: Work, frame: NDArray[np.int32]) -> int:
    """Fill the row of what it costs to make each beginning of b from nothing; return its end."""
    start, length = frame[_B_START], frame[_B_STOP] - frame[_B_START]
    work.row[0] = work.begin[0] = 0
    for j in range(length):
        added = work.costs[_INSERT] * _size(work, start + j)
        work.row[j + 1] = work.begin[j + 1] = work.row[j] + added
    return length


@compiled
def _size(work: Work, position: int) -> int:
    """Return the size of the child at a position in the list of all children."""
    return work.classes.size[work.classes.child[position]]


@compiled
def _changes(work: Work, frame: NDArray[np.int32], i: int, tabulated: bool) -> None:
    """Fill in what it costs to turn child i of a into each child of b."""
    start, number = np.int64(work.number[0, i]) * frame[_THEIRS], work.number[1]
    for j in range(frame[_B_STOP] - frame[_B_START]):
        pair = start + number[j]
        work.change[j] = work.table[pair] if tabulated else _distance_of(work, frame, pair)


@compiled
def _next_row(work: Work, length: int, removal: int) -> int:
    """Go on to the beginnings of a with one child more; return the least cost.

    Written so that the first loop works on several children at once, and that in the second
    one child waits for nothing but the minimum before it.
    """
    row, spare, begin, change = work.row, work.spare, work.begin, work.change
    for j in range(length):
        spare[j] = min(row[j + 1] + removal, row[j] + change[j]) - begin[j + 1]
    left = row[0] + removal
    row[0] = least = left
    for j in range(length):
        left = min(left, spare[j])
        row[j + 1] = left + begin[j + 1]
        least = min(least, row[j + 1])
    return least


@compiled
def _align(work: Work, frame: NDArray[np.int32], limit: int) -> int:
    """Return the cost of turning one list of children into the other, `limit` + 1 if above.

    The children are numbered, and all distances among them are known.
    """
    tabulated, length = _tabulate(work, frame), _begin_row(work, frame)
    for i in range(frame[_A_STOP] - frame[_A_START]):
        if i == 0 or work.number[0, i] != work.number[0, i - 1]:
            _changes(work, frame, i, tabulated)
        removal = np.int32(work.costs[_DELETE] * _size(work, frame[_A_START] + i))
        if _next_row(work, length, removal) > limit:
            return np.int64(limit + 1)
    return min(np.int64(work.row[length]), np.int64(limit + 1))


@compiled
def _keep(work: Work, a: int, b: int, found: int) -> None:
    """Remember a distance."""
    key = _key(work, a, b)
    slot = slot_of(work.memo, key)
    work.memo.count[0] += work.memo.keys[slot] == -1
    work.memo.keys[slot], work.memo.values[slot] = key, found


@compiled
def distance(work: Work, a: int, b: int, limit: int) -> int:
    """Return the distance of two classes, `limit` + 1 if it is above, -1 if the memo is full."""
    found = _known(work, a, b)
    if found >= 0:
        return min(found, limit + 1)
    depth = 0
    _push(work, 0, a, b)
    while depth >= 0:
        frame = work.frames[depth]
        if _missing(work, frame):
            ours, theirs = divmod(frame[_PAIR], frame[_THEIRS])
            depth += 1
            _push(work, depth, work.different[0, ours], work.different[1, theirs])
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
    """Fill the last column of pairs (a, b, limit, distance) from row `done` on.

    Return how many rows are done: not all if the memo is full.
    """
    for i in range(done, len(pairs)):
        found = distance(work, pairs[i, 0], pairs[i, 1], pairs[i, 2])
        if found < 0:
            return i
        pairs[i, 3] = found
    return len(pairs)


def new_work(classes: Classes, costs: NDArray[np.int32], depth: int) -> Work:
    """Return a kernel's scratch space for these classes, with an empty memo."""
    widest = int(np.diff(classes.child_start).max(initial=0)) + 1
    return Work(
        classes=classes,
        memo=new_memo(1 << 12),
        costs=costs,
        frames=np.empty((depth + 1, 12), dtype=np.int32),
        row=np.empty(widest, dtype=np.int32),
        spare=np.empty(widest, dtype=np.int32),
        begin=np.empty(widest, dtype=np.int32),
        change=np.empty(widest, dtype=np.int32),
        number=np.empty((2, widest), dtype=np.uint32),
        different=np.empty((2, widest), dtype=np.int32),
        known=np.zeros(len(classes.label), dtype=np.int32),
        table=np.empty(min(widest * widest, 1 << 16), dtype=np.int32),
    )
