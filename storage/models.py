"""Models: everything learned about a site, as one document with a version."""

from sqlalchemy import Connection, delete, func, insert, select

from storage import tables
from storage.columns import now
from storage.database import Repository
from storage.runs import Run
from storage.sites import Site

MODELS_KEPT = 3
"""Versions of a site's model that are kept; earlier ones are forgotten."""


class Models(Repository):
    """Writes and reads the model of a site."""

    def save(self, site: Site, run: Run, data: str) -> int:
        """Store everything learned about a site as one JSON text; return its version.

        With a new version all pages of the site need extraction again.
        """
        models = tables.models
        with self.writing() as connection:
            version = _model_version(connection, site) + 1
            added = insert(models).values(site_id=site.id, version=version, run_id=run.id)
            connection.execute(added.values(created_at=now(), data=data))
            old = models.c.version <= version - MODELS_KEPT
            connection.execute(delete(models).where(models.c.site_id == site.id, old))
            return version

    def load(self, site: Site) -> str | None:
        """Return the latest model of a site; None if nothing was learned yet."""
        models = tables.models
        query = select(models.c.data).where(models.c.site_id == site.id)
        with self.reading() as connection:
            return connection.execute(query.order_by(models.c.version.desc()).limit(1)).scalar()

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
