"""Layout of a tree for comparison."""

from functools import lru_cache
from typing import Any

import numpy as np

from flong.patterns.kernel.layout import ALIGN, STRICT, Side, SideArrays, TreeVertex, make_array
from flong.patterns.pattern import KLEENE, OPTION, PLAIN, Arrays, Pattern
from flong.tree import compiled


@lru_cache(maxsize=256)
def match_side(pattern: Pattern) -> SideArrays:
    """Return a pattern prepared for matching; cached, because one pattern meets many pages."""
    return make_side(pattern.arrays, STRICT)


def make_side(arrays: Arrays, mode: int) -> SideArrays:
    """Return a tree prepared for comparison; linear in the number of vertices."""
    n = len(arrays.tag)
    side = make_array(TreeVertex, n), np.empty(n, np.int64), arrays.class_hash
    _lay_out(tuple(arrays), side, mode)
    return side


@compiled
def _lay_out(arrays: tuple[Any, ...], side: SideArrays, mode: int) -> None:
    """Fill a side given as a plain tuple."""
    _prepare(Arrays(*arrays), Side(*side), mode)


@compiled
def _prepare(arrays: Arrays, side: Side, mode: int) -> None:
    """Fill the vertices and lists of a side."""
    size, used = arrays.size, 0
    for v in range(len(side.vertices)):
        vertex = side.vertices[v]
        vertex.kind, vertex.tag, vertex.size = arrays.kind[v], arrays.tag[v], size[v]
        vertex.classes, vertex.classes_end = arrays.class_start[v], arrays.class_start[v + 1]
        vertex.text, vertex.kids = arrays.text_hash[v], used
        kid = v + 1
        while kid < v + size[v]:
            side.kids[used] = kid
            used += 1
            kid += size[kid]
        vertex.kids_end = used
    for v in range(len(side.vertices) - 1, -1, -1):
        _sum_up(side, v, mode)


@compiled
def _sum_up(side: Side, v: int, mode: int) -> None:
    """Fill digest, need and ground of a vertex after its children."""
    vertex = side.vertices[v]
    state = _mix(_mix(vertex.kind, vertex.tag), vertex.text)
    if mode == ALIGN:
        for k in range(vertex.classes, vertex.classes_end):
            state = _mix(state, side.classes[k])
    need = 0 if vertex.kind in (OPTION, KLEENE) else 1
    ground = 1 if vertex.kind == PLAIN else 0
    for k in range(vertex.kids, vertex.kids_end):
        kid = side.vertices[side.kids[k]]
        state = _mix(state, kid.digest)
        need += kid.need
        ground &= kid.ground
    vertex.digest, vertex.need, vertex.ground = _mix(state, vertex.size), need, ground


@compiled
def _mix(state: int, value: int) -> int:
    """Return a hash of both numbers in their order."""
    state = (state ^ value) * -7046029254386353131
    return state ^ (state >> 29)
