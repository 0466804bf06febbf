"""A command on a real terminal of 80 columns, as a user has it."""

import os
import re
import select
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

from tests.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[1]
SCRAPY = Path(sys.executable).with_name("scrapy")
LAUNCHER = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.SIG_DFL)  # a job in the background ignores it
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Gives a command the terminal on which Ctrl-C is typed. A fork would copy our threads' locks."""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A running `scrapy` command; `shown` has its output."""

    def __init__(self, *words, **environment):
        self._terminal, theirs = os.openpty()
        termios.tcsetwinsize(theirs, (40, 80))
        inherited = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCHER, SCRAPY, *map(str, words)],
            cwd=ROOT,
            env=inherited | environment | {"TERM": "xterm"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""
        self._until = time.monotonic() + HANG_SECONDS

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
                self.process.kill()
        os.close(self._terminal)
        return self.process.wait()

    def _read(self, seconds):
        if select.select([self._terminal], [], [], seconds)[0]:
            data = b""
            with suppress(OSError):  # Linux says so when the other side is closed
                data = os.read(self._terminal, 65536)
            if not data:
                return False
            self.shown += _ESCAPES.sub("", data.decode(errors="replace")).replace("\r", "")
        return True
