"""Opens a database: connections that keep their promises, and a schema of today.

Alembic is imported only when there is something to migrate; opening a database that is up
to date reads one row.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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

from storage.errors import (
    BusyDatabase,
    FullDisk,
    NewerDatabase,
    StorageError,
    UnreadableDatabase,
)

HEAD = "0005"
"""Number of the latest migration; a test compares it with the scripts."""

MIGRATIONS = Path(__file__).parent / "migrations"
PATIENCE = 30.0
"""Seconds to wait for a lock or for space, unless the address says otherwise: `?timeout=5`."""

PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
)


def make_engine(url: str) -> Engine:
    """Return an engine whose transactions are real ones, also on SQLite.

    With the execution option `immediate` a transaction takes SQLite's write lock when it
    begins, so that what it reads stays true until it writes.
    """
    try:
        address = make_url(url)
        sqlite = address.get_backend_name() == "sqlite"
        connecting = {"timeout": patience(address)} if sqlite else {}
        engine = create_engine(address, connect_args=connecting)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        shown = re.sub(r"://.*@", "://***@", url)  # passwords are not for logs
        raise UnreadableDatabase(
            f"The database address {shown!r} is not usable: {error}"
        ) from error
    if sqlite:
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    return engine


def patience(url: URL) -> float:
    """Return how long to wait for a lock or for space, in seconds.

    >>> patience(make_url("sqlite:///flong.db")), patience(make_url("sqlite:///a.db?timeout=5"))
    (30.0, 5.0)
    """
    given = url.query.get("timeout", PATIENCE)
    try:
        return float(str(given))
    except ValueError:
        raise UnreadableDatabase(f"The timeout of {url} is not a number of seconds.") from None


def _prepare(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    # Python's driver would begin and commit on its own; `_begin` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("immediate", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


@contextmanager
def told_in_a_sentence(engine: Engine) -> Iterator[None]:
    """Turn the driver's errors about the database itself into ours; others pass."""
    try:
        yield
    except DBAPIError as error:
        ours = _translated(error, str(engine.url))
        if ours is None:
            raise
        raise ours from error


def _translated(error: DBAPIError, url: str) -> StorageError | None:
    reason = " ".join(str(error.orig).split())
    if isinstance(error, IntegrityError | ProgrammingError | DataError):
        return None
    if "locked" in reason:
        return BusyDatabase(f"The database {url} is locked by another process: {reason}.")
    if "full" in reason:
        return FullDisk(f"There is no space left to write to the database {url}: {reason}.")
    return UnreadableDatabase(f"The database {url} cannot be read: {reason}.")


def migrate(engine: Engine) -> None:
    """Bring the schema to today's; create it in an empty database.

    All migrations happen in one transaction: killed in between, the database is as before.
    """
    with told_in_a_sentence(engine):
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
    url = connection.engine.url
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise UnreadableDatabase(f"The database {url} belongs to another program.")
    version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
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
