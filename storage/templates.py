"""Learned templates of a site: its model, clusters and patterns."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Table, delete, func, insert, select, update

from flong.model_document import ModelDocument, PatternDocument
from flong.storage import tables
from flong.storage.columns import from_row, now, to_row
from flong.storage.database import Repository, Values, batches, upsert
from flong.storage.tables import (
    ClusterRow,
    Figures,
    GroupingRow,
    MemberRow,
    PatternRow,
    PublishedPattern,
    Run,
    Site,
    VertexRow,
)


class Templates(Repository):
    """Writes and reads learned models with their clusters and patterns."""

    def save_model(
        self, site: Site, run: Run, data: str, grouping: GroupingRow | None = None
    ) -> int:
        """Replace the site's model, without patterns; return its version.

        A new version means that all pages of the site need extraction again. Save the patterns in
        the same transaction.
        """
        models = tables.models
        row = to_row(grouping) if grouping is not None else {}
        with self.writing() as connection:
            version = _model_version(connection, site) + 1
            connection.execute(delete(models).where(models.c.site_id == site.id))
            added = insert(models).values(site_id=site.id, version=version, run_id=run.id, **row)
            connection.execute(added.values(created_at=now(), data=data))
            return version

    def model(self, site: Site) -> ModelDocument | None:
        """Return the model of a site with its patterns; None if the site was not learned yet."""
        models = tables.models
        query = select(models.c.data, models.c.version).where(models.c.site_id == site.id)
        with self.reading() as connection:
            while found := connection.execute(query.order_by(models.c.version.desc())).first():
                patterns = _pattern_documents(connection, site)
                if _model_version(connection, site) == found.version:  # no new version meanwhile
                    return from_row(ModelDocument, found, patterns=patterns)
        return None

    def grouping(self, site: Site) -> GroupingRow | None:
        """Return the dendrogram of a site; None if it was not learned, or by an old version."""
        models = tables.models
        query = select(models).where(models.c.site_id == site.id, models.c.dendrogram.is_not(None))
        return self._first(GroupingRow, query.order_by(models.c.version.desc()))

    def model_version(self, site: Site) -> int:
        """Return the version of the latest model; 0 if the site was not learned yet."""
        with self.reading() as connection:
            return _model_version(connection, site)

    def pages_since_learned(self, site: Site) -> int:
        """Return the number of pages received since a site was last learned."""
        pages, models = tables.pages, tables.models
        learned = select(func.max(models.c.created_at)).where(models.c.site_id == site.id)
        query = (
            select(func.count())
            .select_from(pages)
            .where(pages.c.site_id == site.id, pages.c.content_hash.is_not(None))
            .where(pages.c.first_seen > learned.scalar_subquery())
        )
        return self._number(query)

    def save_clusters(self, site: Site, run: Run, clusters: Sequence[ClusterRow]) -> list[int]:
        """Store the clusters of a site and return their ids, in the same order.

        A cluster with an `id` is updated; all others in force are retired.
        """
        with self.writing() as connection:
            ids = [_save_cluster(connection, site, run, cluster) for cluster in clusters]
            _retire(connection, tables.clusters, site.id, ids)
            _save_members(connection, site, zip(ids, clusters, strict=True))
            return ids

    def clusters(
        self, site: Site, *, members: bool = True, retired: bool = False
    ) -> list[ClusterRow]:
        """Return the clusters in force, the largest first; `retired` includes retired ones."""
        table = tables.clusters
        query = select(table).where(table.c.site_id == site.id)
        if not retired:
            query = query.where(table.c.retired_at.is_(None))
        with self.reading() as connection:
            inside = _members(connection, site) if members else defaultdict(list)
            rows = connection.execute(query.order_by(table.c.size.desc(), table.c.id)).all()
        return [from_row(ClusterRow, row, members=tuple(inside[row.id])) for row in rows]

    def save_patterns(self, site: Site, run: Run, patterns: Sequence[PatternRow]) -> list[int]:
        """Store the patterns of a site and return their ids, in the same order.

        A pattern with an `id` is updated; all others in force are retired.
        """
        with self.writing() as connection:
            ids = [_save_pattern(connection, site, run, pattern) for pattern in patterns]
            _retire(connection, tables.patterns, site.id, ids)
            return ids

    def patterns(self, site: Site, *, retired: bool = False) -> list[PatternRow]:
        """Return the patterns in force, by id; `retired` includes retired ones."""
        table = tables.patterns
        query = select(table).where(table.c.site_id == site.id).order_by(table.c.id)
        if not retired:
            query = query.where(table.c.retired_at.is_(None))
        with self.reading() as connection:
            rows = connection.execute(query).all()
            places = _vertices(connection, [row.id for row in rows])
        return [_pattern(row, places[row.id]) for row in rows]

    def pattern(self, pattern_id: int) -> tuple[str, PatternRow] | None:
        """Return a pattern with the name of its site; None if the id is unknown."""
        table, sites = tables.patterns, tables.sites
        query = select(table, sites.c.name).join_from(table, sites, table.c.site_id == sites.c.id)
        with self.reading() as connection:
            row = connection.execute(query.where(table.c.id == pattern_id)).first()
            if row is None:
                return None
            return row.name, _pattern(row, _vertices(connection, [row.id])[row.id])

    def save_published(self, site: Site, patterns: Sequence[PublishedPattern]) -> None:
        """Replace the site's patterns of Reis et al. (2004) as published."""
        published = tables.published_patterns
        with self.writing() as connection:
            connection.execute(delete(published).where(published.c.site_id == site.id))
            for batch in batches(patterns):
                rows = [{"site_id": site.id} | to_row(each) for each in batch]
                connection.execute(insert(published), rows)

    def published(self, site: Site) -> list[PublishedPattern]:
        """Return the site's patterns of Reis et al. (2004) as published, by number."""
        published = tables.published_patterns
        query = select(published).where(published.c.site_id == site.id)
        return self._read(PublishedPattern, query.order_by(published.c.number))

    def fitted_pages(self, site: Site) -> dict[int, frozenset[int]]:
        """Return the ids of the pages that each pattern in force was last chosen for."""
        table, matches = tables.patterns, tables.matches
        query = (
            select(table.c.id, matches.c.page_id)
            .join_from(table, matches, matches.c.pattern_id == table.c.id)
            .where(table.c.site_id == site.id, table.c.retired_at.is_(None))
            .order_by(table.c.id)
        )
        found: dict[int, set[int]] = defaultdict(set)
        with self.reading() as connection:
            for row in connection.execute(query):
                found[row.id].add(row.page_id)
        return {pattern_id: frozenset(pages) for pattern_id, pages in found.items()}

    def save_figures(self, run: Run, figures: Sequence[Figures]) -> None:
        """Store the figures of patterns in a run; storing them again changes nothing."""
        rows = [{"run_id": run.id} | to_row(each) for each in figures]
        with self.writing() as connection:
            for batch in batches(rows):
                upsert(connection, tables.pattern_nights, batch, key=("run_id", "pattern_id"))

    def figures(self, site: Site, before: Run) -> list[Figures]:
        """Return the figures of a site's patterns in runs before one, the earliest first."""
        nights, runs = tables.pattern_nights, tables.runs
        query = (
            select(nights)
            .join_from(nights, runs, nights.c.run_id == runs.c.id)
            .where(runs.c.site_id == site.id, nights.c.run_id < before.id)
            .order_by(nights.c.run_id)
        )
        return self._read(Figures, query)

    def figures_of(self, run: Run) -> list[Figures]:
        """Return the figures of all patterns in one run, by pattern."""
        nights = tables.pattern_nights
        query = select(nights).where(nights.c.run_id == run.id).order_by(nights.c.pattern_id)
        return self._read(Figures, query)


