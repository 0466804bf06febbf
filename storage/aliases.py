"""Aliases: URLs at which no page is kept, and where they lead."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from flong.storage import tables
from flong.storage.database import Repository, batches, upsert
from flong.storage.rows import to_row
from flong.storage.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A URL that was asked for and gave nothing to keep."""

    url: str
    """Canonical URL."""
    target: str | None
    """Where the page is that it stands for; None if there is none, as behind a picture."""
    is_page: bool
    """Whether there is a page with links of its own; a redirect has none."""
    checked_at: datetime
    """When it was last asked for."""


class Aliases(Repository):
    """Writes and reads aliases."""

    def save(self, site: Site, aliases: Sequence[Alias]) -> None:
        """Store where URLs lead; what was known of them is replaced."""
        rows = [{"site_id": site.id} | to_row(alias) for alias in aliases]
        with self.writing() as connection:
            for batch in batches(rows):
                upsert(connection, tables.aliases, batch, key=("site_id", "url"))

    def of(self, site: Site) -> list[Alias]:
        """Return all aliases of a site, by URL."""
        aliases = tables.aliases
        query = select(aliases).where(aliases.c.site_id == site.id).order_by(aliases.c.url)
        return self._read(Alias, query)
