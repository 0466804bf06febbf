"""Articles: streamed, retired, given back, with why each field has its value."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, func, or_, select, update

from flong.article import Article, Provenance
from flong.joining import join_texts
from flong.states import GONE_OUTCOMES, Kept, PageRole, Precision, Verdict
from flong.storage import tables
from flong.storage.columns import UtcTime, from_row, now
from flong.storage.database import Repository, batches
from flong.storage.joined_words import PageUrls, changing_articles, is_part, page_urls
from flong.storage.runs import Run
from flong.storage.sites import Site

TitleAndBody = tuple[str, str]
"""The words of an article."""

READ_AT_ONCE = 200
"""Articles that are in memory while they are streamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRow:
    """An article as it is stored."""

    page_id: int
    """Id of its page."""
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
    retired_at: datetime | None = None
    """Since when its page's document is no longer taken for an article; None while it is."""
    part_of: int | None = None
    """The page to whose article it belongs, as a further page or a copy; None: it stands alone."""

    @property
    def dated(self) -> str:
        """When it was published, else first seen, as people read it; no time that is not known."""
        time = self.article.published or self.first_seen
        is_day = self.article.published_precision is Precision.DAY
        return f"{time:%Y-%m-%d}" if is_day else f"{time:%Y-%m-%d %H:%M}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """An article by its name."""

    page_id: int
    """Id of its page."""
    title: str
    """The headline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleVersion:
    """What an article was before it changed."""

    title: str
    """The headline."""
    body: str
    """The text."""
    seen_from: datetime
    """Since when it was known so."""
    seen_until: datetime
    """When it was replaced."""
    changes: str
    """What the next version changed, in a few words."""
    content_hash: str | None = None
    """Fingerprint of the document that gave it; None if that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleChoice:
    """Which articles are wanted."""

    sites: tuple[Site, ...] = ()
    """Of these sites; none stands for all."""
    since: datetime | None = None
    """Published, or else first seen, at this time or later."""
    until: datetime | None = None
    """Before this time."""
    extracted_since: datetime | None = None
    """Extracted at this time or later."""
    contains: str = ""
    """Title or body has these words, in capitals or not."""
    limit: int | None = None
    """So many at most."""
    min_confidence: float = 0.0
    """As sure as this at least."""
    pattern_id: int | None = None
    """Given by this pattern."""
    retired: bool = False
    """Those that are taken for none any more, instead of those that are articles."""
    every_page: bool = False
    """Whether each page of a story, and each copy, counts as an article with its own words."""

    def conditions(self, time: ColumnElement[datetime | None]) -> Iterator[ColumnElement[bool]]:
        """Yield what the database is asked for; `time` is when an article was published or seen."""
        table = tables.articles
        current = table.c.retired_at.is_(None)
        yield ~current if self.retired else current
        if not (self.every_page or self.retired):
            yield ~is_part()
        yield table.c.confidence >= self.min_confidence
        if self.sites:
            yield table.c.site_id.in_([site.id for site in self.sites])
        if self.pattern_id is not None:
            yield table.c.pattern_id == self.pattern_id
        if self.since is not None:
            yield time >= self.since
        if self.until is not None:
            yield time < self.until
        if self.extracted_since is not None:
            yield table.c.extracted_at >= self.extracted_since

    def has_words(self, article: Article) -> bool:
        """Return whether an article has the words that it should contain."""
        words = self.contains.casefold()
        return not words or words in f"{article.title}\n{article.body}".casefold()


class Articles(Repository):
    """Reads articles, and takes back what was wrong about them."""

    def all(
        self,
        site: Site | None = None,
        *,
        limit: int | None = None,
        min_confidence: float = 0.0,
        pattern_id: int | None = None,
        retired: bool = False,
    ) -> Iterator[ArticleRow]:
        """Stream articles, the latest first: by publication, else by when their page came up.

        Those that were retired are left out, or on request streamed alone. The store may be
        written to meanwhile.
        """
        chosen = ArticleChoice(
            limit=limit, min_confidence=min_confidence, pattern_id=pattern_id, retired=retired
        )
        return self.chosen(replace(chosen, sites=(site,)) if site is not None else chosen)

    def chosen(self, chosen: ArticleChoice) -> Iterator[ArticleRow]:
        """Stream the articles that are wanted, the latest first."""
        rows = (row for row in self._rows(chosen) if chosen.has_words(row.article))
        yield from islice(rows, chosen.limit)

    def _rows(self, chosen: ArticleChoice) -> Iterator[ArticleRow]:
        table, pages = tables.articles, tables.pages
        time = func.coalesce(table.c.published, pages.c.first_seen, type_=UtcTime)
        query = select(table.c.page_id).join_from(table, pages, table.c.page_id == pages.c.id)
        query = query.where(*chosen.conditions(time))
        limit = None if chosen.contains else chosen.limit
        with self.reading() as connection:
            ordered = query.order_by(time.desc(), table.c.page_id).limit(limit)
            page_ids = connection.execute(ordered).scalars().all()
        for batch in batches(page_ids, READ_AT_ONCE):
            with self.reading() as connection:
                found = read_articles(connection, batch, every_page=chosen.every_page)
            yield from found

    def find(self, page_id: int) -> ArticleRow | None:
        """Return the article of a page with its provenance; None if it has none."""
        with self.reading() as connection:
            return find_article(connection, page_id)

    def own(self, page_ids: Sequence[int]) -> Iterator[ArticleRow]:
        """Stream the articles of some pages, each with the words of its own page alone."""
        for batch in batches(page_ids, READ_AT_ONCE):
            with self.reading() as connection:
                found = read_articles(connection, batch, every_page=True)
            yield from found

    def neighbours(self, row: ArticleRow) -> tuple[Headline | None, Headline | None]:
        """Return the articles of a site just before and just after one, by their time."""
        table, pages, sites = tables.articles, tables.pages, tables.sites
        time = func.coalesce(table.c.published, pages.c.first_seen, type_=UtcTime)
        here = row.article.published or row.first_seen
        query = (
            select(table.c.page_id, table.c.title)
            .join_from(table, pages, table.c.page_id == pages.c.id)
            .join(sites, table.c.site_id == sites.c.id)
            .where(sites.c.name == row.site, table.c.retired_at.is_(None), ~is_part())
        )
        page_id = table.c.page_id
        before = or_(time < here, and_(time == here, page_id < row.page_id))
        after = or_(time > here, and_(time == here, page_id > row.page_id))
        with self.reading() as connection:
            found = (
                connection.execute(
                    query.where(before).order_by(time.desc(), page_id.desc()).limit(1)
                ).first(),
                connection.execute(query.where(after).order_by(time, page_id).limit(1)).first(),
            )
        earlier, later = (None if each is None else from_row(Headline, each) for each in found)
        return earlier, later

    def source(self, page_id: int) -> str | None:
        """Return the fingerprint of the document that gave a page's article; None without one."""
        table = tables.articles
        with self.reading() as connection:
            query = select(table.c.content_hash).where(table.c.page_id == page_id)
            return connection.execute(query).scalar()

    def versions(self, page_id: int) -> list[ArticleVersion]:
        """Return what the article of a page was before, the earliest first.

        An edit of one of its pages is an edit of an article that is spread over several.
        """
        versions, parts, articles = tables.article_versions, tables.article_pages, tables.articles
        these = select(parts.c.page_id).where(parts.c.article_id == page_id)
        these = these.where(parts.c.role == PageRole.PAGE).order_by(parts.c.position)
        with self.reading() as connection:
            ids = connection.execute(these).scalars().all() or [page_id]
            query = select(versions).where(versions.c.page_id.in_(ids))
            rows = connection.execute(query.order_by(versions.c.seen_until, versions.c.id)).all()
            if len(ids) == 1:
                return [from_row(ArticleVersion, row) for row in rows]
            words = select(articles.c.page_id, articles.c.body).where(articles.c.page_id.in_(ids))
            bodies = {row.page_id: row.body for row in connection.execute(words)}
            titles = select(articles.c.title).where(articles.c.page_id == page_id)
            title = connection.execute(titles).scalar() or ""
        # From the latest on, each page has the words that its next version took the place of.
        found = []
        for row in reversed(rows):
            bodies[row.page_id] = row.body
            title = row.title if row.page_id == page_id else title
            body = join_texts([bodies[each] for each in ids if each in bodies])
            found.append(replace(from_row(ArticleVersion, row), title=title, body=body))
        return found[::-1]

    def count(self, site: Site, since: datetime | None = None) -> int:
        """Return how many articles of a site are stored, without those that are retired.

        With a time, how many of them were extracted since then.
        """
        articles = tables.articles
        query = select(func.count()).select_from(articles)
        query = query.where(articles.c.site_id == site.id, articles.c.retired_at.is_(None))
        query = query.where(~is_part())
        if since is not None:
            query = query.where(articles.c.extracted_at >= since)
        return self._number(query)

    def count_retired(self, site: Site, since: datetime) -> int:
        """Return how many articles of a site were retired since a time."""
        table = tables.articles
        query = select(func.count()).select_from(table)
        query = query.where(table.c.site_id == site.id, table.c.retired_at >= since)
        return self._number(query)

    def count_cut(self, site: Site) -> int:
        """Return how many articles are kept because their pages show only a part of them."""
        pages, matches = tables.pages, tables.matches
        query = (
            select(func.count())
            .join_from(pages, matches, pages.c.id == matches.c.page_id)
            .where(pages.c.site_id == site.id, pages.c.outcome.not_in(GONE_OUTCOMES))
            .where(matches.c.kept.in_((Kept.PART, Kept.PAYWALL)))
        )
        return self._number(query)

    def retire(self, page_ids: Sequence[int]) -> None:
        """Take articles out of what is shown and found, without deleting them."""
        with self.writing() as connection:
            for batch in batches(page_ids):
                with changing_articles(connection, batch):
                    retire_articles(connection, batch)

    def withhold(self, page_ids: Sequence[int], reason: str) -> None:
        """Retire the articles of some pages; their decisions say why."""
        matches, articles = tables.matches, tables.articles
        with self.writing() as connection:
            for batch in batches(page_ids):
                retired = update(articles).where(articles.c.page_id.in_(batch))
                with changing_articles(connection, batch):
                    connection.execute(retired.values(retired_at=now()))
                these = update(matches).where(matches.c.page_id.in_(batch))
                connection.execute(these.values(verdict=Verdict.OTHER, reason=reason))

    def undo_edits(self, page_ids: Sequence[int], kept: Kept) -> None:
        """Give some articles back the words that they had before they were last changed."""
        versions, articles = tables.article_versions, tables.articles
        latest = select(func.max(versions.c.id)).group_by(versions.c.page_id)
        with self.writing() as connection:
            rows = [
                row
                for batch in batches(page_ids)
                for row in connection.execute(
                    select(versions).where(
                        versions.c.id.in_(latest.where(versions.c.page_id.in_(batch)))
                    )
                )
            ]
            for row in rows:
                old = {"title": row.title, "body": row.body, "changed_at": row.seen_from}
                old |= {"content_hash": row.content_hash, "structure": None}
                these = update(articles).where(articles.c.page_id == row.page_id)
                with changing_articles(connection, [row.page_id]):
                    connection.execute(these.values(old))
                connection.execute(delete(versions).where(versions.c.id == row.id))
                decided = update(tables.matches).where(tables.matches.c.page_id == row.page_id)
                connection.execute(decided.values(kept=kept))

    def forget_misreadings(
        self, site: Site, since: Run, is_same: Callable[[TitleAndBody, TitleAndBody], bool]
    ) -> None:
        """Drop edits since a run that are undone: the page was only read in another way between.

        `is_same` says whether two texts are one.
        """
        versions, articles = tables.article_versions, tables.articles
        query = (
            select(versions, articles.c.title.label("new_title"), articles.c.body.label("new_body"))
            .join(articles, articles.c.page_id == versions.c.page_id)
            .where(articles.c.site_id == site.id, versions.c.seen_until >= since.started_at)
        )
        with self.writing() as connection:
            for row in connection.execute(query).all():
                if not is_same((row.title, row.body), (row.new_title, row.new_body)):
                    continue
                these = update(articles).where(articles.c.page_id == row.page_id)
                connection.execute(these.values(changed_at=row.seen_from))
                connection.execute(delete(versions).where(versions.c.id == row.id))


