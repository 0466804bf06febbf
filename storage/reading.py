"""Pages on their way out: streamed, unpacked when asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal, TypeVarTuple

from sqlalchemy import Connection, Row, Select, func, or_, select

from items import Link, Page
from storage import tables
from storage.compression import Codec
from storage.database import batches
from storage.dictionaries import DictionaryStore
from storage.errors import UnknownPage
from storage.runs import Run
from storage.sites import Site

Ts = TypeVarTuple("Ts")

READ_AT_ONCE = 100
"""Pages that are in memory, packed, while a site is streamed."""


@dataclass(frozen=True, slots=True)
class _Packed:
    """The compressed document and links, and what unpacks them."""

    codec: Codec
    html: bytes
    links: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRow:
    """A page as it is stored."""

    id: int
    """Its number in the database."""
    site_id: int
    """The site it belongs to."""
    url: str
    """Canonical address."""
    depth: int
    """Number of links from the home page when last seen."""
    outcome: str
    """What the last run found: `new`, `changed`, `unchanged`, `failed` or `gone`."""
    run_id: int | None
    """The run that found that; None if it was forgotten."""
    status: int
    """HTTP status of the last answer; 0 if there was none."""
    error: str | None
    """What went wrong when last asked for; None if nothing."""
    encoding: str
    """The encoding that the document had when it was served."""
    etag: str | None
    """Validator; None if the server sent none."""
    last_modified: str | None
    """Validator, as sent; None if the server sent none."""
    content_hash: str | None
    """Fingerprint of the document; None if there never was one."""
    first_seen: datetime
    """When the page was first received."""
    last_seen: datetime | None
    """When it was last received; None if never."""
    changed_at: datetime | None
    """When its content was first received as it is now; None if never."""
    _packed: _Packed | None = field(default=None, repr=False, compare=False)

    @property
    def html(self) -> str:
        """The decoded document, unpacked at each call; empty if it was not read."""
        packed = self._packed
        return "" if packed is None else packed.codec.unpack_html(packed.html)

    @property
    def links(self) -> tuple[Link, ...]:
        """Links to pages of the same site, unpacked at each call; empty likewise."""
        packed = self._packed
        return () if packed is None else packed.codec.unpack_links(packed.links)

    def page(self) -> Page:
        """Return what the crawler brought."""
        return Page(
            url=self.url,
            html=self.html,
            fetched_at=self.last_seen or self.first_seen,
            depth=self.depth,
            status=self.status,
            encoding=self.encoding,
            etag=self.etag,
            last_modified=self.last_modified,
            links=self.links,
        )


PLAIN = tuple(each.name for each in fields(PageRow) if each.name != "_packed")
"""The columns that a row carries as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What a conditional request for a page sends."""

    url: str
    """Canonical address."""
    etag: str | None
    """For `If-None-Match`; None if the server sent none."""
    last_modified: str | None
    """For `If-Modified-Since`; None if the server sent none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """What a page was before it changed."""

    content_hash: str
    """Fingerprint of the document."""
    seen_from: datetime
    """When it was first received."""
    seen_until: datetime
    """When it was last received."""
    html: str
    """The decoded document."""


