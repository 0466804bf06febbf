"""Pages with their documents, versions and outcomes."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeVarTuple

from sqlalchemy import (
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from flong.packing import PackedPage
from flong.page import Link, Page
from flong.states import GONE_OUTCOMES, ArticleKind, KeepReason, Outcome
from flong.storage import tables
from flong.storage.columns import UtcTime, clean_bytes, clean_text, from_row, now, row_class
from flong.storage.database import Connections, Repository, Values, batches, upsert
from flong.storage.documents import Codec, Documents, content_hash
from flong.storage.errors import UnknownPage, UnreadableDatabase
from flong.storage.tables import PageState, Run, Site

logger = logging.getLogger(__name__)

Ts = TypeVarTuple("Ts")

Known = Row[*tuple[Any, ...]]
"""Stored columns of a URL: `id`, `run_id`, `outcome`, `content_hash`."""
KEPT = "size dictionary_id encoding etag last_modified links html".split()
"""Columns that are copied from a page to its versions."""
RESTORED = "content_hash size dictionary_id encoding etag last_modified links html".split()
"""Columns that are copied back from a version to its page."""
READ_AT_ONCE = 20
"""Number of compressed pages in memory while a site is streamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCounts:
    """Results of saving pages."""

    new: int = 0
    """Pages stored for the first time."""
    changed: int = 0
    """Pages whose content changed."""
    unchanged: int = 0
    """Pages whose content is the same."""


@dataclass(frozen=True, slots=True)
class _Packed:
    """The compressed document and links with their codec."""

    codec: Codec
    page: PackedPage


@row_class
class PageRow(PageState):
    """A stored page."""

    _packed: _Packed | None = field(default=None, repr=False, compare=False)

    @property
    def data(self) -> bytes:
        """The document as UTF-8, decompressed at each call; empty if it was not read."""
        packed = self._packed
        return b"" if packed is None else packed.codec.unpack_utf8(packed.page.html)

    @property
    def html(self) -> str:
        """The document as text, decompressed at each call; empty if it was not read."""
        packed = self._packed
        return "" if packed is None else packed.codec.unpack_html(packed.page.html)

    @property
    def links(self) -> tuple[Link, ...]:
        """Links to pages of the same site, decompressed at each call; empty if not read."""
        packed = self._packed
        return () if packed is None else packed.codec.unpack_links(packed.page.links)

    @property
    def packed(self) -> PackedPage | None:
        """Document and links as stored; None if they were not read."""
        return None if self._packed is None else self._packed.page

    def page(self) -> Page:
        """Return the page as the crawler received it."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """Earlier content of a page."""

    content_hash: str
    """Hash of the document."""
    seen_from: datetime
    """When it was first received."""
    seen_until: datetime
    """When it was last received."""
    html: str
    """The document as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPage:
    """A stored page, as the next crawl needs it."""

    url: str
    """Canonical URL."""
    depth: int
    """Number of links from the home page when last seen."""
    etag: str | None
    """For `If-None-Match`; None if the server sent none."""
    last_modified: str | None
    """For `If-Modified-Since`; None if the server sent none."""
    last_seen: datetime
    """When it was last received, or reported unchanged."""
    changed_at: datetime
    """When its content last changed: the article, else the document."""
    settled_at: datetime
    """Start of its present state: an article that never changed counts from its publication, which
    may be long before its first receipt."""
    is_article: bool
    """True if an article, or a page in prose, was found on it."""
    is_gone: bool
    """True if it was missing at the last request."""


