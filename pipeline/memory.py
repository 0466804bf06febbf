"""Memory that is free, given back to the system."""

import ctypes


def give_back_memory() -> None:
    """Let the C library return what is free, where it can (glibc's `malloc_trim`).

    Many large documents, one after the other, leave it in pieces between what is in use: without
    this, a process that reads them grows by a third.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
