"""Copy of a database into another one, also of another kind, checked by digests.

Rows are copied as the drivers return them, with their ids. The search index differs between
databases, so it is rebuilt.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection, Engine, Table, func, select, text
from sqlalchemy.sql.expression import TableClause, column, table

from flong import features
from flong.progress import Meter, Progress, unwatched
from flong.storage import tables
from flong.storage.database import batches
from flong.storage.engine import shown, translate_errors
from flong.storage.errors import DifferentCopy, OccupiedDatabase
from flong.storage.store import Store

ROWS_AT_ONCE = 200
"""Maximum number of rows in memory; pages are large."""
MADE_ANEW = frozenset({"search_documents", "search_version", "stories"})
"""Tables of the search index."""
OF_PROCESSES = frozenset({"locks"})
"""Tables about processes that use the source; the copy has none."""

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedTable:
    """A copied table."""

    name: str
    """Name of the table."""
    rows: int
    """Number of rows."""
    digest: str
    """Digest of all values of all rows, in any order: the same in both databases."""


def copy_database(source: Store, target: Store, tell: Progress = unwatched) -> list[CopiedTable]:
    """Copy all tables, and return them. After an error the target is unchanged.

    `OccupiedDatabase` if the target has rows. Other processes may use the source meanwhile: the
    copy is one state of it.
    """
    copied_tables = [
        each for each in tables.metadata.sorted_tables if each.name not in MADE_ANEW | OF_PROCESSES
    ]
    with (
        translate_errors(source.engine),
        _snapshot(source.engine) as reading,
        target.writing() as writing,
    ):
        _refuse_occupied(writing, copied_tables)
        done = [_copy_table(reading, writing, each, tell) for each in copied_tables]
        _renumber(writing, copied_tables)
    tell("indexes", 0, 0)
    for rebuild in features.load(features.AFTER_COPY):
        rebuild(target)
    return done


def _snapshot(engine: Engine) -> Connection:
    """Return a connection that sees one state of the database until it is closed."""
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    return engine.connect()


def _refuse_occupied(connection: Connection, copied: Iterable[Table[Any]]) -> None:
    for each in copied:
        if connection.execute(select(text("1")).select_from(each).limit(1)).first():
            raise OccupiedDatabase(
                f"There are {each.name} in the database {shown(connection.engine.url)}: "
                "copy into a new one."
            )


def _copy_table(
    reading: Connection, writing: Connection, copied: Table[Any], tell: Progress
) -> CopiedTable:
    raw = _raw(copied)
    total = reading.execute(select(func.count()).select_from(raw)).scalar_one()
    read, meter = _Digest(copied.name), Meter(tell, copied.name, total)
    write = _write_by_copy if writing.dialect.name == "postgresql" else _write_by_insert
    write(writing, raw, read.of(_rows(reading, raw), meter))
    written = _Digest(copied.name)
    for _ in written.of(_rows(writing, raw)):
        pass
    if written.result() != read.result():
        raise DifferentCopy(
            f"The table {copied.name} of the copy differs from its source: nothing was written."
        )
    return written.result()


def _raw(copied: Table[Any]) -> TableClause:
    """Return a table whose values are those of the driver."""
    return table(copied.name, *(column(name) for name in copied.c.keys()))  # noqa: SIM118 - no dict


def _rows(connection: Connection, raw: TableClause) -> Iterator[Values]:
    options = {"stream_results": True, "yield_per": ROWS_AT_ONCE}
    for row in connection.execute(select(raw), execution_options=options):
        yield tuple(row)


def _write_by_copy(connection: Connection, raw: TableClause, rows: Iterable[Values]) -> None:
    """Write rows with PostgreSQL's COPY."""
    names = ", ".join(f'"{each.name}"' for each in raw.c)
    driver: Any = connection.connection.driver_connection
    with driver.cursor().copy(f'COPY "{raw.name}" ({names}) FROM STDIN') as copying:
        for row in rows:
            copying.write_row(row)


def _write_by_insert(connection: Connection, raw: TableClause, rows: Iterable[Values]) -> None:
    names = ", ".join(f'"{each.name}"' for each in raw.c)
    places = ", ".join("?" * len(raw.c))
    insertion = f'INSERT INTO "{raw.name}" ({names}) VALUES ({places})'  # noqa: S608 - our names
    for batch in batches(rows, ROWS_AT_ONCE):
        connection.exec_driver_sql(insertion, list(batch))


def _renumber(connection: Connection, copied: Iterable[Table[Any]]) -> None:
    """Continue PostgreSQL's ids after the copied ones; SQLite does so by itself."""
    if connection.dialect.name != "postgresql":
        return
    for each in copied:
        if "id" in each.c:
            latest = f"SELECT max(id) FROM {each.name}"  # noqa: S608 - our own names
            sequence = f"pg_get_serial_sequence('{each.name}', 'id')"
            connection.exec_driver_sql(
                f"SELECT setval({sequence}, ({latest})) WHERE ({latest}) > 0"
            )


class _Digest:
    """Counts rows and adds up their digests, so that their order does not matter."""

    def __init__(self, name: str) -> None:
        self._name, self._rows, self._sum = name, 0, 0

    def of(self, rows: Iterable[Values], meter: Meter | None = None) -> Iterator[Values]:
        """Yield the rows, and add them."""
        for row in rows:
            self._rows += 1
            said = blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=16).digest()
            self._sum += int.from_bytes(said)
            if meter:
                meter.advance()
            yield row

    def result(self) -> CopiedTable:
        """Return the count and the digest."""
        return CopiedTable(
            name=self._name, rows=self._rows, digest=f"{self._sum % (1 << 128):032x}"
        )
