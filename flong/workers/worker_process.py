"""Processes for workers: each an interpreter of its own, or a copy of one that has all loaded.

To start an interpreter and load the program takes two seconds of processor time, for each site and
each stage. Where there is more than one, a template loads everything once and forks for each. It
has no threads and no connection to a database, so nothing is copied half-way. A copy is attended
by a process that knows how it ended, and that can be killed together with it.

The template is itself a copy of the process that wants it, if that has no threads yet: whatever it
has loaded, the compiler above all, is not loaded again. It lets go of all files and connections.
"""

import gc
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NoReturn, Protocol

from flong.workers.memory import give_back_memory

TIDIED = 8
"""How often tasks are done before free memory is given back."""

_BEGIN = "import sys; from flong.workers.worker_process import {0}; {0}(int(sys.argv[1]))"
_STDIN, _STDERR = 0, 2
_NUMBER = struct.Struct("i")
_STORY = (
    '<html lang="en"><title>Rain {0}</title><div id="story"><h1>Rain {0}</h1><p>It rained {0} '
    'times in the town, and <a href="/">nobody</a> wanted to go out for {0} days. Then the sun '
    "shone, and all went out {0} times and were glad.</p><p>On day {0} it rained again.</p></div>"
)
"""A page of which an article is made, with all that is compiled for one, in a known language."""


class WorkerProcess(Protocol):
    """What can be done to a worker from outside."""

    @property
    def pid(self) -> int:
        """Return the id of the process."""

    def kill(self) -> None:
        """End it at once."""

    def wait(self) -> int:
        """Return its exit code when it has ended, negative for a signal."""


class WorkerTemplate:
    """A process that has everything loaded; started when the first copy is wanted."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._process: WorkerProcess | None = None

    def begin(self) -> socket.socket:
        """Start the process unless that was done; return the way to it."""
        if self._socket is None:
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            is_alone = sys.platform == "linux" and threading.active_count() == 1
            with theirs:
                start = _Fork if is_alone else partial(_interpreter, "serve_copies")
                self._process = start(theirs.fileno())
        return self._socket

    def copy(self, descriptor: int) -> "_Copy":
        """Return a worker that is told by a descriptor what to do; `OSError` if there is none."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                given = [descriptor, theirs.fileno(), _STDERR]
                socket.send_fds(self.begin(), [b"w"], given)
            return _Copy(ours)
        except OSError:
            ours.close()
            raise

    def end(self) -> None:
        """Let the process end; its copies go on."""
        if self._socket is not None and self._process is not None:
            self._socket.close()
            self._process.kill()
            self._process.wait()


class _Copy:
    """A worker that was forked, with its attendant: a process group."""

    def __init__(self, told: socket.socket) -> None:
        self._told = told
        data = told.recv(_NUMBER.size)
        if not data:
            raise OSError("the template is gone")
        [self.pid] = _NUMBER.unpack(data)
        self._exitcode: int | None = None

    def kill(self) -> None:
        """End both."""
        if self._exitcode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Return how the worker ended; the attendant ends when it is told that we know."""
        if self._exitcode is None:
            with self._told:
                data = self._told.recv(_NUMBER.size)
            self._exitcode = _NUMBER.unpack(data)[0] if data else -signal.SIGKILL
        return self._exitcode


class _Fork:
    """A template that was forked from this process."""

    def __init__(self, descriptor: int) -> None:
        self._exitcode: int | None = None
        self.pid = os.fork()
        if not self.pid:
            _run(_serve_copies_alone, descriptor)

    def kill(self) -> None:
        """End it at once."""
        if self._exitcode is None:
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Return its exit code when it has ended, negative for a signal."""
        if self._exitcode is None:
            _, status = os.waitpid(self.pid, 0)
            self._exitcode = os.waitstatus_to_exitcode(status)
        return self._exitcode


def _serve_copies_alone(descriptor: int) -> None:
    """Let go, as a fork, of what belongs to the process that was copied; then serve."""
    os.setpgid(0, 0)  # on ctrl-C it ends us: we are not to say so ourselves
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    # Whose end of a pipe we kept would never seem to be gone. Only those that there are: where a
    # process may open a milliard files, to close as many takes minutes.
    for each in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
        if each > _STDERR and each != descriptor:
            with suppress(OSError):  # the one by which they were listed
                os.close(each)
    os.dup2(os.open(os.devnull, os.O_RDONLY), _STDIN)
    serve_copies(descriptor)


_shared: ContextVar[WorkerTemplate | None] = ContextVar("shared", default=None)


