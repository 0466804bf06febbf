"""Ends the processes that a run leaves behind when it is killed.

All processes of a run inherit a mark in their environment. `python -m tests.leftovers MARK` waits
until its input is closed, which happens when the process that started it has ended in any way.
Then it kills the processes with the mark.
"""

import os
import secrets
import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

MARK = "FLONG_TEST_RUN"
"""Name of the environment variable."""


@cache
def watch() -> subprocess.Popen[bytes] | None:
    """Mark this process, and start one that ends its children; None if it is marked already."""
    if MARK in os.environ:
        return None
    os.environ[MARK] = secrets.token_hex(8)
    command = [sys.executable, "-m", "tests.leftovers", f"{MARK}={os.environ[MARK]}"]
    bare = {name: value for name, value in os.environ.items() if name != MARK}
    root = Path(__file__).parents[1]
    # In a session of its own, so that Ctrl-C does not end it.
    return subprocess.Popen(
        command, cwd=root, env=bare, stdin=subprocess.PIPE, start_new_session=True
    )


def kill_marked(mark: str) -> None:
    """Kill all processes with a mark in their environment."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"\0{mark}\0".encode() in b"\0" + (process / "environ").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)


if __name__ == "__main__":
    sys.stdin.read()
    kill_marked(sys.argv[1])
