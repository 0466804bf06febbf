"""Locks: one process at a time works on a site, also across machines.

A lock is a row with its owner. Clocks do not decide whether an owner is alive:

- PostgreSQL keeps a lock for as long as the owner's connection lasts.
- On SQLite, a process on the same machine is identified by its id and its start. A process on
  another machine sends heartbeats: it counts in its row. It is dead if the count stays the same
  over several looks.

A process that holds a site may start another one on it. The child has a row (and a lock) of its
own, so that the site stays locked when either of them dies.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from flong.states import RunStatus
from flong.storage import tables
from flong.storage.columns import from_row, now
from flong.storage.database import Connections, Repository
from flong.storage.engine import translate_errors
from flong.storage.errors import LockedSite, StorageError
from flong.storage.tables import Lock, LockPart, Process, Site

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 10.0
BEATS_MISSED = 3
"""Number of missed heartbeats after which a process of another machine counts as dead."""
LOOKS_PER_BEAT = 4
ADVISORY = {LockPart.OWNER: 0x464C4F4E, LockPart.CHILD: 0x464C4F4F}
"""PostgreSQL's advisory locks of a site, by role; other programs may use the database as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockSettings:
    """Settings of locks."""

    host: str = ""
    """Name of the machine; empty for the system's name."""
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    """Seconds between two heartbeats."""


# A fork while SQLite writes in another thread would copy locked mutexes.
_beating = threading.Lock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_beating.acquire,
        after_in_parent=_beating.release,
        after_in_child=_beating.release,
    )


class Locks(Repository):
    """Locks sites."""

    def __init__(self, database: Connections, settings: LockSettings) -> None:
        super().__init__(database)
        self.settings = settings
        self._database = database
        self.engine = database.engine

    @contextmanager
    def hold(self, site: Site) -> Iterator[None]:
        """Lock a site while the block runs; raise `LockedSite` if another process works on it.

        The lock of a dead process is taken over: immediately on the same machine, after missed
        heartbeats on another one. A process that lost its lock this way, for example because its
        machine slept, cannot write any more: its writes raise `LockedSite`.
        """
        me = this_process(self.settings.host)
        by_session = self.engine.dialect.name == "postgresql"
        taking = self._take_session(site, me) if by_session else self._take_row(site, me)
        try:
            with taking as part, self._heartbeat(site, part, me):
                yield
        finally:
            self._database.refusal = ""

    # PostgreSQL

    @contextmanager
    def _take_session(self, site: Site, me: Process) -> Iterator[LockPart]:
        """Lock a site by a connection of its own, which ends with this process."""
        sessions = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        with translate_errors(self.engine):
            session = sessions.connect()
        with session:
            # A machine without power sends nothing, so the server has to probe it.
            for name, value in (("idle", 10), ("interval", 10), ("count", 2)):
                session.exec_driver_sql(f"SET tcp_keepalives_{name} = {value}")
            part = self._try_parts(session, site, me)
            try:
                with self.writing() as connection:
                    write_lock(connection, site, part, me, self.settings)
                yield part
            finally:
                try:
                    self._remove(site, part, me)
                finally:
                    with suppress(DBAPIError):  # without a connection there is no lock
                        _unlock(session, site, part)

    def _try_parts(self, session: Connection, site: Site, me: Process) -> LockPart:
        """Take a lock of the server and return its role; raise `LockedSite` if it is taken."""
        if self._is_lent(site, me):
            if not _try_lock(session, site, LockPart.CHILD):
                raise self._refusal(site, LockPart.CHILD)
            # A process that comes after our parent's end looks for our lock: check the parent
            # again.
            if self._is_lent(site, me):
                return LockPart.CHILD
            _unlock(session, site, LockPart.CHILD)
        if not _try_lock(session, site, LockPart.OWNER):
            raise self._refusal(site, LockPart.OWNER)
        if not _try_lock(session, site, LockPart.CHILD):
            _unlock(session, site, LockPart.OWNER)
            raise self._refusal(site, LockPart.CHILD)
        _unlock(session, site, LockPart.CHILD)
        return LockPart.OWNER

    def _is_lent(self, site: Site, me: Process) -> bool:
        with self.reading() as connection:
            return any(_is_parent(lock, me) for lock in _locks(connection, site))

    def _refusal(self, site: Site, part: LockPart) -> LockedSite:
        with self.reading() as connection:
            held = [lock for lock in _locks(connection, site) if lock.part == part]
        return _refused(site, held[0] if held else None)

    # SQLite

    @contextmanager
    def _take_row(self, site: Site, me: Process) -> Iterator[LockPart]:
        """Lock a site by a row, unless another live process has one."""
        part = self._write_when_free(site, me)
        try:
            yield part
        finally:
            self._remove(site, part, me)

    def _write_when_free(self, site: Site, me: Process) -> LockPart:
        """Write this process's row and return its role; raise `LockedSite` if another one is alive.

        Each look is a transaction that could write. While the database refuses writes there are no
        heartbeats either, and their absence proves nothing.
        """
        before: list[Lock] = []
        looks = 0
        while True:
            with self.writing() as connection:
                held = _locks(connection, site)
                others = [lock for lock in held if not _is_parent(lock, me)]
                part = LockPart.OWNER if others == held else LockPart.CHILD
                unknown = [lock for lock in others if not _is_gone(site, lock, me)]
                if looks and unknown and unknown != before:
                    raise _refused(site, unknown[0])
                if not unknown or looks >= BEATS_MISSED * LOOKS_PER_BEAT:
                    write_lock(connection, site, part, me, self.settings)
                    return part
            before = unknown
            looks += 1
            time.sleep(max(lock.heartbeat_seconds for lock in unknown) / LOOKS_PER_BEAT)

    # Both

    @contextmanager
    def _heartbeat(self, site: Site, part: LockPart, me: Process) -> Iterator[None]:
        """Count heartbeats in the row of a lock, in a thread, while the block runs."""
        if self.engine.dialect.name == "sqlite" and self.engine.url.database in (None, ":memory:"):
            yield  # no other process can see it
            return
        ended = threading.Event()
        of = (site, part, me, ended)
        heart = threading.Thread(target=self._beat, args=of, name="heartbeat", daemon=True)
        heart.start()
        try:
            yield
        finally:
            ended.set()
            heart.join()

    def _beat(self, site: Site, part: LockPart, me: Process, ended: threading.Event) -> None:
        """Count heartbeats until the work has ended or the row belongs to another process."""
        count = {"heartbeats": tables.locks.c.heartbeats + 1}
        change = update(tables.locks).where(*_is(site, part, me)).values(count)
        while not ended.wait(self.settings.heartbeat_seconds):
            try:
                with _beating, self.writing() as connection:
                    found = connection.execute(change).rowcount
            except StorageError as error:  # the next one may succeed
                logger.warning("No heartbeat for %s: %s", site.name, error)
                continue
            if not found:
                self._database.refusal = (
                    f"Another process took {site.name} over: this one sent no heartbeat for "
                    f"{BEATS_MISSED * self.settings.heartbeat_seconds:g} seconds. "
                    "Run the command again."
                )
                logger.error(self._database.refusal)
                return

    def _remove(self, site: Site, part: LockPart, me: Process) -> None:
        with self.writing() as connection:
            connection.execute(delete(tables.locks).where(*_is(site, part, me)))


