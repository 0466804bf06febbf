"""View of one site: clusters, dendrogram, map, current work and coverage."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.editing import Editor
from flong.inspector.jobs import Job
from flong.inspector.night import nights_of
from flong.inspector.reports import Report, last_reports
from flong.stages.dendrogram import DendrogramCache, Drawing
from flong.states import Outcome
from flong.storage import (
    ClusterFits,
    ClusterLine,
    CoverageMonth,
    DayOfArticles,
    DayOfWork,
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
"""Maximum number of templates shown as cards."""
MOST = 200
"""Maximum number of missing URLs listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCard:
    """A large template and its period of use."""

    cluster: int
    """Id of the cluster."""
    example: MemberLine
    """Its medoid."""
    first_day: str | None
    """Earliest publication day of its articles; None if unknown."""
    last_day: str | None
    """Latest publication day of its articles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSummary(ClusterLine):
    """A cluster in force."""

    rank: int
    """Rank by size, 0 for the largest; gives the colour."""
    share: float
    """Fraction of the site's clustered pages."""
    health: list[ClusterFits]
    """Fit of its pages by day, earliest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteView:
    """One site."""

    summary: SiteSummary
    """Figures of the site."""
    nights: Sequence[DayOfWork]
    """Last nights, earliest first."""
    report: Report | None
    """Report of the last nightly run; None before the first."""
    clusters: list[ClusterSummary]
    """Clusters in force, largest first."""
    depths: list[DepthPart]
    """Pages by depth, and by cluster within a depth, largest first."""
    verdicts: list[VerdictCount]
    """Number of pages by decision."""
    settings: SiteSettings
    """Crawl settings."""
    figures: LiveFigures
    """Current counts."""
    days: list[DayOfArticles]
    """Articles by day, earliest first."""
    failures: list[FailedReason]
    """Reasons of failed requests, most frequent first."""
    templates: list[TemplateCard]
    """The largest templates."""
    corrections: int
    """Number of corrections in force."""
    jobs: list[Job]
    """Jobs of this site, latest first."""
    drawing: Drawing | None
    """Distances between the pages of clusters; None with fewer than two pages."""


def view_site(
    database: ReadOnlyDatabase,
    dendrograms: DendrogramCache,
    editor: Editor | None,
    name: str,
) -> SiteView:
    """Show a site: clusters, dendrogram, map and current work."""
    site, store = database.site(name), database.store
    (summary,) = store.overview.sites([site])
    clusters = clusters_of(database, site.id, site.name)
    return SiteView(
        summary=summary,
        nights=nights_of(database, [site]).get(site.name, ()),
        report=last_reports(database, [site]).get(site.name),
        clusters=clusters,
        depths=store.overview.depths(site),
        verdicts=store.overview.verdicts(site),
        settings=site.settings,
        figures=store.overview.figures(site),
        days=store.lists.articles_by_day(site),
        failures=[
            replace(each, reason=SENTENCES.get(each.reason, each.reason))
            for each in store.lists.failures(site)
        ],
        templates=_templates(database, site, clusters[:CARDS]),
        corrections=len(store.extractions.corrections_in_force(site)),
        jobs=editor.jobs.of(site.name)[:3] if editor else [],
        drawing=dendrograms.drawing(site),
    )


SENTENCES = {outcome.value: outcome.sentence for outcome in Outcome if outcome.sentence}
"""Sentences for outcomes without an error message."""


def clusters_of(database: ReadOnlyDatabase, site_id: int, name: str) -> list[ClusterSummary]:
    """Return the clusters in force of a site, largest first."""
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
    """Return the fit of the pages of each cluster by day."""
    # Figures noted that night come last and replace the others.
    days = {(day.cluster, day.day): day for day in database.store.overview.cluster_fits(site)}
    found: dict[int, list[ClusterFits]] = defaultdict(list)
    for key in sorted(days):
        found[key[0]].append(days[key])
    return found


def _templates(
    database: ReadOnlyDatabase, site: Site, clusters: Sequence[ClusterLine]
) -> list[TemplateCard]:
    days: dict[int | None, list[str]] = defaultdict(list)
    for era in database.store.lists.eras(site):
        days[era.cluster_id] += [day for day in (era.first_day, era.last_day) if day]
    return [
        TemplateCard(
            cluster=cluster.id,
            example=middle,
            first_day=min(days[cluster.id], default=None),
            last_day=max(days[cluster.id], default=None),
        )
        for cluster in clusters
        for middle in database.store.overview.members(cluster.id, first=0, rows=1)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageView:
    """Announced and stored pages of a site."""

    site: str
    """Name of the site."""
    eras: list[TemplateEra]
    """Periods of use of its patterns, latest first."""
    months: list[CoverageMonth]
    """Announced and stored URLs by month, latest first."""
    month: str
    """Month of the listed missing URLs; empty for all."""
    missing: list[MissingPage]
    """Announced URLs that are not stored."""


def view_coverage(database: ReadOnlyDatabase, name: str, month: str = "") -> CoverageView:
    """Compare announced and stored pages of a site, and list its template eras."""
    site, lists = database.site(name), database.store.lists
    return CoverageView(
        site=site.name,
        eras=lists.eras(site),
        months=lists.announced_months(site),
        month=month,
        missing=lists.missing_pages(site, month=month, most=MOST),
    )
