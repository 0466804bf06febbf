"""Sub-tree classes of an index in compiled code."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
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
    """Give equal kinds one number, in the order in which they come; return how many there are.

    `places` is a hash table, a power of two filled with -1, larger than the number of kinds;
    `first` says where each comes first.
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
    """List the classes of the children of each class; return how many there are in all.

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
    """Return the number of levels of the deepest class; `depth` comes filled with ones."""
    deepest = 0
    for i in range(len(depth)):
        for k in range(child_start[i], child_start[i + 1]):
            depth[i] = max(depth[i], depth[child[k]] + 1)
        deepest = max(deepest, depth[i])
    return deepest
