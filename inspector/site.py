"""One site: its clusters, how they lie to each other, and how deep its pages are."""

from collections import defaultdict
from dataclasses import dataclass

from inspector.database import Database
from inspector.dendrogram import Drawing, Gallery
from inspector.nights import Night, nights_of
from inspector.reports import Report, last_reports
from inspector.sites import SUMMARY, SiteSummary

CLUSTERS = """
    SELECT c.cluster_id AS id, c.kind, c.size, c.radius, c.medoid, c.patterns, c.articles,
        c.first_seen, c.last_seen
    FROM v_cluster_summary c
    WHERE c.site = :site AND c.retired_at IS NULL
    ORDER BY c.size DESC, c.cluster_id
"""
HEALTH = """
    SELECT k.cluster_id AS cluster, substr(m.extracted_at, 1, 10) AS day, count(*) AS pages,
        sum(CASE WHEN m.fit = 'strict' THEN 1 ELSE 0 END) AS strict,
        sum(CASE WHEN m.fit = 'bounded' THEN 1 ELSE 0 END) AS bounded
    FROM clusters c JOIN cluster_members k ON k.cluster_id = c.id
    JOIN matches m ON m.page_id = k.page_id
    WHERE c.site_id = :site AND c.retired_at IS NULL
    GROUP BY k.cluster_id, substr(m.extracted_at, 1, 10)
"""
FIGURES = """
    SELECT t.cluster_id AS cluster, substr(r.started_at, 1, 10) AS day, sum(n.pages) AS pages,
        sum(n.strict) AS strict, sum(n.pages - n.strict) AS bounded
    FROM pattern_nights n JOIN patterns t ON t.id = n.pattern_id JOIN runs r ON r.id = n.run_id
    WHERE t.site_id = :site AND t.cluster_id IS NOT NULL AND n.pages > 0
    GROUP BY t.cluster_id, substr(r.started_at, 1, 10)
"""
DEPTHS = """
    SELECT p.depth, k.cluster_id AS cluster, count(*) AS pages
    FROM pages p LEFT JOIN cluster_members k ON k.page_id = p.id
    WHERE p.site_id = :site AND p.content_hash IS NOT NULL
    GROUP BY p.depth, k.cluster_id
    ORDER BY p.depth, count(*) DESC, k.cluster_id
"""
VERDICTS = """
    SELECT m.verdict, count(*) AS pages
    FROM pages p JOIN matches m ON m.page_id = p.id
    WHERE p.site_id = :site
    GROUP BY m.verdict ORDER BY m.verdict
"""


@dataclass(frozen=True, slots=True)
class Health:
    """How the pages of a cluster fitted their patterns, those last read on one day."""

    cluster: int
    """Number of the cluster."""
    day: str
    """`2026-05-01`, in UTC."""
    pages: int
    """Pages read."""
    strict: int
    """Those that a pattern accepts."""
    bounded: int
    """Those that one nearly accepts."""


@dataclass(frozen=True, slots=True)
class _Cluster:
    id: int
    kind: str
    size: int
    radius: float
    medoid: str | None
    patterns: int
    articles: int
    first_seen: str
    last_seen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSummary:
    """A cluster in force."""

    id: int
    """Its number."""
    rank: int
    """Its place among the clusters of the site, 0 for the largest: the colour."""
    kind: str
    """What its pages are: `article`, `mixed`, `listing` or `other`."""
    size: int
    """Number of its pages."""
    share: float
    """Share of the site's clustered pages."""
    radius: float
    """Largest distance of a page to the medoid."""
    medoid: str | None
    """Address of the page in the middle; None if it was removed."""
    patterns: int
    """Its patterns in force."""
    articles: int
    """Articles among its pages."""
    first_seen: str
    """When it was first found."""
    last_seen: str
    """When it was last found."""
    health: list[Health]
    """How its pages fitted, by day, the earliest first."""


@dataclass(frozen=True, slots=True)
class DepthPart:
    """Pages of one depth and one cluster."""

    depth: int
    """Links from the home page."""
    cluster: int | None
    """Number of the cluster; None for pages in no cluster."""
    pages: int
    """How many."""


@dataclass(frozen=True, slots=True)
class VerdictCount:
    """Pages of one verdict."""

    verdict: str
    """`article`, `other` or `unmatched`."""
    pages: int
    """How many."""


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
    drawing: Drawing | None
    """How near the pages of the clusters are to each other; None with fewer than two pages."""


def view_site(database: Database, gallery: Gallery, name: str) -> SiteView:
    """Return one site."""
    site = database.site(name)
    summary = next(row for row in database.rows(SiteSummary, SUMMARY) if row.site == site.name)
    return SiteView(
        summary=summary,
        nights=list(nights_of(database, site.name).get(site.name, ())),
        report=last_reports(database).get(site.name),
        clusters=clusters_of(database, site.id, site.name),
        depths=database.rows(DepthPart, DEPTHS, site=site.id),
        verdicts=database.rows(VerdictCount, VERDICTS, site=site.id),
        drawing=gallery.drawing(site),
    )


def clusters_of(database: Database, number: int, name: str) -> list[ClusterSummary]:
    """Return the clusters in force of a site, the largest first."""
    rows = database.rows(_Cluster, CLUSTERS, site=name)
    health = _health(database, number)
    total = sum(row.size for row in rows) or 1
    return [
        ClusterSummary(
            id=row.id,
            rank=rank,
            kind=row.kind,
            size=row.size,
            share=row.size / total,
            radius=row.radius,
            medoid=row.medoid,
            patterns=row.patterns,
            articles=row.articles,
            first_seen=row.first_seen,
            last_seen=row.last_seen,
            health=health.get(row.id, []),
        )
        for rank, row in enumerate(rows)
    ]


def _health(database: Database, site: int) -> dict[int, list[Health]]:
    """Return how the pages of each cluster fitted, by day."""
    days = {
        (day.cluster, day.day): day
        for question in (HEALTH, FIGURES)  # what was noted that night counts more
        for day in database.rows(Health, question, site=site)
    }
    found: dict[int, list[Health]] = defaultdict(list)
    for key in sorted(days):
        found[key[0]].append(days[key])
    return found
