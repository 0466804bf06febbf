"""Pages that say with status 200 that nothing is there, and articles shown only in part."""

from collections.abc import Sequence

from sqlalchemy import and_, func, or_, select, update

from storage import tables
from storage.database import Database, batches
from storage.keeping import NONE_LEFT, PART_LEFT
from storage.runs import Run
from storage.settling import KEPT
from storage.sites import Site


class MissingStore(Database):
    """Knows which stored articles their pages no longer show."""

    def lost_articles(self, crawl: Run) -> list[int]:
        """Return the pages that a crawl found changed, and whose article is kept all the same."""
        pages, matches = tables.pages, tables.matches
        query = (
            select(pages.c.id)
            .join_from(pages, matches, pages.c.id == matches.c.page_id)
            .where(pages.c.site_id == crawl.site_id, pages.c.run_id == crawl.id)
            .where(pages.c.outcome == "changed", matches.c.reason.startswith(KEPT))
            .where(matches.c.reason.contains(NONE_LEFT))
        )
        with self.reading() as connection:
            return list(connection.execute(query.order_by(pages.c.id)).scalars())

    def mark_missing(self, numbers: Sequence[int], reason: str) -> None:
        """Note that pages are gone although they were answered; as long as they say the same."""
        pages = tables.pages
        with self.writing() as connection:
            for batch in batches(numbers):
                these = update(pages).where(pages.c.id.in_(batch))
                connection.execute(these.values(outcome="gone", error=reason))

    def cut_articles(self, site: Site, reason: str) -> int:
        """Return how many articles are kept because their pages show only a part of them.

        Those are counted, too, that were kept for the reason given.
        """
        pages, matches = tables.pages, tables.matches
        cut = or_(matches.c.reason.contains(PART_LEFT), matches.c.reason.contains(reason))
        query = (
            select(func.count())
            .join_from(pages, matches, pages.c.id == matches.c.page_id)
            .where(pages.c.site_id == site.id, pages.c.outcome != "gone")
            .where(and_(matches.c.reason.startswith(KEPT), cut))
        )
        with self.reading() as connection:
            return connection.execute(query).scalar_one()
