"""Nights: how patterns did, what articles were before, what was reported."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, or_, select, update

from items import word_count
from storage import tables
from storage.database import Database, batches, upsert
from storage.runs import Run
from storage.settling import KEPT
from storage.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How a pattern did on the pages of one night."""

    pattern_id: int
    """The pattern."""
    pages: int
    """Pages that it fitted."""
    strict: int
    """Those that it fitted exactly."""
    articles: int
    """Those that are articles."""
    before: int = 0
    """Pages that it had fitted before their document changed."""
    accepted: float | None = None
    """Share of these that it still fits; None if there are none."""
    dated: float | None = None
    """Share of the articles with a date; None, here and below, without articles."""
    authored: float | None = None
    """Share of the articles with an author."""
    words: float | None = None
    """Median number of words of the bodies."""
    paragraphs: float | None = None
    """Median number of paragraphs of the bodies."""
    captured: float | None = None
    """Median share of the words of the page that are in the body."""
    agreeing: float | None = None
    """Share of the articles whose title the metadata has too; None if there is no metadata."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided about a page in a night, with what figures need of its article."""

    page_id: int
    """Number of the page."""
    url: str
    """Its address."""
    is_new: bool
    """Whether the page was received for the first time."""
    pattern_id: int | None
    """The pattern that fits; None if none does."""
    before_pattern_id: int | None
    """The pattern that fitted before the document changed; None if it did not."""
    fit: str
    """`strict`, `bounded` or `none`."""
    verdict: str
    """`article`, `other` or `unmatched`."""
    reason: str
    """The decision in words."""
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
        return self.reason.startswith(KEPT)