@contextmanager
def shared_template() -> Iterator[WorkerTemplate]:
    """Let workers that are started in the block be copies of one process."""
    if (known := _shared.get()) is not None:
        yield known
        return
    template = WorkerTemplate()
    token = _shared.set(template)
    try:
        yield template
    finally:
        _shared.reset(token)
        template.end()


def are_copies() -> bool:
    """Return whether workers that are started here are copies, which takes next to no time."""
    return _shared.get() is not None and sys.platform == "linux"


def start_worker(descriptor: int) -> WorkerProcess:
    """Start a process that does what it is sent through a descriptor."""
    template = _shared.get()
    if template is not None and are_copies():
        with suppress(OSError):
            return template.copy(descriptor)
    return _interpreter("serve", descriptor)


def _interpreter(function: str, descriptor: int) -> subprocess.Popen[bytes]:
    # Not forked from here: that would copy our threads' locks and our connection to the database.
    # Not by `multiprocessing`: that would import the command line again.
    return subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", _BEGIN.format(function), str(descriptor)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        process_group=0,  # on ctrl-C we end it: it is not to say so itself
    )


def load_kernels() -> None:
    """Learn and read a tiny site, so that what is compiled is loaded."""
    from datetime import UTC, datetime  # noqa: PLC0415 - as what follows

    from flong.baselines import WITNESSES  # noqa: PLC0415
    from flong.clustering import (  # noqa: PLC0415
        cluster_pages,
        skeleton_of,
    )
    from flong.patterns import ClusterOfPages, learn_site  # noqa: PLC0415
    from flong.site import LearnedSite  # noqa: PLC0415
    from flong.tree import SitePage, build_tree  # noqa: PLC0415

    pages = [SitePage(url=f"/{n}", tree=build_tree(_STORY.format(n))) for n in range(4)]
    found = cluster_pages([skeleton_of(page.tree) for page in pages], similarity=0.8).clusters
    clusters = [ClusterOfPages(members=c.members, distances=c.distances) for c in found]
    model = learn_site(pages, clusters, witnesses=WITNESSES.values())
    LearnedSite(model=model).read(pages[0], (), datetime.now(UTC))


def serve_copies(descriptor: int) -> None:
    """Copy this process whenever somebody asks for it, until nobody can any more."""
    from flong.workers import cpu_limit  # noqa: F401, PLC0415 - what copies need

    load_kernels()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for attendants
    with socket.socket(fileno=descriptor) as asked:
        while True:
            message, given, _, _ = socket.recv_fds(asked, 1, 3)
            if not message:
                return
            if not os.fork():
                asked.close()
                _attend(*given)
            for each in given:
                os.close(each)


def _attend(descriptor: int, told: int, stderr: int) -> NoReturn:
    """Fork the worker; say how it ended."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(stderr, _STDERR)
    os.close(stderr)
    worker = os.fork()
    if not worker:
        os.close(told)
        _run(serve, descriptor)
    os.close(descriptor)
    with socket.socket(fileno=told) as line, suppress(OSError):
        line.sendall(_NUMBER.pack(os.getpid()))
        _, status = os.waitpid(worker, 0)
        line.sendall(_NUMBER.pack(os.waitstatus_to_exitcode(status)))
        line.recv(1)  # until then our id is no other process's
    os._exit(0)


def _run(function: Callable[[int], None], descriptor: int) -> NoReturn:
    """Do, as a fork, what is served, and end; nothing of who was copied is tidied up."""
    try:
        function(descriptor)
    except BaseException:  # noqa: BLE001 - as an interpreter of its own would say it
        os.write(_STDERR, traceback.format_exc().encode(errors="backslashreplace"))
        os._exit(1)
    os._exit(0)


def serve(descriptor: int) -> None:
    """Do as a worker what the process that wants it sends, until that is gone."""
    from flong.workers.cpu_limit import CpuLimit  # noqa: PLC0415 - loads the compiler

    connection: Connection[Any, Any] = Connection(descriptor)
    work, seconds = connection.recv()
    limit = CpuLimit(seconds)
    tasks: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_receive, args=(connection, tasks), daemon=True).start()
    for number in count(1):
        some = tasks.get()
        limit.start()
        results = work(some)
        limit.stop()
        connection.send(results)
        del some, results
        if number % TIDIED == 0:
            give_back_memory()


def _receive(connection: "Connection[Any, Any]", tasks: SimpleQueue[Any]) -> None:
    """Take tasks as they come, so that no side ever waits for the other to read."""
    try:
        while True:
            tasks.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)
