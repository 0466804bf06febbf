"""Articles: lists, versions, retirement, provenance and the pages that belong together."""

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from flong.article import Article, Provenance
from flong.joining import join_texts
from flong.page import Link
from flong.states import GONE_OUTCOMES, ArticleKind, KeepReason, PageRole, Precision, Verdict
from flong.storage import tables
from flong.storage.columns import UtcTime, from_row, now, to_row
from flong.storage.database import Connections, Repository, batches
from flong.storage.documents import Codec, Documents
from flong.storage.joined_words import AT_ONCE, PageUrls, changing_articles, is_part, page_urls
from flong.storage.tables import ArticleVersion, JoinedPage, Run, Site

logger = logging.getLogger(__name__)
TitleAndBody = tuple[str, str]
"""Title and body of an article."""
READ_AT_ONCE = 200
"""Number of articles in memory while they are streamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleRow:
    """A stored article."""

    page_id: int
    """Id of its page."""
    site: str
    """Name of its site."""
    article: Article
    """The article; without provenance when many are streamed."""
    pattern_id: int | None
    """The pattern that gave it; None without a pattern."""
    first_seen: datetime
    """When its page was first received."""
    extracted_at: datetime
    """When it was extracted."""
    retired_at: datetime | None = None
    """When its page stopped being an article; None while it is one."""
    part_of: int | None = None
    """Page with the article that it is a part or a copy of; None if it is on its own."""
    read_at: datetime | None = None
    """When a reader has read it; None while it is unread."""
    starred_at: datetime | None = None
    """When a reader starred it; None without a star."""

    @property
    def dated(self) -> str:
        """Date of publication, else of the first receipt, without an unknown time of day."""
        time = self.article.published or self.first_seen
        is_day = self.article.published_precision is Precision.DAY
        return f"{time:%Y-%m-%d}" if is_day else f"{time:%Y-%m-%d %H:%M}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The headline of an article."""

    page_id: int
    """Id of its page."""
    title: str
    """The headline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleSummary:
    """Numbers of the articles of a site."""

    total: int
    """Number of articles."""
    undated: int = 0
    """Number of articles without a publication date."""
    first: datetime | None = None
    """First publication date; None without a dated article."""
    last: datetime | None = None
    """Last publication date; None without a dated article."""
    sections: Mapping[str, int] = field(default_factory=dict)
    """Articles by section; empty text for no section."""
    patterns: Mapping[int | None, int] = field(default_factory=dict)
    """Articles by the pattern that extracted them; None for no pattern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TitledPage(Headline):
    """Names of a page with an article."""

    url: str
    """Its URL."""
    canonical_url: str | None
    """Canonical URL in the page; None if it declares none."""


