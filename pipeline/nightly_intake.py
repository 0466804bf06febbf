"""What follows every crawl of a site that was learned: walls are undone, articles extracted."""

from pipeline.nightly_guard import find_missing
from pipeline.worker import PAGE_SECONDS
from storage import Run, Site, Store

WALL = "It showed the same text as many other pages: a wall, an error or a login."

MISSING = "It says that nothing is there, with a status that says the opposite."


def reject_wall(store: Store, site: Site, crawl: Run, *, seconds: float = PAGE_SECONDS) -> int:
    """Undo the pages that a crawl found behind a wall; return how many, also if done before."""
    if store.fetched_in(crawl):
        from pipeline.walls import find_wall  # noqa: PLC0415 - a quiet night needs no trees

        wall = find_wall(store, site, crawl, seconds)
        if wall:
            store.reject_pages(site, crawl, wall, WALL)
    return store.failed_with(crawl, WALL)


def extract_waiting(store: Store, site: Site, *, seconds: float = PAGE_SECONDS) -> bool:
    """Extract pages that are new or changed; return whether there were any.

    A night without any does not even load the compiler.
    """
    if next(store.page_rows(site, only="unextracted", with_html=False), None) is None:
        return False
    from pipeline.extraction import extract  # noqa: PLC0415 - loads the compiler

    extract(store, site, seconds=seconds)
    return True


def take_in(store: Store, site: Site, crawl: Run, *, seconds: float = PAGE_SECONDS) -> int:
    """Do all that follows a crawl; return how many pages were behind a wall."""
    rejected = reject_wall(store, site, crawl, seconds=seconds)
    if store.model_version(site):
        if crawl.counts.new:
            store.rebuild_anchors(site)
        extract_waiting(store, site, seconds=seconds)
        store.mark_missing(find_missing(store, site, crawl, seconds), MISSING)
        store.drop_idle_versions(site, crawl)
    return rejected
