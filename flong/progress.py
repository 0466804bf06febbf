"""How far long work has come, for whoever watches it."""

from collections.abc import Callable
from threading import Lock

Progress = Callable[[str, int, int], None]
"""Is told the step that is being done, how much of it is done, and of how much."""


def unwatched(step: str, done: int, total: int) -> None:
    """Tell nobody."""


class Meter:
    """Counts what is done of one step, also by several threads; a copy in another process is mute.

    >>> meter = Meter(print, "labels", 2)
    labels 0 2
    >>> meter.advance()
    labels 1 2
    """

    def __init__(self, tell: Progress, step: str, total: int = 0) -> None:
        self._tell, self._step, self._total = tell, step, total
        self._done, self._lock = 0, Lock()
        tell(step, 0, total)

    def __reduce__(self) -> tuple[type["Meter"], tuple[Progress, str]]:
        return Meter, (unwatched, self._step)

    def expect(self, more: int) -> None:
        """Note that there is more to do."""
        with self._lock:
            self._total += more

    def advance(self, more: int = 1) -> None:
        """Note that more is done."""
        with self._lock:
            self._done += more
            self._tell(self._step, self._done, self._total)
