"""Marks of articles by their readers: read and starred."""

from collections.abc import Collection
from typing import Literal

from sqlalchemy import func, select

from flong.storage import tables
from flong.storage.columns import now
from flong.storage.database import Repository, batches, upsert
from flong.storage.joined_words import is_part
from flong.storage.tables import Site

ReaderMark = Literal["read", "starred"]
"""A mark that a reader sets."""
MarkFilter = Literal["", "unread", "starred"]
"""Selection of articles by their marks; empty for all."""

MARKED: dict[MarkFilter, str] = {
    "unread": "NOT IN (SELECT page_id FROM reader_marks WHERE read_at IS NOT NULL)",
    "starred": "IN (SELECT page_id FROM reader_marks WHERE starred_at IS NOT NULL)",
}
"""Conditions on a page id, in SQL."""


class Marks(Repository):
    """Writes and counts marks."""

    def set(self, page_ids: Collection[int], mark: ReaderMark, *, to: bool = True) -> None:
        """Set or remove a mark of these articles; the other mark stays."""
        time = now() if to else None
        with self.writing() as connection:
            for batch in batches(page_ids):
                rows = [{"page_id": page_id, f"{mark}_at": time} for page_id in batch]
                upsert(connection, tables.reader_marks, rows, key=("page_id",))

    def unread(self, sites: Collection[Site]) -> dict[str, int]:
        """Return the number of unread articles by name of site, without retired ones."""
        table, names, marks = tables.articles, tables.sites, tables.reader_marks
        read = select(marks.c.page_id).where(marks.c.read_at.is_not(None))
        query = (
            select(names.c.name, func.count().label("unread"))
            .join_from(table, names, table.c.site_id == names.c.id)
            .where(table.c.retired_at.is_(None), ~is_part(), table.c.page_id.not_in(read))
            .where(names.c.id.in_([site.id for site in sites]))
            .group_by(names.c.name)
        )
        with self.reading() as connection:
            return {row.name: row.unread for row in connection.execute(query)}
