"""What a page's tree and a pattern have in common: vertices in document order."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False, kw_only=True)
class OrderedTree:
    """Vertices numbered from left to right, each before its children."""

    parent: Ints
    """Parent's number; -1 for the root."""
    size: Ints
    """Number of vertices of the sub-tree, itself included; 1 for a wildcard."""

    def children(self, vertex: int) -> Iterator[int]:
        """Yield the children of a vertex from left to right."""
        child, end = vertex + 1, vertex + int(self.size[vertex])
        while child < end:
            yield child
            child += int(self.size[child])

    def ancestors(self, vertex: int) -> Iterator[int]:
        """Yield parent, grandparent ... up to the root."""
        vertex = int(self.parent[vertex])
        while vertex >= 0:
            yield vertex
            vertex = int(self.parent[vertex])
