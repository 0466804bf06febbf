"""Articles, with why each page gave one or none, and why each field has its value."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Row, Table, delete, func, insert, select

from items import Article, Provenance
from storage import tables
from storage.columns import UtcTime, clean_text, now
from storage.database import Database, Values, batches
from storage.extractions import ExtractionRow
from storage.runs import Run
from storage.settling import Settled, settle, standing_articles
from storage.sites import Site

READ_AT_ONCE = 200
"""Articles that are in memory while they are streamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRow:
    """An article as it is stored."""

    page_id: int
    """Number of its page."""
    site: str
    """Name of its site."""
    article: Article
    """The article; without provenance when many are streamed."""
    pattern_id: int | None
    """The pattern that gave it; None if none did."""
    first_seen: datetime
    """When its page was first received."""
    extracted_at: datetime
    """When it was extracted."""


class ArticleStore(Database):
    """Writes and reads what extraction found."""

    def save_extractions(
        self, site: Site, run: Run, rows: Sequence[ExtractionRow], *, keep_better: bool = True
    ) -> None:
        """Store decisions and articles in one transaction, in place of earlier ones.

        An article that is better than what its page gives now stays, unless `keep_better` is
        off; one that was edited leaves what it was in `article_versions`.
        """
        latest = {row.page_id: row for row in rows}
        with self.writing() as connection:
            for batch in batches(latest.values()):
                standing = standing_articles(connection, [row.page_id for row in batch])
                settled = [settle(row, standing.get(row.page_id), keep_better) for row in batch]
                _forget(connection, settled)
                _insert(
                    connection, tables.article_versions, [v for s in settled for v in s.version]
                )
                _insert(connection, tables.matches, [_match_values(run, s.row) for s in settled])
                found = [(s, s.row.article) for s in settled if s.row.article and not s.kept]
                _insert(
                    connection, tables.articles, [_article_values(site, *each) for each in found]
                )
                reasons = (_provenance_values(s.row.page_id, article) for s, article in found)
                _insert(connection, tables.provenance, list(chain.from_iterable(reasons)))

    def extraction(self, page_id: int) -> ExtractionRow | None:
        """Return what was decided about a page, with its article; None if nothing yet."""
        with self.reading() as connection:
            query = select(tables.matches).where(tables.matches.c.page_id == page_id)
            row = connection.execute(query).first()
        if row is None:
            return None
        found = self.article(page_id)
        return replace(_extraction(row), article=None if found is None else found.article)

    def extractions(self, site: Site) -> Iterator[ExtractionRow]:
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

    def articles(
        self,
        site: Site | None = None,
        *,
        limit: int | None = None,
        min_confidence: float = 0.0,
        pattern_id: int | None = None,
    ) -> Iterator[ArticleRow]:
        """Stream articles, the latest first: by publication, else by when their page came up.

        The store may be written to meanwhile.
        """
        table, pages = tables.articles, tables.pages
        time = func.coalesce(table.c.published, pages.c.first_seen, type_=UtcTime)
        query = select(table.c.page_id).join_from(table, pages, table.c.page_id == pages.c.id)
        query = query.where(table.c.confidence >= min_confidence)
        if site is not None:
            query = query.where(table.c.site_id == site.id)
        if pattern_id is not None:
            query = query.where(table.c.pattern_id == pattern_id)
        with self.reading() as connection:
            chosen = query.order_by(time.desc(), table.c.page_id).limit(limit)
            numbers = connection.execute(chosen).scalars().all()
        for batch in batches(numbers, READ_AT_ONCE):
            with self.reading() as connection:
                found = _articles(connection, batch)
            yield from found

    def article(self, page_id: int) -> ArticleRow | None:
        """Return the article of a page with its provenance; None if it has none."""
        with self.reading() as connection:
            found = _articles(connection, [page_id])
            if not found:
                return None
            reasons = _provenance(connection, page_id)
        return replace(found[0], article=replace(found[0].article, provenance=reasons))


