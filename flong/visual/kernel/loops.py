"""Compiled loops: sums over nested blocks, and votes of boosted trees."""

# numpy's and Python's integers are one type to the compiler, but not to mypy.
# mypy: disable-error-code="arg-type,assignment"

import numpy as np
from numpy.typing import NDArray

from flong.tree import compiled


@compiled
def sum_up(parent: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    """Add the values of each block to its parent; parents come before children."""
    for block in range(len(parent) - 1, 0, -1):
        for column in range(sums.shape[1]):
            sums[parent[block], column] += sums[block, column]


@compiled
def add_votes(  # noqa: PLR0913, PLR0917 - the compiler takes arrays, not classes
    rows: NDArray[np.float64],
    weight: NDArray[np.float64],
    feature: NDArray[np.int64],
    threshold: NDArray[np.float64],
    vote: NDArray[np.int64],
    points: NDArray[np.float64],
) -> None:
    """Add each tree's weight to the class it votes for, for each row.

    A tree is a row of `feature` and `threshold`; the children of node i are 2 i + 1 and 2 i + 2.
    Values above the threshold go right, as in scikit-learn.
    """
    nodes = feature.shape[1]
    for row in range(len(rows)):
        for tree in range(len(feature)):
            node = 0
            while node < nodes:
                right = rows[row, feature[tree, node]] > threshold[tree, node]
                node = 2 * node + 1 + np.int64(right)
            points[row, vote[tree, node - nodes]] += weight[tree]