class PageReader(DictionaryStore):
    """Reads pages back."""

    def page_rows(
        self,
        site: Site,
        *,
        only: Literal["unextracted"] | Sequence[int] | None = None,
        with_html: bool = True,
    ) -> Iterator[PageRow]:
        """Stream the pages of a site that have content, in the order of their numbers.

        `only` chooses some: by number (then in the order given), or those that need
        extraction because they, or what was learned about the site, changed since the last
        one. The store may be written to meanwhile.
        """
        numbers = self._numbers(site, only)
        for batch in batches(numbers, READ_AT_ONCE):
            with self.reading() as connection:
                rows = self._rows(connection, batch, with_html)
            yield from rows

    def page(self, url: str, site: Site | None = None) -> PageRow:
        """Return the page of this address, or raise `UnknownPage`."""
        pages = tables.pages
        # Naming the sites lets the index be used, whose first column is the site.
        sites = select(tables.sites.c.id) if site is None else [site.id]
        query = select(pages.c.id).where(pages.c.site_id.in_(sites), pages.c.url == url)
        with self.reading() as connection:
            number = connection.execute(query.order_by(pages.c.id)).scalar()
            if number is None:
                raise UnknownPage(f"No page {url!r} is stored.")
            return self._rows(connection, [number], with_html=True)[0]

    def urls(self, site: Site) -> list[str]:
        """Return the addresses of all pages that have content, in the order of their numbers."""
        pages = tables.pages
        with self.reading() as connection:
            query = _with_content(select(pages.c.url), site).order_by(pages.c.id)
            return list(connection.execute(query).scalars())

    def unseen_urls(self, site: Site, run: Run) -> list[str]:
        """Return the addresses of stored pages that a run did not meet and that were not gone."""
        pages = tables.pages
        query = _with_content(select(pages.c.url), site).where(pages.c.outcome != "gone")
        query = query.where(or_(pages.c.run_id.is_(None), pages.c.run_id != run.id))
        with self.reading() as connection:
            return list(connection.execute(query.order_by(pages.c.id)).scalars())

    def validators(self, site: Site) -> list[Validators]:
        """Return what conditional requests need, for every page that has any of it."""
        pages = tables.pages
        query = _with_content(select(pages.c.url, pages.c.etag, pages.c.last_modified), site)
        query = query.where(or_(pages.c.etag.is_not(None), pages.c.last_modified.is_not(None)))
        with self.reading() as connection:
            return [
                Validators(url=url, etag=etag, last_modified=last_modified)
                for url, etag, last_modified in connection.execute(query)
            ]

    def links_of(self, page_id: int) -> tuple[Link, ...]:
        """Return the links of a page; none if it is not stored."""
        with self.reading() as connection:
            rows = self._rows(connection, [page_id], with_html=True)
        return rows[0].links if rows else ()

    def versions_of(self, page_id: int) -> list[VersionRow]:
        """Return what a page was before it changed, the earliest first."""
        versions = tables.page_versions
        query = select(versions).where(versions.c.page_id == page_id).order_by(versions.c.id)
        with self.reading() as connection:
            return [
                VersionRow(
                    content_hash=row.content_hash,
                    seen_from=row.seen_from,
                    seen_until=row.seen_until,
                    html=self._codec(connection, row.dictionary_id).unpack_html(row.html),
                )
                for row in connection.execute(query)
            ]

    def _numbers(self, site: Site, only: str | Sequence[int] | None) -> Sequence[int]:
        if only is not None and not isinstance(only, str):
            return only
        query = _with_content(select(tables.pages.c.id), site).order_by(tables.pages.c.id)
        if only == "unextracted":
            query = _unextracted(query, site)
        with self.reading() as connection:
            return connection.execute(query).scalars().all()

    def _rows(
        self, connection: Connection, numbers: Sequence[int], with_html: bool
    ) -> list[PageRow]:
        pages = tables.pages
        plain = [column for column in pages.c if column.name not in ("html", "links")]
        query = select(*(pages.c if with_html else plain)).where(pages.c.id.in_(numbers))
        found = {row.id: row for row in connection.execute(query)}
        rows = (found[number] for number in numbers if number in found)
        return [self._row(connection, row, with_html) for row in rows]

    def _row(self, connection: Connection, row: Row[*tuple[Any, ...]], with_html: bool) -> PageRow:
        packed = None
        if with_html and row.html is not None:
            packed = _Packed(self._codec(connection, row.dictionary_id), row.html, row.links)
        values = {name: getattr(row, name) for name in PLAIN}
        return PageRow(**values, _packed=packed)


def _with_content(query: Select[*Ts], site: Site) -> Select[*Ts]:
    pages = tables.pages
    return query.where(pages.c.site_id == site.id, pages.c.content_hash.is_not(None))


def _unextracted(query: Select[*Ts], site: Site) -> Select[*Ts]:
    pages, matches, models = tables.pages, tables.matches, tables.models
    latest = select(func.max(models.c.version)).where(models.c.site_id == site.id)
    return query.outerjoin_from(pages, matches, pages.c.id == matches.c.page_id).where(
        or_(
            matches.c.page_id.is_(None),
            matches.c.content_hash != pages.c.content_hash,
            matches.c.model_version < func.coalesce(latest.scalar_subquery(), 0),
        )
    )
