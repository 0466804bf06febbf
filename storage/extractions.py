"""Extractions: what was decided about pages, and what that does to their articles."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Row, Table, and_, delete, func, insert, select

from flong.article import Article
from flong.states import GONE_OUTCOMES, Fit, Kept, Verdict
from flong.storage import tables
from flong.storage.articles import ArticleVersion, find_article, retire_articles
from flong.storage.columns import clean_text, from_row, now, to_row
from flong.storage.database import Repository, Values, batches
from flong.storage.joined_words import changing_articles
from flong.storage.runs import Run
from flong.storage.sites import Site
from flong.text import word_count


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionRow:
    """What extraction decided about one page."""

    page_id: int
    """Id of the page."""
    content_hash: str
    """Fingerprint of the document that was looked at."""
    model_version: int
    """Version of the model that was used; 0 for none."""
    verdict: Verdict
    """What was decided."""
    fit: Fit = Fit.NONE
    """How the pattern fitted."""
    pattern_id: int | None = None
    """The pattern that fitted; None if none did."""
    cost: float | None = None
    """Cost of the match; None without one."""
    constants: int = 0
    """Id of the pattern's constant vertices that were found."""
    score: float | None = None
    """How much speaks for an article; None if it was not weighed."""
    reason: str = ""
    """The decision in words."""
    article: Article | None = None
    """The article; None unless it is one."""
    extracted_at: datetime | None = None
    """When it was decided; None before it is stored."""
    page_words: int | None = None
    """Number of words on the page; None if they were not counted."""
    agrees: bool | None = None
    """Whether the page's metadata has the same title; None if it has none."""
    before_pattern_id: int | None = None
    """The pattern that fitted the page before its document changed; set when it is stored."""
    kept: Kept = Kept.NONE
    """Why an earlier article stands although the page gives something else; set likewise."""

    @property
    def words(self) -> str:
        """The decision in words, with why an earlier article stands."""
        return f"{self.kept.sentence} {self.reason}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is stored of a page before it is decided on again."""

    article: Article | None
    """The article, also if it is retired; None if there never was one."""
    article_hash: str | None
    """Fingerprint of the document that gave the article; None if that is not known."""
    is_retired: bool
    """Whether the article is retired."""
    content_hash: str
    """Fingerprint of the document that was last looked at."""
    model_version: int
    """What was learned of the site when it was looked at."""
    pattern_id: int | None
    """The pattern that fitted it."""
    before_pattern_id: int | None
    """The pattern that fitted the document before that."""
    verdict: Verdict
    """What was decided."""
    created_at: datetime | None
    """When the article was first found."""
    changed_at: datetime | None
    """When it last changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What is to be written for one page.

    The row's article replaces the one that is stored, unless the row says that it is kept. Where
    there is none any more, and it is not kept, the stored one is retired: none is ever deleted.
    """

    row: ExtractionRow
    """The decision."""
    created_at: datetime
    """When the article was first found."""
    changed_at: datetime
    """When it last changed."""
    version: ArticleVersion | None = None
    """What becomes history because it was edited; None if nothing does."""


Merge = Callable[[ExtractionRow, Standing | None, datetime], Merged]
"""Decides what becomes of a new decision beside what is stored; the last is the time."""


