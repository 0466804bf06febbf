"""Distances between two trees. For many trees of one site, use `SubtreeDistances`."""

import numpy as np

from flong.clustering.skeleton import Skeleton
from flong.clustering.subtree_distances import RTDM, STM, Costs, SubtreeDistances
from flong.clustering.subtree_index import build_index


def rtdm_distance(first: Skeleton, second: Skeleton, costs: Costs = RTDM) -> int:
    """Return the restricted top-down distance of two trees.

    Reis et al. 2004: vertices are deleted, inserted and replaced with their whole subtrees.

    >>> from flong.tree.build import build_tree
    >>> from flong.clustering.skeleton import skeleton_of
    >>> one, two = (skeleton_of(build_tree(h)) for h in ("<h1>a</h1><p>b", "<p>b<ul><li>c</ul>"))
    >>> rtdm_distance(one, two)
    4
    """
    return int(
        SubtreeDistances(build_index([first, second]), costs).measure(np.array([0]), np.array([1]))[
            0
        ]
    )


def simple_tree_matching(first: Skeleton, second: Skeleton) -> int:
    """Return the size of the largest top-down matching of equal labels (Yang 1991).

    >>> from flong.tree.build import build_tree
    >>> from flong.clustering.skeleton import skeleton_of
    >>> one, two = (skeleton_of(build_tree(h)) for h in ("<h1>a</h1><p>b", "<p>b<ul><li>c</ul>"))
    >>> simple_tree_matching(one, two)
    2
    """
    return (len(first) + len(second) - rtdm_distance(first, second, STM)) // 2


def selkow_distance(first: Skeleton, second: Skeleton, costs: Costs = RTDM) -> int:
    """Return the unrestricted top-down distance; time is the product of the sizes.

    Selkow 1977, Chawathe 1999: a replaced vertex keeps its children.

    >>> from flong.tree.build import build_tree
    >>> from flong.clustering.skeleton import skeleton_of
    >>> one, two = (skeleton_of(build_tree(h)) for h in ("<ul><li>a", "<ol><li>a"))
    >>> selkow_distance(one, two), rtdm_distance(one, two)
    (1, 5)
    """
    from flong.clustering import alignment, selkow  # noqa: PLC0415 - numba takes 0.6 s to import

    table = selkow.SelkowTable(
        found=np.empty((len(first), len(second)), dtype=np.int32),
        rows=alignment.new_rows(len(second)),
        change=np.empty(len(second), dtype=np.int32),
        costs=np.array([costs.delete, costs.insert, costs.replace], dtype=np.int32),
    )
    return int(selkow.top_down(selkow.levels(first), selkow.levels(second), table))