class Pages(Repository):
    """Writes and reads pages."""

    def __init__(self, database: Connections, documents: Documents) -> None:
        super().__init__(database)
        self._codec = documents.codec
        self._documents = documents

    def save(self, site: Site, run: Run, pages: Sequence[Page]) -> PageCounts:
        """Store pages in one transaction; storing them again changes nothing.

        The earlier content of a changed page is kept in `page_versions`.
        """
        given = {clean_text(page.url): page for page in pages}
        with self.writing() as connection:
            dictionary = self._documents.current(connection, site)
            codec = self._codec(connection, dictionary)
            plan = _plan(given, _known(connection, site, list(given)), run, codec)
            for row in plan.new:
                row |= {"site_id": site.id, "dictionary_id": dictionary}
            for row in plan.changed:
                row["dictionary_id"] = dictionary
            _carry_out(connection, plan)
            save_blocks(connection, site, pages)
            self._documents.train_if_due(connection, site)
        return PageCounts(
            new=len(plan.new), changed=len(plan.changed), unchanged=len(plan.unchanged)
        )

    def blocks(self, page: PageRow) -> bytes | None:
        """Return the visible blocks of a page as stored; None if it was not rendered."""
        with self.reading() as connection:
            return find_blocks(connection, page.id, page.content_hash)

    def mark_unchanged(self, site: Site, run: Run, urls: Iterable[str]) -> None:
        """Record that the server reported these pages as unchanged (304).

        A soft 404 remains one.
        """
        pages = tables.pages
        missing = pages.c.outcome == Outcome.SOFT_404
        outcome = case(
            (or_(pages.c.run_id == run.id, missing), pages.c.outcome),
            else_=literal(Outcome.UNCHANGED, pages.c.outcome.type),
        )
        seen: Values = {
            "run_id": case((missing, pages.c.run_id), else_=literal(run.id)),
            "outcome": outcome,
            "error": None,
            "last_seen": now(),
        }
        self._mark(site, urls, seen)

    def mark_gone(self, site: Site, run: Run, urls: Iterable[str]) -> None:
        """Record that these pages are missing; stored content stays.

        A page that was missing before keeps its run: pages disappear once.
        """
        pages = tables.pages
        was_gone = pages.c.outcome.in_(GONE_OUTCOMES)
        gone = literal(Outcome.GONE, pages.c.outcome.type)
        values: Values = {
            "run_id": case((was_gone, pages.c.run_id), else_=literal(run.id)),
            "outcome": case((was_gone, pages.c.outcome), else_=gone),
            "error": None,
        }
        self._mark(site, urls, values)

    def mark_failed(  # noqa: PLR0913, PLR0917 - a log line, not a thing
        self, site: Site, run: Run, url: str, status: int = 0, error: str = "", depth: int = 0
    ) -> None:
        """Record that a URL gave no page; stored content stays.

        `status` is the HTTP status, 0 without a response; `error` is the error message.
        """
        row = {"site_id": site.id, "url": url, "depth": depth}
        row |= {"run_id": run.id, "outcome": Outcome.FAILED, "status": status, "error": error}
        row |= {"encoding": "", "size": 0}
        keep = ("depth", "encoding", "size", "first_seen")
        with self.writing() as connection:
            row["first_seen"] = now()
            upsert(connection, tables.pages, [row], key=("site_id", "url"), keep=keep)

    def mark_soft_404(self, page_ids: Sequence[int]) -> None:
        """Record soft 404s: missing pages that were served with status 200."""
        pages, matches = tables.pages, tables.matches
        with self.writing() as connection:
            for batch in batches(page_ids):
                these = update(pages).where(pages.c.id.in_(batch))
                connection.execute(these.values(outcome=Outcome.SOFT_404, error=None))
                decided = update(matches).where(matches.c.page_id.in_(batch))
                connection.execute(decided.values(kept=KeepReason.ERROR_PAGE))

    def _mark(self, site: Site, urls: Iterable[str], values: Values) -> None:
        pages = tables.pages
        with self.writing() as connection:
            for batch in batches(urls):
                these = update(pages).where(pages.c.site_id == site.id, pages.c.url.in_(batch))
                connection.execute(these.values(values))

    def reject(self, site: Site, run: Run, page_ids: Sequence[int], outcome: Outcome) -> None:
        """Undo the results of a run on some pages and set their outcome: `WALLED` or `BROKEN`.

        A page with earlier content gets it back, with its validators and links. A new page keeps
        only its URL.
        """
        changed = {"run_id": run.id, "outcome": outcome, "error": None}
        with self.writing() as connection:
            for page_id in page_ids:
                found = _restored(connection, page_id)
                these = update(tables.pages).where(
                    tables.pages.c.id == page_id, tables.pages.c.site_id == site.id
                )
                connection.execute(these.values({**found, **changed}))

    def rows(
        self,
        site: Site,
        *,
        only: Literal["unextracted"] | Sequence[int] | None = None,
        with_html: bool = True,
    ) -> Iterator[PageRow]:
        """Stream the pages of a site that have content, by id.

        `only` selects pages: by id, then in the given order; or `unextracted` ones, which changed
        since their last extraction, or whose model did. The store may be written to meanwhile.
        """
        page_ids = self.ids(site, only)
        for batch in batches(page_ids, READ_AT_ONCE):
            with self.reading() as connection:
                rows = self._rows(connection, batch, with_html)
            yield from rows

    def sound_rows(
        self, site: Site, *, only: Literal["unextracted"] | Sequence[int] | None = None
    ) -> Iterator[PageRow]:
        """Stream pages as `rows` does, without those whose content cannot be read.

        Damaged pages are logged and lose their content hash: the next crawl requests them again.
        Their articles stay.
        """
        for row in self.rows(site, only=only):
            try:
                _ = row.html, row.links
            except UnreadableDatabase as error:
                logger.warning("%s will be fetched again. %s", row.url, error)
                self.mark_damaged(row.id, row.content_hash)
            else:
                yield row

    def find(self, url: str, site: Site | None = None) -> PageRow:
        """Return the page of this URL, or raise `UnknownPage`."""
        pages = tables.pages
        # The index begins with the site.
        sites = select(tables.sites.c.id) if site is None else [site.id]
        query = select(pages.c.id).where(pages.c.site_id.in_(sites), pages.c.url == url)
        with self.reading() as connection:
            page_id = connection.execute(query.order_by(pages.c.id)).scalar()
            if page_id is None:
                raise UnknownPage(f"No page {url!r} is stored.")
            return self._rows(connection, [page_id], with_html=True)[0]

    def urls(self, site: Site) -> list[str]:
        """Return the URLs of all pages with content, by id."""
        pages = tables.pages
        with self.reading() as connection:
            query = _with_content(select(pages.c.url), site).order_by(pages.c.id)
            return list(connection.execute(query).scalars())

    def versions(self, page_id: int) -> list[VersionRow]:
        """Return the earlier contents of a page, the earliest first."""
        versions = tables.page_versions
        query = select(versions).where(versions.c.page_id == page_id).order_by(versions.c.id)
        with self.reading() as connection:
            return [
                from_row(
                    VersionRow,
                    row,
                    html=self._codec(connection, row.dictionary_id).unpack_html(row.html),
                )
                for row in connection.execute(query)
            ]

    def known_pages(self, site: Site) -> list[KnownPage]:
        """Return all pages of a site with content, by id.

        A page with damaged content has no validators and does not count as an article: it will be
        requested again.
        """
        pages, articles = tables.pages, tables.articles
        # Pages in prose change as rarely as news.
        is_prose = or_(articles.c.retired_at.is_(None), articles.c.kind == ArticleKind.PAGE)
        current = and_(pages.c.id == articles.c.page_id, is_prose)
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

    def ids(
        self, site: Site, only: Literal["unextracted"] | Sequence[int] | None = None
    ) -> Sequence[int]:
        """Return the ids of the pages that `rows` streams."""
        if only is not None and not isinstance(only, str):
            return only
        query = _with_content(select(tables.pages.c.id), site).order_by(tables.pages.c.id)
        if only == "unextracted":
            query = _unextracted(query, site)
        return self._column(query)

    def mark_damaged(self, page_id: int, content_hash: str | None) -> None:
        """Record that the content of a page cannot be read: the next crawl requests it again."""
        pages = tables.pages
        lost = {"content_hash": None, "etag": None, "last_modified": None}
        # unless another process has stored it again meanwhile
        these = pages.c.id == page_id, pages.c.content_hash == content_hash
        with self.writing() as connection:
            connection.execute(update(pages).where(*these).values(**lost))

    def _rows(
        self, connection: Connection, page_ids: Sequence[int], with_html: bool
    ) -> list[PageRow]:
        pages = tables.pages
        plain = [column for column in pages.columns if column.name not in ("html", "links")]
        query = select(*(pages.columns if with_html else plain)).where(pages.c.id.in_(page_ids))
        found = {row.id: row for row in connection.execute(query)}
        rows = (found[page_id] for page_id in page_ids if page_id in found)
        return [self._row(connection, row, with_html) for row in rows]

    def _row(self, connection: Connection, row: Row[*tuple[Any, ...]], with_html: bool) -> PageRow:
        packed = None
        if with_html and row.html is not None:
            page = PackedPage(
                html=row.html, links=row.links, dictionary=row.dictionary_id, size=row.size
            )
            packed = _Packed(self._codec(connection, row.dictionary_id), page)
        return from_row(PageRow, row, _packed=packed)


