"""Work on pages in a process of its own: a page that it dies of harms no other.

Neither endless C code nor a crash in it can be stopped inside the process that it happens in.
So the pages go through a pipe to a worker, a few at a time, and the kernel limits the processor
time that it spends on them. When it is dead, another process gets those that it was busy with one
by one, and goes on without the one that it dies of. Where there is much to do there are as many
workers as cores.
"""

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, Pipe
from queue import SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar

from flong.workers.worker_process import are_copies, start_worker

logger = logging.getLogger(__name__)

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[list[Task]], list[Result]]

PAGE_SECONDS = 20.0
"""Processor time for one page, if nobody says otherwise."""
TOGETHER = 16
"""Tasks that are done at once: pages are read a tenth faster than one by one."""
HEAVY = 500_000
"""Weight of tasks, in characters, at which fewer are enough: of large pages all are in memory."""
AHEAD = 4
"""How often so many are sent before the first are taken: enough for a worker to be busy while those
of others are stored."""
RENEWED = 20_000
"""Tasks after which another process goes on: names of tags that pages make up stay in memory."""
SHARED = 200
"""Tasks that each worker has been given before one more is started: that takes a second, unless it
is a copy of one that has all loaded."""
MOST_DEATHS = 10
"""Workers that may die one after the other without a single result between them."""


@dataclass(frozen=True, slots=True)
class Died:
    """The result of a task that its worker did not survive."""

    reason: str
    """What happened, in a few words such as `it took more than 20 s`."""


def each(function: Callable[[Task], Result]) -> Work[Task, Result]:
    """Return the work of doing the same with each of some tasks.

    >>> each(len)(["one", "three"])
    [3, 5]
    """
    return partial(_each, function)


def _each(function: Callable[[Task], Result], tasks: list[Task]) -> list[Result]:
    return [function(task) for task in tasks]


def _weightless(task: object) -> int:
    return 0


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class IsolatedWorker(Generic[Task, Result]):
    """Does `work`, which must be picklable, in other processes; `seconds` are for each task.

    Work is given a few tasks, the fewer the more they `weigh`, and returns as many results. There
    are at most `jobs` processes, by default one for each core; one more is started when each has
    had `shared` tasks.

    >>> with IsolatedWorker(each(len), seconds=5) as worker:
    ...     list(worker.map(["one", "three"]))
    [('one', 3), ('three', 5)]
    """

    def __init__(
        self,
        work: Work[Task, Result],
        *,
        seconds: float = PAGE_SECONDS,
        weigh: Callable[[Task], int] = _weightless,
        jobs: int | None = None,
        shared: int | None = None,
    ) -> None:
        if seconds <= 0:
            raise ValueError(f"a task takes some time, not {seconds:g} s")
        if jobs is not None and jobs < 1:
            raise ValueError(f"work is done by one process or more, not {jobs}")
        self._new = partial(_Worker[Task, Result], work, seconds)
        self._weigh, self._jobs = weigh, jobs or usable_cores()
        self._shared = shared or (TOGETHER if are_copies() else SHARED)
        self._workers = [self._new()]

    def __enter__(self) -> "IsolatedWorker[Task, Result]":
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.end()

    def map(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Result | Died]]:
        """Yield each task with its result, in order; with `Died` if it was its worker's last."""
        order: deque[_Worker[Task, Result]] = deque()
        for some in self._groups(tasks):
            while (worker := self._free_worker()) is None:
                yield from order.popleft().results()
            worker.give(some)
            order.append(worker)
        while order:
            yield from order.popleft().results()

    def _free_worker(self) -> "_Worker[Task, Result] | None":
        """Return a worker that can be given more; None if all have enough."""
        shared = all(worker.given >= self._shared for worker in self._workers)
        if shared and len(self._workers) < self._jobs:
            self._workers.append(self._new())
        free = [worker for worker in self._workers if worker.is_free]
        return min(free, key=lambda worker: worker.waiting, default=None)

    def _groups(self, tasks: Iterable[Task]) -> Iterator[list[Task]]:
        """Cut tasks into what is sent at once."""
        some: list[Task] = []
        weight = 0
        for task in tasks:
            some.append(task)
            weight += self._weigh(task)
            if len(some) == TOGETHER or weight >= HEAVY:
                yield some
                some, weight = [], 0
        if some:
            yield some


