"""One site: its clusters, how they lie to each other, and how deep its pages are."""

from collections import defaultdict
from dataclasses import asdict, dataclass, replace

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.editing import Editor
from flong.inspector.jobs import Job
from flong.inspector.night import Night, nights_of
from flong.inspector.reports import Report, last_reports
from flong.stages.dendrogram import DendrogramCache, Drawing
from flong.states import Outcome
from flong.storage import (
    ClusterFits,
    ClusterLine,
    CoverageMonth,
    DayOfArticles,
    DepthPart,
    FailedReason,
    LiveFigures,
    MemberLine,
    MissingPage,
    Site,
    SiteSettings,
    SiteSummary,
    TemplateEra,
    VerdictCount,
)

CARDS = 6
"""Templates that are shown as cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCard:
    """A template, by the page in its middle."""

    cluster: int
    """Id of the cluster."""
    pages: int
    """Its pages."""
    kind: str
    """What they are: `article`, `mixed`, `listing` or `other`."""
    example: MemberLine
    """The page in its middle (the medoid)."""
    first_day: str | None
    """Day on which the first of its articles was published; None if not known."""
    last_day: str | None
    """Day of the last of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteWork:
    """What is done with a site."""

    settings: SiteSettings
    """How it is crawled."""
    figures: LiveFigures
    """How much there is by now."""
    days: list[DayOfArticles]
    """Articles by day, the earliest first."""
    failures: list[FailedReason]
    """Why URLs gave no page, the most frequent reason first."""
    templates: list[TemplateCard]
    """The largest templates."""
    corrections: int
    """Corrections in force."""
    jobs: list[Job]
    """What was asked for here, the latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSummary(ClusterLine):
    """A cluster in force."""

    rank: int
    """Its place among the clusters of the site, 0 for the largest: the colour."""
    share: float
    """Share of the site's clustered pages."""
    health: list[ClusterFits]
    """How its pages fitted, by day, the earliest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteView:
    """One site."""

    summary: SiteSummary
    """What is known of it."""
    nights: list[Night]
    """The last nights, the earliest first."""
    report: Report | None
    """What the last nightly run had to say; None if there was none."""
    clusters: list[ClusterSummary]
    """Clusters in force, the largest first."""
    depths: list[DepthPart]
    """The map of the site: pages by depth, in each the largest cluster first."""
    verdicts: list[VerdictCount]
    """What extraction decided."""
    work: SiteWork
    """What is done with it."""
    drawing: Drawing | None
    """How near the pages of the clusters are to each other; None with fewer than two pages."""


def view_site(
    database: ReadOnlyDatabase,
    dendrograms: DendrogramCache,
    name: str,
    editor: Editor | None = None,
) -> SiteView:
    """Return one site."""
    site, overview = database.site(name), database.store.overview
    (summary,) = overview.sites([site])
    return SiteView(
        summary=summary,
        nights=list(nights_of(database, [site]).get(site.name, ())),
        report=last_reports(database, [site]).get(site.name),
        clusters=clusters_of(database, site.id, site.name),
        depths=overview.depths(site),
        verdicts=overview.verdicts(site),
        work=work_of(database, editor, site),
        drawing=dendrograms.drawing(site),
    )


def clusters_of(database: ReadOnlyDatabase, site_id: int, name: str) -> list[ClusterSummary]:
    """Return the clusters in force of a site, the largest first."""
    rows = database.store.overview.clusters(name)
    health = _health(database, site_id)
    total = sum(row.size for row in rows) or 1
    return [
        ClusterSummary(
            **asdict(row), rank=rank, share=row.size / total, health=health.get(row.id, [])
        )
        for rank, row in enumerate(rows)
    ]


def _health(database: ReadOnlyDatabase, site: int) -> dict[int, list[ClusterFits]]:
    """Return how the pages of each cluster fitted, by day."""
    # What was noted that night counts more.
    days = {(day.cluster, day.day): day for day in database.store.overview.cluster_fits(site)}
    found: dict[int, list[ClusterFits]] = defaultdict(list)
    for key in sorted(days):
        found[key[0]].append(days[key])
    return found


_IN_WORDS = {outcome.value: outcome.sentence for outcome in Outcome if outcome.sentence}
"""What an outcome that no error explains means."""


def work_of(database: ReadOnlyDatabase, editor: Editor | None, site: Site) -> SiteWork:
    """Return what is done with a site."""
    store = database.store
    return SiteWork(
        settings=site.settings,
        figures=store.activity.figures(site),
        days=store.activity.articles_by_day(site),
        failures=[
            replace(each, reason=_IN_WORDS.get(each.reason, each.reason))
            for each in store.activity.failures(site)
        ],
        templates=_templates(database, site),
        corrections=len(store.corrections.in_force(site)),
        jobs=editor.jobs.of(site.name)[:3] if editor else [],
    )


def _templates(database: ReadOnlyDatabase, site: Site) -> list[TemplateCard]:
    overview = database.store.overview
    days: dict[int | None, list[str]] = defaultdict(list)
    for era in database.store.coverage.eras(site):
        days[era.cluster_id] += [day for day in (era.first_day, era.last_day) if day]
    return [
        TemplateCard(
            cluster=cluster.id,
            pages=cluster.size,
            kind=cluster.kind,
            example=middle,
            first_day=min(days[cluster.id], default=None),
            last_day=max(days[cluster.id], default=None),
        )
        for cluster in overview.clusters(site.name)[:CARDS]
        for middle in overview.members(cluster.id, first=0, rows=1)
    ]


MOST = 200
"""Missing URLs that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageView:
    """What is there of a site, and what is not."""

    site: str
    """Its name."""
    eras: list[TemplateEra]
    """When its patterns were in use, the latest first."""
    months: list[CoverageMonth]
    """What was announced and what is stored, the latest first."""
    month: str
    """The month whose missing URLs are listed; empty for all."""
    missing: list[MissingPage]
    """URLs that were announced and are not stored."""


def view_coverage(database: ReadOnlyDatabase, name: str, month: str = "") -> CoverageView:
    """Return what is there of a site."""
    site, coverage = database.site(name), database.store.coverage
    return CoverageView(
        site=site.name,
        eras=coverage.eras(site),
        months=coverage.months(site),
        month=month,
        missing=coverage.missing(site, month=month, most=MOST),
    )
