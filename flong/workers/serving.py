"""Worker process: executes the tasks that it receives, within limits."""

import gc
import os
import resource
import signal
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

from flong.workers.memory import give_back_memory

MEMORY_GIGABYTES = 6
"""Maximum size of a worker's data in gigabytes."""
MEMORY_EXIT = 71
"""Exit code of a worker that reached the memory limit."""
READY = "ready"
"""First message of a worker that has loaded everything."""
TIDIED = 8
"""Number of messages between two trims of free memory."""


@dataclass(frozen=True, slots=True)
class StartError:
    """Sent by a worker that cannot start."""

    error: str
    """Type and text of the exception."""


def serve(descriptor: int) -> None:
    """Work until the process at the other end is gone."""
    connection: Connection[Any, Any] = Connection(descriptor)
    messages: SimpleQueue[Any] = SimpleQueue()
    try:
        from flong.workers.warm import warm  # noqa: PLC0415 - errors are reported

        warm()
    except Exception as error:  # noqa: BLE001 - reported by the parent process
        _fail(connection, error)
    connection.send(READY)
    gc.freeze()
    limit = MEMORY_GIGABYTES << 30
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    Thread(target=_receive, args=(connection, messages), daemon=True).start()
    work: Callable[[Any], Any] = list
    seconds = 0.0
    for number in count(1):
        message = messages.get()
        if isinstance(message, tuple):
            work, seconds = message
            continue
        # The timeout signal kills the process: it has no handler.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            results = work(message)
        except MemoryError:
            os._exit(MEMORY_EXIT)
        signal.setitimer(signal.ITIMER_PROF, 0)
        connection.send(results)
        del message, results
        if number % TIDIED == 0:
            give_back_memory()


def _fail(connection: "Connection[Any, Any]", error: Exception) -> None:
    traceback.print_exc()
    connection.send(StartError(f"{type(error).__name__}: {error}"))
    os._exit(1)


def _receive(connection: "Connection[Any, Any]", messages: SimpleQueue[Any]) -> None:
    """Take messages as they come, so that no side waits for the other to read."""
    try:
        while True:
            messages.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)
    except Exception as error:  # noqa: BLE001 - such as a missing module
        _fail(connection, error)
