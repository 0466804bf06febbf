"""Transactions, batches and upserts: the base of all repositories."""

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

from sqlalchemy import Connection, Engine, Executable, Select, Table

from flong.storage.columns import from_row
from flong.storage.engine import check_file, only_read, patience, shown, translate_errors
from flong.storage.errors import BusyDatabase, FullDisk, LockedSite, UnreadableDatabase
from flong.storage.tables import metadata

logger = logging.getLogger(__name__)

T = TypeVar("T")

BATCH = 500
"""Maximum number of rows named by one statement; older SQLite versions accept 999 values."""

Values = Mapping[str, Any]
"""A row to write, by column name; never leaves this package."""


class Connections:
    """An engine with its transactions."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._writer = engine.execution_options(immediate=True)
        self._open = threading.local()
        self.refusal = ""
        """Reason to refuse all writing, such as a lost lock; empty if writing is allowed."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make all writes of this thread inside the block one unit: all are kept, or none."""
        with self.writing():
            yield

    def retry_while_busy(self, work: Callable[[], T]) -> T:
        """Call a function that writes; while the database is busy or the disk full, wait and retry.

        SQLite itself waits for locks of other processes. After the last attempt the error is
        raised; nothing was written if `work` is one transaction.
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
        """Refuse writing, and abort queries that take longer than `seconds`."""
        only_read(self.engine, seconds)

    def give_back_space(self) -> None:
        """Free the disk space of deleted rows; `BusyDatabase` if other processes are active."""
        # Neither database does this inside a transaction.
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
            connection.invalidate()  # keep its settings out of the pool

    def back_up(self, file: Path) -> None:
        """Write one state of the database to a new SQLite file, and check it.

        Other processes may read and write meanwhile. The file appears complete or not at all.
        """
        if self.engine.dialect.name != "sqlite":
            raise UnreadableDatabase(
                f"The database {shown(self.engine.url)} needs PostgreSQL's backup "
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
        """Yield a connection that sees one state of the database."""
        joined = self._joined()
        if joined is not None:
            yield joined
            return
        with translate_errors(self.engine), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection whose writes are all kept or, after an error, all undone.

        Inside another transaction of the same thread it joins that one.
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
    """A repository: reads and writes one subject in the transactions of the store."""

    def __init__(self, database: Connections) -> None:
        self.reading = database.reading
        self.writing = database.writing

    def _number(self, query: Select[int]) -> int:
        with self.reading() as connection:
            return connection.execute(query).scalar_one()

    def _column(self, query: Select[T]) -> Sequence[T]:
        with self.reading() as connection:
            return connection.execute(query).scalars().all()

    def _read(
        self, kind: type[T], query: Executable, values: Mapping[str, object] | None = None
    ) -> list[T]:
        with self.reading() as connection:
            return [from_row(kind, row) for row in connection.execute(query, values)]

    def _first(
        self, kind: type[T], query: Executable, values: Mapping[str, object] | None = None
    ) -> T | None:
        return next(iter(self._read(kind, query, values)), None)


def batches(things: Iterable[T], size: int = BATCH) -> Iterator[Sequence[T]]:
    """Split a stream into lists of at most `size`.

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
    """Insert rows, and update those whose key exists.

    Columns in `keep` are not updated.
    """
    if not rows:
        return
    # Import only the dialect in use.
    dialect: Any = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    statement = dialect.insert(table)
    updates = {name: statement.excluded[name] for name in rows[0] if name not in (*key, *keep)}
    connection.execute(
        statement.on_conflict_do_update(index_elements=list(key), set_=updates),
        list(rows),
    )
