"""Worker processes for pages: a page that kills its worker does not affect other pages.

Endless or crashing C code cannot be stopped within its process. So pages are sent to workers, a few
at a time, with limits on CPU time and memory. When a worker dies, another one gets its pages one by
one. A page that kills that worker too is returned as `WorkerDied`.
"""

import atexit
import logging
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, Pipe
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, TypeVar

from flong.errors import PipelineError
from flong.workers.serving import MEMORY_EXIT, MEMORY_GIGABYTES, READY, StartError

logger = logging.getLogger(__name__)

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[list[Task]], list[Result]]
"""Does a few tasks and returns as many results; it is pickled."""

PAGE_SECONDS = 20.0
"""Default maximum CPU seconds for one page."""
TOGETHER = 16
"""Maximum number of tasks in one message."""
HEAVY = 500_000
"""Maximum weight of the tasks in one message, in characters."""
AHEAD = 4
"""Maximum number of unanswered messages per worker."""
RENEWED = 20_000
"""Number of tasks after which a worker is replaced: the names of unknown tags stay in memory."""
SHARED = 200
"""Number of tasks per worker before another one is started, which takes a second."""
MOST_DEATHS = 10
"""Maximum number of consecutive deaths of workers."""
PATIENCE = 2.0
"""Seconds without output before a message is shown."""
_BEGIN = "import sys; from flong.workers.serving import serve; serve(int(sys.argv[1]))"


@dataclass(frozen=True, slots=True)
class WorkerDied:
    """The result of a task that killed its worker."""

    reason: str
    """Cause of death, such as `it took more than 20 s`."""


class WorkerStartError(PipelineError):
    """A worker process cannot start; the text has its error."""


def each(function: Callable[[Task], Result]) -> Work[Task, Result]:
    """Return work that calls a function with each task.

    >>> each(len)(["one", "three"])
    [3, 5]
    """
    return partial(_each, function)


def _each(function: Callable[[Task], Result], tasks: list[Task]) -> list[Result]:
    return [function(task) for task in tasks]


def _weightless(task: object) -> int:
    return 0


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_idle: "list[Pool]" = []


@contextmanager
def worker_pool() -> "Iterator[Pool]":
    """Lend a pool of workers; its processes live on for the next caller in this process.

    >>> with worker_pool() as pool:
    ...     list(pool.map(each(len), ["one", "three"]))
    [('one', 3), ('three', 5)]
    """
    pool = _idle.pop() if _idle else Pool()
    try:
        yield pool
    finally:
        _idle.append(pool)


def start_workers() -> None:
    """Start a worker, so that it loads, or compiles, while this process does something else."""
    with worker_pool() as pool:
        pool.start()


def wait_for_workers(tell: Callable[[], object]) -> None:
    """Wait until a worker is ready; `tell` is called if that takes more than two seconds."""
    with worker_pool() as pool:
        pool.start().wait_until_ready(tell)


@atexit.register
def end_idle_pools() -> None:
    """End the workers that nothing uses."""
    while _idle:
        _idle.pop().end()


class Pool:
    """Worker processes, started when there is work for them."""

    def __init__(self) -> None:
        self._workers: list[_Worker] = []

    def start(self) -> "_Worker":
        """Start a worker unless there is one; return it."""
        if not self._workers:
            self._workers.append(_Worker())
        return self._workers[0]

    def map(
        self,
        work: Work[Task, Result],
        tasks: Iterable[Task],
        *,
        seconds: float = PAGE_SECONDS,
        weigh: Callable[[Task], int] = _weightless,
        jobs: int | None = None,
    ) -> Iterator[tuple[Task, Result | WorkerDied]]:
        """Yield each task with its result, in order.

        Each task may take `seconds` of processor time. At most `jobs` processes work, by default
        one for each core. The more tasks `weigh`, the fewer are sent together.
        """
        if seconds <= 0:
            raise ValueError(f"seconds must be positive, not {seconds:g}")
        if jobs is not None and jobs < 1:
            raise ValueError(f"jobs must be 1 or more, not {jobs}")
        order: deque[_Worker] = deque()
        used: list[_Worker] = []
        try:
            for some in _groups(tasks, weigh):
                while (worker := self._free(used, jobs or usable_cores())) is None:
                    yield from order.popleft().results()
                if worker not in used:
                    used.append(worker)
                    worker.begin(work, seconds)
                worker.give(some)
                order.append(worker)
            while order:
                yield from order.popleft().results()
        finally:
            if order:  # the caller has stopped early: discard these answers
                self.end()

    def _free(self, used: "list[_Worker]", jobs: int) -> "_Worker | None":
        """Return a worker that can be given more; None if all are busy."""
        busy = all(worker.given >= SHARED for worker in used)
        if busy and len(used) < jobs:
            unused = next((worker for worker in self._workers if worker not in used), None)
            if unused is None:
                unused = _Worker()
                self._workers.append(unused)
            return unused
        free = [worker for worker in used if worker.is_free]
        return min(free, key=lambda worker: worker.waiting, default=None)

    def end(self) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.end()
        self._workers = []


