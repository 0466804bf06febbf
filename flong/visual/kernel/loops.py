"""Sums over the blocks inside a block, and the votes of boosted trees."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment"

import numpy as np
from numpy.typing import NDArray

from flong.tree import compiled


@compiled
def sum_up(parent: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    """Add the numbers of each block to those of its parent; parents come before children."""
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
    """Add for each row the weight of each tree to the class that it votes for.

    A tree is a row of `feature` and `threshold`, the children of node i are 2 i + 1 and 2 i + 2;
    a value above the threshold goes to the right, as in scikit-learn.
    """
    nodes = feature.shape[1]
    for row in range(len(rows)):
        for tree in range(len(feature)):
            node = 0
            while node < nodes:
                right = rows[row, feature[tree, node]] > threshold[tree, node]
                node = 2 * node + 1 + np.int64(right)
            points[row, vote[tree, node - nodes]] += weight[tree]
