"""Revisits: what a later crawl needs to know of the pages of a site."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, and_, bindparam, func, select, update

from flong.page import Link
from flong.states import GONE_OUTCOMES
from flong.storage import tables
from flong.storage.columns import UtcTime, from_row
from flong.storage.database import Connections, Repository
from flong.storage.dictionaries import Dictionaries
from flong.storage.errors import UnreadableDatabase
from flong.storage.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPage:
    """A stored page, as the next crawl sees it."""

    url: str
    """Canonical URL."""
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


class Revisits(Repository):
    """Reads what was stored before."""

    def __init__(self, database: Connections, dictionaries: Dictionaries) -> None:
        super().__init__(database)
        self._codec = dictionaries.codec

    def known_pages(self, site: Site) -> list[KnownPage]:
        """Return every page of a site that has content, by id.

        One whose content was found to be damaged has no validators and is taken for no article:
        it is to be asked for again.
        """
        pages, articles = tables.pages, tables.articles
        current = and_(pages.c.id == articles.c.page_id, articles.c.retired_at.is_(None))
        changed = func.coalesce(articles.c.changed_at, pages.c.changed_at, type_=UtcTime)
        query = (
            select(
                pages.c.url,
                pages.c.depth,
                pages.c.etag,
                pages.c.last_modified,
                pages.c.last_seen,
                changed.label("changed"),
                and_(articles.c.page_id.is_not(None), pages.c.content_hash.is_not(None)).label(
                    "is_article"
                ),
                articles.c.created_at,
                articles.c.published,
                pages.c.outcome,
            )
            .outerjoin_from(pages, articles, current)
            .where(pages.c.site_id == site.id, pages.c.html.is_not(None))
            .order_by(pages.c.id)
        )
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return [
            from_row(
                KnownPage,
                row,
                last_seen=row.last_seen or row.changed,
                changed_at=row.changed,
                settled_at=_settled(row),
                is_article=bool(row.is_article),
                is_gone=row.outcome in GONE_OUTCOMES,
            )
            for row in rows
        ]

    def known_links(self, site: Site) -> dict[str, list[str]]:
        """Return where the pages of a site lead, by their URLs.

        The same URL is the same string everywhere, so that there is room for a large site.
        """
        pages = tables.pages
        query = select(pages.c.url, pages.c.dictionary_id, pages.c.links)
        query = query.where(pages.c.site_id == site.id)
        one: dict[str, str] = {}
        known = {}
        with self.reading() as connection:
            for url, dictionary_id, links in connection.execute(query):
                if links is None:
                    continue
                with suppress(UnreadableDatabase):  # a page that is damaged leads nowhere
                    found = self._codec(connection, dictionary_id).unpack_urls(links)
                    known[url] = [one.setdefault(link, link) for link in found]
        return known

    def links_at(self, site: Site, url: str) -> tuple[Link, ...]:
        """Return the links of the page at a URL; none if it is not stored."""
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
                {"page": page_id, "depth": depths[url]}
                for page_id, url, depth in connection.execute(known)
                if depths.get(url, depth) != depth
            ]
            if rows:
                connection.execute(change, rows)


def _settled(row: Row[*tuple[Any, ...]]) -> datetime:
    changed: datetime = row.changed
    was_edited = row.created_at is None or row.created_at < changed
    return changed if was_edited or row.published is None else min(changed, row.published)
