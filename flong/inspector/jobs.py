"""Work that takes longer than a visitor waits: commands, one after the other, in their own process.

A job goes on when the browser is closed. It is stopped, as Ctrl-C stops a command, when somebody
asks for it or the inspector ends; what it has done until then is stored.
"""

import signal
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from queue import Queue
from threading import Lock, Thread

LINES = 12
"""Of what a command says, the last lines are kept."""
KEPT = 50
"""Jobs that are remembered after their end."""

Words = tuple[str, ...]


class CommandState(StrEnum):
    """How far a job has come."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    LOOK = "needs a look"
    FAILED = "failed"
    STOPPED = "stopped"


ENDED = {0: CommandState.DONE, 3: CommandState.LOOK}
"""What the exit code of a command means; any other one: it failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Something that was asked for."""

    id: int
    """Its number since the inspector was started."""
    site: str
    """Name of the site."""
    name: str
    """What is done, in a few words."""
    state: CommandState
    """How far it has come."""
    said: tuple[str, ...] = ()
    """The last lines that its commands had to say."""

    @property
    def is_over(self) -> bool:
        """Return whether it has ended."""
        return self.state not in (CommandState.WAITING, CommandState.RUNNING)


class Jobs:
    """Runs commands of flong, a job at a time; whoever asks is told how far each has come.

    `options` are given to each command, such as `-s NAME=VALUE`.
    """

    def __init__(self, options: Sequence[str] = ()) -> None:
        self._options = tuple(options)
        self._lock = Lock()
        self._jobs: dict[int, Job] = {}
        self._waiting: Queue[tuple[int, Sequence[Words]]] = Queue()
        self._process: subprocess.Popen[str] | None = None
        self._stopped: set[int] = set()
        self._closing = False
        self._count = 0
        Thread(target=self._work, daemon=True).start()

    def submit(self, site: str, name: str, commands: Sequence[Words]) -> Job:
        """Have commands run, each if the one before did not fail."""
        with self._lock:
            self._count += 1
            job = Job(id=self._count, site=site, name=name, state=CommandState.WAITING)
            self._jobs[job.id] = job
            for old in [job.id for job in self._jobs.values() if job.is_over][:-KEPT]:
                del self._jobs[old]
        self._waiting.put((job.id, commands))
        return job

    def of(self, site: str) -> list[Job]:
        """Return the jobs of a site, the latest first."""
        with self._lock:
            return [job for job in reversed(self._jobs.values()) if job.site == site]

    def stop(self, site: str) -> None:
        """Begin no job of a site that waits, and let the one that is running store what it has."""
        with self._lock:
            going = [job for job in self._jobs.values() if job.site == site and not job.is_over]
            running = [job for job in going if job.state is CommandState.RUNNING]
            # A second signal would not let it store anything.
            process = self._process if {job.id for job in running} - self._stopped else None
            self._stopped |= {job.id for job in going}
        for job in going:
            if job not in running:
                self._change(job.id, state=CommandState.STOPPED)
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """Start nothing more, and let the command that is running store what it has."""
        with self._lock:
            self._closing = True
            process = self._process
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait()

    def _work(self) -> None:
        while True:
            number, commands = self._waiting.get()
            state = CommandState.DONE
            for words in commands:
                if number in self._stopped:
                    break
                self._change(number, state=CommandState.RUNNING)
                code = self._run(number, words)
                state = max(
                    state, ENDED.get(code, CommandState.FAILED), key=list(CommandState).index
                )
                if state is CommandState.FAILED:
                    break
            self._change(number, state=CommandState.STOPPED if number in self._stopped else state)

    def _run(self, number: int, words: Words) -> int:
        """Run a command to its end; Ctrl-C is for the inspector, which stops it."""
        command = [sys.executable, "-m", "flong", *words, *self._options]
        with self._lock:
            if self._closing:
                return 1
            self._process = process = subprocess.Popen(  # noqa: S603 - words of ours, no shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
        with process:
            said: deque[str] = deque(self._jobs[number].said, LINES)
            for line in process.stdout or ():
                said.append(line.rstrip())
                self._change(number, said=tuple(said))
        return process.returncode

    def _change(self, number: int, **changes: object) -> None:
        with self._lock:
            if number in self._jobs:
                self._jobs[number] = replace(self._jobs[number], **changes)  # type: ignore[arg-type]
