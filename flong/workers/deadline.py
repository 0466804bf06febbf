"""A bound on work that waits for others."""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def within(seconds: float, work: Callable[[], T]) -> T:
    """Return what some work returns; raise `TimeoutError` if it takes longer.

    The timeout of a connection begins anew with every byte. So the work, which must not raise,
    happens in a thread, and that can be left behind.

    >>> within(5, lambda: 1)
    1
    """
    outcome: SimpleQueue[T] = SimpleQueue()
    Thread(target=lambda: outcome.put(work()), daemon=True).start()
    try:
        return outcome.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