def _insert(connection: Connection, table: Table[Any], rows: Sequence[Values]) -> None:
    if rows:
        connection.execute(insert(table), list(rows))


def _forget(connection: Connection, settled: Sequence[Settled]) -> None:
    # Provenance goes with its article.
    replaced = [s.row.page_id for s in settled if not s.kept]
    for table, numbers in (
        (tables.articles, replaced),
        (tables.matches, [s.row.page_id for s in settled]),
    ):
        connection.execute(delete(table).where(table.c.page_id.in_(numbers)))


def _match_values(run: Run, row: ExtractionRow) -> Values:
    return {
        "page_id": row.page_id,
        "content_hash": row.content_hash,
        "model_version": row.model_version,
        "pattern_id": row.pattern_id,
        "fit": row.fit,
        "cost": row.cost,
        "constants": row.constants,
        "verdict": row.verdict,
        "score": row.score,
        "run_id": run.id,
        "extracted_at": now(),
        "page_words": row.page_words,
        "agrees": row.agrees,
        "before_pattern_id": row.before_pattern_id,
        "reason": row.reason,
    }


def _article_values(site: Site, settled: Settled, article: Article) -> Values:
    row = settled.row
    return {
        "page_id": row.page_id,
        "site_id": site.id,
        "title": article.title,
        "published": article.published,
        "modified": article.modified,
        "authors": json.dumps([clean_text(name) for name in article.authors], ensure_ascii=False),
        "image": article.image,
        "language": article.language,
        "section": article.section,
        "confidence": article.confidence,
        "method": article.method,
        "pattern_id": row.pattern_id,
        "extracted_at": now(),
        "created_at": settled.created_at,
        "changed_at": settled.changed_at,
        "body": article.body,
    }


def _provenance_values(page_id: int, article: Article) -> list[Values]:
    return [
        {"page_id": page_id, "position": position} | asdict(reason)
        for position, reason in enumerate(article.provenance)
    ]


def _articles(connection: Connection, numbers: Sequence[int]) -> list[ArticleRow]:
    """Return the articles of these pages, in this order."""
    table, pages, sites = tables.articles, tables.pages, tables.sites
    query = (
        select(table, pages.c.url, pages.c.first_seen, sites.c.name.label("site"))
        .join_from(table, pages, table.c.page_id == pages.c.id)
        .join(sites, table.c.site_id == sites.c.id)
        .where(table.c.page_id.in_(numbers))
    )
    found = {row.page_id: _article(row) for row in connection.execute(query)}
    return [found[number] for number in numbers if number in found]


def _article(row: Row[*tuple[Any, ...]]) -> ArticleRow:
    article = Article(
        url=row.url,
        title=row.title,
        body=row.body,
        published=row.published,
        modified=row.modified,
        authors=tuple(json.loads(row.authors)),
        image=row.image,
        language=row.language,
        section=row.section,
        confidence=row.confidence,
        method=row.method,
    )
    return ArticleRow(
        page_id=row.page_id,
        site=row.site,
        article=article,
        pattern_id=row.pattern_id,
        first_seen=row.first_seen,
        extracted_at=row.extracted_at,
    )


def _provenance(connection: Connection, page_id: int) -> tuple[Provenance, ...]:
    table = tables.provenance
    query = select(table).where(table.c.page_id == page_id).order_by(table.c.position)
    return tuple(
        Provenance(field=row.field, source=row.source, place=row.place, vertex=row.vertex)
        for row in connection.execute(query)
    )


def _extraction(row: Row[*tuple[Any, ...]]) -> ExtractionRow:
    return ExtractionRow(
        page_id=row.page_id,
        content_hash=row.content_hash,
        model_version=row.model_version,
        verdict=row.verdict,
        fit=row.fit,
        pattern_id=row.pattern_id,
        cost=row.cost,
        constants=row.constants,
        score=row.score,
        reason=row.reason,
        extracted_at=row.extracted_at,
        page_words=row.page_words,
        agrees=row.agrees,
        before_pattern_id=row.before_pattern_id,
    )
