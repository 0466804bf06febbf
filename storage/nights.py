"""Nights: how patterns did, what articles were before, what was reported."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import select

from storage import tables
from storage.database import Database, batches, upsert
from storage.runs import Run
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
