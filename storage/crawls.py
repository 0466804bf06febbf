"""Crawls: what became of the pages and articles that a crawl asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVarTuple

from sqlalchemy import Select, func, literal, or_, select

from flong.states import GONE_OUTCOMES, STORED_OUTCOMES, Kept, Outcome
from flong.storage import tables
from flong.storage.columns import from_row, now
from flong.storage.database import Connections, Repository
from flong.storage.dictionaries import Dictionaries
from flong.storage.joined_words import is_part
from flong.storage.runs import Run

Ts = TypeVarTuple("Ts")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFetches:
    """How many articles a crawl asked for, and what it did not get."""

    asked: int
    """Pages with an article that were asked for."""
    gone: int
    """Those that were there before and are not any more."""
    redirected: int
    """Those that lead to another URL."""
    failed: Mapping[str, int]
    """Those that could not be had, by reason in words; not those that were not believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeLinks:
    """How many pages of the site a home page leads to."""

    now: int
    """Since this crawl."""
    before: int
    """Before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedArticle:
    """An article that is kept although its page gives none any more, or quite another text."""

    page_id: int
    """The page."""
    kept: Kept
    """`NOTHING` or `OTHER_TEXT`."""
    body: str
    """What is kept."""
    confidence: float
    """How sure it is that it was an article."""
    method: str
    """What had read it."""


class Crawls(Repository):
    """Looks back on a crawl."""

    def __init__(self, database: Connections, dictionaries: Dictionaries) -> None:
        super().__init__(database)
        self._codec = dictionaries.codec

    def urls(self, run: Run) -> list[str]:
        """Return the URLs of the pages that a run has met, new or as they were."""
        pages = tables.pages
        query = select(pages.c.url).where(
            pages.c.site_id == run.site_id,
            pages.c.run_id == run.id,
            pages.c.outcome.in_(STORED_OUTCOMES),
        )
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def fetched(self, run: Run) -> dict[int, Outcome]:
        """Return the pages whose content a run brought, with what it found: new or changed."""
        pages = tables.pages
        query = select(pages.c.id, pages.c.outcome).where(
            pages.c.site_id == run.site_id,
            pages.c.run_id == run.id,
            pages.c.outcome.in_((Outcome.NEW, Outcome.CHANGED)),
        )
        with self.reading() as connection:
            return {row.id: row.outcome for row in connection.execute(query.order_by(pages.c.id))}

    def count_rested(self, run: Run) -> int:
        """Return how many stored pages a run did not ask for, those gone before left out."""
        pages = tables.pages
        query = select(func.count()).select_from(pages).where(pages.c.site_id == run.site_id)
        query = query.where(
            pages.c.content_hash.is_not(None), pages.c.outcome.not_in(GONE_OUTCOMES)
        )
        query = query.where(or_(pages.c.run_id.is_(None), pages.c.run_id != run.id))
        return self._number(query)

    def count(self, run: Run, outcome: Outcome) -> int:
        """Return how many pages a run found so."""
        pages = tables.pages
        query = select(func.count()).select_from(pages).where(pages.c.site_id == run.site_id)
        query = query.where(pages.c.run_id == run.id, pages.c.outcome == outcome)
        return self._number(query)

    def count_gone_articles(self, run: Run) -> int:
        """Return how many articles a run found gone."""
        pages, articles = tables.pages, tables.articles
        query = select(func.count()).join_from(pages, articles, pages.c.id == articles.c.page_id)
        query = query.where(articles.c.retired_at.is_(None), ~is_part())
        these = (pages.c.site_id == run.site_id, pages.c.run_id == run.id)
        with self.reading() as connection:
            return connection.execute(
                query.where(*these, pages.c.outcome.in_(GONE_OUTCOMES))
            ).scalar_one()

    def article_fetches(self, crawl: Run) -> ArticleFetches:
        """Return what became of the articles that a crawl asked for."""
        pages, articles, aliases = tables.pages, tables.articles, tables.aliases
        known = (
            select(pages.c.outcome, pages.c.error, func.count().label("number"))
            .join_from(pages, articles, pages.c.id == articles.c.page_id)
            .where(pages.c.site_id == crawl.site_id, articles.c.retired_at.is_(None))
        )
        seen = known.where(pages.c.run_id == crawl.id).group_by(pages.c.outcome, pages.c.error)
        moved = (
            select(func.count())
            .join_from(pages, articles, pages.c.id == articles.c.page_id)
            .join(aliases, (aliases.c.site_id == pages.c.site_id) & (aliases.c.url == pages.c.url))
            .where(pages.c.site_id == crawl.site_id, articles.c.retired_at.is_(None))
            .where(aliases.c.checked_at >= crawl.started_at, aliases.c.target.is_not(None))
        )
        with self.reading() as connection:
            rows = connection.execute(seen).all()
            redirected = connection.execute(moved).scalar_one()
        return ArticleFetches(
            asked=sum(row.number for row in rows) + redirected,
            gone=sum(row.number for row in rows if row.outcome in GONE_OUTCOMES),
            redirected=redirected,
            failed={row.error or "": row.number for row in rows if row.outcome == Outcome.FAILED},
        )

    def home_links(self, crawl: Run) -> HomeLinks | None:
        """Return how many links a home page has that a crawl found changed; None if it did not."""
        pages, versions = tables.pages, tables.page_versions
        changed = select(pages.c.id, pages.c.dictionary_id, pages.c.links).where(
            pages.c.site_id == crawl.site_id,
            pages.c.run_id == crawl.id,
            pages.c.depth == 0,
            pages.c.outcome == Outcome.CHANGED,
        )
        with self.reading() as connection:
            home = connection.execute(changed.limit(1)).first()
            if home is None:
                return None
            earlier = (
                select(versions.c.dictionary_id, versions.c.links)
                .where(versions.c.page_id == home.id, versions.c.links.is_not(None))
                .order_by(versions.c.id.desc())
            )
            old = connection.execute(earlier.limit(1)).first()
            if old is None or home.links is None:
                return None
            count = [
                len(self._codec(connection, row.dictionary_id).unpack_urls(row.links))
                for row in (home, old)
            ]
        return HomeLinks(now=count[0], before=count[1])

    def replaced_articles(self, crawl: Run, *, unread: bool = False) -> list[ReplacedArticle]:
        """Return the articles in whose place a crawl found nothing, or quite another text.

        `unread`: all whose document changed, before anything was made of the new one.
        """
        pages, matches, articles = tables.pages, tables.matches, tables.articles
        wanted = (
            select(articles.c.page_id, articles.c.body)
            .add_columns(literal(Kept.NOTHING).label("kept") if unread else matches.c.kept)
            .add_columns(articles.c.confidence, articles.c.method)
        )
        query = _changed(wanted, crawl).join(matches, pages.c.id == matches.c.page_id)
        if not unread:
            query = query.where(matches.c.kept.in_((Kept.NOTHING, Kept.OTHER_TEXT)))
            query = query.where(matches.c.content_hash == pages.c.content_hash)
        with self.reading() as connection:
            rows = connection.execute(query.order_by(pages.c.id))
            return [from_row(ReplacedArticle, row, kept=Kept(row.kept)) for row in rows]

    def count_changed_articles(self, crawl: Run) -> int:
        """Return how many pages with an article a crawl found with another document."""
        return self._number(_changed(select(func.count()), crawl))

    def edited_articles(self, crawl: Run) -> list[int]:
        """Return the pages whose articles were edited by what a crawl found there."""
        versions, articles = tables.article_versions, tables.articles
        edit = select(versions.c.id).where(
            versions.c.page_id == articles.c.page_id,
            versions.c.seen_until == articles.c.changed_at,
        )
        query = _changed(select(articles.c.page_id), crawl).where(
            articles.c.content_hash == tables.pages.c.content_hash,
            # A clock that was ahead once has left times that are still to come.
            articles.c.changed_at.between(crawl.started_at, now()),
            edit.exists(),
        )
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def cut_articles(self, crawl: Run) -> list[int]:
        """Return the pages in which a crawl found no more than a part of their articles."""
        matches, pages = tables.matches, tables.pages
        query = _changed(select(pages.c.id), crawl).join(matches, pages.c.id == matches.c.page_id)
        query = query.where(matches.c.kept.in_((Kept.PART, Kept.SHORTER)))
        with self.reading() as connection:
            found = query.where(matches.c.content_hash == pages.c.content_hash)
            return list(connection.execute(found).scalars())


def _changed(query: Select[*Ts], crawl: Run) -> Select[*Ts]:
    """Ask of the pages with an article that a crawl found with another document."""
    pages, articles = tables.pages, tables.articles
    return (
        query.join_from(pages, articles, pages.c.id == articles.c.page_id)
        .where(pages.c.site_id == crawl.site_id, pages.c.run_id == crawl.id)
        .where(pages.c.outcome == Outcome.CHANGED, articles.c.retired_at.is_(None))
    )
