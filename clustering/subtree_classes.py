"""Subtree classes of an index, compiled."""

# numba treats integers of numpy and Python as one type; mypy does not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

import numpy as np
from numpy.typing import NDArray

from flong.tree import compiled

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@compiled
def number_kinds(
    kind: NDArray[np.int64],
    places: NDArray[np.int32],
    number: NDArray[np.int32],
    first: NDArray[np.int64],
) -> int:
    """Assign one number to equal kinds, in order of appearance; return the count of numbers.

    `places` is a hash table filled with -1. Its length is a power of two and larger than the number
    of kinds. `first` receives the first position of each kind.
    """
    mask, count = len(places) - 1, 0
    for i in range(len(kind)):
        place = np.int64((np.uint64(kind[i]) * _MULTIPLIER) >> np.uint64(32)) & mask
        while places[place] >= 0 and kind[first[places[place]]] != kind[i]:
            place = (place + 1) & mask
        if places[place] < 0:
            places[place], first[count] = count, i
            count += 1
        number[i] = places[place]
    return count


@compiled
def fill_children(
    size: NDArray[np.int32],
    number: NDArray[np.int32],
    first: NDArray[np.int64],
    child_start: NDArray[np.int32],
    child: NDArray[np.int32],
) -> int:
    """List the child classes of each class; return the total number of children.

    `number` is the class of each vertex, `first` a vertex of each class.
    """
    count = 0
    for i in range(len(first)):
        vertex = first[i] + 1
        end = first[i] + size[first[i]]
        while vertex < end:
            child[count] = number[vertex]
            count += 1
            vertex += size[vertex]
        child_start[i + 1] = count
    return count


@compiled
def find_depth(
    child_start: NDArray[np.int32], child: NDArray[np.int32], depth: NDArray[np.int32]
) -> int:
    """Return the number of levels of the deepest class; `depth` must be filled with ones."""
    deepest = 0
    for i in range(len(depth)):
        for k in range(child_start[i], child_start[i + 1]):
            depth[i] = max(depth[i], depth[child[k]] + 1)
        deepest = max(deepest, depth[i])
    return deepest
