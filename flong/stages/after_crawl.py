"""What follows every crawl of a site that was learned: walls are undone, articles extracted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flong.errors import OutdatedModel
from flong.stages.replaced_articles import find_outages, judge_replaced, reject_unread
from flong.states import Outcome
from flong.storage import Run, Site, Store
from flong.workers.pool import PAGE_SECONDS


def reject_wall(store: Store, site: Site, crawl: Run, *, seconds: float = PAGE_SECONDS) -> int:
    """Undo the pages that a crawl found behind a wall; return how many, also if done before."""
    if store.crawls.fetched(crawl):
        from flong.stages.walls import find_wall  # noqa: PLC0415 - a quiet night needs no trees

        wall = find_wall(store, site, crawl, seconds)
        if wall:
            store.pages.reject(site, crawl, wall, Outcome.WALLED)
    return store.crawls.count(crawl, Outcome.WALLED)


def extract_waiting(store: Store, site: Site, *, seconds: float = PAGE_SECONDS) -> bool:
    """Extract pages that are new or changed; return whether there were any.

    A night without any does not even load the compiler.
    """
    if next(store.pages.rows(site, only="unextracted", with_html=False), None) is None:
        return False
    from flong.stages.extraction import extract  # noqa: PLC0415 - loads the compiler

    extract(store, site, seconds=seconds)
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """What a crawl brought that is not believed."""

    walled: int
    """Pages that showed one and the same text; they are as they were before."""
    broken: int
    """Pages that no longer showed their articles, as many others; they are as before, too."""
    outages: Sequence[str]
    """What else it did not get, a sentence each."""

    def sentences(self, site: Site) -> list[str]:
        """Return what a person should look at, in words."""
        wall = (
            f"{self.walled} pages of {site.name} showed one and the same text, such as a consent "
            "wall: nothing of it was stored, everything known before was kept."
        )
        errors = (
            f"{self.broken} article pages of {site.name} showed something else in the place of "
            "their articles, such as error pages: nothing of it was stored, the articles were "
            "kept, and the site was not learned again."
        )
        return [*[wall] * bool(self.walled), *[errors] * bool(self.broken), *self.outages]


def after_crawl(store: Store, site: Site, crawl: Run, *, seconds: float = PAGE_SECONDS) -> Intake:
    """Do all that follows a crawl: undo what cannot be believed, extract the rest."""
    walled, broken = reject_wall(store, site, crawl, seconds=seconds), 0
    outages: Sequence[str] = ()
    if store.models.version(site):
        if crawl.counts.new:
            store.anchors.rebuild(site)
        extract_waiting(store, site, seconds=seconds)
        broken = judge_replaced(store, site, crawl, seconds=seconds)
        outages = find_outages(store, site, crawl)
        store.pages.drop_idle_versions(site, crawl)
    return Intake(walled=walled, broken=broken, outages=outages)


def take_in(
    store: Store, site: Site, crawl: Run, learn: Callable[[], None], *, seconds: float
) -> Intake:
    """Do all that follows a crawl; learn the site first if another version had learned it."""
    try:
        return after_crawl(store, site, crawl, seconds=seconds)
    except OutdatedModel:
        reject_unread(store, site, crawl, seconds=seconds)
        learn()
        return after_crawl(store, site, crawl, seconds=seconds)
