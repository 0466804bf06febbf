"""The clustering view in compiled code: every sub-tree's kind, equal siblings as one."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.tree import FIRST_UNKNOWN, FLOW, NUMBERS, PROSE, compiled

APART, ONCE, LEAF = range(3)
"""A tag whose sub-trees are compared; one that is kept once; one that has no children, once."""

WIDEST = 1000
"""So many different children are kept: what more there is does not make another template."""

_ZERO, _GOLDEN = np.uint64(0), np.uint64(0x9E3779B97F4A7C15)


class SkeletonView(NamedTuple):
    """The tree, and what is found out for each vertex of it."""

    tag: NDArray[np.int32]
    full_size: NDArray[np.int32]
    """Vertices of the sub-tree in the tree."""
    roles: NDArray[np.uint8]
    """What to do with each tag."""
    collapse: bool
    """Leave out equal siblings, and what is in prose."""
    kind: NDArray[np.int64]
    """Hash of the sub-tree as it is in the view: equal for equal ones on all pages."""
    size: NDArray[np.int32]
    """Vertices of the sub-tree in the view."""
    kept: NDArray[np.bool_]
    """It is not one more of equal siblings."""
    vertices: NDArray[np.int32]
    """The vertices that are in the view, in preorder."""
    seen: NDArray[np.int64]
    """A hash table of parents and keys of their children."""


@compiled
def _mix(value: np.uint64, number: int) -> np.uint64:
    """Return a hash of what was hashed before and this number (the mixer is SplitMix64's)."""
    mixed = np.uint64(number) + _GOLDEN
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value * _GOLDEN + (mixed ^ (mixed >> np.uint64(31)))


@compiled
def _is_new(view: SkeletonView, parent: int, key: int) -> bool:
    """Return whether this is the first child of the parent with this key; remember it."""
    value = np.int64(_mix(_mix(_ZERO, parent), key) | np.uint64(1))
    mask = len(view.seen) - 1
    i = (value >> 20) & mask
    while view.seen[i] and view.seen[i] != value:
        i = (i + 1) & mask
    new = view.seen[i] == 0
    view.seen[i] = value
    return new


@compiled
def _role(view: SkeletonView, tag: int) -> int:
    """Return what the view does with a tag."""
    return view.roles[tag] if view.collapse and tag < FIRST_UNKNOWN else APART


@compiled
def _sum_up(view: SkeletonView, vertex: int) -> None:
    """Find kind and size of a vertex whose children are done, and which of them are kept."""
    tag = view.tag[vertex]
    value, total, kept = _mix(_ZERO, tag), 1, 0
    leaf = _role(view, tag) == LEAF
    child, end = vertex + 1, vertex + view.full_size[vertex]
    while child < end:
        flows = _role(view, view.tag[child]) != APART
        key = np.int64(view.tag[child]) if flows else view.kind[child]
        view.kept[child] = not leaf and (not view.collapse or _is_new(view, vertex, key))
        if view.collapse and kept == WIDEST:
            view.kept[child] = False
        if view.kept[child]:
            kept += 1
            value, total = _mix(value, view.kind[child]), total + view.size[child]
        child += view.full_size[child]
    view.kind[vertex], view.size[vertex] = np.int64(value | np.uint64(1)), total


@compiled
def view_tree(view: SkeletonView) -> int:
    """Fill the view; return how many vertices it has."""
    length = len(view.tag)
    for vertex in range(length - 1, -1, -1):
        _sum_up(view, vertex)
    view.kept[0] = True
    vertex = count = 0
    while vertex < length:
        if view.kept[vertex]:
            view.vertices[count] = vertex
            count, vertex = count + 1, vertex + 1
        else:
            vertex += view.full_size[vertex]
    return count


@cache
def _roles() -> NDArray[np.uint8]:
    roles = np.full(FIRST_UNKNOWN, APART, dtype=np.uint8)
    roles[[NUMBERS[name] for name in FLOW]] = ONCE
    roles[[NUMBERS[name] for name in PROSE]] = LEAF
    return roles


def new_view(tag: NDArray[np.int32], size: NDArray[np.int32], collapse: bool) -> SkeletonView:
    """Return the state before the pass."""
    length = len(tag)
    return SkeletonView(
        tag=tag,
        full_size=size,
        roles=_roles(),
        collapse=collapse,
        kind=np.empty(length, dtype=np.int64),
        size=np.empty(length, dtype=np.int32),
        kept=np.empty(length, dtype=np.bool_),
        vertices=np.empty(length, dtype=np.int32),
        seen=np.zeros(1 << (2 * length).bit_length(), dtype=np.int64),
    )
