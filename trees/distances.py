"""Distances of two trees; for many trees of one site use `Ruler`, which remembers."""

import numpy as np

from trees.forest import plant
from trees.ruler import RTDM, STM, Costs, Ruler
from trees.shape import Shape


def rtdm(first: Shape, second: Shape, costs: Costs = RTDM) -> int:
    """Return the restricted top-down distance of two trees.

    Reis et al. 2004: vertices are removed, added and replaced together with all below them,
    and below a replaced vertex nothing stays.

    >>> from trees.build import build_tree
    >>> from trees.shape import shape_of
    >>> one, two = (shape_of(build_tree(h)) for h in ("<h1>a</h1><p>b", "<p>b<ul><li>c</ul>"))
    >>> rtdm(one, two)
    4
    """
    return int(Ruler(plant([first, second]), costs).measure(np.array([0]), np.array([1]))[0])


def simple_tree_matching(first: Shape, second: Shape) -> int:
    """Return how many vertices the largest top-down matching of equal labels has (Yang 1991).

    >>> from trees.build import build_tree
    >>> from trees.shape import shape_of
    >>> one, two = (shape_of(build_tree(h)) for h in ("<h1>a</h1><p>b", "<p>b<ul><li>c</ul>"))
    >>> simple_tree_matching(one, two)
    2
    """
    return (len(first) + len(second) - rtdm(first, second, STM)) // 2


def selkow(first: Shape, second: Shape, costs: Costs = RTDM) -> int:
    """Return the unrestricted top-down distance, in time of the product of the sizes.

    Selkow 1977, Chawathe 1999: a replaced vertex keeps what is below it.

    >>> from trees.build import build_tree
    >>> from trees.shape import shape_of
    >>> one, two = (shape_of(build_tree(h)) for h in ("<ul><li>a", "<ol><li>a"))
    >>> selkow(one, two), rtdm(one, two)
    (1, 5)
    """
    from trees.levels import Table, levels, top_down  # noqa: PLC0415 - numba takes 0.6 s to import

    table = Table(
        found=np.empty((len(first), len(second)), dtype=np.int32),
        row=np.empty(len(second) + 1, dtype=np.int32),
        costs=np.array([costs.delete, costs.insert, costs.replace], dtype=np.int32),
    )
    return int(top_down(levels(first), levels(second), table))
