"""A lower bound of the distance, in machine code: how many vertices can be equal at all.

Vertices that a top-down mapping leaves as they are have the same labels all the way up. So
no more of them are equal than the histograms over root paths have in common, and
`d >= max(n1, n2) - common`.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

import numpy as np
from numpy.typing import NDArray

from trees.kernel import Classes
from trees.machine import compiled

BUCKETS = 64
"""Paths that fall into one bucket are taken for equal: the bound stays true, but is lower."""


@compiled
def _count(
    classes: Classes, root: int, stack: NDArray[np.int64], histogram: NDArray[np.int32]
) -> None:
    """Count the vertices of a tree by the labels from the root down to them."""
    stack[0, 0], stack[0, 1] = root, classes.label[root]
    top = 1
    while top:
        top -= 1
        vertex, path = stack[top]
        bucket = ((path * 0x5851F42D4C957F2D) >> 40) & (BUCKETS - 1)
        histogram[bucket] += 1
        for k in range(classes.child_start[vertex], classes.child_start[vertex + 1]):
            child = classes.child[k]
            stack[top, 0], stack[top, 1] = child, path * 31 + classes.label[child] + 1
            top += 1


@compiled
def lower_bounds(
    histograms: NDArray[np.int32], size: NDArray[np.int32], one: int, found: NDArray[np.int32]
) -> None:
    """Fill in a lower bound of the distance of one tree to each."""
    ours = histograms[one]
    for other in range(len(size)):
        theirs = histograms[other]
        common = np.int32(0)
        for k in range(BUCKETS):
            common += min(ours[k], theirs[k])
        found[other] = max(size[one], size[other]) - common


def path_histograms(classes: Classes, roots: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return for each tree how many vertices it has by bucket of root paths."""
    histograms = np.zeros((len(roots), BUCKETS), dtype=np.int32)
    stack = np.empty((classes.size[roots].max(initial=1), 2), dtype=np.int64)
    for root, histogram in zip(roots, histograms, strict=True):
        _count(classes, root, stack, histogram)
    return histograms
