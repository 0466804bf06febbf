"""Which process this is, and whether one that wrote itself down is still at work.

No clock is asked: one that was set, or another machine's, says nothing about a process.
"""

import os
import socket
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process, told from all others that ever had its id."""

    pid: int
    """Its id."""
    host: str
    """Name of its machine, for people."""
    machine: str
    """Which start of which machine numbered it, and in which container; empty where the system does
    not say."""
    started: int
    """Ticks from the start of its machine to its own; 0 where the system does not say."""


def this_process(host: str = "") -> Process:
    """Return this process; its machine is called `host` if that is given.

    >>> this_process("night-1").host, this_process() == this_process()
    ('night-1', True)
    """
    return Process(
        pid=os.getpid(),
        host=host or socket.gethostname(),
        machine=_machine(),
        started=_started(os.getpid()),
    )


def is_at_work(process: Process, asking: Process) -> bool | None:
    """Tell whether a process is still there; None if the one that asks cannot know.

    That is so for another machine's, and where the system does not say when processes began: the
    id may be another one's by now.

    >>> is_at_work(this_process(), this_process()), is_at_work(this_process("a"), this_process("b"))
    (True, None)
    """
    if (process.host, process.machine) != (asking.host, asking.machine):
        return None
    if not pid_is_alive(process.pid):
        return False
    started = _started(process.pid)
    return started == process.started if started and process.started else None


def pid_is_alive(pid: int) -> bool:
    """Tell whether there is a process of this id here that has not ended.

    >>> pid_is_alive(os.getpid())
    True
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    # A process that has ended, while its parent has not asked for how, is still listed.
    return _fields(pid)[:1] != ["Z"]


def _machine() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _started(pid: int) -> int:
    fields = _fields(pid)
    return int(fields[19]) if fields else 0


def _fields(pid: int) -> list[str]:
    """Return what Linux says of a process, from its state on; nothing elsewhere."""
    try:
        # The name before it, in brackets, may hold anything.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