def overwrite(row: ExtractionRow, old: Standing | None, time: datetime) -> Merged:
    """Take what the page gives now, whatever was there before."""
    created = old.created_at if old is not None else None
    return Merged(row=row, created_at=created or time, changed_at=time)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided about a page in a night, with what figures need of its article."""

    page_id: int
    """Id of the page."""
    article_id: int
    """Id of the page to whose article it belongs; its own if it stands alone."""
    url: str
    """Its URL."""
    is_new: bool
    """Whether the page was received for the first time."""
    pattern_id: int | None
    """The pattern that fits; None if none does."""
    before_pattern_id: int | None
    """The pattern that fitted before the document changed; None if it did not."""
    fit: Fit
    """How it fits."""
    verdict: Verdict
    """What was decided."""
    kept: Kept
    """Why the article is an earlier one, better than what the page gives now; `NONE`: it is not."""
    page_words: int
    """Words on the page; 0 if they were not counted."""
    agrees: bool | None
    """Whether the metadata has the same title; None if it has none."""
    title: str | None
    """That of the article; None if there is none."""
    words: int
    """Words of the body."""
    paragraphs: int
    """Lines of the body."""
    is_dated: bool
    """Whether the article has a date."""
    has_author: bool
    """Whether the article has an author."""
    created_at: datetime | None
    """When the article was first found; None without one."""
    changed_at: datetime | None
    """When it last changed; None without one."""

    @property
    def is_kept(self) -> bool:
        """Whether the article is an earlier one, better than what the page gives now."""
        return self.kept is not Kept.NONE


class Extractions(Repository):
    """Writes and reads what extraction decided."""

    def save(
        self, site: Site, run: Run, rows: Sequence[ExtractionRow], merge: Merge = overwrite
    ) -> None:
        """Store decisions and articles in one transaction, in place of earlier ones.

        `merge` decides what becomes of an article that is there already. One that its page no
        longer gives, and that is not kept, is retired; none is deleted.
        """
        latest = {row.page_id: row for row in rows}
        with self.writing() as connection:
            for batch in batches(latest.values()):
                page_ids = [row.page_id for row in batch]
                standing, time = _standing(connection, page_ids), now()
                merged = [merge(row, standing.get(row.page_id), time) for row in batch]
                with changing_articles(connection, page_ids):
                    _write(connection, site, run, merged)

    def find(self, page_id: int) -> ExtractionRow | None:
        """Return what was decided about a page, with its article; None if nothing yet."""
        with self.reading() as connection:
            query = select(tables.matches).where(tables.matches.c.page_id == page_id)
            row = connection.execute(query).first()
            found = find_article(connection, page_id)
        if row is None:
            return None
        is_current = found is not None and found.retired_at is None
        return replace(_extraction(row), article=found.article if found and is_current else None)

    def of(self, site: Site) -> Iterator[ExtractionRow]:
        """Stream what was decided about the pages of a site, without the articles."""
        matches, pages = tables.matches, tables.pages
        query = (
            select(matches)
            .join_from(matches, pages, matches.c.page_id == pages.c.id)
            .where(pages.c.site_id == site.id)
            .order_by(matches.c.page_id)
        )
        with self.reading() as connection:
            rows = connection.execute(query).all()
        yield from map(_extraction, rows)

    def read_by(self, pattern_ids: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pages that were read by some patterns: id of the page, id of the pattern."""
        matches = tables.matches
        query = select(matches.c.page_id, matches.c.pattern_id).order_by(matches.c.page_id)
        with self.reading() as connection:
            return [
                (row.page_id, row.pattern_id)
                for some in batches(pattern_ids)
                for row in connection.execute(query.where(matches.c.pattern_id.in_(some)))
            ]

    def decisions(self, site: Site, since: Run) -> Iterator[Decision]:
        """Yield what was decided about the pages of a site after a run began, by page.

        Pages that are gone are left out: they say nothing about the patterns.
        """
        pages, matches, articles = tables.pages, tables.matches, tables.articles
        parts = tables.article_pages
        article_id = func.coalesce(parts.c.article_id, matches.c.page_id).label("article_id")
        current = and_(articles.c.page_id == matches.c.page_id, articles.c.retired_at.is_(None))
        query = (
            select(pages.c.url, pages.c.first_seen, matches, articles.c.title, articles.c.body)
            .add_columns(articles.c.published, articles.c.authors)
            .add_columns(articles.c.created_at, articles.c.changed_at, article_id)
            .join_from(matches, pages, matches.c.page_id == pages.c.id)
            .outerjoin(articles, current)
            .outerjoin(parts, parts.c.page_id == matches.c.page_id)
            .where(pages.c.site_id == site.id, matches.c.run_id > since.id)
            .where(pages.c.outcome.not_in(GONE_OUTCOMES))
            .order_by(matches.c.page_id)
            .execution_options(yield_per=200)
        )
        with self.reading() as connection:
            for row in connection.execute(query):
                yield _decision(row, since)

    def unfitted(self, site: Site) -> int:
        """Return how many pages fit no pattern and have come since the site was last learned."""
        pages, matches, models = tables.pages, tables.matches, tables.models
        learned = select(func.max(models.c.created_at)).where(models.c.site_id == site.id)
        query = (
            select(func.count())
            .join_from(matches, pages, matches.c.page_id == pages.c.id)
            .where(pages.c.site_id == site.id, matches.c.fit == Fit.NONE)
            .where(pages.c.changed_at > learned.scalar_subquery())
        )
        return self._number(query)


