"""Decisions about pages: of extraction, with the articles that they change, and of people."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, and_, delete, func, insert, select, update

from flong.article import Article
from flong.decision import Decision
from flong.program import program
from flong.states import GONE_OUTCOMES, ArticleKind, Fit, KeepReason, Outcome, Verdict
from flong.storage import tables
from flong.storage.articles import find_article, retire_articles
from flong.storage.columns import from_row, now, row_class, to_row
from flong.storage.database import Repository, Values, batches
from flong.storage.errors import UnknownCorrection
from flong.storage.joined_words import changing_articles
from flong.storage.tables import ArticleVersion, Correction, NewCorrection, Run, Site
from flong.text import word_count


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredState:
    """The stored decision and article of a page, before they are merged with a new decision."""

    article: Article | None
    """The article, also if it is retired; None if the page never had one."""
    article_hash: str | None
    """Hash of the document that gave the article; None if unknown."""
    is_retired: bool
    """True if the article is retired."""
    content_hash: str
    """Hash of the document of the decision."""
    model_version: int
    """Version of the model of the decision."""
    pattern_id: int | None
    """The pattern that matched the document."""
    before_pattern_id: int | None
    """The pattern that matched the document before that."""
    verdict: Verdict
    """The verdict."""
    created_at: datetime | None
    """When the article was first found."""
    changed_at: datetime | None
    """When it last changed."""
    created_run_id: int | None
    """The run that first found the article; None if unknown."""


DecisionAndVersion = tuple[Decision, ArticleVersion | None]
"""A decision to store, and the version that an edited article leaves."""
Merge = Callable[[Decision, StoredState | None, datetime], DecisionAndVersion]
"""Merges a new decision with the stored state at a time.

