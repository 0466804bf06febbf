"""Run a job in a child process that ends with its parent, together with its descendants.

The child leads a session. It holds the read end of a pipe whose write end only its parent has. When
the kernel closes that end, even after SIGKILL, the child kills the whole session.
"""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PIPE = "FLONG_FLEET_PIPE"
"""Environment variable with the pipe's read end (file descriptor)."""
STOP_SECONDS = 30.0
"""Seconds for an interrupted child to save its progress and release its locks."""
POLL_SECONDS = 0.05
"""Seconds between checks for processes that are about to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitStatus:
    """Outcome of a child process."""

    code: int
    """Exit code; negative for a signal."""
    said: str
    """Last line written to standard error."""


async def run_child(words: Sequence[str], environment: Mapping[str, str]) -> ExitStatus:
    """Run a `scrapy` command and wait until all its processes have ended.

    If cancelled, the command receives SIGINT, and is killed if it does not end in time.
    """
    reading, writing = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "flong.fleet.child_main",
            *words,
            env={**environment, PIPE: str(reading)},
            pass_fds=(reading,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        os.close(reading)
        reading = -1
        return await _wait(process)
    finally:
        os.close(writing)
        if reading >= 0:
            os.close(reading)


async def _wait(process: asyncio.subprocess.Process) -> ExitStatus:
    try:
        _, said = await process.communicate()
    except asyncio.CancelledError:
        await _stop(process)
        raise
    finally:
        await _end_session(process.pid)
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return ExitStatus(code=process.returncode or 0, said=lines[-1] if lines else "")


async def _stop(process: asyncio.subprocess.Process) -> None:
    """Interrupt the child; kill its session after it ends, or when time is up."""
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT)
    # Do not wait for the end of standard error: descendants may keep it open.
    reading = asyncio.create_task(process.communicate())
    with suppress(TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            while process.returncode is None:
                await asyncio.sleep(POLL_SECONDS)
    kill_session(process.pid)
    await reading


async def _end_session(session: int) -> None:
    """Kill the processes of a session and wait until they are gone."""
    while kill_session(session):
        await asyncio.sleep(POLL_SECONDS)


def kill_session(session: int) -> int:
    """Kill all processes of a session except this one; return their number."""
    others = [pid for pid in _members(session) if pid != os.getpid()]
    for pid in others:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(others)


def _members(session: int) -> list[int]:
    """Return the processes of a session, which may contain several process groups."""
    members = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, _, of = path.read_text().rpartition(")")[2].split()[:4]
            if int(of) == session and state != "Z":
                members.append(int(path.parent.name))
    return members


def die_with_parent() -> None:
    """End this process and its session when the parent closes the pipe."""
    pipe = int(os.environ.pop(PIPE))
    os.set_inheritable(pipe, False)
    threading.Thread(target=_watch, args=(pipe,), name="parent", daemon=True).start()


def _watch(pipe: int) -> None:
    os.read(pipe, 1)
    if os.getsid(0) == os.getpid():  # only for our own session
        kill_session(os.getpid())
    os.kill(os.getpid(), signal.SIGKILL)