class _Worker(Generic[Task, Result]):
    """One process, and the groups of tasks that were sent to it and are not answered."""

    def __init__(self, work: Work[Task, Result], seconds: float) -> None:
        self._work, self._seconds = work, seconds
        self._sent: deque[list[Task]] = deque()
        self._deaths = 0
        self._start()

    @property
    def waiting(self) -> int:
        """How many groups are not answered."""
        return len(self._sent)

    @property
    def is_free(self) -> bool:
        """Whether it can be given more; before it is renewed, all must be answered."""
        return len(self._sent) < (AHEAD if self.given < RENEWED else 1)

    def give(self, some: list[Task]) -> None:
        """Send a group of tasks; what was given before is answered first."""
        if self.given >= RENEWED:
            self.end()
            self._start()
        self.given += len(some)
        self._sent.append(some)
        self._send(some)

    def results(self) -> Iterator[tuple[Task, Result | Died]]:
        """Wait for the results of the group that was sent first."""
        wanted = len(self._sent[0])
        while wanted:
            for answered in self._results(self._sent):
                wanted -= 1
                yield answered

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._close()

    def _close(self) -> int:
        """Return how the process ended, when all that it sent is here."""
        exitcode = self._process.wait()
        self._receiver.join()
        self._connection.close()
        return exitcode

    def _start(self) -> None:
        self.given = 0
        self._connection, theirs = Pipe()
        self._process = start_worker(theirs.fileno())
        theirs.close()
        self._answers: SimpleQueue[list[Result] | None] = SimpleQueue()
        taken = (self._connection, self._answers)
        self._receiver = Thread(target=_receive, args=taken, daemon=True)
        self._receiver.start()
        self._send((self._work, self._seconds))

    def _send(self, message: object) -> None:
        try:
            self._connection.send(message)
        except OSError:  # it is dead: who waits for its result will know
            logger.debug("A worker died before it was sent its next task.")

    def _results(self, sent: deque[list[Task]]) -> Iterator[tuple[Task, Result | Died]]:
        """Wait for the results of the tasks that were sent first; none if they are sent again."""
        tasks = sent.popleft()
        answer = self._answers.get()
        if answer is None:
            alone = len(tasks) == 1
            if not alone:
                sent.extendleft([task] for task in reversed(tasks))
            died = self._replace(sent)
            yield from [(tasks[0], died)] if alone else []
            return
        self._deaths = 0
        yield from zip(tasks, answer, strict=True)

    def _replace(self, sent: Iterable[list[Task]]) -> Died:
        """Let another process go on with what was sent; return what the last one died of."""
        died = Died(_cause(self._close(), self._seconds))
        self._deaths += 1
        if self._deaths == MOST_DEATHS:
            from flong.errors import PipelineError  # noqa: PLC0415 - workers need no Scrapy

            raise PipelineError(
                f"{self._deaths} pages one after the other could not be read: {died.reason}."
            )
        self._start()
        for tasks in sent:
            self._send(tasks)
        return died


def _receive(connection: "Connection[Any, Any]", answers: "SimpleQueue[Any]") -> None:
    """Take answers as they come, so that no worker waits for us; None when there are no more."""
    with suppress(EOFError, OSError):
        while True:
            answers.put(connection.recv())
    answers.put(None)


def _cause(exitcode: int, seconds: float) -> str:
    if exitcode == -signal.SIGPROF:
        return f"it took more than {seconds:g} s"
    if exitcode < 0:
        return f"it crashed the process ({signal.Signals(-exitcode).name})"
    return "it was too much for the program, see the log"
