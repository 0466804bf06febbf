"""Who works on the parts of a site: one process here, or several where the caller has some."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

Work = Callable[[int, Any], Any]
"""Carries out an order that concerns one part; what it finds out of the part it may keep."""


class Crew(Protocol):
    """Processes that share work: all orders that concern a part are carried out by the same one."""

    def begin(self, weights: Sequence[int], work: Work, order: Any) -> dict[int, Any]:
        """Return what comes of a first order for all parts of these weights, by part.

        Everything is as it is now, in all processes. Whoever carries it out for a part goes on
        with that part.
        """

    def ask(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Return what comes of an order for each of some parts, by part."""


class Alone:
    """Nobody else."""

    def begin(self, weights: Sequence[int], work: Work, order: Any) -> dict[int, Any]:
        """Carry an order out for all parts, one after the other."""
        self._work = work
        return self.ask(dict.fromkeys(range(len(weights)), order))

    def ask(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Carry the orders out one after the other."""
        return {part: self._work(part, order) for part, order in orders.items()}