The decision's article replaces the stored one, unless the decision keeps that. A stored article
that is neither replaced nor kept is retired: articles are never deleted.
"""


def overwrite(decision: Decision, old: StoredState | None, time: datetime) -> DecisionAndVersion:
    """Store a new decision without regard to the stored state."""
    return decision, None


@dataclass(frozen=True, slots=True, kw_only=True)
class NightPage:
    """A page that was decided on in a night, with the figures of its article."""

    page_id: int
    """Id of the page."""
    article_id: int
    """Id of the first page of its article; of the page itself for a single-page article."""
    url: str
    """Its URL."""
    is_new: bool
    """True if the page was received for the first time."""
    pattern_id: int | None
    """The pattern that matches; None without a match."""
    before_pattern_id: int | None
    """The pattern that matched before the document changed; None if it did not change."""
    fit: Fit
    """Kind of the match."""
    verdict: Verdict
    """The verdict."""
    kept: KeepReason
    """Reason to keep an earlier article that is better than the new one; `NONE` for a new
    article."""
    page_words: int
    """Words on the page; 0 if they were not counted."""
    agrees: bool | None
    """True if the metadata has the same title; None without a title there."""
    title: str | None
    """Title of the article; None without an article."""
    words: int
    """Words of the body."""
    paragraphs: int
    """Lines of the body."""
    is_dated: bool
    """True if the article has a date."""
    has_author: bool
    """True if the article has an author."""
    is_edited: bool
    """True if the article was edited in the night."""

    @property
    def is_kept(self) -> bool:
        """True if the article is an earlier one, better than the new one."""
        return self.kept is not KeepReason.NONE


@row_class
class CorrectionRow(Correction):
    """A stored correction with columns of its site and page."""

    site: str
    """Name of the site."""
    url: str
    """URL of the page."""


class Extractions(Repository):
    """Writes and reads the decisions of extraction, and corrections by people."""

    def save(
        self, site: Site, run: Run, decisions: Sequence[Decision], merge: Merge = overwrite
    ) -> None:
        """Store decisions and articles in one transaction, in place of earlier ones.

        `merge` decides about articles that are stored already. An article that its page no longer
        has is retired, unless it is kept; no article is deleted.
        """
        latest = {decision.page_id: decision for decision in decisions}
        with self.writing() as connection:
            for batch in batches(latest.values()):
                page_ids = [decision.page_id for decision in batch]
                stored, time = _stored(connection, page_ids), now()
                merged = [merge(each, stored.get(each.page_id), time) for each in batch]
                with changing_articles(connection, page_ids):
                    _write(connection, site, run, merged, stored, time)

    def find(self, page_id: int) -> Decision | None:
        """Return the decision about a page with its article, or None."""
        with self.reading() as connection:
            query = select(tables.matches).where(tables.matches.c.page_id == page_id)
            row = connection.execute(query).first()
            found = find_article(connection, page_id)
        if row is None:
            return None
        is_current = found is not None and found.retired_at is None
        return replace(_decision(row), article=found.article if found and is_current else None)

    def of(self, site: Site) -> Iterator[Decision]:
        """Stream the decisions about the pages of a site, without the articles."""
        matches, pages = tables.matches, tables.pages
        query = (
            select(matches)
            .join_from(matches, pages, matches.c.page_id == pages.c.id)
            .where(pages.c.site_id == site.id)
            .order_by(matches.c.page_id)
        )
        with self.reading() as connection:
            rows = connection.execute(query).all()
        yield from map(_decision, rows)

    def read_by(self, pattern_ids: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pages that some patterns matched: id of the page, id of the pattern."""
        matches = tables.matches
        query = select(matches.c.page_id, matches.c.pattern_id).order_by(matches.c.page_id)
        with self.reading() as connection:
            return [
                (row.page_id, row.pattern_id)
                for some in batches(pattern_ids)
                for row in connection.execute(query.where(matches.c.pattern_id.in_(some)))
            ]

    def night_pages(self, site: Site, night: Run, crawl: Run) -> Iterator[NightPage]:
        """Yield the pages of a site that were decided on in a night, by id.

        Missing pages are left out: they are no evidence about the patterns.
        """
        pages, matches, articles = tables.pages, tables.matches, tables.articles
        parts, versions = tables.article_pages, tables.article_versions
        edits = select(versions.c.id).where(
            versions.c.page_id == matches.c.page_id, versions.c.run_id > night.id
        )
        is_new = and_(pages.c.run_id == crawl.id, pages.c.outcome == Outcome.NEW)
        article_id = func.coalesce(parts.c.article_id, matches.c.page_id).label("article_id")
        current = and_(articles.c.page_id == matches.c.page_id, articles.c.retired_at.is_(None))
        query = (
            select(pages.c.url, matches, articles.c.title, articles.c.body)
            .add_columns(articles.c.published, articles.c.authors, article_id)
            .add_columns(is_new.label("is_new"), edits.exists().label("is_edited"))
            .join_from(matches, pages, matches.c.page_id == pages.c.id)
            .outerjoin(articles, current)
            .outerjoin(parts, parts.c.page_id == matches.c.page_id)
            .where(pages.c.site_id == site.id, matches.c.run_id > night.id)
            .where(pages.c.outcome.not_in(GONE_OUTCOMES))
            .order_by(matches.c.page_id)
            .execution_options(yield_per=200)
        )
        with self.reading() as connection:
            for row in connection.execute(query):
                yield _night_page(row)

    def unfitted(self, site: Site) -> int:
        """Return the number of unmatched pages that changed since the site was last learned."""
        pages, matches, models = tables.pages, tables.matches, tables.models
        learned = select(func.max(models.c.created_at)).where(models.c.site_id == site.id)
        query = (
            select(func.count())
            .join_from(matches, pages, matches.c.page_id == pages.c.id)
            .where(pages.c.site_id == site.id, matches.c.fit == Fit.NONE)
            .where(pages.c.changed_at > learned.scalar_subquery())
        )
        return self._number(query)

    def add_correction(self, site: Site, new: NewCorrection) -> CorrectionRow:
        """Store a correction."""
        corrections = tables.corrections
        values = to_row(new) | {"site_id": site.id, "made_at": now(), "undone_at": None}
        with self.writing() as connection:
            added = insert(corrections).values(values).returning(corrections.c.id)
            number = int(connection.execute(added).scalar_one())
        return self.correction(number)

    def undo_correction(self, number: int) -> CorrectionRow:
        """Undo a correction; it stays in the list."""
        corrections = tables.corrections
        found = self.correction(number)
        if found.undone_at is None:
            these = corrections.c.id == number
            with self.writing() as connection:
                connection.execute(update(corrections).where(these).values(undone_at=now()))
        return self.correction(number)

    def correction(self, number: int) -> CorrectionRow:
        """Return the correction of this id, or raise `UnknownCorrection`."""
        found = self._first(CorrectionRow, _corrections().where(tables.corrections.c.id == number))
        if found is None:
            raise UnknownCorrection(
                f"There is no correction {number}. List them with {program()} corrections."
            )
        return found

    def corrections(self, sites: Sequence[Site] | None = None) -> list[CorrectionRow]:
        """Return the corrections of some sites, or of all, the earliest first."""
        query = _corrections().order_by(tables.corrections.c.id)
        if sites is not None:
            query = query.where(tables.corrections.c.site_id.in_([site.id for site in sites]))
        return self._read(CorrectionRow, query)

    def corrections_in_force(self, site: Site) -> list[CorrectionRow]:
        """Return the corrections of a site that are in force, the earliest first."""
        return [each for each in self.corrections([site]) if each.undone_at is None]


def _stored(connection: Connection, page_ids: Sequence[int]) -> Mapping[int, StoredState]:
    """Return the stored states of these pages, by id."""
    matches, articles = tables.matches, tables.articles
    query = (
        select(
            matches.c.page_id,
            matches.c.content_hash,
            matches.c.model_version,
            matches.c.pattern_id,
            matches.c.before_pattern_id,
            matches.c.verdict,
            articles.c.title,
            articles.c.body,
            articles.c.method,
            articles.c.confidence,
            articles.c.created_at,
            articles.c.created_run_id,
            articles.c.changed_at,
            articles.c.retired_at,
            articles.c.content_hash.label("article_hash"),
        )
        .outerjoin_from(matches, articles, matches.c.page_id == articles.c.page_id)
        .where(matches.c.page_id.in_(page_ids))
    )
    return {row.page_id: _stored_state(row) for row in connection.execute(query)}


