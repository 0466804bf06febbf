"""The ids of a page's elements, in machine code."""

import numpy as np
from numpy.typing import NDArray

from trees.hashes import stable_hash
from trees.machine import compiled
from trees.octets import QUOTE, Octets, find, find_attribute, hash_octets

_ID = stable_hash(b"id")


@compiled
def hash_ids(data: Octets, tag_start: NDArray[np.int32], hashes: NDArray[np.int64]) -> None:
    """Write the hash of the id of each vertex; 0 for one that has none."""
    for vertex in range(len(tag_start)):
        hashes[vertex] = 0
        if tag_start[vertex] >= 0:
            start = find_attribute(data, tag_start[vertex], _ID)
            if start >= 0:
                hashes[vertex] = hash_octets(data, start, find(data, start, QUOTE))
