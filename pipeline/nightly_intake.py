"""What follows every crawl of a site that was learned: walls are undone, articles extracted."""

from pipeline.nightly_guard import find_wall
from storage import Run, Site, Store

WALL = "It showed the same text as many other pages: a wall, an error or a login."


def reject_wall(store: Store, site: Site, crawl: Run) -> int:
    """Undo the pages that a crawl found behind a wall; return how many, also if done before."""
    wall = find_wall(store, site, crawl)
    if wall:
        store.reject_pages(site, crawl, wall, WALL)
    return store.failed_with(crawl, WALL)


def extract_waiting(store: Store, site: Site) -> bool:
    """Extract pages that are new or changed; return whether there were any.

    A night without any does not even load the compiler.
    """
    if next(store.page_rows(site, only="unextracted", with_html=False), None) is None:
        return False
    from pipeline.extraction import extract  # noqa: PLC0415 - loads the compiler

    extract(store, site)
    return True


def take_in(store: Store, site: Site, crawl: Run) -> int:
    """Do all that follows a crawl; return how many pages were behind a wall."""
    rejected = reject_wall(store, site, crawl)
    if store.model_version(site):
        if crawl.counts.new:
            store.rebuild_anchors(site)
        extract_waiting(store, site)
        store.drop_idle_versions(site, crawl)
    return rejected
