"""A job in a process of its own, which ends with whoever started it, and takes its own with it.

The child is the leader of a session. It holds the reading end of a pipe whose other end only its
parent has: when that is closed, as by the parent's death, it kills the whole session. The kernel
closes it, so that holds for SIGKILL, too.
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
"""Environment variable with the number of the pipe's reading end."""
STOP_SECONDS = 30.0
"""Time for a child that was asked to stop, to store what it has and give back its locks."""
POLL_SECONDS = 0.05
"""Time between two looks at processes that are about to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitStatus:
    """How a child ended."""

    code: int
    """Its exit code; negative if a signal ended it."""
    said: str
    """The last line that it wrote to standard error."""


async def run_child(words: Sequence[str], environment: Mapping[str, str]) -> ExitStatus:
    """Run a `scrapy` command, and return how it ended; nothing of it is left then.

    If this is cancelled, the command is asked to stop as by Ctrl-C, and killed if it does not.
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
    """Interrupt the child; kill its session when it has ended, or does not end in time."""
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT)
    # Processes that outlive the child may hold its standard error open: do not wait for its end.
    reading = asyncio.create_task(process.communicate())
    with suppress(TimeoutError):
        async with asyncio.timeout(STOP_SECONDS):
            while process.returncode is None:
                await asyncio.sleep(POLL_SECONDS)
    kill_session(process.pid)
    await reading


async def _end_session(session: int) -> None:
    """Kill the processes of a session, and wait until they are gone."""
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
    """Return the processes of a session; a crawl of it has a process group of its own."""
    members = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, _, of = path.read_text().rpartition(")")[2].split()[:4]
            if int(of) == session and state != "Z":
                members.append(int(path.parent.name))
    return members


def die_with_parent() -> None:
    """End this process and all of its session when the other end of the pipe is closed."""
    pipe = int(os.environ.pop(PIPE))
    os.set_inheritable(pipe, False)
    threading.Thread(target=_watch, args=(pipe,), name="parent", daemon=True).start()


def _watch(pipe: int) -> None:
    os.read(pipe, 1)
    if os.getsid(0) == os.getpid():  # else it is somebody else's
        kill_session(os.getpid())
    os.kill(os.getpid(), signal.SIGKILL)
