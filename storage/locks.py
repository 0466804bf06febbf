"""Locks: one process at a time works on a site, on however many machines.

A lock is a row that says whose it is. Whether its owner is still there is never judged by a clock:

- PostgreSQL keeps a lock for as long as the owner's connection lasts, so the server knows.
- Elsewhere a process on the same machine is asked for by its id and its start. One on another
  machine counts in its row while it works (a heartbeat): if the count stands still over some looks,
  it is gone.

A process that holds a site may start another one on it: the child has a row (and a lock) of its own
beside its parent's, so either can die and the other still keeps strangers off.
"""

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from flong.states import RunStatus
from flong.storage import tables
from flong.storage.columns import from_row, now
from flong.storage.database import Connections, Repository
from flong.storage.engine import translate_errors
from flong.storage.errors import LockedSite, StorageError
from flong.storage.liveness import Process, is_at_work, this_process
from flong.storage.sites import Site
from flong.storage.tables import LockPart

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 10.0
BEATS_MISSED = 3
"""Heartbeats that another machine's process may miss before it counts as gone."""
LOOKS_PER_BEAT = 4
ADVISORY = {LockPart.OWNER: 0x464C4F4E, LockPart.CHILD: 0x464C4F4F}
"""Which of PostgreSQL's advisory locks of a site is whose; others use the database as well."""

Lock = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LockSettings:
    """How a process holds sites."""

    host: str = ""
    """What its machine is called; empty for the name that the system gives it."""
    heartbeat_seconds: float = HEARTBEAT_SECONDS
    """Time between two heartbeats."""


# A fork while SQLite writes in another thread would copy its mutexes locked.
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
        """Keep other processes off a site; raise `LockedSite` if one is at work.

        The lock of a process that is gone is taken over: at once, but for one of another machine
        whose heartbeat has to be watched. Whoever was taken over, as after a long sleep of its
        machine, can write nothing more: that raises `LockedSite`, too.
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
        """Take a site by a connection of its own, which ends with this process."""
        sessions = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        with translate_errors(self.engine):
            session = sessions.connect()
        with session:
            # A machine that lost its power says nothing: the server is to ask for it.
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
                    with suppress(DBAPIError):  # without a connection there is no lock, either
                        _unlock(session, site, part)

    def _try_parts(self, session: Connection, site: Site, me: Process) -> LockPart:
        """Take a lock of the server, and return whose; raise `LockedSite` if it is not free."""
        if self._is_lent(site, me):
            if not _try_lock(session, site, LockPart.CHILD):
                raise self._refusal(site, LockPart.CHILD)
            # Whoever comes after our parent's end looks for our lock, so it must still live now.
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

    # Elsewhere

    @contextmanager
    def _take_row(self, site: Site, me: Process) -> Iterator[LockPart]:
        """Take a site by a row that no other process at work has written."""
        part = self._write_when_free(site, me)
        try:
            yield part
        finally:
            self._remove(site, part, me)

    def _write_when_free(self, site: Site, me: Process) -> LockPart:
        """Write this process down, and return as what; raise `LockedSite` if another is at work.

        Each look is a transaction that could write: while that cannot be, a heartbeat cannot
        either, and its silence means nothing.
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
        """Let a thread count in the row of a lock while the block runs."""
        if self.engine.dialect.name == "sqlite" and self.engine.url.database in (None, ":memory:"):
            yield  # nobody else can see it
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
        """Count in a row until the work has ended or the row is another one's."""
        count = {"heartbeats": tables.locks.c.heartbeats + 1}
        change = update(tables.locks).where(*_is(site, part, me)).values(count)
        while not ended.wait(self.settings.heartbeat_seconds):
            try:
                with _beating, self.writing() as connection:
                    found = connection.execute(change).rowcount
            except StorageError as error:  # the next one may be written
                logger.warning("No heartbeat for %s: %s", site.name, error)
                continue
            if not found:
                self._database.refusal = (
                    f"Another process took {site.name} over: this one had not been heard of for "
                    f"{BEATS_MISSED * self.settings.heartbeat_seconds:g} seconds."
                )
                logger.error(self._database.refusal)
                return

    def _remove(self, site: Site, part: LockPart, me: Process) -> None:
        with self.writing() as connection:
            connection.execute(delete(tables.locks).where(*_is(site, part, me)))


def write_lock(
    connection: Connection, site: Site, part: LockPart, me: Process, settings: LockSettings
) -> None:
    """Write a lock in place of those that nobody holds.

    A run that a former owner left is over: one works on a site only with its lock.
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
    return list(connection.execute(query))


def _is(site: Site, part: LockPart, process: Process) -> list[ColumnElement[bool]]:
    """Return what the lock of a process has and no other."""
    columns = {"site_id": site.id, "part": part, **asdict(process)}
    return [tables.locks.c[name] == value for name, value in columns.items()]


def _process(lock: Lock) -> Process:
    return from_row(Process, lock)


def _is_parent(lock: Lock, me: Process) -> bool:
    """Tell whether this is the lock of the process that started this one, and waits for it."""
    return (
        lock.part == LockPart.OWNER
        and lock.pid == os.getppid()
        and (lock.host, lock.machine) == (me.host, me.machine)
        and is_at_work(_process(lock), me) is not False
    )


def _is_gone(site: Site, lock: Lock, me: Process) -> bool:
    """Tell whether a lock's process is known to be gone; raise `LockedSite` if it is at work."""
    at_work = is_at_work(_process(lock), me)
    if at_work:
        raise _refused(site, lock)
    return at_work is False


def _refused(site: Site, lock: Lock | None) -> LockedSite:
    if lock is None:  # its owner has not written its row yet, or has just removed it
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
