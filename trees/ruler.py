"""Distances between the pages of a site, each between two of their parts found once."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trees.forest import Forest, Ints

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


class Ruler:
    """Measures distances between the trees of a forest, and remembers those of their parts."""

    def __init__(self, forest: Forest, costs: Costs = RTDM) -> None:
        from trees import kernel  # noqa: PLC0415 - numba takes 0.6 s to import

        if min(costs.delete, costs.insert, costs.replace) < 0:
            raise ValueError(f"a cost is 0 or more, not {costs}")
        self.forest = forest
        self.costs = costs
        self._kernel = kernel
        self._histograms: Ints | None = None
        self._work = kernel.new_work(
            kernel.Classes(forest.label, forest.size, forest.child_start, forest.child),
            np.array([costs.delete, costs.insert, costs.replace], dtype=np.int32),
            forest.depth,
        )

    def measure(self, first: Numbers, second: Numbers, limits: Numbers | None = None) -> Ints:
        """Return the distance of each pair of trees; where it exceeds its limit, limit + 1.

        Trees are given by their position in the forest.
        """
        return self.measure_classes(self.forest.root[first], self.forest.root[second], limits)

    def measure_classes(
        self, first: Numbers, second: Numbers, limits: Numbers | None = None
    ) -> Ints:
        """Return the distance of each pair of sub-tree classes, limited in the same way."""
        pairs = np.empty((len(first), 4), dtype=np.int32)
        pairs[:, 0], pairs[:, 1] = first, second
        pairs[:, 2] = self._kernel.NO_LIMIT if limits is None else limits
        done = 0
        while (before := done) < len(pairs):
            done = self._kernel.distances(self._work, pairs, done)
            if done < len(pairs):
                self._make_room(stuck=done == before)
        return pairs[:, 3]

    def _make_room(self, stuck: bool) -> None:
        """Double the memo or, if that is not needed to go on, forget all when it is large."""
        from trees.memo import move, new_memo  # noqa: PLC0415 - numba takes 0.6 s to import

        old = self._work.memo
        grow = stuck or len(old.keys) < _LARGEST_MEMO
        memo = new_memo(len(old.keys) << grow)
        if grow:
            move(old, memo)
        self._work = self._work._replace(memo=memo)

    def lower_bounds(self, one: int) -> Ints:
        """Return for each tree a number that its distance to tree `one` is not below."""
        from trees import bounds  # noqa: PLC0415 - numba takes 0.6 s to import

        if self._histograms is None:
            self._histograms = bounds.path_histograms(self._work.classes, self.forest.root)
        found = np.empty(len(self.forest.root), dtype=np.int32)
        bounds.lower_bounds(self._histograms, self.forest.size[self.forest.root], one, found)
        return found * min(self.costs.delete, self.costs.insert, self.costs.replace)
