"""Distances between the pages of a site, each between two of their parts found once."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flong.clustering.subtree_index import Ints, SubtreeIndex

Numbers = NDArray[np.integer[Any]]

_LARGEST_MEMO = 1 << 24
"""Beyond so many distances they are forgotten: 200 MB."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What it costs to change one vertex; whole numbers from 0 on."""

    delete: int = 1
    """Remove a vertex."""
    insert: int = 1
    """Add a vertex."""
    replace: int = 1
    """Give a vertex another label."""


RTDM = Costs()
"""The costs of the paper."""

STM = Costs(replace=2)
"""A vertex is never replaced: the distance is n1 + n2 - 2 m for m vertices matched by Simple
Tree Matching (Yang 1991)."""


class SubtreeDistances:
    """Measures distances between the trees of an index, and remembers those of their parts."""

    def __init__(self, index: SubtreeIndex, costs: Costs = RTDM) -> None:
        from flong.clustering import rtdm  # noqa: PLC0415 - numba takes 0.6 s to import

        if min(costs.delete, costs.insert, costs.replace) < 0:
            raise ValueError(f"a cost is 0 or more, not {costs}")
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
        """Return the distance of each pair of trees; where it exceeds its limit, limit + 1.

        Trees are given by their position in the index.
        """
        return self.measure_classes(self.index.root[first], self.index.root[second], limits)

    def measure_classes(
        self, first: Numbers, second: Numbers, limits: Numbers | None = None
    ) -> Ints:
        """Return the distance of each pair of sub-tree classes, limited in the same way."""
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
        """Double the memo or, if that is not needed to go on, forget all when it is large."""
        old = self._work.memo
        grow = stuck or len(old.keys) < _LARGEST_MEMO
        memo = self._rtdm.new_memo(len(old.keys) << grow)
        if grow:
            self._rtdm.move(old, memo)
        self._work = self._work._replace(memo=memo)

    def lower_bounds(self, one: int) -> Ints:
        """Return for each tree a number that its distance to tree `one` is not below."""
        if self._histograms is None:
            self._histograms = self._rtdm.path_histograms(self._work.classes, self.index.root)
        found = np.empty(len(self.index.root), dtype=np.int32)
        self._rtdm.lower_bounds(self._histograms, self.index.size[self.index.root], one, found)
        return found * min(self.costs.delete, self.costs.insert, self.costs.replace)