def retire_articles(connection: Connection, page_ids: Sequence[int]) -> None:
    """Take articles out of what is shown, without deleting them."""
    table = tables.articles
    these = update(table).where(table.c.page_id.in_(page_ids), table.c.retired_at.is_(None))
    if page_ids:
        connection.execute(these.values(retired_at=now()))


def find_article(connection: Connection, page_id: int) -> ArticleRow | None:
    """Return the article of a page with its provenance; None if it has none."""
    found = read_articles(connection, [page_id])
    if not found:
        return None
    reasons = _provenance(connection, page_id)
    return replace(found[0], article=replace(found[0].article, provenance=reasons))


def read_articles(
    connection: Connection, page_ids: Sequence[int], *, every_page: bool = False
) -> list[ArticleRow]:
    """Return the articles of these pages, in this order; on request with each page's own words."""
    table, pages, sites, parts = tables.articles, tables.pages, tables.sites, tables.article_pages
    query = (
        select(table, pages.c.url, pages.c.first_seen, sites.c.name.label("site"))
        .add_columns(parts.c.article_id, parts.c.body.label("joined_body"))
        .add_columns(parts.c.structure.label("joined_structure"))
        .join_from(table, pages, table.c.page_id == pages.c.id)
        .join(sites, table.c.site_id == sites.c.id)
        .outerjoin(parts, table.c.page_id == parts.c.page_id)
        .where(table.c.page_id.in_(page_ids))
    )
    urls = {} if every_page else page_urls(connection, page_ids)
    found = {row.page_id: _article(row, urls.get(row.page_id)) for row in connection.execute(query)}
    return [found[page_id] for page_id in page_ids if page_id in found]


def _article(row: Row[*tuple[Any, ...]], urls: PageUrls | None) -> ArticleRow:
    given: dict[str, Any] = {"page_urls": (), "other_urls": ()}
    if urls is not None:
        given = {"page_urls": urls.pages, "other_urls": urls.copies}
        if row.joined_body is not None:
            given |= {"body": row.joined_body, "structure": row.joined_structure}
    authors = tuple(json.loads(row.authors))
    article = from_row(Article, row, authors=authors, provenance=(), **given)
    part_of = None if row.article_id == row.page_id else row.article_id
    return from_row(ArticleRow, row, article=article, part_of=part_of)


def _provenance(connection: Connection, page_id: int) -> tuple[Provenance, ...]:
    table = tables.provenance
    query = select(table).where(table.c.page_id == page_id).order_by(table.c.position)
    return tuple(from_row(Provenance, row) for row in connection.execute(query))
