"""Whether a process that wrote its number down is still at work."""

import os
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

from storage.columns import now

FORGOTTEN = timedelta(days=1)
"""How long a process on another host, which cannot be asked, counts as alive."""
TOLERANCE = timedelta(minutes=1)


def process_is_alive(pid: int, host: str, since: datetime) -> bool:
    """Tell whether a process that was there at a time may still be.

    One on another host may, for a day.

    >>> process_is_alive(os.getpid(), socket.gethostname(), now())
    True
    """
    if host != socket.gethostname():
        return now() - since < FORGOTTEN
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def is_same_process(pid: int, since: datetime) -> bool:
    """Tell whether the process of this number on this host can be the one of that time.

    After a restart of the machine the number may be another process's. True where the
    system does not say when processes began.

    >>> is_same_process(os.getpid(), now())
    True
    >>> is_same_process(os.getpid(), datetime(2020, 1, 1, tzinfo=UTC))
    False
    """
    begun = _begun(pid)
    return begun is None or begun <= since + TOLERANCE


def _is_zombie(pid: int) -> bool:
    """Tell whether a process has ended, and only its parent has not asked for how."""
    fields = _fields(pid)
    return bool(fields) and fields[0] == "Z"


def _begun(pid: int) -> datetime | None:
    fields = _fields(pid)
    if not fields:
        return None
    ticks = int(fields[19])
    lines = Path("/proc/stat").read_text().splitlines()
    boot = next(int(line.split()[1]) for line in lines if line.startswith("btime"))
    return datetime.fromtimestamp(boot + ticks / os.sysconf("SC_CLK_TCK"), UTC)


def _fields(pid: int) -> list[str]:
    """Return what Linux says of a process, from its state on; nothing elsewhere."""
    try:
        # The name before it, in brackets, may hold anything.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
