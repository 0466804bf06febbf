"""The two trees of a comparison, prepared for it, and when their vertices are equal."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from patterns.compiled import compiled
from patterns.pattern import KLEENE, OPTION, PLAIN, Arrays, Hashes, Ints, Kinds

ALIGN, STRICT, BOUNDED = range(3)
"""What is asked: the RTDM mapping of two patterns, a match, a match with finite penalties."""

INFINITE = 1 << 60
"""More than any cost."""

PENALTY = 1 << 20
"""Cost of one vertex that a bounded match leaves over; a discarded wildcard costs 1."""

DESCEND, APART, PAIR, SAME = -4, -3, -2, -1
"""How a pair of vertices stands: their children decide; nothing in them maps; they map and
have no children to compare; all their vertices map one to one."""


class Side(NamedTuple):
    """One tree, with what the comparison asks of it again and again."""

    kind: Kinds
    tag: Ints
    size: Ints
    class_start: Ints
    class_hash: Hashes
    text_hash: Hashes
    first: Ints
    """Children of v are `kids[first[v]:first[v + 1]]`."""
    kids: Ints
    digest: NDArray[np.int64]
    """Equal for equal sub-trees (for a match: but for the classes)."""
    need: Ints
    """How many vertices of the sub-tree a match cannot do without."""
    ground: NDArray[np.bool_]
    """Whether there is no wildcard in the sub-tree."""


@compiled
def mix(state: int, value: int) -> int:
    """Return a number that depends on both and on their order."""
    state = (state ^ value) * -7046029254386353131
    return state ^ (state >> 29)


@compiled
def prepare(arrays: Arrays, mode: int) -> Side:
    """Return the arrays with children, digests and needs; linear in the number of vertices."""
    kind, tag, size, class_start, class_hash, text_hash = arrays
    n = len(tag)
    first = np.empty(n + 1, np.int32)
    kids = np.empty(n, np.int32)
    used = 0
    for v in range(n):
        first[v] = used
        kid = v + 1
        while kid < v + size[v]:
            kids[used] = kid
            used += 1
            kid += size[kid]
    first[n] = used
    digest = np.empty(n, np.int64)
    need = np.empty(n, np.int32)
    ground = np.empty(n, np.bool_)
    side = Side(
        kind, tag, size, class_start, class_hash, text_hash, first, kids, digest, need, ground
    )
    for v in range(n - 1, -1, -1):
        _sum_up(side, v, mode)
    return side


@compiled
def _sum_up(side: Side, v: int, mode: int) -> None:
    """Fill digest, need and ground of a vertex whose children have theirs."""
    state = mix(mix(side.kind[v], side.tag[v]), side.text_hash[v])
    if mode == ALIGN:
        for k in range(side.class_start[v], side.class_start[v + 1]):
            state = mix(state, side.class_hash[k])
    need = 0 if side.kind[v] == OPTION or side.kind[v] == KLEENE else 1
    ground = side.kind[v] == PLAIN
    for k in range(side.first[v], side.first[v + 1]):
        kid = side.kids[k]
        state = mix(state, side.digest[kid])
        need += side.need[kid]
        ground = ground and side.ground[kid]
    side.digest[v] = mix(state, side.size[v])
    side.need[v] = need
    side.ground[v] = ground


@compiled
def shared_classes(left: Side, a: int, right: Side, b: int) -> int:
    """Return how many class tokens two vertices have in common."""
    i, j, shared = left.class_start[a], right.class_start[b], 0
    while i < left.class_start[a + 1] and j < right.class_start[b + 1]:
        x, y = left.class_hash[i], right.class_hash[j]
        shared += x == y
        i += x <= y
        j += y <= x
    return shared


@compiled
def classes_meet(left: Side, a: int, right: Side, b: int) -> bool:
    """Return whether two vertices share a class token or one has none."""
    return (
        left.class_start[a] == left.class_start[a + 1]
        or right.class_start[b] == right.class_start[b + 1]
        or shared_classes(left, a, right, b) > 0
    )


@compiled
def classes_fit(left: Side, a: int, right: Side, b: int) -> bool:
    """Return whether a page's vertex has all class tokens of the pattern's vertex."""
    wanted = left.class_start[a + 1] - left.class_start[a]
    return wanted == 0 or shared_classes(left, a, right, b) == wanted


@compiled
def same_label(left: Side, a: int, right: Side, b: int) -> bool:
    """Return whether two vertices are of one kind and tag, and of one text if they are texts."""
    return (
        left.kind[a] == right.kind[b]
        and left.tag[a] == right.tag[b]
        and left.text_hash[a] == right.text_hash[b]
    )


@compiled
def fits_whole(left: Side, a: int, right: Side, b: int) -> bool:
    """Return whether a sub-tree without wildcards fits a page's, vertex by vertex."""
    if left.digest[a] != right.digest[b] or left.size[a] != right.size[b]:
        return False
    for k in range(left.size[a]):
        if not same_label(left, a + k, right, b + k):
            return False
        if not classes_fit(left, a + k, right, b + k):
            return False
    return True


@compiled
def compare(mode: int, left: Side, a: int, right: Side, b: int) -> tuple[int, int]:
    """Return the cost of mapping a to b and how they stand; the cost is open if `DESCEND`."""
    if mode == ALIGN:
        return _compare_patterns(left, a, right, b)
    if mode == STRICT:
        return _compare_strictly(left, a, right, b)
    return _compare_loosely(left, a, right, b)


@compiled
def _compare_patterns(left: Side, a: int, right: Side, b: int) -> tuple[int, int]:
    if left.digest[a] == right.digest[b] and left.size[a] == right.size[b]:
        return 0, SAME
    sizes = left.size[a] + right.size[b]
    if not (same_label(left, a, right, b) and classes_meet(left, a, right, b)):
        return sizes - 1, APART
    if left.size[a] == 1 or right.size[b] == 1:
        return sizes - 2, PAIR
    return 0, DESCEND


@compiled
def _compare_strictly(left: Side, a: int, right: Side, b: int) -> tuple[int, int]:
    if left.ground[a]:
        return (0, SAME) if fits_whole(left, a, right, b) else (INFINITE, APART)
    if left.tag[a] != right.tag[b] or not classes_fit(left, a, right, b):
        return INFINITE, APART
    return 0, DESCEND


@compiled
def _compare_loosely(left: Side, a: int, right: Side, b: int) -> tuple[int, int]:
    if left.ground[a] and fits_whole(left, a, right, b):
        return 0, SAME
    if not same_label(left, a, right, b):
        return (left.need[a] + right.size[b] - 1) * PENALTY, APART
    return 0 if classes_fit(left, a, right, b) else PENALTY, DESCEND
