"""Clippings: saved searches."""

from collections.abc import Sequence

from sqlalchemy import delete, select

from flong.program import program
from flong.storage import tables
from flong.storage.columns import now, to_row
from flong.storage.database import Repository, upsert
from flong.storage.errors import UnknownClipping
from flong.storage.tables import Clipping


class Clippings(Repository):
    """Writes and reads clippings."""

    def save(self, name: str, query: str, sites: Sequence[str] = ()) -> Clipping:
        """Save a search under a name, in place of an earlier one of that name."""
        clipping = Clipping(name=name, query=query, sites=tuple(sites), created_at=now())
        with self.writing() as connection:
            upsert(connection, tables.clippings, [to_row(clipping)], key=("name",))
        return clipping

    def all(self) -> list[Clipping]:
        """Return all clippings, by name."""
        return self._read(Clipping, select(tables.clippings).order_by(tables.clippings.c.name))

    def find(self, name: str) -> Clipping:
        """Return the clipping of this name, or raise `UnknownClipping`."""
        query = select(tables.clippings).where(tables.clippings.c.name == name)
        found = self._first(Clipping, query)
        if found is None:
            raise UnknownClipping(
                f"There is no clipping {name!r}. List them with {program()} clippings."
            )
        return found

    def remove(self, name: str) -> None:
        """Delete the clipping of this name, or raise `UnknownClipping`."""
        clipping = self.find(name)
        with self.writing() as connection:
            these = delete(tables.clippings).where(tables.clippings.c.name == clipping.name)
            connection.execute(these)
