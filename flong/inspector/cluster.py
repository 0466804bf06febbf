"""View of one cluster: previews, patterns and members."""

from dataclasses import dataclass

from flong.inspector.database import ReadOnlyDatabase, need
from flong.inspector.paging import ROWS, Id, Part, PartNumber, part_of
from flong.inspector.site import ClusterSummary, clusters_of
from flong.storage import ClusterOrigin, MemberLine, PatternLine

PREVIEWS = 6
"""Number of pages shown side by side: the medoid, then members by distance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterView:
    """One cluster."""

    id: int
    """Id of the cluster."""
    origin: ClusterOrigin
    """Its site, its medoid, and the time when it was retired."""
    summary: ClusterSummary | None
    """Figures of the cluster; None if it is retired."""
    previews: list[MemberLine]
    """The medoid and some members, nearest first."""
    members: list[MemberLine]
    """Members in this part of the list, nearest to the medoid first."""
    part: Part
    """Position of this part."""
    patterns: list[PatternLine]
    """Its patterns: those in force first, then the latest."""


def view_cluster(database: ReadOnlyDatabase, cluster_id: Id, page: PartNumber = 1) -> ClusterView:
    """Show a cluster: members and patterns."""
    overview = database.store.overview
    origin = need(overview.cluster(cluster_id), f"template {cluster_id}")
    total = overview.count_members(cluster_id)
    part = part_of(total, page)
    clusters = clusters_of(database, origin.site_id, origin.site)
    return ClusterView(
        id=cluster_id,
        origin=origin,
        summary=next((each for each in clusters if each.id == cluster_id), None),
        previews=sorted(
            _previews(database, cluster_id, total), key=lambda each: each.page != origin.medoid
        ),
        members=overview.members(cluster_id, first=part.first, rows=ROWS),
        part=part,
        patterns=overview.patterns(cluster_id),
    )


def _previews(database: ReadOnlyDatabase, cluster_id: int, total: int) -> list[MemberLine]:
    """Return members at even steps from the nearest to the farthest."""
    count = min(PREVIEWS, total)
    places = {round(at * (total - 1) / max(1, count - 1)) for at in range(count)}
    found = []
    for first in sorted(places):
        found += database.store.overview.members(cluster_id, first=first, rows=1)
    return found