@dataclass(frozen=True, slots=True)
class _PackedLinks:
    """Compressed links with their codec."""

    codec: Codec
    packed: bytes

    def __iter__(self) -> Iterator[Link]:
        return iter(self.codec.unpack_links(self.packed))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage(TitledPage):
    """A page with an article, with the features that decide if it belongs to another article."""

    body: str
    """The text of this page only."""
    published: datetime | None
    """Date of publication; None if unknown."""
    pattern_id: int | None
    """The pattern that gave its article; None without a pattern."""
    structure: str | None
    """Its blocks, for `article.read_blocks`; None if they were not read."""
    is_shown: bool
    """True if the stored document is the one that gave the article."""
    links: Iterable[Link]
    """Links of the page; stored links are decompressed at each iteration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleChoice:
    """Selection of articles."""

    sites: tuple[Site, ...] = ()
    """Sites; empty for all."""
    since: datetime | None = None
    """Published, else first seen, at this time or later."""
    until: datetime | None = None
    """Published, else first seen, before this time."""
    extracted_after: Run | None = None
    """Extracted by a later run."""
    contains: str = ""
    """Title or body contains this text, in any case."""
    limit: int | None = None
    """Maximum number of articles."""
    min_confidence: float = 0.0
    """Minimum confidence."""
    pattern_id: int | None = None
    """The pattern that gave them."""
    retired: bool = False
    """True for retired articles instead of current ones."""
    kinds: tuple[ArticleKind, ...] = (ArticleKind.NEWS,)
    """Kinds of articles."""
    every_page: bool = False
    """True to list each page and copy of a multi-page article with its own text."""
    with_provenance: bool = False
    """True to read the provenance of the fields, too."""

    def conditions(self, time: ColumnElement[datetime | None]) -> Iterator[ColumnElement[bool]]:
        """Yield the SQL conditions; `time` is the publication, else the first receipt."""
        table = tables.articles
        is_page, current = table.c.kind == ArticleKind.PAGE, table.c.retired_at.is_(None)
        is_news = and_(~current, ~is_page) if self.retired else current
        yield or_(*(is_news if kind is ArticleKind.NEWS else is_page for kind in self.kinds))
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
        if self.extracted_after is not None:
            yield _is_extracted_after(self.extracted_after)

    def has_words(self, article: Article) -> bool:
        """Return True if an article contains the text."""
        words = self.contains.casefold()
        return not words or words in f"{article.title}\n{article.body}".casefold()


class Articles(Repository):
    """Reads articles, and undoes wrong changes."""

    def __init__(self, database: Connections, documents: Documents) -> None:
        super().__init__(database)
        self._codec = documents.codec

    def all(
        self,
        site: Site | None = None,
        *,
        limit: int | None = None,
        min_confidence: float = 0.0,
        pattern_id: int | None = None,
        retired: bool = False,
    ) -> Iterator[ArticleRow]:
        """Stream articles, the latest first; undated ones last, by their first receipt.

        `retired` streams retired articles instead of current ones. The store may be written to
        meanwhile.
        """
        chosen = ArticleChoice(
            limit=limit, min_confidence=min_confidence, pattern_id=pattern_id, retired=retired
        )
        return self.chosen(replace(chosen, sites=(site,)) if site is not None else chosen)

    def chosen(self, chosen: ArticleChoice) -> Iterator[ArticleRow]:
        """Stream the selected articles, the latest first and undated ones last."""
        table, pages = tables.articles, tables.pages
        time = func.coalesce(table.c.published, pages.c.first_seen, type_=UtcTime)
        query = select(table.c.page_id).join_from(table, pages, table.c.page_id == pages.c.id)
        query = query.where(*chosen.conditions(time))
        query = query.order_by(table.c.published.is_(None), time.desc(), table.c.page_id)
        page_ids = self._column(query.limit(None if chosen.contains else chosen.limit))
        rows = self.of(
            page_ids, every_page=chosen.every_page, with_provenance=chosen.with_provenance
        )
        yield from islice((row for row in rows if chosen.has_words(row.article)), chosen.limit)

    def find(self, page_id: int) -> ArticleRow | None:
        """Return the article of a page with its provenance, or None."""
        with self.reading() as connection:
            return find_article(connection, page_id)

    def of(
        self,
        page_ids: Sequence[int],
        *,
        every_page: bool = False,
        with_provenance: bool = False,
    ) -> Iterator[ArticleRow]:
        """Stream the articles of these pages, in order; `every_page` with each page's text only."""
        for batch in batches(page_ids, READ_AT_ONCE):
            with self.reading() as connection:
                found = read_articles(
                    connection, batch, every_page=every_page, with_provenance=with_provenance
                )
            yield from found

    def neighbours(self, row: ArticleRow) -> tuple[Headline | None, Headline | None]:
        """Return the articles of the site just before and just after one, by time."""
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
        earlier = query.where(before).order_by(time.desc(), page_id.desc()).limit(1)
        later = query.where(after).order_by(time, page_id).limit(1)
        return self._first(Headline, earlier), self._first(Headline, later)

    def source(self, page_id: int) -> str | None:
        """Return the hash of the document that gave a page's article; None without an article."""
        table = tables.articles
        with self.reading() as connection:
            query = select(table.c.content_hash).where(table.c.page_id == page_id)
            return connection.execute(query).scalar()

    def versions(self, page_id: int) -> list[ArticleVersion]:
        """Return the earlier versions of a page's article, the earliest first.

        An edit of one page of a multi-page article is an edit of the article.
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
        # From the latest version to the first, each page has the text that it had at that time.
        found = []
        for row in reversed(rows):
            bodies[row.page_id] = row.body
            title = row.title if row.page_id == page_id else title
            body = join_texts([bodies[each] for each in ids if each in bodies])
            found.append(replace(from_row(ArticleVersion, row), title=title, body=body))
        return found[::-1]

    def count(self, site: Site, extracted_after: Run | None = None) -> int:
        """Return the number of articles of a site, without retired ones.

        With a run, count only articles that later runs extracted.
        """
        articles = tables.articles
        query = select(func.count()).select_from(articles)
        query = query.where(articles.c.site_id == site.id, articles.c.retired_at.is_(None))
        query = query.where(~is_part())
        if extracted_after is not None:
            query = query.where(_is_extracted_after(extracted_after))
        return self._number(query)

    def summarise(self, site: Site) -> ArticleSummary:
        """Return the numbers of a site's articles by date, section and pattern."""
        table = tables.articles
        groups = (table.c.section, table.c.pattern_id)
        query = select(
            *groups,
            func.count().label("total"),
            func.count(table.c.published).label("dated"),
            func.min(table.c.published, type_=UtcTime).label("first"),
            func.max(table.c.published, type_=UtcTime).label("last"),
        ).where(table.c.site_id == site.id, table.c.retired_at.is_(None), ~is_part())
        with self.reading() as connection:
            rows = connection.execute(query.group_by(*groups)).all()
        sections, patterns = Counter[str](), Counter[int | None]()
        for row in rows:
            sections[row.section or ""] += row.total
            patterns[row.pattern_id] += row.total
        total = sum(row.total for row in rows)
        return ArticleSummary(
            total=total,
            undated=total - sum(row.dated for row in rows),
            first=min((row.first for row in rows if row.first), default=None),
            last=max((row.last for row in rows if row.last), default=None),
            sections=sections,
            patterns=patterns,
        )

    def count_retired(self, site: Site, since: Run) -> int:
        """Return the number of articles of a site retired by a run or later ones."""
        table = tables.articles
        query = select(func.count()).select_from(table)
        query = query.where(table.c.site_id == site.id, table.c.retired_at.is_not(None))
        return self._number(query.where(table.c.retired_run_id >= since.id))

    def count_cut(self, site: Site) -> int:
        """Return the number of articles kept because their pages show only a part of them."""
        pages, matches = tables.pages, tables.matches
        query = (
            select(func.count())
            .join_from(pages, matches, pages.c.id == matches.c.page_id)
            .where(pages.c.site_id == site.id, pages.c.outcome.not_in(GONE_OUTCOMES))
            .where(matches.c.kept.in_((KeepReason.PART, KeepReason.PAYWALL)))
        )
        return self._number(query)

    def retire(self, page_ids: Sequence[int], run: Run) -> None:
        """Retire articles as of a run, without deleting them."""
        with self.writing() as connection:
            for batch in batches(page_ids):
                with changing_articles(connection, batch):
                    retire_articles(connection, batch, run)

    def withhold(self, page_ids: Sequence[int], run: Run, reason: str) -> None:
        """Retire the articles of some pages, and set the reason of their decisions."""
        matches = tables.matches
        with self.writing() as connection:
            for batch in batches(page_ids):
                with changing_articles(connection, batch):
                    retire_articles(connection, batch, run)
                these = update(matches).where(matches.c.page_id.in_(batch))
                connection.execute(these.values(verdict=Verdict.OTHER, reason=reason))

    def undo_edits(self, page_ids: Sequence[int], kept: KeepReason) -> None:
        """Give articles the title and body that they had before their last change."""
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
        """Delete edits by later runs that are undone: the page was only read differently meanwhile.

        `is_same` compares two texts.
        """
        versions, articles = tables.article_versions, tables.articles
        query = (
            select(versions, articles.c.title.label("new_title"), articles.c.body.label("new_body"))
            .join(articles, articles.c.page_id == versions.c.page_id)
            .where(articles.c.site_id == site.id, versions.c.run_id > since.id)
        )
        with self.writing() as connection:
            for row in connection.execute(query).all():
                if not is_same((row.title, row.body), (row.new_title, row.new_body)):
                    continue
                these = update(articles).where(articles.c.page_id == row.page_id)
                connection.execute(these.values(changed_at=row.seen_from))
                connection.execute(delete(versions).where(versions.c.id == row.id))

    def titles(self, site: Site) -> list[TitledPage]:
        """Return the pages of a site that have an article, by id."""
        articles, pages = tables.articles, tables.pages
        return self._read(
            TitledPage,
            _standing(
                select(
                    articles.c.page_id, pages.c.url, articles.c.title, articles.c.canonical_url
                ).where(articles.c.site_id == site.id)
            ),
        )

    def read_pages(self, page_ids: Sequence[int]) -> list[ReadPage]:
        """Return the pages among these that have an article, by id."""
        articles, pages, matches = tables.articles, tables.pages, tables.matches
        query = _standing(
            select(
                articles.c.page_id,
                pages.c.url,
                articles.c.title,
                articles.c.canonical_url,
                articles.c.body,
                articles.c.published,
                articles.c.structure,
                articles.c.pattern_id,
                articles.c.content_hash.label("article_hash"),
                pages.c.content_hash,
                matches.c.kept,
                pages.c.dictionary_id,
                pages.c.links.label("packed"),
            )
        ).outerjoin(matches, articles.c.page_id == matches.c.page_id)
        found = []
        with self.reading() as connection:
            for batch in batches(page_ids):
                for row in connection.execute(query.where(articles.c.page_id.in_(batch))).all():
                    links = self._links(connection, row.dictionary_id, row.packed)
                    is_shown = row.article_hash == row.content_hash and row.kept in (
                        None, KeepReason.NONE,
                    )  # fmt: skip
                    found.append(from_row(ReadPage, row, links=links, is_shown=is_shown))
        return found

    def joined_pages(self, site: Site) -> list[JoinedPage]:
        """Return the joined pages of a site, by id."""
        parts, pages = tables.article_pages, tables.pages
        query = select(parts).join_from(parts, pages, parts.c.page_id == pages.c.id)
        return self._read(
            JoinedPage, query.where(pages.c.site_id == site.id).order_by(parts.c.page_id)
        )

    def join_pages(self, site: Site, rows: Sequence[JoinedPage]) -> None:
        """Replace the joined pages of a site in one transaction.

        The joined texts and the search index are updated.
        """
        parts = tables.article_pages
        with self.writing() as connection:
            before = {row.page_id: row for row in self.joined_pages(site)}
            after = {row.page_id: row for row in rows}
            changed = [key for key in {*before, *after} if before.get(key) != after.get(key)]
            # Pages of one article are in one batch or two: few articles are joined twice.
            changed.sort(key=lambda key: ((after.get(key) or before[key]).article_id, key))
            for batch in batches(changed, AT_ONCE):
                told = [rows[key] for rows in (before, after) for key in batch if key in rows]
                touched = {row.article_id for row in told}
                with changing_articles(connection, sorted({*batch, *touched})):
                    connection.execute(delete(parts).where(parts.c.page_id.in_(batch)))
                    new = [to_row(after[key]) for key in batch if key in after]
                    if new:
                        connection.execute(insert(parts), new)

    def _links(
        self, connection: Connection, dictionary: int | None, packed: bytes | None
    ) -> Iterable[Link]:
        return () if packed is None else _PackedLinks(self._codec(connection, dictionary), packed)


