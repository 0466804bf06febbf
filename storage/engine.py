"""Opens a database: connections that keep their promises, and a schema of today.

Alembic is imported only when there is something to migrate; opening a database that is up
to date reads one row.
"""

import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    ProgrammingError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from flong import features
from flong.storage.errors import (
    BusyDatabase,
    FullDisk,
    MissingDatabase,
    NewerDatabase,
    SlowQuery,
    StorageError,
    UnreadableDatabase,
)

HEAD = "0026"
"""Number of the latest migration; a test compares it with the scripts."""

INSTRUCTIONS = 100_000
"""Steps of SQLite, some milliseconds of them, after which it looks at the clock."""
MIGRATIONS = Path(__file__).parent / "migrations"
PATIENCE = 30.0
"""Seconds to wait for a lock or for space, unless the URL says otherwise: `?timeout=5`."""

_BUSY = (BusyDatabase, "The database {url} is locked by another process")
_SLOW = (SlowQuery, "The database {url} took too long to answer")
_FULL = (FullDisk, "There is no space left to write to the database {url}")
OTHERWISE = (UnreadableDatabase, "The database {url} cannot be read")
CAUSES = {
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "55P03": _BUSY,
    "SQLITE_INTERRUPT": _SLOW,
    "57014": _SLOW,
    "SQLITE_FULL": _FULL,
    "53100": _FULL,
}
"""What the codes of SQLite (without their extension) and of PostgreSQL mean."""

POOL: dict[str, Any] = {"pool_size": 2, "max_overflow": 3, "pool_pre_ping": True}
"""A process has at most five connections to a server: one that keeps a lock, one for its heartbeat,
one or two at work. One that the server closed, as by a restart, is opened again."""

PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
)


def make_engine(url: str) -> Engine:
    """Return an engine whose transactions are real ones, also on SQLite.

    With the execution option `immediate` a transaction takes SQLite's write lock when it
    begins, so that what it reads stays true until it writes. With `bare` there is none.
    """
    try:
        parsed = make_url(url)
        if "@" in (parsed.host or ""):
            raise ArgumentError("an @ in a password is written %40")
        sqlite = parsed.get_backend_name() == "sqlite"
        options = {"connect_args": {"timeout": patience(parsed)}} if sqlite else POOL
        engine = create_engine(parsed, **options)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise UnreadableDatabase(
            f"The database URL {shown(url)!r} is not usable: {error}"
        ) from error
    if sqlite:
        event.listen(engine, "do_connect", lambda *_: _create_privately(parsed))
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    else:
        event.listen(engine, "connect", _interpret)
    return engine