@dataclass(frozen=True, slots=True)
class _Plan:
    """Rows to write, by action."""

    new: list[dict[str, Any]] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    unchanged: list[dict[str, Any]] = field(default_factory=list)


def _known(connection: Connection, site: Site, urls: Sequence[str]) -> Mapping[str, Known]:
    """Return the stored columns of these URLs, by URL."""
    pages = tables.pages
    names = ("url", "id", "run_id", "outcome", "content_hash")
    columns = [pages.columns[name] for name in names]
    known: dict[str, Known] = {}
    for batch in batches(urls):
        these = select(*columns).where(pages.c.site_id == site.id, pages.c.url.in_(batch))
        known |= {row.url: row for row in connection.execute(these)}
    return known


def _plan(given: Mapping[str, Page], known: Mapping[str, Known], run: Run, codec: Codec) -> _Plan:
    plan = _Plan()
    for url, page in given.items():
        data = clean_bytes(page.html)
        digest, old = content_hash(data), known.get(url)
        row = _seen(page, run, _outcome(old, digest, run))
        if old is None or old.content_hash is None:
            first = {"url": url, "first_seen": page.fetched_at}
            plan.new.append(row | first | _content(page, data, digest, codec))
        elif old.content_hash != digest:
            plan.changed.append(row | {"page": old.id} | _content(page, data, digest, codec))
        else:
            plan.unchanged.append(row | {"page": old.id} | _still_missing(old))
    return plan


