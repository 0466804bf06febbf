"""A hash table of distances, in machine code."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trees.machine import compiled

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class Memo(NamedTuple):
    """A hash table of distances by pair of classes."""

    keys: NDArray[np.int64]
    """A power of two of places; -1 for an empty one."""
    values: NDArray[np.int32]
    count: NDArray[np.int64]
    """One number: the places in use."""


@compiled
def slot_of(memo: Memo, key: int) -> int:
    """Return the place of a key, or the empty place where it belongs."""
    mask = len(memo.keys) - 1
    mixed = np.uint64(key) * _MULTIPLIER
    i = np.int64(mixed >> np.uint64(32)) & mask
    while memo.keys[i] != key and memo.keys[i] != -1:
        i = (i + 1) & mask
    return i


@compiled
def move(memo: Memo, larger: Memo) -> None:
    """Copy all distances to a larger table."""
    for i in range(len(memo.keys)):
        if memo.keys[i] != -1:
            slot = slot_of(larger, memo.keys[i])
            larger.keys[slot], larger.values[slot] = memo.keys[i], memo.values[i]
    larger.count[0] = memo.count[0]


def new_memo(places: int) -> Memo:
    """Return an empty table; `places` is a power of two."""
    return Memo(
        keys=np.full(places, -1, dtype=np.int64),
        values=np.empty(places, dtype=np.int32),
        count=np.zeros(1, dtype=np.int64),
    )