def _groups(tasks: Iterable[Task], weigh: Callable[[Task], int]) -> Iterator[list[Task]]:
    """Cut tasks into messages."""
    some: list[Task] = []
    weight = 0
    for task in tasks:
        some.append(task)
        weight += weigh(task)
        if len(some) == TOGETHER or weight >= HEAVY:
            yield some
            some, weight = [], 0
    if some:
        yield some


class _Worker:
    """One process, and the messages sent to it that are not answered."""

    def __init__(self) -> None:
        self._sent: deque[list[Any]] = deque()
        self._deaths = 0
        self._work: tuple[Any, float] | None = None
        self.given = 0
        self._start()

    @property
    def waiting(self) -> int:
        """Number of messages that are not answered."""
        return len(self._sent)

    @property
    def is_free(self) -> bool:
        """True if it can take more tasks."""
        return len(self._sent) < (AHEAD if self._done < RENEWED else 1)

    def wait_until_ready(self, tell: Callable[[], object]) -> None:
        """Wait until the process has loaded everything, or has failed."""
        if not self._ready.wait(PATIENCE):
            tell()
            self._ready.wait()

    def begin(self, work: Work[Task, Result], seconds: float) -> None:
        """Set the work for the tasks that follow."""
        self._work, self.given = (work, seconds), 0
        self._send(self._work)

    def give(self, some: list[Task]) -> None:
        """Send some tasks."""
        if self._done >= RENEWED:
            self.end()
            self._start()
        self.given += len(some)
        self._done += len(some)
        self._sent.append(some)
        self._send(some)

    def results(self) -> Iterator[tuple[Any, Any]]:
        """Wait for the results of the message that was sent first."""
        wanted = len(self._sent[0])
        while wanted:
            for answered in self._results():
                wanted -= 1
                yield answered

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._close()

    def _start(self) -> None:
        self._done = 0
        self._connection, theirs = Pipe()
        # Not forked: that would copy threads, locks and the connection to the database. Not by
        # `multiprocessing`: that would import, and perhaps run, the main module of the user.
        self._process = subprocess.Popen(  # noqa: S603 - our own code
            [sys.executable, "-P", "-c", _BEGIN, str(theirs.fileno())],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            process_group=0,  # Ctrl-C goes to us, and we end it
        )
        theirs.close()
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._ready = Event()
        arguments = (self._connection, self._answers, self._ready)
        self._receiver = Thread(target=_receive, args=arguments, daemon=True)
        self._receiver.start()
        if self._work is not None:
            self._send(self._work)

    def _close(self) -> int:
        """Return the exit code, when everything that the process sent is here."""
        exitcode = self._process.wait()
        self._receiver.join()
        self._connection.close()
        return exitcode

    def _send(self, message: object) -> None:
        try:
            self._connection.send(message)
        except OSError:  # it is dead, which is noticed when its answer is awaited
            logger.debug("A worker died before it was sent its next task.")

    def _results(self) -> Iterator[tuple[Any, Any]]:
        """Wait for the results of one message; nothing if its tasks are sent again."""
        tasks = self._sent.popleft()
        answer = self._answers.get()
        if isinstance(answer, StartError):
            self._close()
            raise WorkerStartError(f"A worker process cannot start: {answer.error}")
        if answer is None:
            yield from self._recover(tasks)
            return
        self._deaths = 0
        yield from zip(tasks, answer, strict=True)

    def _recover(self, tasks: list[Task]) -> list[tuple[Task, WorkerDied]]:
        """Replace the process and send its tasks again; return the task that killed it."""
        died = WorkerDied(_cause(self._close(), self._work[1] if self._work else PAGE_SECONDS))
        self._deaths += 1
        if self._deaths == MOST_DEATHS:
            raise PipelineError(
                f"{self._deaths} pages one after the other could not be read: {died.reason}."
            )
        if len(tasks) > 1:
            self._sent.extendleft([task] for task in reversed(tasks))
        self._start()
        for some in self._sent:
            self._send(some)
        return [(tasks[0], died)] if len(tasks) == 1 else []


def _receive(connection: "Connection[Any, Any]", answers: "SimpleQueue[Any]", ready: Event) -> None:
    """Take answers as they come, so that no worker waits for us; None at the end."""
    with suppress(EOFError, OSError):
        while True:
            answer = connection.recv()
            ready.set()
            if answer != READY:
                answers.put(answer)
    ready.set()
    answers.put(None)


def _cause(exitcode: int, seconds: float) -> str:
    if exitcode == -signal.SIGPROF:
        return f"it took more than {seconds:g} s"
    if exitcode == MEMORY_EXIT:
        return f"it needed more than {MEMORY_GIGABYTES} GB of memory"
    if exitcode < 0:
        return f"it crashed the process ({signal.Signals(-exitcode).name})"
    return "it was too much for the program, see the log"
