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

NO_LIMIT = 2**31 - 2
"""A limit that no distance exceeds."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class Classes(NamedTuple):
    """Sub-tree classes; the children of a class have smaller numbers than itself."""

    label: NDArray[np.int32]
    size: NDArray[np.int32]
    child_start: NDArray[np.int32]
    """Children of c are `child[child_start[c]:child_start[c + 1]]`."""
    child: NDArray[np.int32]


class Memo(NamedTuple):
    """A hash table of distances by pair of classes."""

    keys: NDArray[np.int64]
    """A power of two of places; -1 for an empty one."""
    values: NDArray[np.int32]
    count: NDArray[np.int64]
    """One number: the places in use."""


class Work(NamedTuple):
    """Scratch space and parameters of the kernel."""

    classes: Classes
    memo: Memo
    costs: NDArray[np.int32]
    """Of deleting, inserting and replacing a vertex."""
    row: NDArray[np.int32]
    """As long as the longest list of children and one more."""
    frames: NDArray[np.int32]
    """As many as the deepest tree has levels."""


_A, _B, _I, _J, _A_START, _A_STOP, _B_START, _B_STOP = range(8)
"""A frame: the pair of classes, the pair of children that is next, the children to compare."""

_DELETE, _INSERT, _REPLACE = range(3)


@compiled
def _slot(memo: Memo, key: int) -> int:
    """Return the place of a key, or the empty place where it belongs."""
    mask = len(memo.keys) - 1
    mixed = np.uint64(key) * _MULTIPLIER
    i = np.int64(mixed >> np.uint64(32)) & mask
    while memo.keys[i] != key and memo.keys[i] != -1:
        i = (i + 1) & mask
    return i


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
    slot = _slot(work.memo, _key(work, a, b))
    return np.int64(work.memo.values[slot]) if work.memo.keys[slot] != -1 else np.int64(-1)


@compiled
def _push(work: Work, depth: int, a: int, b: int) -> None:
    """Begin the comparison of two classes, without the children that are equal at both ends."""
    frame, classes = work.frames[depth], work.classes
    i, stop = classes.child_start[a], classes.child_start[a + 1]
    j, end = classes.child_start[b], classes.child_start[b + 1]
    while i < stop and j < end and classes.child[i] == classes.child[j]:
        i, j = i + 1, j + 1
    while i < stop and j < end and classes.child[stop - 1] == classes.child[end - 1]:
        stop, end = stop - 1, end - 1
    frame[_A], frame[_B], frame[_I], frame[_J] = a, b, i, j
    frame[_A_START], frame[_A_STOP], frame[_B_START], frame[_B_STOP] = i, stop, j, end


@compiled
def _missing(work: Work, frame: NDArray[np.int32]) -> bool:
    """Go on to the next pair of children whose distance is not known; return if there is one."""
    child = work.classes.child
    i, j = frame[_I], frame[_J]
    while i < frame[_A_STOP]:
        while j < frame[_B_STOP]:
            if _known(work, child[i], child[j]) < 0:
                frame[_I], frame[_J] = i, j
                return True
            j += 1
        i, j = i + 1, frame[_B_START]
    return False


@compiled
def _align(work: Work, frame: NDArray[np.int32], limit: int) -> int:
    """Return the cost of turning one list of children into the other, `limit` + 1 if above."""
    classes, child, row = work.classes, work.classes.child, work.row
    delete, insert = np.int64(work.costs[_DELETE]), np.int64(work.costs[_INSERT])
    b_start, b_stop = frame[_B_START], frame[_B_STOP]
    row[0] = 0
    for j in range(b_start, b_stop):
        row[j - b_start + 1] = row[j - b_start] + insert * classes.size[child[j]]
    for i in range(frame[_A_START], frame[_A_STOP]):
        removal = delete * classes.size[child[i]]
        diagonal = np.int64(row[0])
        least = left = diagonal + removal
        row[0] = left
        for j in range(b_start, b_stop):
            up = np.int64(row[j - b_start + 1])
            left = min(left + insert * classes.size[child[j]], up + removal)
            left = min(left, diagonal + _known(work, child[i], child[j]))
            least = min(least, left)
            diagonal = up
            row[j - b_start + 1] = left
        if least > limit:
            return limit + 1
    return min(np.int64(row[b_stop - b_start]), limit + 1)


@compiled
def _keep(work: Work, a: int, b: int, found: int) -> None:
    """Remember a distance."""
    key = _key(work, a, b)
    slot = _slot(work.memo, key)
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
            child = work.classes.child
            depth += 1
            _push(work, depth, child[frame[_I]], child[frame[_J]])
        elif 3 * work.memo.count[0] > 2 * len(work.memo.keys):
            return np.int64(-1)
        else:
            found = _align(work, frame, NO_LIMIT if depth else limit)
            if depth or found <= limit:
                _keep(work, frame[_A], frame[_B], found)
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


@compiled
def move(memo: Memo, larger: Memo) -> None:
    """Copy all distances to a larger table."""
    for i in range(len(memo.keys)):
        if memo.keys[i] != -1:
            slot = _slot(larger, memo.keys[i])
            larger.keys[slot], larger.values[slot] = memo.keys[i], memo.values[i]
    larger.count[0] = memo.count[0]


def new_memo(places: int) -> Memo:
    """Return an empty table; `places` is a power of two."""
    return Memo(
        keys=np.full(places, -1, dtype=np.int64),
        values=np.empty(places, dtype=np.int32),
        count=np.zeros(1, dtype=np.int64),
    )
