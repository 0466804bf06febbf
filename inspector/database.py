"""Questions to the database, in SQL over the tables of `docs/database.md`; nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from storage import PageRow, Site, Store, UnknownSite

T = TypeVar("T")

PAGE_SITE = "SELECT s.name FROM pages p JOIN sites s ON s.id = p.site_id WHERE p.id = :number"


class NotThere(Exception):
    """What was asked for is not in the database; says so in a sentence."""


class Database:
    """A store that is only read: whoever tries to write gets an error from the database."""

    def __init__(self, store: Store) -> None:
        self.store = store
        engine = store.engine
        if engine.dialect.name == "sqlite":
            engine.dispose()  # connections that may write
            event.listen(engine, "connect", _only_read)
        else:
            store.engine = engine.execution_options(postgresql_readonly=True)

    def rows(self, kind: type[T], question: str, **values: object) -> list[T]:
        """Return what a question finds; its columns are named as the fields of `kind`."""
        return [kind(**row) for row in self._mappings(question, values)]

    def one(self, kind: type[T], question: str, what: str, **values: object) -> T:
        """Return the only row that a question finds, or raise that there is no such thing."""
        found = self.rows(kind, question, **values)
        if not found:
            raise NotThere(f"There is no {what} in the database.")
        return found[0]

    def number(self, question: str, **values: object) -> int:
        """Return the number that a question finds; 0 for nothing."""
        with self.store.reading() as connection:
            return int(connection.execute(text(question), values).scalar() or 0)

    def site(self, name: str) -> Site:
        """Return the site of this name."""
        try:
            return self.store.find_site(name)
        except UnknownSite as error:
            raise NotThere(str(error)) from error

    def page(self, number: int) -> tuple[Site, PageRow]:
        """Return a stored page with its document, and its site."""
        found = self.one(_Named, PAGE_SITE, f"page {number}", number=number)
        site = self.site(found.name)
        return site, self.pages(site, [number])[0]

    def pages(self, site: Site, numbers: Sequence[int]) -> list[PageRow]:
        """Return some pages of a site with their documents, in this order."""
        return list(self.store.page_rows(site, only=list(numbers)))

    def _mappings(self, question: str, values: Mapping[str, object]) -> list[dict[str, Any]]:
        with self.store.reading() as connection:
            found = connection.execute(text(question), dict(values))
            return [dict(row) for row in found.mappings()]


@dataclass(frozen=True, slots=True)
class _Named:
    name: str


def _only_read(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only = ON")
    cursor.close()
