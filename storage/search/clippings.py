"""Clippings: searches that are kept, and what is new in them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row, delete, select

from flong.program import program
from flong.storage import tables
from flong.storage.columns import from_row, now, to_row
from flong.storage.database import Repository, upsert
from flong.storage.errors import UnknownClipping


@dataclass(frozen=True, slots=True, kw_only=True)
class Clipping:
    """A search that is kept."""

    name: str
    """By which it is asked for."""
    query: str
    """As it was typed; days such as `since:7d` count from when it is asked."""
    sites: tuple[str, ...] = ()
    """Names of the sites that are searched; empty for all."""
    created_at: datetime
    """When it was last defined."""


class Clippings(Repository):
    """Writes and reads clippings."""

    def save(self, name: str, query: str, sites: Sequence[str] = ()) -> Clipping:
        """Keep a search under a name; one of the same name is replaced."""
        clipping = Clipping(name=name, query=query, sites=tuple(sites), created_at=now())
        row = to_row(clipping) | {"sites": json.dumps(clipping.sites)}
        with self.writing() as connection:
            upsert(connection, tables.clippings, [row], key=("name",))
        return clipping

    def all(self) -> list[Clipping]:
        """Return all clippings, by name."""
        with self.reading() as connection:
            query = select(tables.clippings).order_by(tables.clippings.c.name)
            return [_clipping(row) for row in connection.execute(query)]

    def find(self, name: str) -> Clipping:
        """Return the clipping of this name, or raise `UnknownClipping`."""
        query = select(tables.clippings).where(tables.clippings.c.name == name)
        with self.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise UnknownClipping(
                f"There is no clipping {name!r}: {program()} clippings lists them."
            )
        return _clipping(row)

    def remove(self, name: str) -> None:
        """Forget the clipping of this name, or raise `UnknownClipping`."""
        clipping = self.find(name)
        with self.writing() as connection:
            these = delete(tables.clippings).where(tables.clippings.c.name == clipping.name)
            connection.execute(these)


def _clipping(row: Row[str, str, str, datetime]) -> Clipping:
    return from_row(Clipping, row, sites=tuple(json.loads(row.sites)))