def _is_extracted_after(run: Run) -> ColumnElement[bool]:
    """Return the condition that a later run has written an article."""
    matches = tables.matches
    later = select(matches.c.page_id).where(matches.c.run_id > run.id)
    chosen: ColumnElement[bool] = tables.articles.c.page_id.in_(
        later.where(matches.c.kept == KeepReason.NONE)
    )
    return chosen


def retire_articles(connection: Connection, page_ids: Sequence[int], run: Run) -> None:
    """Retire articles as of a run, without deleting them."""
    table = tables.articles
    these = update(table).where(table.c.page_id.in_(page_ids), table.c.retired_at.is_(None))
    if page_ids:
        connection.execute(these.values(retired_at=now(), retired_run_id=run.id))


def find_article(connection: Connection, page_id: int) -> ArticleRow | None:
    """Return the article of a page with its provenance, or None."""
    return next(iter(read_articles(connection, [page_id], with_provenance=True)), None)


def read_articles(
    connection: Connection,
    page_ids: Sequence[int],
    *,
    every_page: bool = False,
    with_provenance: bool = False,
) -> list[ArticleRow]:
    """Return the articles of these pages, in order; `every_page` with each page's text only."""
    table, pages, sites, parts = tables.articles, tables.pages, tables.sites, tables.article_pages
    marks = tables.reader_marks
    query = (
        select(table, pages.c.url, pages.c.first_seen, sites.c.name.label("site"))
        .add_columns(parts.c.article_id, parts.c.body.label("joined_body"))
        .add_columns(parts.c.structure.label("joined_structure"))
        .add_columns(marks.c.read_at, marks.c.starred_at)
        .join_from(table, pages, table.c.page_id == pages.c.id)
        .join(sites, table.c.site_id == sites.c.id)
        .outerjoin(parts, table.c.page_id == parts.c.page_id)
        .outerjoin(marks, table.c.page_id == marks.c.page_id)
        .where(table.c.page_id.in_(page_ids))
    )
    urls = {} if every_page else page_urls(connection, page_ids)
    reasons = _provenance(connection, page_ids) if with_provenance else {}
    found = {
        row.page_id: _article(row, urls.get(row.page_id), reasons.get(row.page_id, ()))
        for row in connection.execute(query)
    }
    return [found[page_id] for page_id in page_ids if page_id in found]


