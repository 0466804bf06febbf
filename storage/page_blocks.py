"""What a reader saw of pages when they were crawled: visual blocks, packed."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from flong.page import Page
from flong.storage import tables
from flong.storage.database import upsert
from flong.storage.sites import Site


def save_blocks(connection: Connection, site: Site, pages: Sequence[Page]) -> None:
    """Keep the blocks of stored pages that have some, in the place of earlier ones."""
    given = {page.url: page.blocks for page in pages if page.blocks is not None}
    if not given:
        return
    stored = tables.pages
    query = select(stored.c.id, stored.c.url, stored.c.content_hash).where(
        stored.c.site_id == site.id, stored.c.url.in_(list(given))
    )
    rows = [
        {"page_id": row.id, "content_hash": row.content_hash, "blocks": given[row.url]}
        for row in connection.execute(query)
    ]
    upsert(connection, tables.page_blocks, rows, key=("page_id",))


def find_blocks(connection: Connection, page_id: int, content_hash: str | None) -> bytes | None:
    """Return the blocks of a page with this content; None if there are none, or of another."""
    blocks = tables.page_blocks
    query = select(blocks.c.blocks).where(
        blocks.c.page_id == page_id, blocks.c.content_hash == content_hash
    )
    return connection.execute(query).scalar_one_or_none()
