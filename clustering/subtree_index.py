"""Index of the distinct subtrees of a site's pages."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flong.clustering.skeleton import Skeleton

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SubtreeIndex:
    """Subtree classes of some trees: equal subtrees form one class.

    The children of a class have smaller ids than the class.
    """

    label: Ints
    """Label of each class."""
    size: Ints
    """Number of vertices of each class."""
    kind: NDArray[np.int64]
    """Stable hash of each class."""
    child_start: Ints
    """Children of c are `child[child_start[c]:child_start[c + 1]]`, from left to right."""
    child: Ints
    """Classes of the children."""
    root: Ints
    """Class of each tree, in input order."""
    depth: int
    """Number of levels of the deepest tree."""


def build_index(skeletons: Sequence[Skeleton]) -> SubtreeIndex:
    """Return the index of some trees, in linear time and space.

    >>> from flong.tree.build import build_tree
    >>> from flong.clustering.skeleton import skeleton_of
    >>> pages = [skeleton_of(build_tree(h)) for h in ("<p>a", "<hr><p>a", "<p>b")]
    >>> index = build_index(pages)
    >>> len(index.label), index.root.tolist(), index.size[index.root].tolist()
    (4, [2, 3, 2], [2, 3, 2])
    """
    from flong.clustering import subtree_classes  # noqa: PLC0415 - numba takes 0.6 s to import

    none = np.zeros(0, dtype=np.int32)
    size = np.concatenate([none, *(skeleton.size for skeleton in skeletons)])
    label = np.concatenate([none, *(skeleton.label for skeleton in skeletons)])
    kind = np.concatenate([none.astype(np.int64), *(skeleton.kind for skeleton in skeletons)])
    number, one = np.empty(len(kind), dtype=np.int32), np.empty(len(kind), dtype=np.int64)
    places = np.full(2 << len(kind).bit_length(), -1, dtype=np.int32)
    one = one[: subtree_classes.number_kinds(kind, places, number, one)]
    order = np.argsort(size[one], kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    first, vertex_class = one[order], rank[number]
    child_start = np.zeros(len(first) + 1, dtype=np.int32)
    child = np.empty(len(size), dtype=np.int32)
    count = subtree_classes.fill_children(size, vertex_class, first, child_start, child)
    starts = np.cumsum([0, *map(len, skeletons)])[:-1]
    return SubtreeIndex(
        label=label[first],
        size=size[first],
        kind=kind[first],
        child_start=child_start,
        child=child[:count].copy(),
        root=vertex_class[starts],
        depth=subtree_classes.find_depth(child_start, child, np.ones(len(first), dtype=np.int32)),
    )
