"""Queue of commands that run one at a time, each in its own process.

A job continues when the browser is closed. SIGINT stops it on request or when the inspector ends;
its progress is saved.
"""

import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from queue import Queue
from threading import Lock, Thread

LINES = 12
"""Maximum number of output lines kept per command, latest last."""
KEPT = 50
"""Maximum number of finished jobs to remember."""

Words = tuple[str, ...]


class CommandState(StrEnum):
    """State of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    ATTENTION = "needs attention"
    FAILED = "failed"
    STOPPED = "stopped"


ENDED = {0: CommandState.DONE, 3: CommandState.ATTENTION}
"""States by exit code; any other code is a failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One or more commands for a site."""

    id: int
    """Number since the start of the inspector."""
    site: str
    """Name of the site."""
    name: str
    """Label."""
    state: CommandState
    """State of the job."""
    said: tuple[str, ...] = ()
    """Last lines of output."""

    @property
    def is_over(self) -> bool:
        """Return True if it has ended."""
        return self.state not in (CommandState.WAITING, CommandState.RUNNING)


class Jobs:
    """Runs flong commands, one job at a time, and reports their states.

    `options`, such as `-s NAME=VALUE`, are appended to each command. `environment` defaults to
    that of this process.
    """

    def __init__(
        self, options: Sequence[str] = (), environment: Mapping[str, str] | None = None
    ) -> None:
        self._options, self._environment = tuple(options), environment
        self._lock = Lock()
        self._jobs: dict[int, Job] = {}
        self._waiting: Queue[tuple[int, Sequence[Words]]] = Queue()
        self._process: subprocess.Popen[str] | None = None
        self._stopped: set[int] = set()
        self._closing = False
        self._count = 0
        Thread(target=self._work, daemon=True).start()

    def submit(self, site: str, name: str, commands: Sequence[Words]) -> Job:
        """Queue commands; a failure skips the rest."""
        with self._lock:
            self._count += 1
            job = Job(id=self._count, site=site, name=name, state=CommandState.WAITING)
            self._jobs[job.id] = job
            for old in [job.id for job in self._jobs.values() if job.is_over][:-KEPT]:
                del self._jobs[old]
        self._waiting.put((job.id, commands))
        return job

    def of(self, site: str) -> list[Job]:
        """Return the jobs of a site, latest first."""
        with self._lock:
            return [job for job in reversed(self._jobs.values()) if job.site == site]

    def waiting(self) -> int:
        """Return the number of jobs that wait or run."""
        with self._lock:
            return sum(not job.is_over for job in self._jobs.values())

    def stop(self, site: str) -> None:
        """Cancel the waiting jobs of a site, and interrupt the running one."""
        with self._lock:
            going = [job for job in self._jobs.values() if job.site == site and not job.is_over]
            running = [job for job in going if job.state is CommandState.RUNNING]
            # A second signal would keep it from saving.
            process = self._process if {job.id for job in running} - self._stopped else None
            self._stopped |= {job.id for job in going}
        for job in going:
            if job not in running:
                self._change(job.id, state=CommandState.STOPPED)
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """Start no more jobs, and interrupt the running one."""
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
        """Run a command; in its own session, so that Ctrl-C reaches only the inspector."""
        command = [sys.executable, "-m", "flong", *words, *self._options]
        with self._lock:
            if self._closing:
                return 1
            self._process = process = subprocess.Popen(  # noqa: S603 - words of ours, no shell
                command,
                env=self._environment,
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
