"""Clusters: groups of pages that share a template, with ids that last."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select

from flong.storage import tables
from flong.storage.columns import from_row, now, to_row
from flong.storage.database import Repository, batches, retire, save_lasting
from flong.storage.runs import Run
from flong.storage.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRow:
    """A page in a cluster."""

    page_id: int
    """Id of the page."""
    distance: float
    """Its distance to the medoid, from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRow:
    """Pages that share a template."""

    id: int | None = None
    """Its id, the same from night to night; None if it is a new one to be stored."""
    kind: str
    """`article`, `mixed`, `listing` or `other`."""
    medoid_id: int | None
    """Id of the page in the middle; None if that page was removed."""
    radius: float
    """Largest distance of a member to the medoid."""
    size: int = 0
    """Number of its pages; counted when it is stored."""
    members: tuple[MemberRow, ...] = ()
    """Its pages; a page is in one cluster at most."""
    first_seen: datetime | None = None
    """When it was first found; None before it is stored."""
    last_seen: datetime | None = None
    """When it was last found; None before it is stored."""
    retired_at: datetime | None = None
    """When it was not found any more; None while it is in force."""


class Clusters(Repository):
    """Writes and reads the clusters of a site."""

    def save(self, site: Site, run: Run, clusters: Sequence[ClusterRow]) -> list[int]:
        """Store the clusters of a site and return their ids, in the same order.

        One with an `id` lives on; all others that were in force are retired.
        """
        with self.writing() as connection:
            ids = [_save(connection, site, run, cluster) for cluster in clusters]
            retire(connection, tables.clusters, site.id, ids)
            _save_members(connection, site, zip(ids, clusters, strict=True))
            return ids

    def of(self, site: Site, *, members: bool = True, retired: bool = False) -> list[ClusterRow]:
        """Return the clusters in force, the largest first; on request also those retired."""
        table = tables.clusters
        query = select(table).where(table.c.site_id == site.id)
        if not retired:
            query = query.where(table.c.retired_at.is_(None))
        with self.reading() as connection:
            inside = _members(connection, site) if members else {}
            rows = connection.execute(query.order_by(table.c.size.desc(), table.c.id)).all()
        return [_cluster(row, inside.get(row.id, ())) for row in rows]


def _save(connection: Connection, site: Site, run: Run, cluster: ClusterRow) -> int:
    row = {
        "kind": cluster.kind,
        "medoid_id": cluster.medoid_id,
        "size": len(cluster.members),
        "radius": cluster.radius,
        "run_id": run.id,
        "last_seen": now(),
    }
    first = {"site_id": site.id, "first_seen": now()}
    return save_lasting(connection, tables.clusters, cluster.id, row, first)


def _save_members(
    connection: Connection, site: Site, clusters: Iterable[tuple[int, ClusterRow]]
) -> None:
    members, table = tables.cluster_members, tables.clusters
    ours = select(table.c.id).where(table.c.site_id == site.id)
    connection.execute(delete(members).where(members.c.cluster_id.in_(ours)))
    rows = [
        {"cluster_id": cluster_id} | to_row(member)
        for cluster_id, cluster in clusters
        for member in cluster.members
    ]
    for batch in batches(rows):
        connection.execute(insert(members), batch)


def _members(connection: Connection, site: Site) -> dict[int, list[MemberRow]]:
    """Return the members of a site's clusters, by cluster, nearest to the medoid first."""
    members, table = tables.cluster_members, tables.clusters
    query = (
        select(members)
        .join_from(members, table, members.c.cluster_id == table.c.id)
        .where(table.c.site_id == site.id)
        .order_by(members.c.distance, members.c.page_id)
    )
    found: dict[int, list[MemberRow]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.cluster_id].append(from_row(MemberRow, row))
    return found


def _cluster(row: Row[*tuple[Any, ...]], members: Iterable[MemberRow]) -> ClusterRow:
    return from_row(ClusterRow, row, members=tuple(members))
