"""Pruning: documents that no article came from and that nothing will ask for again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, select, update

from flong.states import GONE_OUTCOMES
from flong.storage import tables
from flong.storage.database import Repository, batches
from flong.storage.dictionaries import drop_unused
from flong.storage.sites import Site

EMPTY = {"size": 0, "encoding": ""} | dict.fromkeys(
    "content_hash dictionary_id etag last_modified links html".split()
)
"""What a page has whose document is dropped: its URL and what became of it stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskUse:
    """What the documents of a site take on the disk, compressed, and what of it can be freed."""

    pages: int
    """Pages that have a document."""
    page_bytes: int
    """What these documents take."""
    versions: int
    """Earlier versions of pages."""
    version_bytes: int
    """What these take."""
    old_versions: int
    """Versions that are old and that no article came from."""
    gone_pages: int
    """Pages that are gone for long and that no article came from."""
    freed_bytes: int
    """What these two take."""


SIZES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    "postgresql": "SELECT pg_database_size(current_database())",
}
"""What asks each kind of database how large it is."""


class Pruning(Repository):
    """Finds and drops documents that nothing needs. An article is never touched."""

    def database_bytes(self) -> int:
        """Return what the whole database takes on the disk."""
        with self.reading() as connection:
            query = SIZES[connection.dialect.name]
            return int(connection.exec_driver_sql(query).scalar_one())

    def disk_use(self, site: Site, before: datetime) -> DiskUse:
        """Return what a site takes, and what `prune` would drop."""
        pages, versions = tables.pages, tables.page_versions
        own = pages.c.site_id == site.id
        theirs = select(pages.c.id).where(own)
        page_bytes = func.length(pages.c.html) + func.length(pages.c.links)
        version_bytes = func.length(versions.c.html) + func.coalesce(
            func.length(versions.c.links), 0
        )
        with self.reading() as connection:
            documents = _sum(connection, page_bytes, own, pages.c.content_hash.is_not(None))
            earlier = _sum(connection, version_bytes, versions.c.page_id.in_(theirs))
            old = _sum(connection, version_bytes, versions.c.id.in_(_old_versions(site, before)))
            gone = _sum(connection, page_bytes, pages.c.id.in_(_gone_pages(site, before)))
        return DiskUse(
            pages=documents[0],
            page_bytes=documents[1],
            versions=earlier[0],
            version_bytes=earlier[1],
            old_versions=old[0],
            gone_pages=gone[0],
            freed_bytes=old[1] + gone[1],
        )

    def prune(self, site: Site, before: datetime) -> None:
        """Drop what was last seen before a time: old versions, and documents of pages gone since.

        The document that an article came from stays, also of an article that is retired.
        """
        pages, versions = tables.pages, tables.page_versions
        with self.writing() as connection:
            for batch in batches(_ids(connection, _old_versions(site, before))):
                connection.execute(delete(versions).where(versions.c.id.in_(batch)))
            for batch in batches(_ids(connection, _gone_pages(site, before))):
                connection.execute(update(pages).where(pages.c.id.in_(batch)).values(EMPTY))
            drop_unused(connection, site)


def _sum(
    connection: Connection, size: ColumnElement[int], *where: ColumnElement[bool]
) -> tuple[int, int]:
    """Return how many rows there are, and their size."""
    query = select(func.count(), func.coalesce(func.sum(size), 0)).where(*where)
    row: Row[*tuple[Any, ...]] = connection.execute(query).one()
    return int(row[0]), int(row[1])


def _ids(connection: Connection, query: Select[int]) -> Sequence[int]:
    return connection.execute(query).scalars().all()


def _old_versions(site: Site, before: datetime) -> Select[int]:
    pages, versions, articles = tables.pages, tables.page_versions, tables.articles
    source = select(articles.c.page_id).where(
        articles.c.page_id == versions.c.page_id, articles.c.content_hash == versions.c.content_hash
    )
    query = select(versions.c.id).join_from(versions, pages, versions.c.page_id == pages.c.id)
    return query.where(pages.c.site_id == site.id, versions.c.seen_until < before).where(
        ~source.exists()
    )


def _gone_pages(site: Site, before: datetime) -> Select[int]:
    pages, articles = tables.pages, tables.articles
    article = select(articles.c.page_id).where(articles.c.page_id == pages.c.id)
    query = select(pages.c.id).where(pages.c.site_id == site.id, pages.c.html.is_not(None))
    return query.where(
        pages.c.outcome.in_(GONE_OUTCOMES), pages.c.last_seen < before, ~article.exists()
    )
