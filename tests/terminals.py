"""A command on a real terminal of 80 columns, as a user has it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
SCRAPY = Path(sys.executable).with_name("scrapy")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
LONGEST = 120
"""Seconds after which a command that does not end is killed."""


class Terminal:
    """`scrapy` with some words, begun at once; what it shows is in `shown`."""

    def __init__(self, *words, **environment):
        begin = struct.pack("HHHH", 40, 80, 0, 0)
        self.pid, self._terminal = pty.fork()
        if not self.pid:
            fcntl.ioctl(0, termios.TIOCSWINSZ, begin)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a job in the background ignores it
            os.chdir(ROOT)
            os.environ.pop("COLUMNS", None)
            os.environ.update(environment, TERM="xterm")
            os.execv(SCRAPY, ["scrapy", *map(str, words)])  # noqa: S606 - our own command
        self.shown = ""
        self._until = time.monotonic() + LONGEST

    def type(self, text):
        """Press keys; `\\x03` is Ctrl-C."""
        os.write(self._terminal, text.encode())

    def wait_for(self, happened):
        """Read what is shown until something has happened, or the command has ended."""
        while not happened():
            assert time.monotonic() < self._until, self.shown
            if not self._read(0.02):
                return

    def end(self):
        """Read to the end; return the exit code."""
        while self._read(1):
            if time.monotonic() > self._until:
                os.kill(self.pid, signal.SIGKILL)
        os.close(self._terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _read(self, seconds):
        if select.select([self._terminal], [], [], seconds)[0]:
            data = b""
            with suppress(OSError):  # Linux says so when the other side is closed
                data = os.read(self._terminal, 65536)
            if not data:
                return False
            self.shown += _ESCAPES.sub("", data.decode(errors="replace")).replace("\r", "")
        return True