class NightStore(Database):
    """Writes and reads what nights leave behind."""

    def save_figures(self, run: Run, figures: Sequence[Figures]) -> None:
        """Store how patterns did in a run; again is as good as once."""
        rows = [{"run_id": run.id, **asdict(each)} for each in figures]
        with self.writing() as connection:
            for batch in batches(rows):
                upsert(connection, tables.pattern_nights, batch, key=("run_id", "pattern_id"))

    def figures(self, site: Site, before: Run) -> list[Figures]:
        """Return how the patterns of a site did in runs before one, the earliest first."""
        nights, runs = tables.pattern_nights, tables.runs
        query = (
            select(nights)
            .join_from(nights, runs, nights.c.run_id == runs.c.id)
            .where(runs.c.site_id == site.id, nights.c.run_id < before.id)
            .order_by(nights.c.run_id)
        )
        names = Figures.__dataclass_fields__
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return [Figures(**{name: getattr(row, name) for name in names}) for row in rows]

    def figures_of(self, run: Run) -> list[Figures]:
        """Return how the patterns did in one run, by pattern."""
        nights = tables.pattern_nights
        query = select(nights).where(nights.c.run_id == run.id).order_by(nights.c.pattern_id)
        names = Figures.__dataclass_fields__
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return [Figures(**{name: getattr(row, name) for name in names}) for row in rows]

    def fetched_in(self, run: Run) -> dict[int, str]:
        """Return the pages whose content a run brought, with what it found: new or changed."""
        pages = tables.pages
        query = select(pages.c.id, pages.c.outcome).where(
            pages.c.site_id == run.site_id,
            pages.c.run_id == run.id,
            pages.c.outcome.in_(("new", "changed")),
        )
        with self.reading() as connection:
            return {row.id: row.outcome for row in connection.execute(query.order_by(pages.c.id))}

    def gone_articles(self, run: Run) -> int:
        """Return how many articles a run found gone."""
        pages, articles = tables.pages, tables.articles
        query = select(func.count()).join_from(pages, articles, pages.c.id == articles.c.page_id)
        these = (pages.c.site_id == run.site_id, pages.c.run_id == run.id)
        with self.reading() as connection:
            return connection.execute(query.where(*these, pages.c.outcome == "gone")).scalar_one()

    def count_articles(self, site: Site) -> int:
        """Return how many articles of a site are stored."""
        query = select(func.count()).where(tables.articles.c.site_id == site.id)
        with self.reading() as connection:
            return connection.execute(query.select_from(tables.articles)).scalar_one()

    def count_rested(self, site: Site, run: Run) -> int:
        """Return how many stored pages a run did not ask for, those gone before left out."""
        pages = tables.pages
        query = select(func.count()).select_from(pages).where(pages.c.site_id == site.id)
        query = query.where(pages.c.content_hash.is_not(None), pages.c.outcome != "gone")
        query = query.where(or_(pages.c.run_id.is_(None), pages.c.run_id != run.id))
        with self.reading() as connection:
            return connection.execute(query).scalar_one()

    def failed_with(self, run: Run, error: str) -> int:
        """Return how many pages failed in a run for this reason."""
        pages = tables.pages
        query = select(func.count()).select_from(pages).where(pages.c.site_id == run.site_id)
        query = query.where(pages.c.run_id == run.id, pages.c.error == error)
        with self.reading() as connection:
            return connection.execute(query).scalar_one()

    def unfitted(self, site: Site) -> int:
        """Return how many pages fit no pattern and have come since the site was last learned."""
        pages, matches, models = tables.pages, tables.matches, tables.models
        learned = select(func.max(models.c.created_at)).where(models.c.site_id == site.id)
        query = (
            select(func.count())
            .join_from(matches, pages, matches.c.page_id == pages.c.id)
            .where(pages.c.site_id == site.id, matches.c.fit == "none")
            .where(pages.c.changed_at > learned.scalar_subquery())
        )
        with self.reading() as connection:
            return connection.execute(query).scalar_one()

    def decisions(self, site: Site, since: Run) -> Iterator[Decision]:
        """Yield what was decided about the pages of a site after a run began, by page."""
        pages, matches, articles = tables.pages, tables.matches, tables.articles
        query = (
            select(pages.c.url, pages.c.first_seen, matches, articles.c.title, articles.c.body)
            .add_columns(articles.c.published, articles.c.authors)
            .add_columns(articles.c.created_at, articles.c.changed_at)
            .join_from(matches, pages, matches.c.page_id == pages.c.id)
            .outerjoin(articles, articles.c.page_id == matches.c.page_id)
            .where(pages.c.site_id == site.id, matches.c.run_id > since.id)
            .order_by(matches.c.page_id)
            .execution_options(yield_per=200)
        )
        with self.reading() as connection:
            for row in connection.execute(query):
                yield _decision(row, since)

    def withhold_articles(self, numbers: Sequence[int], reason: str) -> None:
        """Take back the articles of some pages; their decisions say why."""
        matches, articles = tables.matches, tables.articles
        with self.writing() as connection:
            for batch in batches(numbers):
                connection.execute(delete(articles).where(articles.c.page_id.in_(batch)))
                these = update(matches).where(matches.c.page_id.in_(batch))
                connection.execute(these.values(verdict="other", reason=reason))

    def undo_edits(self, numbers: Sequence[int], reason: str) -> None:
        """Give some articles back the words that they had before they were last changed."""
        versions, articles = tables.article_versions, tables.articles
        latest = select(func.max(versions.c.id)).where(versions.c.page_id.in_(numbers))
        query = select(versions).where(versions.c.id.in_(latest.group_by(versions.c.page_id)))
        with self.writing() as connection:
            for row in connection.execute(query).all():
                old = {"title": row.title, "body": row.body, "changed_at": row.seen_from}
                these = update(articles).where(articles.c.page_id == row.page_id)
                connection.execute(these.values(old))
                connection.execute(delete(versions).where(versions.c.id == row.id))
                decided = update(tables.matches).where(tables.matches.c.page_id == row.page_id)
                connection.execute(decided.values(reason=f"{KEPT}: {reason}"))

    def article_versions(self, page_id: int) -> list[ArticleVersion]:
        """Return what the article of a page was before, the earliest first."""
        versions = tables.article_versions
        query = select(versions).where(versions.c.page_id == page_id).order_by(versions.c.id)
        names = ArticleVersion.__dataclass_fields__
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return [ArticleVersion(**{name: getattr(row, name) for name in names}) for row in rows]

    def save_report(self, run: Run, data: str, *, needs_look: bool) -> None:
        """Store what a run has to say, as JSON text."""
        row = {"run_id": run.id, "needs_look": needs_look, "data": data}
        with self.writing() as connection:
            upsert(connection, tables.reports, [row], key=("run_id",))

    def report(self, run_id: int) -> str | None:
        """Return what a run had to say; None if it left no report."""
        query = select(tables.reports.c.data).where(tables.reports.c.run_id == run_id)
        with self.reading() as connection:
            return connection.execute(query).scalar()


def _decision(row: Row[*tuple[Any, ...]], since: Run) -> Decision:
    body = row.body or ""
    return Decision(
        page_id=row.page_id,
        url=row.url,
        is_new=row.first_seen >= since.started_at,
        pattern_id=row.pattern_id,
        before_pattern_id=row.before_pattern_id,
        fit=row.fit,
        verdict=row.verdict,
        reason=row.reason,
        page_words=row.page_words or 0,
        agrees=row.agrees,
        title=row.title,
        words=word_count(body),
        paragraphs=len(body.split("\n")) if body else 0,
        is_dated=row.published is not None,
        has_author=row.authors not in (None, "[]"),
        created_at=row.created_at,
        changed_at=row.changed_at,
    )
