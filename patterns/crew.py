"""Who works on the parts of a site: one process here, or several where the caller has some."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

Work = Callable[[int, Any], Any]
"""Carries out an order that concerns one part; what it finds out of the part it may keep."""


class Crew(Protocol):
    """Processes that share work: all orders that concern a part are carried out by the same one."""

    def begin(self, weights: Sequence[int], work: Work) -> None:
        """Be ready to work on parts with these weights, on everything as it is now."""

    def ask(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Return what comes of an order for each of some parts, by part."""


class Alone:
    """Nobody else."""

    def begin(self, weights: Sequence[int], work: Work) -> None:
        """Be ready to do all of the work."""
        self._work = work

    def ask(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Carry the orders out one after the other."""
        return {part: self._work(part, order) for part, order in orders.items()}
