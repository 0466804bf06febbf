"""Models: what was learned about a site, in its latest version."""

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select

from flong.model_document import ModelDocument, PatternDocument
from flong.storage import tables
from flong.storage.columns import from_row, now, to_row
from flong.storage.database import Repository
from flong.storage.runs import Run
from flong.storage.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupingRow:
    """How the pages of a site were grouped when it was learned."""

    similarity: float
    """Pages at least so similar share a template."""
    replace_cost: int
    """What it costs to give a vertex another tag; to remove or add one costs 1."""
    dendrogram: str
    """How the pages join, as JSON."""


class Models(Repository):
    """Writes and reads the model of a site; its patterns are those of `store.patterns`."""

    def save(self, site: Site, run: Run, data: str, grouping: GroupingRow | None = None) -> int:
        """Store what holds for the whole site in place of what was there; return its version.

        With a new version all pages of the site need extraction again. The patterns belong into
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

    def load(self, site: Site) -> ModelDocument | None:
        """Return the model of a site with its patterns; None if nothing was learned yet."""
        models = tables.models
        query = select(models.c.data, models.c.version).where(models.c.site_id == site.id)
        with self.reading() as connection:
            while found := connection.execute(query.order_by(models.c.version.desc())).first():
                patterns = _patterns(connection, site)
                if _model_version(connection, site) == found.version:  # not learned meanwhile
                    return from_row(ModelDocument, found, patterns=patterns)
        return None

    def grouping(self, site: Site) -> GroupingRow | None:
        """Return how pages were grouped; None if an earlier version of flong did, or none yet."""
        models = tables.models
        query = select(models).where(models.c.site_id == site.id, models.c.dendrogram.is_not(None))
        return next(iter(self._read(GroupingRow, query.order_by(models.c.version.desc()))), None)

    def version(self, site: Site) -> int:
        """Return the version of the latest model; 0 if nothing was learned yet."""
        with self.reading() as connection:
            return _model_version(connection, site)

    def pages_since_learned(self, site: Site) -> int:
        """Return how many pages of a site have come since it was last learned."""
        pages, models = tables.pages, tables.models
        learned = select(func.max(models.c.created_at)).where(models.c.site_id == site.id)
        query = (
            select(func.count())
            .select_from(pages)
            .where(pages.c.site_id == site.id, pages.c.content_hash.is_not(None))
            .where(pages.c.first_seen > learned.scalar_subquery())
        )
        return self._number(query)


def _model_version(connection: Connection, site: Site) -> int:
    models = tables.models
    query = select(func.max(models.c.version)).where(models.c.site_id == site.id)
    return connection.execute(query).scalar() or 0


def _patterns(connection: Connection, site: Site) -> tuple[PatternDocument, ...]:
    """Return the patterns in force, in the order in which they were learned."""
    table, places = tables.patterns, tables.wildcards
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
        .add_columns(columns.labels, columns.data)
        .where(*ours)
        .order_by(columns.position)
    )
    return tuple(
        from_row(PatternDocument, row, roles=tuple(roles[row.id]))
        for row in connection.execute(query)
    )