def write_lock(
    connection: Connection, site: Site, part: LockPart, me: Process, settings: LockSettings
) -> None:
    """Write a lock in place of abandoned ones.

    A run left by an earlier owner is killed: runs need the lock of their site.
    """
    locks, runs = tables.locks, tables.runs
    old = delete(locks).where(locks.c.site_id == site.id)
    connection.execute(old if part is LockPart.OWNER else old.where(locks.c.part == part))
    if part is LockPart.OWNER:
        left = (runs.c.site_id == site.id, runs.c.status == RunStatus.RUNNING)
        connection.execute(update(runs).where(*left).values(status=RunStatus.KILLED))
    row = {"site_id": site.id, "part": part, "taken_at": now(), "heartbeats": 0}
    row["heartbeat_seconds"] = settings.heartbeat_seconds
    connection.execute(insert(locks).values(row | asdict(me)))


def _locks(connection: Connection, site: Site) -> list[Lock]:
    locks = tables.locks
    query = select(locks).where(locks.c.site_id == site.id).order_by(locks.c.part)
    return [from_row(Lock, row) for row in connection.execute(query)]


def _is(site: Site, part: LockPart, process: Process) -> list[ColumnElement[bool]]:
    """Return conditions for the lock of a process."""
    columns = {"site_id": site.id, "part": part, **asdict(process)}
    return [tables.locks.columns[name] == value for name, value in columns.items()]


def _is_parent(lock: Lock, me: Process) -> bool:
    """Return True if this is the lock of this process's parent, and that is alive."""
    return (
        lock.part == LockPart.OWNER
        and lock.pid == os.getppid()
        and (lock.host, lock.machine) == (me.host, me.machine)
        and is_at_work(lock, me) is not False
    )


def _is_gone(site: Site, lock: Lock, me: Process) -> bool:
    """Return True if a lock's process is known to be dead; raise `LockedSite` if it is alive."""
    at_work = is_at_work(lock, me)
    if at_work:
        raise _refused(site, lock)
    return at_work is False


def _refused(site: Site, lock: Lock | None) -> LockedSite:
    if lock is None:  # its owner has not written its row yet, or has just deleted it
        return LockedSite(f"Another process is working on {site.name}.")
    return LockedSite(
        f"Process {lock.pid} on {lock.host} has been working on {site.name} "
        f"since {lock.taken_at:%Y-%m-%d %H:%M} UTC."
    )


def _try_lock(session: Connection, site: Site, part: LockPart) -> bool:
    taking = text("SELECT pg_try_advisory_lock(:part, :site)")
    return bool(session.execute(taking, {"part": ADVISORY[part], "site": site.id}).scalar())


def _unlock(session: Connection, site: Site, part: LockPart) -> None:
    giving = text("SELECT pg_advisory_unlock(:part, :site)")
    session.execute(giving, {"part": ADVISORY[part], "site": site.id})


def this_process(host: str = "") -> Process:
    """Return this process; `host` overrides the name of its machine.

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
    """Return True if a process is alive; None if that cannot be known here.

    It is unknown on another machine, and on systems without start times of processes: the id may
    have been given to another process.


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
    """Return True if a process of this id runs on this machine.

    >>> pid_is_alive(os.getpid())
    True
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    # A process that has ended is listed until its parent reads its exit status.
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
    """Return the fields of Linux's process status, from the state on; empty on other systems."""
    try:
        # The name before it, in brackets, may have any characters.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
