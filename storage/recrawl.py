"""What a later crawl needs to know of the pages of a site, and what undoes a bad one."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, select, update

from items import Link
from storage import tables
from storage.columns import UtcTime
from storage.database import batches
from storage.dictionaries import DictionaryStore
from storage.errors import UnreadableDatabase
from storage.runs import Run
from storage.settling import KEPT
from storage.sites import Site

RESTORED = "content_hash size dictionary_id encoding etag last_modified links html".split()
"""Columns that a page and its earlier versions have in common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPage:
    """A stored page, as the next crawl sees it."""

    url: str
    """Canonical address."""
    depth: int
    """Number of links from the home page when last seen."""
    etag: str | None
    """For `If-None-Match`; None if the server sent none."""
    last_modified: str | None
    """For `If-Modified-Since`; None if the server sent none."""
    last_seen: datetime
    """When it was last received, or said to be as before."""
    changed_at: datetime
    """When what it says last changed: the article, or else the document."""
    settled_at: datetime
    """Since when it can be said to be as it is: an article never seen to change, since it came
    out, which may be long before it was first received."""
    is_article: bool
    """Whether an article was found there."""
    is_gone: bool
    """Whether it was no longer there when last asked for."""


class RecrawlStore(DictionaryStore):
    """Reads what was stored before, and puts it back."""

    def known_pages(self, site: Site) -> list[KnownPage]:
        """Return every page of a site that has content, by number."""
        pages, articles = tables.pages, tables.articles
        changed = func.coalesce(articles.c.changed_at, pages.c.changed_at, type_=UtcTime)
        query = (
            select(
                pages.c.url,
                pages.c.depth,
                pages.c.etag,
                pages.c.last_modified,
                pages.c.last_seen,
                changed.label("changed"),
                articles.c.page_id.is_not(None).label("is_article"),
                articles.c.created_at,
                articles.c.published,
                pages.c.outcome,
            )
            .outerjoin_from(pages, articles, pages.c.id == articles.c.page_id)
            .where(pages.c.site_id == site.id, pages.c.content_hash.is_not(None))
            .order_by(pages.c.id)
        )
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return [
            KnownPage(
                url=row.url,
                depth=row.depth,
                etag=row.etag,
                last_modified=row.last_modified,
                last_seen=row.last_seen or row.changed,
                changed_at=row.changed,
                settled_at=_settled(row),
                is_article=bool(row.is_article),
                is_gone=row.outcome == "gone",
            )
            for row in rows
        ]

    def urls_in(self, run: Run) -> list[str]:
        """Return the addresses of the pages that a run has met, new or as they were."""
        pages = tables.pages
        query = select(pages.c.url).where(
            pages.c.site_id == run.site_id,
            pages.c.run_id == run.id,
            pages.c.outcome.in_(("new", "changed", "unchanged")),
        )
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def known_links(self, site: Site) -> dict[str, list[str]]:
        """Return where the pages of a site lead, by their addresses.

        The same address is the same string everywhere, so that there is room for a large site.
        """
        pages = tables.pages
        query = select(pages.c.url, pages.c.dictionary_id, pages.c.links)
        query = query.where(pages.c.site_id == site.id)
        one: dict[str, str] = {}
        known = {}
        with self.reading() as connection:
            for url, number, links in connection.execute(query):
                if links is None:
                    continue
                with suppress(UnreadableDatabase):  # a page that is damaged leads nowhere
                    found = self._codec(connection, number).unpack_addresses(links)
                    known[url] = [one.setdefault(link, link) for link in found]
        return known

    def links_at(self, site: Site, url: str) -> tuple[Link, ...]:
        """Return the links of the page at an address; none if it is not stored."""
        pages = tables.pages
        query = select(pages.c.dictionary_id, pages.c.links)
        query = query.where(pages.c.site_id == site.id, pages.c.url == url)
        with self.reading() as connection:
            row = connection.execute(query).first()
            if row is None or row.links is None:
                return ()
            return self._codec(connection, row.dictionary_id).unpack_links(row.links)

    def save_depths(self, site: Site, depths: Mapping[str, int]) -> None:
        """Note how far pages are from the home page, where that is not known so yet.

        A page may have been stored before the shortest way to it was found.
        """
        pages = tables.pages
        known = select(pages.c.id, pages.c.url, pages.c.depth).where(pages.c.site_id == site.id)
        change = update(pages).where(pages.c.id == bindparam("page"))
        with self.writing() as connection:
            rows = [
                {"page": number, "depth": depths[url]}
                for number, url, depth in connection.execute(known)
                if depths.get(url, depth) != depth
            ]
            if rows:
                connection.execute(change, rows)

    def reject_pages(self, site: Site, run: Run, numbers: Sequence[int], error: str) -> None:
        """Undo what a run stored of some pages, and note why: they failed.

        A page that had other content gets it back, with its validators and links; one that
        was new keeps its address only.
        """
        changed = {"run_id": run.id, "outcome": "failed", "error": error}
        with self.writing() as connection:
            for number in numbers:
                found = _restored(connection, number)
                these = update(tables.pages).where(
                    tables.pages.c.id == number, tables.pages.c.site_id == site.id
                )
                connection.execute(these.values({**found, **changed}))

    def drop_idle_versions(self, site: Site, run: Run) -> None:
        """Forget what pages were before if the change did not touch an article.

        Of the pages that the run found changed those keep their last version whose article
        changed with them, or is no longer shown; boxes beside an article and listings change
        every night.
        """
        pages, articles, versions = tables.pages, tables.articles, tables.page_versions
        matches = tables.matches
        changed = (
            select(pages.c.id)
            .outerjoin_from(pages, articles, pages.c.id == articles.c.page_id)
            .outerjoin(matches, pages.c.id == matches.c.page_id)
            .where(pages.c.site_id == site.id, pages.c.run_id == run.id)
            .where(pages.c.outcome == "changed")
            .where(~func.coalesce(matches.c.reason, "").startswith(KEPT))
            .where(func.coalesce(articles.c.changed_at, "") < pages.c.changed_at)
        )
        latest = select(func.max(versions.c.id)).where(versions.c.page_id.in_(changed))
        old = latest.where(versions.c.seen_until < run.started_at).group_by(versions.c.page_id)
        with self.writing() as connection:
            numbers = connection.execute(old).scalars().all()
            for batch in batches(numbers):
                connection.execute(delete(versions).where(versions.c.id.in_(batch)))


def _settled(row: Row[*tuple[Any, ...]]) -> datetime:
    changed: datetime = row.changed
    was_edited = row.created_at is None or row.created_at < changed
    return changed if was_edited or row.published is None else min(changed, row.published)


def _restored(connection: Connection, number: int) -> dict[str, Any]:
    """Return the columns that bring back a page's last version, which is then no longer one."""
    versions = tables.page_versions
    query = select(versions).where(versions.c.page_id == number).order_by(versions.c.id.desc())
    row = connection.execute(query.limit(1)).first()
    if row is None:
        empty = dict.fromkeys(RESTORED) | {"size": 0, "encoding": ""}
        return empty | {"last_seen": None, "changed_at": None}
    connection.execute(delete(versions).where(versions.c.id == row.id))
    found = {name: getattr(row, name) for name in RESTORED}
    found |= {"last_seen": row.seen_until, "changed_at": row.seen_from}
    # Versions of databases of earlier days hold nothing but the document.
    late = ("encoding", "links")
    return {name: value for name, value in found.items() if value is not None or name not in late}
