"""Copies of this process that share the work on a site that it has in memory.

Pages are in memory as trees, so that a copy has them without being sent any. It does nothing but
what it is asked: the connection to the database and the threads are those of the process that was
copied. It ends when that one is gone.
"""

import os
import signal
import struct
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe
from tempfile import TemporaryFile
from typing import IO, Any, NoReturn

from flong.errors import PipelineError
from flong.patterns import Crew, Work
from flong.workers.isolated_worker import usable_cores

_NUMBER = struct.Struct("i")


@contextmanager
def shared_work(jobs: int | None = None) -> Iterator[Crew]:
    """Let so many processes share work in the block, by default one for each core."""
    with TemporaryFile(buffering=0) as file:
        crew = ForkedCrew(jobs or usable_cores(), _Queue(file))
        try:
            yield crew
        finally:
            crew.end()


class ForkedCrew:
    """This process and copies of it, of which each has its parts of the work."""

    def __init__(self, jobs: int, queue: "_Queue") -> None:
        self._jobs = jobs if sys.platform == "linux" else 1
        self._copies: list[_Copy] = []
        self._owner: dict[int, int] = {}
        self._queue = queue

    def begin(self, parts: int, work: Work) -> None:
        """Copy this process as often as it is worth."""
        self.end()
        self._work = work
        for _ in range(min(self._jobs, parts) - 1):
            self._copies.append(_Copy(work, self._queue, self._copies))

    def share(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Return what comes of orders, by part: whoever is free carries the next one out."""
        self._queue.fill([*orders])
        for copy in self._copies:
            copy.send(orders, shared=True)
        own = {part: self._work(part, orders[part]) for part in self._queue}
        shares = [own, *(copy.receive() for copy in self._copies)]
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
            copy.send(some, shared=False)
        found = {part: self._work(part, order) for part, order in own.items()}
        for copy, _ in asked:
            found |= copy.receive()
        return found

    def end(self) -> None:
        """End the copies."""
        for copy in self._copies:
            copy.end()
        self._copies = []


class _Queue:
    """Numbers of which each is taken by one of the processes that have a copy of this.

    They have one and the same position in a file that was open when they were copied.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def fill(self, numbers: Sequence[int]) -> None:
        """Let these be taken, in this order, where all others have been."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(b"".join(map(_NUMBER.pack, numbers)))
        self._file.seek(0)

    def __iter__(self) -> Iterator[int]:
        while data := self._file.read(_NUMBER.size):
            yield _NUMBER.unpack(data)[0]


class _Copy:
    """A copy of this process that carries orders out."""

    def __init__(self, work: Work, queue: _Queue, others: "Sequence[_Copy]") -> None:
        self._connection, theirs = Pipe()
        self._process = os.fork()
        if not self._process:
            for other in [self, *others]:  # else they would never seem to be gone
                other._connection.close()
            _serve(theirs, work, queue)
        theirs.close()

    def send(self, orders: Mapping[int, Any], *, shared: bool) -> None:
        """Let it carry orders out: all of them, or those that nobody else does."""
        with suppress(OSError):  # it is dead: who waits for what it found will know
            self._connection.send((orders, shared))

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


def _serve(connection: "Connection[Any, Any]", work: Work, queue: _Queue) -> NoReturn:
    """Carry orders out, as a copy, until nobody gives any; nothing that was copied is tidied up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on ctrl-C we are ended
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(EOFError, OSError):
        while True:
            orders, shared = connection.recv()
            try:
                found = {part: work(part, orders[part]) for part in (queue if shared else orders)}
                connection.send((found, ""))
            except Exception:  # noqa: BLE001 - the process that was copied will raise it
                connection.send(({}, traceback.format_exc()))
    os._exit(0)
