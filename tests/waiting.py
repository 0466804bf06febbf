"""Waiting for a state: tests do not depend on the speed of the machine."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from subprocess import Popen

HANG_SECONDS = 600.0
"""Deadline that only a hang reaches; below pytest's `timeout`, which ends the whole run."""
POLL_SECONDS = 0.02


def wait_until(condition: Callable[[], object], process: Popen | None = None) -> None:
    """Wait until the condition is true. Fail if the process that brings it about ends before."""
    until = time.monotonic() + HANG_SECONDS
    while not condition():
        assert process is None or process.poll() is None or condition(), "the process ended"
        assert time.monotonic() < until, "the state was never reached"
        time.sleep(POLL_SECONDS)


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Fail if the block takes more CPU time of this process, which other programs do not change."""
    begun = time.process_time()
    yield
    assert time.process_time() - begun < seconds