def _article(
    row: Row[*tuple[Any, ...]], urls: PageUrls | None, provenance: Sequence[Provenance]
) -> ArticleRow:
    given: dict[str, Any] = {"page_urls": (), "other_urls": ()}
    if urls is not None:
        given = {"page_urls": urls.pages, "other_urls": urls.copies}
        if row.joined_body is not None:
            given |= {"body": row.joined_body, "structure": row.joined_structure}
    for name in ("authors", "sections", "tags"):
        if getattr(row, name) is None:
            logger.warning("The %s of article %d are damaged and left out.", name, row.page_id)
            given[name] = ()
    article = from_row(Article, row, provenance=tuple(provenance), **given)
    part_of = None if row.article_id == row.page_id else row.article_id
    return from_row(ArticleRow, row, article=article, part_of=part_of)


def _provenance(
    connection: Connection, page_ids: Sequence[int]
) -> Mapping[int, Sequence[Provenance]]:
    table = tables.provenance
    query = select(table).where(table.c.page_id.in_(page_ids))
    found = defaultdict[int, list[Provenance]](list)
    for row in connection.execute(query.order_by(table.c.page_id, table.c.position)):
        found[row.page_id].append(from_row(Provenance, row))
    return found


def _standing(query: Select[*tuple[object, ...]]) -> Select[*tuple[object, ...]]:
    """Restrict a query to articles that are not retired, with their pages."""
    articles, pages = tables.articles, tables.pages
    joined = query.join_from(articles, pages, articles.c.page_id == pages.c.id)
    return joined.where(articles.c.retired_at.is_(None)).order_by(articles.c.page_id)
