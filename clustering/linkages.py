"""Average linkage of one group of pages, cut into clusters."""

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from clustering.distances import Floats
from clustering.partition import Positions, positions_by

_TIE = 1e-9
"""Equal distances are set apart by less than this."""


def untie(matrix: Floats, kinds: NDArray[np.int64]) -> Floats:
    """Return the matrix with equal distances made unequal, the same way in any order of trees.

    Average linkage of equal distances depends on the order in which they come; with this it
    depends on the trees alone (`kinds` are their hashes).

    >>> untied = untie(np.array([[0, 0.5], [0.5, 0]]), np.array([3, 8]))
    >>> bool(0.5 < untied[0, 1] == untied[1, 0] < 0.5 + 1e-9), float(untied[0, 0])
    (True, 0.0)
    """
    mixed = kinds.astype(np.uint64)
    low, high = np.minimum.outer(mixed, mixed), np.maximum.outer(mixed, mixed)
    hashed = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F))
    hashed = (hashed ^ (hashed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return np.where(low == high, matrix, matrix + (hashed >> np.uint64(11)) * (_TIE / 2**53))


def link(matrix: Floats) -> Floats:
    """Return scipy's average linkage of a matrix of distances, without rows for a single one.

    >>> link(np.array([[0, 0.5], [0.5, 0]])).tolist(), link(np.zeros((1, 1))).tolist()
    ([[0.0, 1.0, 0.5, 2.0]], [])
    """
    if len(matrix) < 2:
        return np.zeros((0, 4))
    return np.asarray(linkage(squareform(matrix, checks=False), "average"))


def cut_linkage(merges: Floats, cut: float) -> list[Positions]:
    """Return the groups of leaves that are joined at or below the cut, in order.

    >>> [group.tolist() for group in cut_linkage(np.array([[0, 1, 0.5, 2]]), 0.2)]
    [[0], [1]]
    """
    if not len(merges):
        return [np.zeros(1, dtype=np.int64)]
    labels = fcluster(merges, cut + 2 * _TIE, "distance")
    groups = positions_by(labels - 1, labels.max())
    return sorted(groups, key=lambda group: int(group[0]))
