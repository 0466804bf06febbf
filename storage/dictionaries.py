"""The compression dictionaries of the sites: made once there are pages, used from then on."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from flong.storage import tables
from flong.storage.columns import now
from flong.storage.compression import SAMPLES, Codec, train
from flong.storage.database import Connections, Repository, Values, batches
from flong.storage.errors import UnreadableDatabase
from flong.storage.sites import Site

FIRST_AT, GROWTH = 40, 4
"""A site gets a dictionary at so many stored pages, and a better one when it has grown so."""
CODECS_KEPT = 16
"""Dictionaries that are kept ready; each takes some megabytes."""


class Dictionaries(Repository):
    """Knows which dictionary packs a site's next page, and which one packed a stored page."""

    def __init__(self, database: Connections) -> None:
        super().__init__(database)
        self._codecs: dict[int | None, Codec] = {}

    def compact(self, site: Site) -> int:
        """Pack all pages of a site anew with a dictionary made of all of them.

        Returns how many bytes that saved: none if the site is too small. Worth it after the
        first crawl, whose first pages were stored without a dictionary, and after a redesign.
        """
        with self.writing() as connection:
            before = _stored_bytes(connection, site)
            if _count(connection, site) >= FIRST_AT:
                self._repack(connection, site, self._train(connection, site))
            return before - _stored_bytes(connection, site)

    def stored_bytes(self, site: Site) -> int:
        """Return the size of a site's pages and links as they are stored, with dictionaries."""
        with self.reading() as connection:
            return _stored_bytes(connection, site)

    def codec(self, connection: Connection, dictionary_id: int | None) -> Codec:
        """Return what packs and unpacks with this dictionary."""
        codec = self._codecs.get(dictionary_id)
        if codec is None:
            codec = Codec(b"") if dictionary_id is None else _load(connection, dictionary_id)
            if len(self._codecs) >= CODECS_KEPT:
                self._codecs.clear()
            self._codecs[dictionary_id] = codec
        return codec

    def of_pages(self, page_ids: Sequence[int]) -> dict[int, bytes]:
        """Return the dictionaries that some pages were packed with, by id."""
        used = select(tables.pages.c.dictionary_id).distinct()
        found: set[int | None] = set()
        with self.reading() as connection:
            for batch in batches(page_ids):
                found |= {*connection.execute(used.where(tables.pages.c.id.in_(batch))).scalars()}
            return {key: self.codec(connection, key).dictionary for key in found if key is not None}

    def current(self, connection: Connection, site: Site) -> int | None:
        """Return the id of the dictionary for new pages, None if there is none yet."""
        dictionaries = tables.dictionaries
        query = select(func.max(dictionaries.c.id)).where(dictionaries.c.site_id == site.id)
        return connection.execute(query).scalar()

    def train_if_due(self, connection: Connection, site: Site) -> None:
        """Make a dictionary if the site has grown enough since the last one."""
        dictionaries = tables.dictionaries
        before = select(func.max(dictionaries.c.pages)).where(dictionaries.c.site_id == site.id)
        due = (connection.execute(before).scalar() or 0) * GROWTH or FIRST_AT
        if _count(connection, site) >= due:
            self._train(connection, site)

    def _train(self, connection: Connection, site: Site) -> int:
        """Make a dictionary of pages spread evenly over the site; return its id."""
        page_ids = _page_ids(connection, site)
        step = max(1, len(page_ids) // SAMPLES)
        rows = _packed(connection, page_ids[::step][:SAMPLES])
        samples = []
        for page in rows:
            with suppress(UnreadableDatabase):  # a page that is damaged is of no use
                samples.append(self.codec(connection, page.dictionary_id).unpack(page.html))
        data = train(samples)
        added = insert(tables.dictionaries).returning(tables.dictionaries.c.id)
        row = {"site_id": site.id, "pages": _count(connection, site), "created_at": now()}
        row["data"] = Codec(b"").pack(data)
        return connection.execute(added, row).scalar_one()

    def _repack(self, connection: Connection, site: Site, dictionary_id: int) -> None:
        # Not through the cache: if this transaction fails, the id means nothing.
        new = _load(connection, dictionary_id)
        change = update(tables.pages).where(tables.pages.c.id == bindparam("page"))
        for page_ids in batches(_page_ids(connection, site)):
            changes: list[Values] = []
            for row in _packed(connection, page_ids):
                old = self.codec(connection, row.dictionary_id)
                try:
                    html, links = new.pack(old.unpack(row.html)), new.pack(old.unpack(row.links))
                except UnreadableDatabase:  # it stays as it is
                    continue
                blobs = {"dictionary_id": dictionary_id, "html": html, "links": links}
                changes.append({"page": row.id} | blobs)
            if changes:
                connection.execute(change, changes)
        drop_unused(connection, site)


def _stored_bytes(connection: Connection, site: Site) -> int:
    pages, dictionaries = tables.pages, tables.dictionaries
    size = 0
    for blob in (pages.c.html, pages.c.links, dictionaries.c.data):
        query = select(func.sum(func.length(blob))).where(blob.table.c.site_id == site.id)
        size += connection.execute(query).scalar() or 0
    return size


def _load(connection: Connection, dictionary_id: int) -> Codec:
    query = select(tables.dictionaries.c.data).where(tables.dictionaries.c.id == dictionary_id)
    return Codec(Codec(b"").unpack(connection.execute(query).scalar_one()))


def _count(connection: Connection, site: Site) -> int:
    """Return how many URLs of the site are stored, with content or not: an index knows."""
    query = select(func.count()).where(tables.pages.c.site_id == site.id)
    return connection.execute(query).scalar_one()


def _page_ids(connection: Connection, site: Site) -> Sequence[int]:
    """Return the page_ids of the site's pages that have content, in order."""
    pages = tables.pages
    query = select(pages.c.id).where(pages.c.site_id == site.id, pages.c.content_hash.is_not(None))
    return connection.execute(query.order_by(pages.c.id)).scalars().all()


def _packed(connection: Connection, page_ids: Sequence[int]) -> Sequence[Row[*tuple[Any, ...]]]:
    pages = tables.pages
    columns = (pages.c.id, pages.c.dictionary_id, pages.c.links, pages.c.html)
    return connection.execute(select(*columns).where(pages.c.id.in_(page_ids))).all()


def drop_unused(connection: Connection, site: Site) -> None:
    """Forget dictionaries that no page and no version needs."""
    dictionaries = tables.dictionaries
    unused = delete(dictionaries).where(dictionaries.c.site_id == site.id)
    for table in (tables.pages, tables.page_versions):
        used = select(table.c.dictionary_id).where(table.c.dictionary_id == dictionaries.c.id)
        unused = unused.where(~exists(used))
    connection.execute(unused)
