"""One cluster: its medoid and members, and the patterns made from them."""

from dataclasses import dataclass

from flong.inspector.database import ReadOnlyDatabase, need
from flong.inspector.paging import ROWS, Part, part_of
from flong.inspector.site import ClusterSummary, clusters_of
from flong.storage import MemberLine, PatternLine

PREVIEWS = 6
"""Pages that are shown side by side: the medoid, and members from near to far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterView:
    """One cluster."""

    id: int
    """Its id."""
    site: str
    """Name of its site."""
    retired_at: str | None
    """When it was not found any more; None while it is in force."""
    summary: ClusterSummary | None
    """What is known of it; None if it is retired."""
    medoid: int | None
    """Id of the page in the middle; None if it was removed."""
    previews: list[MemberLine]
    """The medoid and some members, from near to far."""
    members: list[MemberLine]
    """Members of this part of the list, the nearest to the medoid first."""
    part: Part
    """Which part."""
    patterns: list[PatternLine]
    """Its patterns, those in force first, then the latest."""


def view_cluster(database: ReadOnlyDatabase, cluster_id: int, page: int) -> ClusterView:
    """Return one cluster."""
    overview = database.store.overview
    found = need(overview.cluster(cluster_id), f"template {cluster_id}")
    total = overview.count_members(cluster_id)
    part = part_of(total, page)
    clusters = clusters_of(database, found.site_id, found.site)
    return ClusterView(
        id=cluster_id,
        site=found.site,
        retired_at=found.retired_at,
        summary=next((each for each in clusters if each.id == cluster_id), None),
        medoid=found.medoid,
        previews=sorted(
            _previews(database, cluster_id, total), key=lambda each: each.page != found.medoid
        ),
        members=overview.members(cluster_id, first=part.first, rows=ROWS),
        part=part,
        patterns=overview.patterns(cluster_id),
    )


def _previews(database: ReadOnlyDatabase, cluster_id: int, total: int) -> list[MemberLine]:
    """Return the nearest member, the furthest, and some between."""
    count = min(PREVIEWS, total)
    places = {round(at * (total - 1) / max(1, count - 1)) for at in range(count)}
    found = []
    for first in sorted(places):
        found += database.store.overview.members(cluster_id, first=first, rows=1)
    return found