def _model_version(connection: Connection, site: Site) -> int:
    models = tables.models
    query = select(func.max(models.c.version)).where(models.c.site_id == site.id)
    return connection.execute(query).scalar() or 0


def _pattern_documents(connection: Connection, site: Site) -> tuple[PatternDocument, ...]:
    """Return the patterns in force, in the order of learning."""
    table, places = tables.patterns, tables.vertices
    ours = (table.c.site_id == site.id, table.c.retired_at.is_(None))
    roles: dict[int, list[tuple[int, str]]] = defaultdict(list)
    labelled = (
        select(places.c.pattern_id, places.c.vertex, places.c.role)
        .join_from(places, table, places.c.pattern_id == table.c.id)
        .where(*ours, places.c.role.is_not(None))
        .order_by(places.c.vertex)
    )
    for pattern_id, vertex, role in connection.execute(labelled):
        roles[pattern_id].append((vertex, str(role)))
    columns = table.c
    query = (
        select(columns.id, columns.cluster_id, columns.made_from, columns.article_share)
        .add_columns(columns.labels, columns.text)
        .where(*ours)
        .order_by(columns.position)
    )
    return tuple(
        from_row(PatternDocument, row, roles=tuple(roles[row.id]))
        for row in connection.execute(query)
    )


def _save_cluster(connection: Connection, site: Site, run: Run, cluster: ClusterRow) -> int:
    row = {
        "kind": cluster.kind,
        "medoid_id": cluster.medoid_id,
        "size": len(cluster.members),
        "radius": cluster.radius,
        "run_id": run.id,
        "last_seen": now(),
    }
    first = {"site_id": site.id, "first_seen": now()}
    return _save_lasting(connection, tables.clusters, cluster.id, row, first)


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


