"""Stored documents: zstd compression with a dictionary per site, disk use and pruning."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from flong.packing import Unpacker, zstd
from flong.page import Link
from flong.states import GONE_OUTCOMES, KeepReason, Outcome
from flong.storage import tables
from flong.storage.columns import clean_bytes, clean_text, now
from flong.storage.database import Connections, Repository, Values, batches
from flong.storage.errors import UnreadableDatabase
from flong.storage.tables import Run, Site

LEVEL = 3
DICTIONARY_SIZE = 512_000
DICTIONARY_PAGES = 16
SMALLEST = 64
"""Minimum number of bytes of a page in a dictionary."""
SAMPLES = 40
"""Number of pages from which those of a dictionary are chosen."""
FIRST_AT = 40
"""Number of stored pages at which a site gets its first dictionary."""
GROWTH = 4
"""Factor of growth after which a site gets a new dictionary."""
CODECS_KEPT = 16
"""Maximum number of cached dictionaries; each takes a few megabytes."""
EMPTY = {"size": 0, "encoding": ""} | dict.fromkeys(
    "content_hash dictionary_id etag last_modified links html".split()
)
"""Columns of a page whose document was deleted; its URL and outcome stay."""
SIZES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    "postgresql": "SELECT pg_database_size(current_database())",
}
"""Query for the size of each kind of database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskUse:
    """Compressed size of a site's documents, and how much of it can be freed."""

    pages: int
    """Number of pages with a document."""
    page_bytes: int
    """Size of these documents."""
    versions: int
    """Number of earlier versions of pages."""
    version_bytes: int
    """Size of these versions."""
    old_versions: int
    """Number of old versions that no article came from."""
    gone_pages: int
    """Number of pages that have been gone for long and that no article came from."""
    freed_bytes: int
    """Size of the documents of both."""


class Codec(Unpacker):
    r"""Compresses and decompresses with one dictionary, or without.

    >>> codec = Codec(b"")
    >>> codec.unpack_html(codec.pack(b"<p>caf\xc3\xa9"))
    '<p>café'
    """

    damaged = UnreadableDatabase

    def __init__(self, dictionary: bytes) -> None:
        super().__init__(dictionary)
        self._compressor = zstd.ZstdCompressor(level=LEVEL, zstd_dict=self._dictionary)

    def pack(self, data: bytes) -> bytes:
        """Return the compressed data."""
        return self._compressor.compress(data, zstd.ZstdCompressor.FLUSH_FRAME)

    def pack_links(self, links: Sequence[Link]) -> bytes:
        """Return links as compressed JSON: `[[URL, text], ...]`."""
        text = _json([[link.url, link.text] for link in links])
        if "\\u0000" in text:
            text = _json([[clean_text(link.url), clean_text(link.text)] for link in links])
        return self.pack(clean_bytes(text))


