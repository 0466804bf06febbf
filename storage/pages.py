"""Pages on their way in: new ones, changed ones with what they were, failures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, case, insert, literal, select, update

from items import Page
from storage import tables
from storage.columns import clean_bytes, clean_text, now
from storage.compression import Codec, content_hash
from storage.database import Values, batches, upsert
from storage.dictionaries import DictionaryStore
from storage.runs import Run
from storage.sites import Site

Known = Row[*tuple[Any, ...]]
"""What is stored of an address: `id`, `run_id`, `outcome`, `error`, `content_hash`."""
KEPT = "size dictionary_id encoding etag last_modified links html".split()
"""Columns of a page that its versions have too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCounts:
    """What saving some pages did."""

    new: int = 0
    """Pages stored for the first time."""
    changed: int = 0
    """Pages whose content replaced another one."""
    unchanged: int = 0
    """Pages whose content was there already."""


class PageStore(DictionaryStore):
    """Writes pages and what happened to them."""

    def save_pages(self, site: Site, run: Run, pages: Sequence[Page]) -> PageCounts:
        """Store pages in one transaction; saving them again changes nothing.

        The content that a changed page had before is kept in `page_versions`.
        """
        given = {clean_text(page.url): page for page in pages}
        with self.writing() as connection:
            dictionary = self._current(connection, site)
            codec = self._codec(connection, dictionary)
            plan = _plan(given, _known(connection, site, list(given)), run, codec)
            for row in plan.new:
                row |= {"site_id": site.id, "dictionary_id": dictionary}
            for row in plan.changed:
                row["dictionary_id"] = dictionary
            _carry_out(connection, plan)
            self._train_if_due(connection, site)
        return PageCounts(
            new=len(plan.new), changed=len(plan.changed), unchanged=len(plan.unchanged)
        )

    def mark_unchanged(self, site: Site, run: Run, urls: Iterable[str]) -> None:
        """Note that the server said of these pages: as before (304).

        One that was found to say that nothing is there still does.
        """
        pages = tables.pages
        missing = and_(pages.c.outcome == "gone", pages.c.error.is_not(None))
        outcome = case(
            (pages.c.run_id == run.id, pages.c.outcome),
            (missing, pages.c.outcome),
            else_=literal("unchanged"),
        )
        seen: Values = {
            "run_id": case((missing, pages.c.run_id), else_=literal(run.id)),
            "outcome": outcome,
            "error": case((missing, pages.c.error)),
            "last_seen": now(),
        }
        self._mark(site, urls, seen)

    def mark_gone(self, site: Site, run: Run, urls: Iterable[str]) -> None:
        """Note that these pages are no longer there; what is stored of them stays.

        The run that missed a page first is remembered: it has gone once.
        """
        pages = tables.pages
        first = case((pages.c.outcome == "gone", pages.c.run_id), else_=literal(run.id))
        self._mark(site, urls, {"run_id": first, "outcome": "gone"})

    def mark_failed(  # noqa: PLR0913, PLR0917 - a log line, not a thing
        self, site: Site, run: Run, url: str, status: int = 0, error: str = "", depth: int = 0
    ) -> None:
        """Note that an address gave no page; one stored earlier stays.

        `status` is that of HTTP, 0 if there was no answer; `error` says what happened.
        """
        row = {"site_id": site.id, "url": url, "depth": depth, "outcome": "failed"}
        row |= {"run_id": run.id, "status": status, "error": error, "encoding": "", "size": 0}
        keep = ("depth", "encoding", "size", "first_seen")
        with self.writing() as connection:
            row["first_seen"] = now()
            upsert(connection, tables.pages, [row], key=("site_id", "url"), keep=keep)

    def _mark(self, site: Site, urls: Iterable[str], values: Values) -> None:
        pages = tables.pages
        with self.writing() as connection:
            for batch in batches(urls):
                these = update(pages).where(pages.c.site_id == site.id, pages.c.url.in_(batch))
                connection.execute(these.values(values))


@dataclass(frozen=True, slots=True)
class _Plan:
    """Rows to be written, sorted by what is to be done with them."""

    new: list[dict[str, Any]] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    unchanged: list[dict[str, Any]] = field(default_factory=list)


def _known(connection: Connection, site: Site, urls: Sequence[str]) -> Mapping[str, Known]:
    """Return what is stored of these addresses, by address."""
    pages = tables.pages
    names = ("url", "id", "run_id", "outcome", "error", "content_hash")
    columns = [pages.c[name] for name in names]
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


def _outcome(old: Known | None, digest: str, run: Run) -> str:
    """Return what this run found, also if it sees the page for the second time."""
    if old is None or old.content_hash is None:
        return "new"
    if old.run_id == run.id and old.outcome in ("new", "changed"):
        return str(old.outcome)
    return "unchanged" if old.content_hash == digest else "changed"


def _still_missing(old: Known) -> dict[str, Any]:
    """Return what stays as it is of a page that says as before that nothing is there."""
    if old.outcome != "gone" or old.error is None:
        return {}
    return {"run_id": old.run_id, "outcome": old.outcome, "error": old.error}


def _seen(page: Page, run: Run, outcome: str) -> dict[str, Any]:
    """Return the columns that every sight of a page writes."""
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
    """Return the columns that only new content writes."""
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


def _keep_versions(connection: Connection, numbers: Sequence[int]) -> None:
    """Copy the content that pages are about to lose."""
    pages = tables.pages
    old = select(
        pages.c.id, pages.c.content_hash, pages.c.changed_at, pages.c.last_seen
    ).add_columns(*(pages.c[name] for name in KEPT))
    columns = ["page_id", "content_hash", "seen_from", "seen_until", *KEPT]
    for batch in batches(numbers):
        these = old.where(pages.c.id.in_(batch))
        connection.execute(insert(tables.page_versions).from_select(columns, these))