def _members(connection: Connection, site: Site) -> defaultdict[int, list[MemberRow]]:
    """Return the members of a site's clusters, by cluster, nearest to the medoid first."""
    members, table = tables.cluster_members, tables.clusters
    query = (
        select(members)
        .join_from(members, table, members.c.cluster_id == table.c.id)
        .where(table.c.site_id == site.id)
        .order_by(members.c.distance, members.c.page_id)
    )
    found: defaultdict[int, list[MemberRow]] = defaultdict(list)
    for row in connection.execute(query):
        found[row.cluster_id].append(from_row(MemberRow, row))
    return found


def _save_pattern(connection: Connection, site: Site, run: Run, pattern: PatternRow) -> int:
    row = to_row(pattern, without=("id", "vertices", "pages", "created_at", "retired_at"))
    row["run_id"] = run.id
    first = {"site_id": site.id, "created_at": now()}
    pattern_id = _save_lasting(connection, tables.patterns, pattern.id, row, first)
    places = tables.vertices
    connection.execute(delete(places).where(places.c.pattern_id == pattern_id))
    for batch in batches(pattern.vertices):
        rows = [{"pattern_id": pattern_id} | to_row(place) for place in batch]
        connection.execute(insert(places), rows)
    composed = tables.pattern_pages
    connection.execute(delete(composed).where(composed.c.pattern_id == pattern_id))
    rows = [
        {"pattern_id": pattern_id, "page_id": page, "position": at}
        for at, page in enumerate(pattern.pages)
    ]
    for chunk in batches(rows):
        connection.execute(insert(composed), chunk)
    return pattern_id


def _vertices(connection: Connection, ids: Sequence[int]) -> defaultdict[int, list[VertexRow]]:
    """Return the vertices of some patterns, by pattern, in preorder."""
    places = tables.vertices
    found: defaultdict[int, list[VertexRow]] = defaultdict(list)
    for batch in batches(ids):
        query = select(places).where(places.c.pattern_id.in_(batch))
        for row in connection.execute(query.order_by(places.c.pattern_id, places.c.vertex)):
            found[row.pattern_id].append(from_row(VertexRow, row))
    return found


def _pattern(row: Row[*tuple[Any, ...]], vertices: Iterable[VertexRow]) -> PatternRow:
    return from_row(PatternRow, row, vertices=tuple(vertices), pages=())


def _save_lasting(
    connection: Connection, table: Table[Any], row_id: int | None, row: Values, first: Values
) -> int:
    """Update the row of this id, or insert it if the id is None. Return the id.

    `first` has the columns that only an insertion writes.
    """
    if row_id is None:
        added = insert(table).values({**first, **row}).returning(table.c.id)
        return int(connection.execute(added).scalar_one())
    these = (table.c.id == row_id, table.c.site_id == first["site_id"])
    changed = update(table).where(*these).values({**row, "retired_at": None})
    if connection.execute(changed).rowcount != 1:
        raise ValueError(f"there is no row {row_id} in {table.name} of this site")
    return row_id


def _retire(connection: Connection, table: Table[Any], site_id: int, kept: Iterable[int]) -> None:
    """Retire all rows of a site that are in force, except those kept."""
    in_force = select(table.c.id).where(table.c.site_id == site_id, table.c.retired_at.is_(None))
    retired = sorted(set(connection.execute(in_force).scalars()) - set(kept))
    for batch in batches(retired):
        connection.execute(update(table).where(table.c.id.in_(batch)).values(retired_at=now()))
