"""Distances between the trees of an index, with memoised subtree distances."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flong.clustering.subtree_index import Ints, SubtreeIndex

Numbers = NDArray[np.integer[Any]]

_LARGEST_MEMO = 1 << 24
"""Maximum number of memoised distances (200 MB); then the memo is cleared."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Edit costs of one vertex, as integers >= 0."""

    delete: int = 1
    """Cost of deleting a vertex."""
    insert: int = 1
    """Cost of inserting a vertex."""
    replace: int = 1
    """Cost of changing a vertex's label."""


RTDM = Costs()
"""Costs of the paper."""

STM = Costs(replace=2)
"""Costs without replacement: the distance is n1 + n2 - 2m for m vertices matched by Simple Tree
Matching (Yang 1991)."""


class SubtreeDistances:
    """Measures distances between the trees of an index; subtree distances are memoised."""

    def __init__(self, index: SubtreeIndex, costs: Costs = RTDM) -> None:
        from flong.clustering import rtdm  # noqa: PLC0415 - numba takes 0.6 s to import

        if min(costs.delete, costs.insert, costs.replace) < 0:
            raise ValueError(f"costs must be 0 or more, not {costs}")
        self.index = index
        self.costs = costs
        self._rtdm = rtdm
        self._histograms: Ints | None = None
        self._work = rtdm.new_work(
            rtdm.Classes(index.label, index.size, index.child_start, index.child),
            np.array([costs.delete, costs.insert, costs.replace], dtype=np.int32),
            index.depth,
        )

    def measure(self, first: Numbers, second: Numbers, limits: Numbers | None = None) -> Ints:
        """Return the distance of each pair of trees, or limit + 1 if it exceeds its limit.

        Trees are given by their position in the index.
        """
        return self.measure_classes(self.index.root[first], self.index.root[second], limits)

    def measure_classes(
        self, first: Numbers, second: Numbers, limits: Numbers | None = None
    ) -> Ints:
        """Return the distance of each pair of subtree classes, with the same limits."""
        pairs = np.empty((len(first), 4), dtype=np.int32)
        pairs[:, 0], pairs[:, 1] = first, second
        pairs[:, 2] = self._rtdm.NO_LIMIT if limits is None else limits
        done = 0
        while (before := done) < len(pairs):
            done = self._rtdm.distances(self._work, pairs, done)
            if done < len(pairs):
                self._make_room(stuck=done == before)
        return pairs[:, 3]

    def _make_room(self, stuck: bool) -> None:
        """Double the memo, or clear it if it is large and the kernel is not stuck."""
        old = self._work.memo
        grow = stuck or len(old.keys) < _LARGEST_MEMO
        memo = self._rtdm.new_memo(len(old.keys) << grow)
        if grow:
            self._rtdm.move(old, memo)
        self._work = self._work._replace(memo=memo)

    def lower_bounds(self, one: int) -> Ints:
        """Return a lower bound of the distance between tree `one` and each tree."""
        if self._histograms is None:
            self._histograms = self._rtdm.path_histograms(self._work.classes, self.index.root)
        found = np.empty(len(self.index.root), dtype=np.int32)
        self._rtdm.lower_bounds(self._histograms, self.index.size[self.index.root], one, found)
        return found * min(self.costs.delete, self.costs.insert, self.costs.replace)
