"""Lays a tree out for comparison."""

from functools import lru_cache

import numpy as np

from patterns.kernel.sides import (
    ALIGN,
    CLASS,
    CLASS_END,
    DIGEST,
    GROUND,
    KID,
    KID_END,
    KIND,
    MATCH,
    NEED,
    SIZE,
    TAG,
    TEXT,
    Side,
)
from patterns.pattern import KLEENE, OPTION, PLAIN, Arrays, Pattern
from trees import compiled


@lru_cache(maxsize=256)
def match_side(pattern: Pattern) -> Side:
    """Return a pattern ready for matching; kept, because one pattern meets many pages."""
    return make_side(pattern.arrays, MATCH)


def make_side(arrays: Arrays, mode: int) -> Side:
    """Return a tree ready for comparison; linear in the number of vertices."""
    n = len(arrays.tag)
    side = Side(np.empty((n, GROUND + 1), np.int64), np.empty(n, np.int64), arrays.class_hash)
    _prepare(arrays, side, mode)
    return side


@compiled
def _prepare(arrays: Arrays, side: Side, mode: int) -> None:
    """Fill the rows and lists of a side."""
    nodes, size, used = side.nodes, arrays.size, 0
    for v in range(len(nodes)):
        nodes[v, KIND], nodes[v, TAG], nodes[v, SIZE] = arrays.kind[v], arrays.tag[v], size[v]
        nodes[v, CLASS], nodes[v, CLASS_END] = arrays.class_start[v], arrays.class_start[v + 1]
        nodes[v, TEXT], nodes[v, KID] = arrays.text_hash[v], used
        kid = v + 1
        while kid < v + size[v]:
            side.kids[used] = kid
            used += 1
            kid += size[kid]
        nodes[v, KID_END] = used
    for v in range(len(nodes) - 1, -1, -1):
        _sum_up(side, v, mode)


@compiled
def _sum_up(side: Side, v: int, mode: int) -> None:
    """Fill digest, need and ground of a vertex whose children have theirs."""
    nodes = side.nodes
    kind = nodes[v, KIND]
    state = _mix(_mix(kind, nodes[v, TAG]), nodes[v, TEXT])
    if mode == ALIGN:
        for k in range(nodes[v, CLASS], nodes[v, CLASS_END]):
            state = _mix(state, side.classes[k])
    need = 0 if kind in (OPTION, KLEENE) else 1
    ground = 1 if kind == PLAIN else 0
    for k in range(nodes[v, KID], nodes[v, KID_END]):
        kid = side.kids[k]
        state = _mix(state, nodes[kid, DIGEST])
        need += nodes[kid, NEED]
        ground &= nodes[kid, GROUND]
    nodes[v, DIGEST] = _mix(state, nodes[v, SIZE])
    nodes[v, NEED] = need
    nodes[v, GROUND] = ground


@compiled
def _mix(state: int, value: int) -> int:
    """Return a number that depends on both and on their order."""
    state = (state ^ value) * -7046029254386353131
    return state ^ (state >> 29)
