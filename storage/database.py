"""What every subject of the store stands on: transactions, batches, upserts."""

import itertools
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Executable, Select, Table, insert, select, update

from flong.storage.columns import from_row, now
from flong.storage.engine import check_file, only_read, patience, shown, translate_errors
from flong.storage.errors import BusyDatabase, FullDisk, LockedSite, UnreadableDatabase
from flong.storage.tables import metadata

logger = logging.getLogger(__name__)

T = TypeVar("T")

BATCH = 500
"""Rows that one statement names at most; older SQLite versions take 999 values."""

Values = Mapping[str, Any]
"""A row on its way into a table, by column name; it never leaves this package."""


class Connections:
    """An engine, and the ways to use it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._writer = engine.execution_options(immediate=True)
        self._open = threading.local()
        self.refusal = ""
        """Why nothing may be written any more, as after the loss of a lock; empty if it may."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make everything that this thread stores inside one unit: kept wholly or not at all."""
        with self.writing():
            yield

    def retry_while_busy(self, work: Callable[[], T]) -> T:
        """Do what writes; while there is no space for it, pause and do it again.

        For a lock of another process SQLite waits by itself. What is given up after all raises
        as ever: nothing of it was written, if `work` is one transaction.
        """
        waits = patience(self.engine.url)
        until = time.monotonic() + waits
        while True:
            try:
                return work()
            except (BusyDatabase, FullDisk) as error:
                if time.monotonic() >= until:
                    raise
                logger.warning("%s Trying again.", error)
            time.sleep(min(1.0, waits / 10))

    def only_read(self, seconds: float) -> None:
        """Write nothing from now on, and let no question take longer than so many seconds."""
        only_read(self.engine, seconds)

    def give_back_space(self) -> None:
        """Give the disk back what deleted rows took; `BusyDatabase` if others are at work."""
        # Neither kind of database does it inside a transaction.
        if self.engine.dialect.name == "sqlite":
            bare = self.engine.execution_options(bare=True)
            statements = ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"]
        else:
            bare = self.engine.execution_options(isolation_level="AUTOCOMMIT")
            tables = ", ".join(table.name for table in metadata.sorted_tables)
            wait = int(patience(self.engine.url) * 1000)
            statements = [f"SET lock_timeout = {wait}", f"VACUUM (FULL) {tables}"]
        with translate_errors(self.engine), bare.connect() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)
            connection.invalidate()  # nobody else is to have its settings

    def back_up(self, file: Path) -> None:
        """Write one state of the database to a new file, of SQLite's format, and check it.

        Others may read and write meanwhile. The file appears whole or not at all.
        """
        if self.engine.dialect.name != "sqlite":
            raise UnreadableDatabase(
                f"The database {shown(self.engine.url)} is backed up with PostgreSQL's own "
                f"program: pg_dump --format=custom --file={file} DATABASE"
            )
        partial = file.with_name(f"{file.name}.partial")
        try:
            partial.unlink(missing_ok=True)
            os.close(os.open(partial, os.O_CREAT | os.O_EXCL, 0o600))
            bare = self.engine.execution_options(bare=True)
            with translate_errors(self.engine), bare.connect() as connection:
                connection.exec_driver_sql("VACUUM INTO ?", (str(partial),))
            check_file(partial)
            partial.replace(file)
        except OSError as error:
            raise UnreadableDatabase(f"{file} cannot be written: {error.strerror}.") from error
        finally:
            with suppress(OSError):
                partial.unlink(missing_ok=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the database."""
        joined = self._joined()
        if joined is not None:
            yield joined
            return
        with translate_errors(self.engine), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection whose work is kept wholly or, if anything fails, not at all.

        Inside another transaction of the same thread it is part of that one.
        """
        if self.refusal:
            raise LockedSite(self.refusal)
        joined = self._joined()
        if joined is not None:
            yield joined
            return
        with translate_errors(self.engine), self._writer.begin() as connection:
            self._open.connection = connection
            try:
                yield connection
            finally:
                self._open.connection = None

    def _joined(self) -> Connection | None:
        return getattr(self._open, "connection", None)


class Repository:
    """One subject of the database: reads and writes it in its transactions."""

    def __init__(self, database: Connections) -> None:
        self.reading = database.reading
        self.writing = database.writing

    def _number(self, query: Select[int]) -> int:
        with self.reading() as connection:
            return connection.execute(query).scalar_one()

    def _read(
        self, kind: type[T], query: Executable, values: Mapping[str, object] | None = None
    ) -> list[T]:
        with self.reading() as connection:
            return [from_row(kind, row) for row in connection.execute(query, values)]


def batches(things: Iterable[T], size: int = BATCH) -> Iterator[Sequence[T]]:
    """Cut a stream into lists of at most `size`.

    >>> list(batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(things)
    while batch := list(itertools.islice(rest, size)):
        yield batch


def upsert(
    connection: Connection,
    table: Table[Any],
    rows: Sequence[Values],
    *,
    key: Sequence[str],
    keep: Sequence[str] = (),
) -> None:
    """Insert rows; where one with the same key is there, give it the new values instead.

    Columns in `keep` stay as they are in rows that are there.
    """
    if not rows:
        return
    # Only the dialect in use is loaded.
    dialect: Any = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    statement = dialect.insert(table)
    updates = {name: statement.excluded[name] for name in rows[0] if name not in (*key, *keep)}
    connection.execute(
        statement.on_conflict_do_update(index_elements=list(key), set_=updates),
        list(rows),
    )


def save_lasting(
    connection: Connection, table: Table[Any], row_id: int | None, row: Values, first: Values
) -> int:
    """Give the row of this id new values, or insert it if there is none yet.

    `first` holds what only an insertion writes. Returns the id.
    """
    if row_id is None:
        added = insert(table).values({**first, **row}).returning(table.c.id)
        return int(connection.execute(added).scalar_one())
    these = (table.c.id == row_id, table.c.site_id == first["site_id"])
    changed = update(table).where(*these).values({**row, "retired_at": None})
    if connection.execute(changed).rowcount != 1:
        raise ValueError(f"there is no row {row_id} in {table.name} of this site")
    return row_id


def retire(connection: Connection, table: Table[Any], site_id: int, kept: Iterable[int]) -> None:
    """Mark all rows of a site that are in force and not among those kept."""
    in_force = select(table.c.id).where(table.c.site_id == site_id, table.c.retired_at.is_(None))
    retired = sorted(set(connection.execute(in_force).scalars()) - set(kept))
    for batch in batches(retired):
        connection.execute(update(table).where(table.c.id.in_(batch)).values(retired_at=now()))