def _outcome(old: Known | None, digest: str, run: Run) -> Outcome:
    """Return the outcome of a page in this run, also if the run sees it for the second time."""
    if old is None or old.content_hash is None:
        return Outcome.NEW
    if old.run_id == run.id and old.outcome in (Outcome.NEW, Outcome.CHANGED):
        return Outcome(old.outcome)
    return Outcome.UNCHANGED if old.content_hash == digest else Outcome.CHANGED


def _still_missing(old: Known) -> dict[str, Any]:
    """Return the columns that a soft 404 keeps while its content is the same."""
    if old.outcome != Outcome.SOFT_404:
        return {}
    return {"run_id": old.run_id, "outcome": old.outcome}


def _seen(page: Page, run: Run, outcome: Outcome) -> dict[str, Any]:
    """Return the columns to write for any received page."""
    return {
        "depth": page.depth,
        "outcome": outcome,
        "run_id": run.id,
        "status": page.status,
        "error": None,
        "etag": page.etag,
        "last_modified": page.last_modified,
        "last_seen": page.fetched_at,
    }


def _content(page: Page, data: bytes, digest: str, codec: Codec) -> dict[str, Any]:
    """Return the columns to write for new content."""
    return {
        "encoding": page.encoding,
        "content_hash": digest,
        "changed_at": page.fetched_at,
        "size": len(data),
        "links": codec.pack_links(page.links),
        "html": codec.pack(data),
    }


def _carry_out(connection: Connection, plan: _Plan) -> None:
    upsert(connection, tables.pages, plan.new, key=("site_id", "url"))
    _keep_versions(connection, [row["page"] for row in plan.changed])
    change = update(tables.pages).where(tables.pages.c.id == bindparam("page"))
    for rows in (plan.changed, plan.unchanged):
        if rows:
            connection.execute(change, rows)


def _keep_versions(connection: Connection, page_ids: Sequence[int]) -> None:
    """Copy the present content of pages to their versions."""
    pages = tables.pages
    old = select(
        pages.c.id, pages.c.content_hash, pages.c.changed_at, pages.c.last_seen
    ).add_columns(*(pages.columns[name] for name in KEPT))
    columns = ["page_id", "content_hash", "seen_from", "seen_until", *KEPT]
    for batch in batches(page_ids):
        these = old.where(pages.c.id.in_(batch))
        connection.execute(insert(tables.page_versions).from_select(columns, these))


def _restored(connection: Connection, page_id: int) -> dict[str, Any]:
    """Delete the last version of a page, and return the columns that restore it."""
    versions = tables.page_versions
    query = select(versions).where(versions.c.page_id == page_id).order_by(versions.c.id.desc())
    row = connection.execute(query.limit(1)).first()
    if row is None:
        empty = dict.fromkeys(RESTORED) | {"size": 0, "encoding": ""}
        return empty | {"last_seen": None, "changed_at": None}
    connection.execute(delete(versions).where(versions.c.id == row.id))
    found = {name: getattr(row, name) for name in RESTORED}
    found |= {"last_seen": row.seen_until, "changed_at": row.seen_from}
    # Versions in old databases have only the document.
    late = ("encoding", "links")
    return {name: value for name, value in found.items() if value is not None or name not in late}


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


def save_blocks(connection: Connection, site: Site, pages: Sequence[Page]) -> None:
    """Store the visible blocks of those pages that have some."""
    given = {page.url: page.blocks for page in pages if page.blocks is not None}
    if not given:
        return
    stored = tables.pages
    query = select(stored.c.id, stored.c.url, stored.c.content_hash).where(
        stored.c.site_id == site.id, stored.c.url.in_(list(given))
    )
    rows = [
        {"page_id": row.id, "content_hash": row.content_hash, "blocks": given[row.url]}
        for row in connection.execute(query)
    ]
    upsert(connection, tables.page_blocks, rows, key=("page_id",))


def find_blocks(connection: Connection, page_id: int, content_hash: str | None) -> bytes | None:
    """Return the visible blocks of a page with this content, or None."""
    blocks = tables.page_blocks
    query = select(blocks.c.blocks).where(
        blocks.c.page_id == page_id, blocks.c.content_hash == content_hash
    )
    return connection.execute(query).scalar_one_or_none()


def _settled(row: Row[*tuple[Any, ...]]) -> datetime:
    changed: datetime = row.changed
    was_edited = row.created_at is None or row.created_at < changed
    return changed if was_edited or row.published is None else min(changed, row.published)