def _interpret(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    """Let PostgreSQL not compile questions: that takes it longer than to answer ours."""
    cursor = connection.cursor()
    cursor.execute("SET jit = off")
    cursor.close()
    connection.commit()


def only_read(engine: Engine, seconds: float) -> None:
    """Let no connection write from now on, and no question take longer than so many seconds."""
    engine.dispose()  # connections that may write
    limit = _limit_sqlite if engine.dialect.name == "sqlite" else _limit_postgresql
    limit(engine, seconds)


def _limit_sqlite(engine: Engine, seconds: float) -> None:
    @event.listens_for(engine, "connect")
    def only_read(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA query_only = ON")
        cursor.close()

    @event.listens_for(engine, "before_cursor_execute")
    def start_clock(connection: Connection, *_: object) -> None:
        until = time.monotonic() + seconds
        driver: Any = connection.connection.driver_connection
        driver.set_progress_handler(lambda: time.monotonic() > until, INSTRUCTIONS)


def _limit_postgresql(engine: Engine, seconds: float) -> None:
    @event.listens_for(engine, "connect")
    def only_read(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        cursor.execute("SET default_transaction_read_only = on")
        cursor.execute(f"SET statement_timeout = {round(1000 * seconds)}")
        cursor.close()
        connection.commit()


def shown(url: URL | str) -> str:
    """Return the URL of a database without its password, which is not for logs.

    >>> shown("postgresql://me:se@cret@host/flong"), shown("postgresql:///flong?password=s@")
    ('postgresql://***@host/flong', 'postgresql:///flong?password=***')
    """
    text = url if isinstance(url, str) else url.render_as_string(hide_password=False)
    return re.sub(r"://.*@", "://***@", re.sub(r"(password=)[^&]*", r"\1***", text))


def _create_privately(url: URL) -> None:
    """Create the file of a new database so that only its owner can read it.

    SQLite gives the files beside it the same rights. A file that is there keeps its own.
    """
    path = url.database
    if path and path != ":memory:" and "uri" not in url.query:
        with suppress(OSError):  # connecting says why
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def patience(url: URL) -> float:
    """Return how long to wait for a lock or for space, in seconds.

    >>> patience(make_url("sqlite:///flong.db")), patience(make_url("sqlite:///a.db?timeout=5"))
    (30.0, 5.0)
    """
    given = url.query.get("timeout", PATIENCE)
    try:
        return float(str(given))
    except ValueError:
        raise UnreadableDatabase(
            f"The timeout of {shown(url)} is not a number of seconds."
        ) from None


def _prepare(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    # Python's driver would begin and commit on its own; `_begin` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    cursor.close()
    for define in features.load(features.SQLITE_FUNCTIONS):
        define(connection)


def _begin(connection: Connection) -> None:
    if connection.get_execution_options().get("bare", False):
        return
    immediate = connection.get_execution_options().get("immediate", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


@contextmanager
def translate_errors(engine: Engine) -> Iterator[None]:
    """Turn the driver's errors about the database itself into ours; others pass."""
    try:
        yield
    except DBAPIError as error:
        ours = _translated(error, shown(engine.url))
        if ours is None:
            raise
        raise ours from error


def _translated(error: DBAPIError, url: str) -> StorageError | None:
    if isinstance(error, IntegrityError | ProgrammingError | DataError):
        return None
    reason = " ".join(str(error.orig).split())
    name = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None)
    kind, words = CAUSES.get("_".join(str(name).split("_")[:2]), OTHERWISE)
    return kind(f"{words.format(url=url)}: {reason}.")


def require_database(engine: Engine) -> None:
    """Raise `MissingDatabase` if there is nothing at an engine's URL; nothing is made there."""
    file = engine.url.database if engine.url.get_backend_name() == "sqlite" else None
    if file and "uri" not in engine.url.query and not Path(file).exists():
        raise MissingDatabase(f"There is no database {shown(engine.url)}.")
    with translate_errors(engine), engine.connect() as connection:
        if _version(connection) is None:
            raise MissingDatabase(f"The database {shown(engine.url)} is empty.")


def check_file(file: Path) -> None:
    """Raise `UnreadableDatabase` unless a file of SQLite is sound in all its parts."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            ((found,),) = connection.execute("PRAGMA integrity_check(1)")
            orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        raise UnreadableDatabase(f"The copy {file} cannot be read: {error}.") from error
    if found != "ok" or orphan:
        raise UnreadableDatabase(f"The copy {file} is damaged: {orphan or found}.")


def migrate(engine: Engine) -> None:
    """Bring the schema to today's; create it in an empty database.

    All migrations happen in one transaction: killed in between, the database is as before.
    """
    with translate_errors(engine):
        with engine.connect() as connection:
            if _version(connection) == HEAD:
                return
        with engine.execution_options(immediate=True).begin() as connection:
            # Another process may have done it while we waited for the lock.
            if _version(connection) != HEAD:
                _upgrade(connection)


def _version(connection: Connection) -> str | None:
    """Return the schema's version, None for an empty database."""
    tables = inspect(connection).get_table_names()
    url = shown(connection.engine.url)
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise UnreadableDatabase(f"The database {url} belongs to another program.")
    version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    if tables != ["alembic_version"] and not re.fullmatch(r"\d{4}", str(version)):
        raise UnreadableDatabase(
            f"The database {url} does not say which version of the schema it has: it is damaged."
        )
    if version is not None and str(version) > HEAD:
        raise NewerDatabase(
            f"The database {url} was written by a newer version of flong (schema {version}, "
            f"this one knows {HEAD}): update flong."
        )
    return None if version is None else str(version)


def _upgrade(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415 - half a second, and hardly ever needed
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
