"""Memory that is free: given back to the system, not looked for in vain."""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager


def give_back_memory() -> None:
    """Let the C library return what is free, where it can (glibc's `malloc_trim`).

    Many large documents, one after the other, leave it in pieces between what is in use: without
    this, a process that reads them grows by a third.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


@contextmanager
def without_collection() -> Iterator[None]:
    """Let nobody look for what only refers to itself while many trees are in memory.

    They have next to none of that, and to look through all of them again and again takes a fifth
    of the time of learning.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
