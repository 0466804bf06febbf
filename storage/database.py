"""What every subject of the store stands on: transactions, batches, upserts."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.dialects import postgresql, sqlite

from storage.engine import told_in_a_sentence

T = TypeVar("T")

BATCH = 500
"""Rows that one statement names at most; older SQLite versions take 999 values."""

Values = Mapping[str, Any]
"""A row on its way into a table, by column name; it never leaves this package."""


class Database:
    """An engine, and the two ways to use it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._writer = engine.execution_options(immediate=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the database."""
        with told_in_a_sentence(self.engine), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection whose work is kept wholly or, if anything fails, not at all."""
        with told_in_a_sentence(self.engine), self._writer.begin() as connection:
            yield connection


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
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table)
    updates = {name: statement.excluded[name] for name in rows[0] if name not in (*key, *keep)}
    connection.execute(
        statement.on_conflict_do_update(index_elements=list(key), set_=updates),
        list(rows),
    )
