"""Progress of long work, reported to a callback."""

from collections.abc import Callable
from threading import Lock

Progress = Callable[[str, int, int], None]
"""Called with the current step, the amount done, and the total."""


def unwatched(step: str, done: int, total: int) -> None:
    """Ignore progress."""


class Meter:
    """Counts the progress of one step across threads; a copy in another process reports nothing.

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
        """Increase the total."""
        with self._lock:
            self._total += more

    def advance(self, more: int = 1) -> None:
        """Increase the amount done."""
        with self._lock:
            self._done += more
            self._tell(self._step, self._done, self._total)
