"""Labels to lists of positions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.integer[Any]]


def positions_by(labels: Positions, count: int) -> list[Positions]:
    """Return for each label from 0 to `count` - 1 where it stands, in order.

    >>> [found.tolist() for found in positions_by(np.array([1, 0, 1]), 3)]
    [[1], [0, 2], []]
    """
    ends = np.cumsum(np.bincount(labels, minlength=count))
    return list[Positions](np.split(np.argsort(labels, kind="stable"), ends)[:-1])