def _standing(connection: Connection, page_ids: Sequence[int]) -> Mapping[int, Standing]:
    """Return what is stored of these pages, by id."""
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
            articles.c.changed_at,
            articles.c.retired_at,
            articles.c.content_hash.label("article_hash"),
        )
        .outerjoin_from(matches, articles, matches.c.page_id == articles.c.page_id)
        .where(matches.c.page_id.in_(page_ids))
    )
    return {row.page_id: _standing_row(row) for row in connection.execute(query)}


def _standing_row(row: Row[*tuple[Any, ...]]) -> Standing:
    article = None
    if row.title is not None:
        article = Article(
            url="", title=row.title, body=row.body, method=row.method, confidence=row.confidence
        )
    return from_row(Standing, row, article=article, is_retired=row.retired_at is not None)


def _write(connection: Connection, site: Site, run: Run, merged: Sequence[Merged]) -> None:
    """Write matches, articles, their provenance and what they were before."""
    changing = [each for each in merged if each.row.kept is Kept.NONE]
    found = [(each, each.row.article) for each in changing if each.row.article is not None]
    _delete(connection, tables.matches, [each.row.page_id for each in merged])
    _insert(connection, tables.matches, [_match_values(run, each.row) for each in merged])
    versions = [_version_values(each.row.page_id, each.version) for each in merged if each.version]
    _insert(connection, tables.article_versions, versions)
    retire_articles(connection, [each.row.page_id for each in changing if each.row.article is None])
    # Provenance goes with its article.
    _delete(connection, tables.articles, [each.row.page_id for each, _ in found])
    _insert(connection, tables.articles, [_article_values(site, *each) for each in found])
    reasons = (_provenance_values(each.row.page_id, article) for each, article in found)
    _insert(connection, tables.provenance, list(chain.from_iterable(reasons)))


def _delete(connection: Connection, table: Table[Any], page_ids: Sequence[int]) -> None:
    if page_ids:
        connection.execute(delete(table).where(table.c.page_id.in_(page_ids)))


def _insert(connection: Connection, table: Table[Any], rows: Sequence[Values]) -> None:
    if rows:
        connection.execute(insert(table), list(rows))


def _match_values(run: Run, row: ExtractionRow) -> Values:
    decided = to_row(row, without=("article", "extracted_at"))
    return decided | {"run_id": run.id, "extracted_at": now()}


def _version_values(page_id: int, version: ArticleVersion) -> Values:
    return {"page_id": page_id} | to_row(version)


def _article_values(site: Site, merged: Merged, article: Article) -> Values:
    row = merged.row
    return to_row(article, without=("url", "provenance", "page_urls", "other_urls")) | {
        "page_id": row.page_id,
        "site_id": site.id,
        "authors": json.dumps([clean_text(name) for name in article.authors], ensure_ascii=False),
        "pattern_id": row.pattern_id,
        "extracted_at": now(),
        "created_at": merged.created_at,
        "changed_at": merged.changed_at,
        "content_hash": row.content_hash,
    }


def _provenance_values(page_id: int, article: Article) -> list[Values]:
    return [
        {"page_id": page_id, "position": position} | to_row(reason)
        for position, reason in enumerate(article.provenance)
    ]


def _extraction(row: Row[*tuple[Any, ...]]) -> ExtractionRow:
    return from_row(ExtractionRow, row, article=None)


def _decision(row: Row[*tuple[Any, ...]], since: Run) -> Decision:
    body = row.body or ""
    return from_row(
        Decision,
        row,
        # A clock that was ahead once has left times that are still to come.
        is_new=since.started_at <= row.first_seen <= now(),
        page_words=row.page_words or 0,
        words=word_count(body),
        paragraphs=len(body.split("\n")) if body else 0,
        is_dated=row.published is not None,
        has_author=row.authors not in (None, "[]"),
    )