class Documents(Repository):
    """Compresses documents, and deletes those that are not needed; articles are never deleted."""

    def __init__(self, database: Connections) -> None:
        super().__init__(database)
        self._codecs: dict[int | None, Codec] = {}

    def compact(self, site: Site) -> int:
        """Compress all pages of a site again with a dictionary trained on all of them.

        Return the number of bytes saved; 0 if the site is too small. Useful after the first crawl,
        whose first pages have no dictionary, and after a redesign.
        """
        with self.writing() as connection:
            before = _stored_bytes(connection, site)
            if _count(connection, site) >= FIRST_AT:
                self._repack(connection, site, self._train(connection, site))
            return before - _stored_bytes(connection, site)

    def stored_bytes(self, site: Site) -> int:
        """Return the compressed size of a site's pages, links and dictionaries."""
        with self.reading() as connection:
            return _stored_bytes(connection, site)

    def codec(self, connection: Connection, dictionary_id: int | None) -> Codec:
        """Return the codec of a dictionary."""
        codec = self._codecs.get(dictionary_id)
        if codec is None:
            codec = Codec(b"") if dictionary_id is None else _load(connection, dictionary_id)
            if len(self._codecs) >= CODECS_KEPT:
                self._codecs.clear()
            self._codecs[dictionary_id] = codec
        return codec

    def dictionaries(self, page_ids: Sequence[int]) -> dict[int, bytes]:
        """Return the dictionaries of these pages, by id."""
        used = select(tables.pages.c.dictionary_id).distinct()
        found: set[int | None] = set()
        with self.reading() as connection:
            for batch in batches(page_ids):
                found |= {*connection.execute(used.where(tables.pages.c.id.in_(batch))).scalars()}
            return {key: self.codec(connection, key).dictionary for key in found if key is not None}

    def current(self, connection: Connection, site: Site) -> int | None:
        """Return the id of the dictionary for new pages; None before the first one."""
        dictionaries = tables.dictionaries
        query = select(func.max(dictionaries.c.id)).where(dictionaries.c.site_id == site.id)
        return connection.execute(query).scalar()

    def train_if_due(self, connection: Connection, site: Site) -> None:
        """Train a dictionary if the site has grown enough since the last one."""
        dictionaries = tables.dictionaries
        before = select(func.max(dictionaries.c.pages)).where(dictionaries.c.site_id == site.id)
        due = (connection.execute(before).scalar() or 0) * GROWTH or FIRST_AT
        if _count(connection, site) >= due:
            self._train(connection, site)

    def _train(self, connection: Connection, site: Site) -> int:
        """Train a dictionary on pages spread evenly over the site; return its id."""
        page_ids = _page_ids(connection, site)
        step = max(1, len(page_ids) // SAMPLES)
        rows = _packed(connection, page_ids[::step][:SAMPLES])
        samples = []
        for page in rows:
            with suppress(UnreadableDatabase):  # skip a damaged page
                samples.append(self.codec(connection, page.dictionary_id).unpack(page.html))
        data = train(samples)
        added = insert(tables.dictionaries).returning(tables.dictionaries.c.id)
        row = {"site_id": site.id, "pages": _count(connection, site), "created_at": now()}
        row["data"] = Codec(b"").pack(data)
        return connection.execute(added, row).scalar_one()

    def _repack(self, connection: Connection, site: Site, dictionary_id: int) -> None:
        # Not through the cache: after a rollback the id is invalid.
        new = _load(connection, dictionary_id)
        change = update(tables.pages).where(tables.pages.c.id == bindparam("page"))
        for page_ids in batches(_page_ids(connection, site)):
            changes: list[Values] = []
            for row in _packed(connection, page_ids):
                old = self.codec(connection, row.dictionary_id)
                try:
                    html, links = new.pack(old.unpack(row.html)), new.pack(old.unpack(row.links))
                except UnreadableDatabase:  # leave a damaged page unchanged
                    continue
                blobs = {"dictionary_id": dictionary_id, "html": html, "links": links}
                changes.append({"page": row.id} | blobs)
            if changes:
                connection.execute(change, changes)
        _drop_unused(connection, site)

    def database_bytes(self) -> int:
        """Return the size of the whole database on disk."""
        with self.reading() as connection:
            query = SIZES[connection.dialect.name]
            return int(connection.exec_driver_sql(query).scalar_one())

    def disk_use(self, site: Site, before: datetime) -> DiskUse:
        """Return the size of a site's documents, and how much `prune` would delete."""
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
        """Delete old versions, and documents of gone pages, last seen before a time.

        The document of an article stays, also if the article is retired.
        """
        pages, versions = tables.pages, tables.page_versions
        with self.writing() as connection:
            for batch in batches(_ids(connection, _old_versions(site, before))):
                connection.execute(delete(versions).where(versions.c.id.in_(batch)))
            for batch in batches(_ids(connection, _gone_pages(site, before))):
                connection.execute(update(pages).where(pages.c.id.in_(batch)).values(EMPTY))
            _drop_unused(connection, site)

    def drop_idle_versions(self, site: Site, run: Run) -> None:
        """Delete the last version of pages whose article is the same after a change.

        Listings, and boxes beside an article, change every night. A version is kept if the article
        changed with the page or is no longer shown, and if the article came from it.
        """
        pages, articles, versions = tables.pages, tables.articles, tables.page_versions
        matches = tables.matches
        changed = (
            select(pages.c.id)
            .outerjoin_from(pages, articles, pages.c.id == articles.c.page_id)
            .outerjoin(matches, pages.c.id == matches.c.page_id)
            .where(pages.c.site_id == site.id, pages.c.run_id == run.id)
            .where(pages.c.outcome == Outcome.CHANGED)
            .where(func.coalesce(matches.c.kept, KeepReason.NONE) == KeepReason.NONE)
            .where(func.coalesce(articles.c.changed_at, "") < pages.c.changed_at)
        )
        latest = select(func.max(versions.c.id)).where(versions.c.page_id.in_(changed))
        old = latest.where(versions.c.seen_until < run.started_at).group_by(versions.c.page_id)
        idle = select(versions.c.id).where(versions.c.id.in_(old), ~_gave_article())
        with self.writing() as connection:
            page_ids = connection.execute(idle).scalars().all()
            for batch in batches(page_ids):
                connection.execute(delete(versions).where(versions.c.id.in_(batch)))


def _json(rows: list[list[str]]) -> str:
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def train(samples: Sequence[bytes]) -> bytes:
    """Return a dictionary for pages like these; empty if they are too few or too small.

    It is made of whole pages. The first has a medium size; each further one is the page that those
    chosen so far compress worst. Compared with zstd's own training, which cuts templates to pieces,
    pages become a third smaller, in a seventh of the time.
    """
    large = [sample[: DICTIONARY_SIZE // 2] for sample in samples if len(sample) >= SMALLEST]
    left = sorted(large, key=len)
    chosen = [left.pop(len(left) // 2)] if left else []
    while left and len(chosen) < DICTIONARY_PAGES:
        room = DICTIONARY_SIZE - sum(map(len, chosen))
        packer = zstd.ZstdCompressor(level=1, zstd_dict=zstd.ZstdDict(_joined(chosen), is_raw=True))
        sizes = [
            len(packer.compress(page, zstd.ZstdCompressor.FLUSH_FRAME)) if len(page) <= room else 0
            for page in left
        ]
        worst = max(range(len(left)), key=sizes.__getitem__)
        if not sizes[worst]:
            break
        chosen.append(left.pop(worst))
    try:
        raw = zstd.ZstdDict(_joined(chosen), is_raw=True)
        return zstd.finalize_dict(raw, samples, DICTIONARY_SIZE + 4096, LEVEL).dict_content
    except (ValueError, zstd.ZstdError):
        return b""


def _joined(pages: Sequence[bytes]) -> bytes:
    # The end of a dictionary is reached with the shortest references.
    return b"".join(reversed(pages))


def content_hash(data: bytes) -> str:
    """Return the hash of a document.

    >>> content_hash(b"news")
    '19fba0e995b9794fc2c26217bf3b725c'
    """
    return sha256(data, usedforsecurity=False).hexdigest()[:32]


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
    """Return the number of URLs of a site, with content or not, from an index."""
    query = select(func.count()).where(tables.pages.c.site_id == site.id)
    return connection.execute(query).scalar_one()


def _page_ids(connection: Connection, site: Site) -> Sequence[int]:
    """Return the ids of a site's pages with content, in order."""
    pages = tables.pages
    query = select(pages.c.id).where(pages.c.site_id == site.id, pages.c.content_hash.is_not(None))
    return connection.execute(query.order_by(pages.c.id)).scalars().all()


def _packed(connection: Connection, page_ids: Sequence[int]) -> Sequence[Row[*tuple[Any, ...]]]:
    pages = tables.pages
    columns = (pages.c.id, pages.c.dictionary_id, pages.c.links, pages.c.html)
    return connection.execute(select(*columns).where(pages.c.id.in_(page_ids))).all()


def _drop_unused(connection: Connection, site: Site) -> None:
    """Delete dictionaries that no page and no version uses."""
    dictionaries = tables.dictionaries
    unused = delete(dictionaries).where(dictionaries.c.site_id == site.id)
    for table in (tables.pages, tables.page_versions):
        used = select(table.c.dictionary_id).where(table.c.dictionary_id == dictionaries.c.id)
        unused = unused.where(~exists(used))
    connection.execute(unused)


def _sum(
    connection: Connection, size: ColumnElement[int], *where: ColumnElement[bool]
) -> tuple[int, int]:
    """Return the number of rows and their total size."""
    query = select(func.count(), func.coalesce(func.sum(size), 0)).where(*where)
    row: Row[*tuple[Any, ...]] = connection.execute(query).one()
    return int(row[0]), int(row[1])


def _ids(connection: Connection, query: Select[int]) -> Sequence[int]:
    return connection.execute(query).scalars().all()


def _old_versions(site: Site, before: datetime) -> Select[int]:
    pages, versions = tables.pages, tables.page_versions
    query = select(versions.c.id).join_from(versions, pages, versions.c.page_id == pages.c.id)
    return query.where(pages.c.site_id == site.id, versions.c.seen_until < before, ~_gave_article())


def _gave_article() -> ColumnElement[bool]:
    """Return the condition that a page's article came from a version."""
    versions, articles = tables.page_versions, tables.articles
    return exists().where(
        articles.c.page_id == versions.c.page_id, articles.c.content_hash == versions.c.content_hash
    )


def _gone_pages(site: Site, before: datetime) -> Select[int]:
    pages, articles = tables.pages, tables.articles
    article = select(articles.c.page_id).where(articles.c.page_id == pages.c.id)
    query = select(pages.c.id).where(pages.c.site_id == site.id, pages.c.html.is_not(None))
    return query.where(
        pages.c.outcome.in_(GONE_OUTCOMES), pages.c.last_seen < before, ~article.exists()
    )
