"""Collapsed view of a tree for clustering, compiled: subtree hashes, equal siblings merged."""

# numba treats integers of numpy and Python as one type; mypy does not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.tree import FIRST_UNKNOWN, FLOW, NUMBERS, PROSE, compiled

APART, ONCE, LEAF = range(3)
"""Roles of tags: compare subtrees; keep one per tag; keep one per tag, without children."""

WIDEST = 1000
"""Maximum number of distinct children kept; more do not make another template."""

_ZERO, _GOLDEN = np.uint64(0), np.uint64(0x9E3779B97F4A7C15)


class SkeletonView(NamedTuple):
    """The tree and the results per vertex."""

    tag: NDArray[np.int32]
    full_size: NDArray[np.int32]
    """Number of vertices of the subtree in the full tree."""
    roles: NDArray[np.uint8]
    """Role of each tag."""
    collapse: bool
    """True to merge equal siblings and drop the content of prose elements."""
    kind: NDArray[np.int64]
    """Hash of the subtree in the view, comparable between pages."""
    size: NDArray[np.int32]
    """Number of vertices of the subtree in the view."""
    kept: NDArray[np.bool_]
    """False for a repetition of an equal sibling."""
    vertices: NDArray[np.int32]
    """Vertices of the view, in preorder."""
    seen: NDArray[np.int64]
    """Hash table of pairs of parent and child key."""


@compiled
def _mix(value: np.uint64, number: int) -> np.uint64:
    """Return the combined hash of a previous hash and a number (SplitMix64 mixer)."""
    mixed = np.uint64(number) + _GOLDEN
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value * _GOLDEN + (mixed ^ (mixed >> np.uint64(31)))


@compiled
def _is_new(view: SkeletonView, parent: int, key: int) -> bool:
    """Return True if this is the parent's first child with this key, and remember it."""
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
    """Return the role of a tag in the view."""
    return view.roles[tag] if view.collapse and tag < FIRST_UNKNOWN else APART


@compiled
def _sum_up(view: SkeletonView, vertex: int) -> None:
    """Compute hash and size of a vertex from its finished children, and select the kept ones."""
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
    """Fill the view; return its number of vertices."""
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
    """Return the initial state of the pass."""
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
