"""One site: its clusters, how they lie to each other, and how deep its pages are."""

from collections import defaultdict
from dataclasses import asdict, dataclass

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.editing import Editor
from flong.inspector.nights import Night, nights_of
from flong.inspector.reports import Report, last_reports
from flong.inspector.site_work import SiteWork, work_of
from flong.stages.dendrogram import DendrogramCache, Drawing
from flong.storage import ClusterFits, ClusterLine, DepthPart, SiteSummary, VerdictCount


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
