"""Engines, schema versions and translation of database errors.

Alembic is imported only to migrate. To open a current database reads one row.
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
from sqlalchemy.engine.interfaces import DBAPIConnection, Dialect
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

INSTRUCTIONS = 100_000
"""Number of SQLite instructions between two looks at the clock; a few milliseconds."""
MIGRATIONS = Path(__file__).parent / "migrations"
HEAD = max(path.name[:4] for path in (MIGRATIONS / "versions").glob("0*.py"))
"""Number of the latest migration."""
PATIENCE = 30.0
"""Default number of seconds to wait for a lock or for space; the URL may set `?timeout=5`."""

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
    "SQLITE_READONLY": (UnreadableDatabase, "The database {url} cannot be written"),
    "53100": _FULL,
}
"""Errors by the codes of SQLite (without their extension) and of PostgreSQL."""

POOL: dict[str, Any] = {"pool_size": 2, "max_overflow": 3, "pool_pre_ping": True}
"""Connection pool of PostgreSQL: at most five per process. One keeps a lock, one is for its
heartbeat, and one or two work. Connections closed by the server are opened again."""

PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
)


def make_engine(url: str) -> Engine:
    """Return an engine with real transactions, also on SQLite.

    With the execution option `immediate`, a transaction takes SQLite's write lock when it begins,
    so that its reads stay true until it writes. With `bare` there is no transaction.
    """
    try:
        parsed = make_url(url)
        if "@" in (parsed.host or ""):
            raise ArgumentError("write %40 for an @ in the password")
        sqlite = parsed.get_backend_name() == "sqlite"
        options = {"connect_args": {"timeout": patience(parsed)}} if sqlite else POOL
        engine = create_engine(parsed, **options)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        why = error if "://" in url else f"write sqlite:///{url} for a file."
        raise UnreadableDatabase(f"The database URL {shown(url)!r} is not usable: {why}") from error
    if sqlite:
        event.listen(engine, "do_connect", _open_file)
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    else:
        event.listen(engine, "connect", _interpret)
    return engine


def _interpret(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    """Switch off PostgreSQL's JIT: for these queries compiling takes longer than running."""
    cursor = connection.cursor()
    cursor.execute("SET jit = off")
    cursor.close()
    connection.commit()


def only_read(engine: Engine, seconds: float) -> None:
    """Make all connections read-only, and abort queries that take longer than `seconds`."""
    engine.dispose()  # close connections that may write
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
    """Return the URL of a database without its password, for messages and logs.

    >>> shown("postgresql://me:se@cret@host/flong"), shown("postgresql:///flong?password=s@")
    ('postgresql://***@host/flong', 'postgresql:///flong?password=***')
    """
    text = url if isinstance(url, str) else url.render_as_string(hide_password=False)
    return re.sub(r"://.*@", "://***@", re.sub(r"(password=)[^&]*", r"\1***", text))


def _open_file(
    dialect: Dialect, record: ConnectionPoolEntry, arguments: list[str], options: dict[str, Any]
) -> None:
    """Create a new file readable by its owner only; open one on read-only storage as immutable.

    SQLite gives the files beside it the same rights. It could not create them on read-only storage,
    and without them it refuses to read a database in WAL mode.
    """
    path = arguments[0]
    if options.get("uri") or path in ("", ":memory:"):
        return
    with suppress(OSError):  # connecting reports the reason
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    if _is_read_only(Path(path)):
        arguments[0], options["uri"] = f"{Path(path).absolute().as_uri()}?immutable=1", True


def _is_read_only(file: Path) -> bool:
    """Return True if neither the file nor its folder can be written, and its log is empty."""
    log = file.with_name(f"{file.name}-wal")
    if not file.exists() or (log.exists() and log.stat().st_size):
        return False
    effective = os.access in os.supports_effective_ids
    return not any(
        os.access(each, os.W_OK, effective_ids=effective) for each in (file, file.absolute().parent)
    )


def patience(url: URL) -> float:
    """Return the number of seconds to wait for a lock or for space.

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
    # Python's driver would begin and commit by itself; `_begin` begins instead.
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
    """Raise storage errors for errors of the database itself; other errors pass."""
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
    """Raise `MissingDatabase` if the URL of an engine has no database; create nothing."""
    file = engine.url.database if engine.url.get_backend_name() == "sqlite" else None
    if file and "uri" not in engine.url.query and not Path(file).exists():
        raise MissingDatabase(f"There is no database {shown(engine.url)}.")
    with translate_errors(engine), engine.connect() as connection:
        if _version(connection) is None:
            raise MissingDatabase(f"The database {shown(engine.url)} is empty.")


def check_file(file: Path) -> None:
    """Raise `UnreadableDatabase` if an SQLite file is damaged."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            ((found,),) = connection.execute("PRAGMA integrity_check(1)")
            orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        raise UnreadableDatabase(f"The copy {file} cannot be read: {error}.") from error
    if found != "ok" or orphan:
        raise UnreadableDatabase(f"The copy {file} is damaged: {orphan or found}.")


def migrate(engine: Engine) -> None:
    """Migrate the schema to the latest version; create it in an empty database.

    All migrations run in one transaction: killed in between, they leave the database unchanged.
    """
    with translate_errors(engine):
        with engine.connect() as connection:
            if _version(connection) == HEAD:
                return
        with engine.execution_options(immediate=True).begin() as connection:
            # Another process may have migrated while this one waited for the lock.
            if _version(connection) != HEAD:
                _upgrade(connection)


def _version(connection: Connection) -> str | None:
    """Return the version of the schema; None for an empty database."""
    tables = inspect(connection).get_table_names()
    url = shown(connection.engine.url)
    if not tables:
        return None
    if "alembic_version" not in tables:
        raise UnreadableDatabase(f"The database {url} belongs to another program.")
    version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    if tables != ["alembic_version"] and not re.fullmatch(r"\d{4}", str(version)):
        raise UnreadableDatabase(
            f"The database {url} is damaged: it has no schema version. Restore a backup."
        )
    if version is not None and str(version) > HEAD:
        raise NewerDatabase(
            f"The database {url} was written by a newer version of flong (schema {version}, "
            f"this one has {HEAD}). Update flong."
        )
    return None if version is None else str(version)


def _upgrade(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415 - half a second, and hardly ever needed
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