def _stored_state(row: Row[*tuple[Any, ...]]) -> StoredState:
    article = None
    if row.title is not None:
        article = Article(
            url="", title=row.title, body=row.body, method=row.method, confidence=row.confidence
        )
    return from_row(StoredState, row, article=article, is_retired=row.retired_at is not None)


def _write(  # noqa: PLR0913, PLR0917 - one transaction of a run
    connection: Connection,
    site: Site,
    run: Run,
    merged: Sequence[DecisionAndVersion],
    stored: Mapping[int, StoredState],
    time: datetime,
) -> None:
    """Write matches, articles, their provenance and earlier versions."""
    decisions = [decision for decision, _ in merged]
    versions = {each.page_id: version for each, version in merged if version is not None}
    changing = [each for each in decisions if each.kept is KeepReason.NONE]
    found = [(each, each.article) for each in changing if each.article is not None]
    decided = {"run_id": run.id, "extracted_at": time}
    _delete(connection, tables.matches, [each.page_id for each in decisions])
    rows = [to_row(each, without=("article", "extracted_at")) | decided for each in decisions]
    _insert(connection, tables.matches, rows)
    replaced = [
        {"page_id": page_id, "run_id": run.id} | to_row(version)
        for page_id, version in versions.items()
    ]
    _insert(connection, tables.article_versions, replaced)
    gone = [each.page_id for each in changing if each.article is None]
    retire_articles(connection, gone, run)
    # A page that no longer yields a text is not of kind `page` any more.
    former = update(tables.articles).where(tables.articles.c.page_id.in_(gone))
    connection.execute(former.values(kind=ArticleKind.NEWS))
    # Provenance is deleted with its article.
    _delete(connection, tables.articles, [each.page_id for each, _ in found])
    values = []
    for each, article in found:
        old, origin = stored.get(each.page_id), {"created_at": time, "created_run_id": run.id}
        if old is not None and old.created_at is not None:
            origin = {"created_at": old.created_at, "created_run_id": old.created_run_id}
        is_same = old is not None and each.page_id not in versions
        changed = {"changed_at": old.changed_at if old and old.changed_at and is_same else time}
        times = {"extracted_at": time} | origin | changed | _retirement(article, old, run, time)
        values.append(_article_values(site, each, article) | times)
    _insert(connection, tables.articles, values)
    reasons = (_provenance_values(each.page_id, article) for each, article in found)
    _insert(connection, tables.provenance, list(chain.from_iterable(reasons)))


def _retirement(
    article: Article, old: StoredState | None, run: Run, time: datetime
) -> dict[str, Any]:
    """Return the columns of retirement: a page that is not news is retired from the beginning.

    So lists, counts and the search index, which contain current articles, leave it out.
    """
    is_page = article.kind is ArticleKind.PAGE
    was_news = old is not None and old.article is not None and not old.is_retired
    run_id = run.id if is_page and was_news else None
    return {"retired_at": time if is_page else None, "retired_run_id": run_id}


def _delete(connection: Connection, table: Table[Any], page_ids: Sequence[int]) -> None:
    if page_ids:
        connection.execute(delete(table).where(table.c.page_id.in_(page_ids)))


def _insert(connection: Connection, table: Table[Any], rows: Sequence[Values]) -> None:
    if rows:
        connection.execute(insert(table), list(rows))


def _article_values(site: Site, decision: Decision, article: Article) -> dict[str, Any]:
    return to_row(article, without=("url", "provenance", "page_urls", "other_urls")) | {
        "page_id": decision.page_id,
        "site_id": site.id,
        "pattern_id": decision.pattern_id,
        "content_hash": decision.content_hash,
    }


def _provenance_values(page_id: int, article: Article) -> list[Values]:
    return [
        {"page_id": page_id, "position": position} | to_row(reason)
        for position, reason in enumerate(article.provenance)
    ]


def _decision(row: Row[*tuple[Any, ...]]) -> Decision:
    return from_row(Decision, row, article=None)


def _night_page(row: Row[*tuple[Any, ...]]) -> NightPage:
    body = row.body or ""
    return from_row(
        NightPage,
        row,
        is_new=bool(row.is_new),
        is_edited=bool(row.is_edited),
        page_words=row.page_words or 0,
        words=word_count(body),
        paragraphs=len(body.split("\n")) if body else 0,
        is_dated=row.published is not None,
        has_author=bool(row.authors),
    )


def _corrections() -> Select[*tuple[object, ...]]:
    return (
        select(tables.corrections, tables.sites.c.name.label("site"), tables.pages.c.url)
        .join(tables.sites, tables.sites.c.id == tables.corrections.c.site_id)
        .join(tables.pages, tables.pages.c.id == tables.corrections.c.page_id)
    )
