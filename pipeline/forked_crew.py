"""Copies of this process that share the work on a site that it has in memory.

Pages are in memory as trees, so that a copy has them without being sent any. It does nothing but
what it is asked: the connection to the database and the threads are those of the process that was
copied. It ends when that one is gone.
"""

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe
from typing import Any, NoReturn

from patterns import Crew, Work
from pipeline.errors import PipelineError
from pipeline.isolated_worker import usable_cores


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
        self._owner: list[int] = []

    def begin(self, weights: Sequence[int], work: Work) -> None:
        """Divide the parts among us; the copies see everything as it is now."""
        self.end()
        self._work = work
        self._owner = divide(weights, self._jobs)
        for _ in range(max(self._owner, default=0)):
            self._copies.append(_Copy(work, self._copies))

    def ask(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Return what comes of an order for each of some parts, by part."""
        shares: list[dict[int, Any]] = [{} for _ in range(len(self._copies) + 1)]
        for part, order in orders.items():
            shares[self._owner[part]][part] = order
        own, *others = shares
        asked = [(copy, some) for copy, some in zip(self._copies, others, strict=True) if some]
        for copy, some in asked:
            copy.send(some)
        found = {part: self._work(part, order) for part, order in own.items()}
        for copy, _ in asked:
            found |= copy.receive()
        return found

    def end(self) -> None:
        """End the copies."""
        for copy in self._copies:
            copy.end()
        self._copies = []


def divide(weights: Sequence[int], shares: int) -> list[int]:
    """Return in which share each part is: the heaviest first, always into the lightest share.

    >>> divide([1, 6, 3, 2], 2)
    [1, 0, 1, 1]
    """
    found, sums = [0] * len(weights), [0] * shares
    for part in sorted(range(len(weights)), key=lambda part: -weights[part]):
        found[part] = sums.index(min(sums))
        sums[found[part]] += weights[part]
    return found


class _Copy:
    """A copy of this process that carries orders out."""

    def __init__(self, work: Work, others: "Sequence[_Copy]") -> None:
        self._connection, theirs = Pipe()
        self._process = os.fork()
        if not self._process:
            for other in [self, *others]:  # else they would never seem to be gone
                other._connection.close()
            _serve(theirs, work)
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


def _serve(connection: "Connection[Any, Any]", work: Work) -> NoReturn:
    """Carry orders out, as a copy, until nobody gives any; nothing that was copied is tidied up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on ctrl-C we are ended
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(EOFError, OSError):
        while True:
            orders = connection.recv()
            try:
                found = {part: work(part, order) for part, order in orders.items()}
                answer = pickle.dumps((found, ""), pickle.HIGHEST_PROTOCOL)
            except Exception:  # noqa: BLE001 - the process that was copied will raise it
                answer = pickle.dumps(({}, traceback.format_exc()))
            connection.send_bytes(answer)
    os._exit(0)
