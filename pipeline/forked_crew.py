"""Copies of this process that share the work on a site that it has in memory.

Pages are in memory as trees, so that a copy has them without being sent any. It does nothing but
what it is asked: the connection to the database and the threads are those of the process that was
copied. It ends when that one is gone.
"""

import os
import pickle
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection, Pipe
from typing import Any, NoReturn

from patterns import Crew, Work
from pipeline.errors import PipelineError
from pipeline.isolated_worker import usable_cores

_NUMBER = struct.Struct("i")


@contextmanager
def shared_work(jobs: int | None = None) -> Iterator[Crew]:
    """Let so many processes share work in the block, by default one for each core."""
    crew = ForkedCrew(jobs or usable_cores())
    try:
        yield crew
    finally:
        crew.end()


class ForkedCrew:
    """This process and copies of it, of which each has its parts of the work."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs if sys.platform == "linux" else 1
        self._copies: list[_Copy] = []
        self._owner: dict[int, int] = {}

    def begin(self, weights: Sequence[int], work: Work, order: Any) -> dict[int, Any]:
        """Return what comes of an order for all parts: the heaviest first, to whoever is free."""
        self.end()
        self._work = work
        parts = sorted(range(len(weights)), key=lambda part: -weights[part])
        first = partial(_share, _Queue(parts) if self._jobs > 1 else parts, work, order)
        for _ in range(min(self._jobs, len(parts)) - 1):
            self._copies.append(_Copy(first, work, self._copies))
        shares = [first(), *(copy.receive() for copy in self._copies)]
        self._owner = {part: at for at, share in enumerate(shares) for part in share}
        return {part: found for share in shares for part, found in share.items()}

    def ask(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Return what comes of an order for each of some parts, by part."""
        shares: list[dict[int, Any]] = [{} for _ in range(len(self._copies) + 1)]
        for part, order in orders.items():
            shares[self._owner[part]][part] = order
        own, *others = shares
        asked = [(copy, some) for copy, some in zip(self._copies, others, strict=True) if some]
        for copy, some in asked:
            copy.send(some)
        found = _carry_out(self._work, own)
        for copy, _ in asked:
            found |= copy.receive()
        return found

    def end(self) -> None:
        """End the copies."""
        for copy in self._copies:
            copy.end()
        self._copies = []


class _Queue:
    """Numbers of which each is taken by one of the processes that have a copy of this."""

    def __init__(self, numbers: Sequence[int]) -> None:
        # Copies of a process have one and the same position in a file that it has open.
        self._file = os.memfd_create("parts")
        os.write(self._file, b"".join(map(_NUMBER.pack, numbers)))
        os.lseek(self._file, 0, os.SEEK_SET)

    def __iter__(self) -> Iterator[int]:
        while data := os.read(self._file, _NUMBER.size):
            yield _NUMBER.unpack(data)[0]
        os.close(self._file)


def _share(parts: Iterable[int], work: Work, order: Any) -> dict[int, Any]:
    """Carry an order out for some parts; those of a queue are taken by nobody else."""
    return {part: work(part, order) for part in parts}


class _Copy:
    """A copy of this process that carries orders out."""

    def __init__(self, first: Callable[[], object], work: Work, others: "Sequence[_Copy]") -> None:
        self._connection, theirs = Pipe()
        self._process = os.fork()
        if not self._process:
            for other in [self, *others]:  # else they would never seem to be gone
                other._connection.close()
            _serve(theirs, first, work)
        theirs.close()

    def send(self, orders: Mapping[int, Any]) -> None:
        """Let it carry some orders out."""
        with suppress(OSError):  # it is dead: who waits for what it found will know
            self._connection.send(orders)

    def receive(self) -> dict[int, Any]:
        """Return what came of the orders, by part."""
        try:
            found, error = self._connection.recv()
        except (EOFError, OSError):
            raise PipelineError("A process that shared the work was ended from outside.") from None
        if error:
            raise RuntimeError(f"in a process that shared the work:\n{error}")
        return dict(found)

    def end(self) -> None:
        """End it at once."""
        self._connection.close()
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


def _serve(connection: "Connection[Any, Any]", first: Callable[[], object], work: Work) -> NoReturn:
    """Do, as a copy, what is first, then what is ordered, until nobody is there.

    Nothing that was copied is tidied up.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on ctrl-C we are ended
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(EOFError, OSError):
        connection.send_bytes(_answer(first))
        while True:
            orders = connection.recv()
            connection.send_bytes(_answer(partial(_carry_out, work, orders)))
    os._exit(0)


def _carry_out(work: Work, orders: Mapping[int, Any]) -> dict[int, Any]:
    return {part: work(part, order) for part, order in orders.items()}


def _answer(do: Callable[[], object]) -> bytes:
    """Return what comes of something, or how it fails, as it is sent."""
    try:
        return pickle.dumps((do(), ""), pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - the process that was copied will raise it
        return pickle.dumps(({}, traceback.format_exc()))
