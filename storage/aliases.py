"""Aliases: addresses at which no page is kept, and where they lead."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import select

from storage import tables
from storage.database import Database, batches, upsert
from storage.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """An address that was asked for and gave nothing to keep."""

    url: str
    """Canonical address."""
    target: str | None
    """Where the page is that it stands for; None if there is none, as behind a picture."""
    is_page: bool
    """Whether there is a page with links of its own; a redirect has none."""
    checked_at: datetime
    """When it was last asked for."""


class AliasStore(Database):
    """Writes and reads aliases."""

    def save_aliases(self, site: Site, aliases: Sequence[Alias]) -> None:
        """Store where addresses lead; what was known of them is replaced."""
        rows = [{"site_id": site.id, **asdict(alias)} for alias in aliases]
        with self.writing() as connection:
            for batch in batches(rows):
                upsert(connection, tables.aliases, batch, key=("site_id", "url"))

    def aliases(self, site: Site) -> list[Alias]:
        """Return all aliases of a site, by address."""
        aliases = tables.aliases
        query = select(aliases).where(aliases.c.site_id == site.id).order_by(aliases.c.url)
        with self.reading() as connection:
            return [
                Alias(
                    url=row.url,
                    target=row.target,
                    is_page=row.is_page,
                    checked_at=row.checked_at,
                )
                for row in connection.execute(query)
            ]
