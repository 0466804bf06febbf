"""What goes on with a site: how much there is by now, by day, and what failed."""

from dataclasses import dataclass

from sqlalchemy import desc, func, select

from flong.states import FAILED_OUTCOMES
from flong.storage import tables
from flong.storage.database import Repository
from flong.storage.joined_words import is_part
from flong.storage.sites import Site

TITLES = 5
"""Articles that are named."""
DAYS = 30
"""Days whose articles are counted."""
REASONS = 12
"""Reasons that are told apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveFigures:
    """How much there is of a site by now."""

    pages: int
    """Pages that were found."""
    templates: int
    """Clusters in force."""
    articles: int
    """Articles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOfArticles:
    """Articles of one day."""

    day: str
    """`2026-05-01`, in UTC."""
    articles: int
    """How many were published then, or else first seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedReason:
    """URLs that gave no page, for one reason."""

    reason: str
    """What went wrong."""
    pages: int
    """How many."""
    example: str
    """One of the URLs."""


class SiteActivity(Repository):
    """Counts what there is of a site."""

    def figures(self, site: Site) -> LiveFigures:
        """Return how much there is by now."""
        pages, clusters, articles = tables.pages, tables.clusters, tables.articles
        count = select(func.count())
        return LiveFigures(
            pages=self._number(
                count.where(pages.c.site_id == site.id, pages.c.content_hash.is_not(None))
            ),
            templates=self._number(
                count.where(clusters.c.site_id == site.id, clusters.c.retired_at.is_(None))
            ),
            articles=self._number(
                count.where(
                    articles.c.site_id == site.id, articles.c.retired_at.is_(None), ~is_part()
                )
            ),
        )

    def latest_titles(self, site: Site) -> list[str]:
        """Return the titles of the articles that were stored last."""
        articles = tables.articles
        query = select(articles.c.title).where(articles.c.site_id == site.id)
        query = query.where(articles.c.retired_at.is_(None), ~is_part()).order_by(
            articles.c.page_id.desc()
        )
        with self.reading() as connection:
            return list(connection.execute(query.limit(TITLES)).scalars())

    def articles_by_day(self, site: Site) -> list[DayOfArticles]:
        """Return how many articles the last days brought that had any, the earliest first."""
        articles, pages = tables.articles, tables.pages
        day = func.substr(func.coalesce(articles.c.published, pages.c.first_seen), 1, 10)
        query = (
            select(day.label("day"), func.count().label("articles"))
            .join_from(articles, pages, pages.c.id == articles.c.page_id)
            .where(articles.c.site_id == site.id, articles.c.retired_at.is_(None), ~is_part())
            .group_by("day")
            .order_by(desc("day"))
            .limit(DAYS)
        )
        return self._read(DayOfArticles, query)[::-1]

    def failures(self, site: Site) -> list[FailedReason]:
        """Return why URLs of the site gave no page, the most frequent reason first."""
        pages = tables.pages
        reason = func.coalesce(pages.c.error, pages.c.outcome)
        query = (
            select(reason.label("reason"), func.count().label("pages"))
            .add_columns(func.min(pages.c.url).label("example"))
            .where(pages.c.site_id == site.id, pages.c.outcome.in_(FAILED_OUTCOMES))
            .group_by("reason")
            .order_by(desc("pages"), "reason")
            .limit(REASONS)
        )
        return self._read(FailedReason, query)
