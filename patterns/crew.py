"""Who works on the parts of a site: one process here, or several where the caller has some."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

Work = Callable[[int, Any], Any]
"""Carries out an order that concerns one part; what it finds out of the part it may keep."""


class Crew(Protocol):
    """Processes that share work: who works on a part may keep what it finds out about it."""

    def begin(self, parts: int, work: Work) -> None:
        """Be ready to work on so many parts, with everything as it is now."""

    def share(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Return what comes of orders, by part: whoever is free carries the next one out."""

    def ask(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Return what comes of orders, by part: each goes to who got the part before."""


class Alone:
    """Nobody else."""

    def begin(self, parts: int, work: Work) -> None:
        """Be ready to do all of the work."""
        self._work = work

    def share(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Carry the orders out one after the other."""
        return {part: self._work(part, order) for part, order in orders.items()}

    ask = share
