"""The steps that follow every crawl of a site, by hand or in a night.

Undo the pages of a wall, extract the others, and learn the site if it is new or was outgrown.
"""

from collections.abc import Collection

from flong.errors import OutdatedModel
from flong.findings import Finding
from flong.stages.article_merge import is_same_text
from flong.stages.drift import outgrown
from flong.stages.learning_settings import LearningSettings
from flong.stages.replaced_articles import find_outages, judge_replaced, reject_unread
from flong.states import LEARN_REASONS, FindingKind, Outcome, RunKind, RunStatus
from flong.storage import Run, Site, Store
from flong.workers.pool import PAGE_SECONDS

DEFAULTS = LearningSettings()
RETIRED_SHARE = 0.1
"""Report retired articles when they are at least this fraction of the site's articles."""
FEWEST_RETIRED = 3
"""Minimum number of retired articles that is reported."""


def after_crawl(  # noqa: PLR0913 - the crawl, and how to learn
    store: Store,
    site: Site,
    crawl: Run,
    settings: LearningSettings = DEFAULTS,
    *,
    learns: bool = True,
    night: Run | None = None,
) -> list[Finding]:
    """Do everything that follows a crawl, and return the findings.

    A site that is new, or that another version of flong learned, is learned first, unless `learns`
    is False. A night decides later whether to learn again, after it has measured the patterns.
    """
    try:
        found = _take_in(store, site, crawl, settings.page_seconds)
    except OutdatedModel:
        if not learns:
            raise
        reject_unread(store, site, crawl, seconds=settings.page_seconds)
        why = Finding(kind=FindingKind.LEARN_OUTDATED, site=site.name)
        found = learn_again(store, site, crawl, settings, why, night=night)
        found += _take_in(store, site, crawl, settings.page_seconds)
    if learns and not is_blocked(found) and not was_learned(found):
        reason: Finding | None = None
        if not store.templates.model_version(site):
            if store.pages.urls(site):
                reason = Finding(kind=FindingKind.LEARN_FIRST, site=site.name)
        elif night is None:
            reason = outgrown(store, site)
        if reason is not None:
            found += learn_again(store, site, crawl, settings, reason, night=night)
    if night is None and store.templates.model_version(site):
        store.documents.drop_idle_versions(site, crawl)
    return found


def is_blocked(found: Collection[Finding]) -> bool:
    """Return True if the site showed a wall or is broken: nothing is learned from it."""
    return any(finding.kind in (FindingKind.WALL, FindingKind.BROKEN) for finding in found)


def was_learned(found: Collection[Finding]) -> bool:
    """Return True if the site was learned."""
    return any(finding.kind in LEARN_REASONS for finding in found)


def learn_again(  # noqa: PLR0913 - the site, the reason and the night
    store: Store,
    site: Site,
    crawl: Run,
    settings: LearningSettings,
    why: Finding,
    *,
    night: Run | None = None,
    drifted: Collection[int] = (),
) -> list[Finding]:
    """Learn a site and extract its pages again; return the reason, and the findings.

    A night that was killed after learning does not learn again.
    """
    found = [why]
    learned = store.runs.of_night(night, RunKind.LEARN) if night else ()
    if not any(run.status == RunStatus.DONE for run in learned):
        from flong.stages.learning import learn  # noqa: PLC0415 - loads the compiler

        found += learn(store, site, settings, night=night, drifted=drifted)
    extract_waiting(store, site, seconds=settings.page_seconds)
    store.articles.forget_misreadings(site, since=crawl, is_same=is_same_text)
    retired, left = store.articles.count_retired(site, since=crawl), store.articles.count(site)
    if retired >= max(FEWEST_RETIRED, RETIRED_SHARE * (retired + left)):
        counts = {"retired": retired}
        found.append(Finding(kind=FindingKind.RETIRED, site=site.name, counts=counts))
    return found


def _take_in(store: Store, site: Site, crawl: Run, seconds: float) -> list[Finding]:
    """Undo the pages of walls and error pages, and extract the others."""
    walled, found = reject_wall(store, site, crawl, seconds=seconds), []
    if walled:
        counts = {"pages": walled}
        found.append(Finding(kind=FindingKind.WALL, site=site.name, counts=counts))
    if store.templates.model_version(site):
        if crawl.counts.new:
            store.links.rebuild_anchors(site)
        extract_waiting(store, site, seconds=seconds)
        broken = judge_replaced(store, site, crawl, seconds=seconds)
        if broken:
            counts = {"pages": broken}
            found.append(Finding(kind=FindingKind.BROKEN, site=site.name, counts=counts))
        found += find_outages(store, site, crawl)
    return found


def reject_wall(store: Store, site: Site, crawl: Run, *, seconds: float = PAGE_SECONDS) -> int:
    """Undo the pages that a crawl found behind a wall; return their number, also if done before."""
    if store.runs.fetched(crawl):
        from flong.stages.walls import find_wall  # noqa: PLC0415 - a quiet night needs no trees

        wall = find_wall(store, site, crawl, seconds)
        if wall:
            store.pages.reject(site, crawl, wall, Outcome.WALLED)
    return store.runs.count_outcome(crawl, Outcome.WALLED)


def extract_waiting(store: Store, site: Site, *, seconds: float = PAGE_SECONDS) -> None:
    """Extract pages that are new or changed; a night without any does not load the compiler."""
    if next(store.pages.rows(site, only="unextracted", with_html=False), None) is not None:
        from flong.stages.extraction import extract  # noqa: PLC0415 - loads the compiler

        extract(store, site, seconds=seconds)
