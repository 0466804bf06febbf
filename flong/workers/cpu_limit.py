"""The processor time that one page may take, kept by the kernel: no code can overrun it."""

import signal
from typing import Any

from numba.core import event


class CpuLimit(event.Listener):
    """Ends this process, whatever it is at, when a task has used up its processor time.

    Compiling does not count: only the first run ever on a computer does that.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds, self._compiling = seconds, 0
        event.register("numba:compile", self)  # type: ignore[no-untyped-call]

    def start(self) -> None:
        """Give a task its time; the signal at its end is deadly, because nobody handles it."""
        signal.setitimer(signal.ITIMER_PROF, self._seconds)

    def stop(self) -> None:
        """Take back what is left of it."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def on_start(self, event: Any) -> None:
        """Stop while something is compiled."""
        self._compiling += 1
        self.stop()

    def on_end(self, event: Any) -> None:
        """Go on when that, and what it was compiled for, is done."""
        self._compiling -= 1
        if not self._compiling:
            self.start()
