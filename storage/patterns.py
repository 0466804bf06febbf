"""Patterns: the templates of a site, with their wildcards and labels."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select

from storage import tables
from storage.columns import now
from storage.database import Database, batches, retire, save_lasting
from storage.runs import Run
from storage.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class WildcardRow:
    """A place of a pattern where pages differ, or where a field was found."""

    vertex: int
    """Its position in the pattern, in preorder."""
    path: str
    """Where it is in the pattern, for people."""
    kind: str
    """`.`, `+`, `?` or `*`; `n` for a plain vertex that has a role."""
    role: str | None = None
    """The field of `Article` that it gives; None if it gives none."""
    coverage: float = 0.0
    """Share of the pattern's pages in which something stands there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternRow:
    """An ne-pattern."""

    id: int | None = None
    """Its number; None if it is a new one to be stored."""
    cluster_id: int | None
    """The cluster it was made from; None if that was removed."""
    version: int
    """Version of the model that it came with."""
    kind: str
    """What its pages are: `article`, `listing` or `other`."""
    made_from: int
    """Number of pages composed into it."""
    constants: int
    """Number of its vertices that are no wildcards."""
    score: float | None = None
    """How well its labels agreed with the evidence, from 0 to 1; None if it has none."""
    text: str = ""
    """The tree, for people."""
    data: str = "{}"
    """The tree, as JSON."""
    wildcards: tuple[WildcardRow, ...] = ()
    """Its wildcards and labelled vertices."""
    created_at: datetime | None = None
    """When it was first stored; None before."""
    retired_at: datetime | None = None
    """When it was replaced; None while it is in force."""


class PatternStore(Database):
    """Writes and reads the patterns of a site."""

    def save_patterns(self, site: Site, run: Run, patterns: Sequence[PatternRow]) -> list[int]:
        """Store the patterns of a site and return their numbers, in the same order.

        One with an `id` lives on; all others that were in force are retired.
        """
        with self.writing() as connection:
            numbers = [_save(connection, site, run, pattern) for pattern in patterns]
            retire(connection, tables.patterns, site.id, numbers)
            return numbers

    def patterns(self, site: Site, *, retired: bool = False) -> list[PatternRow]:
        """Return the patterns in force, by number; on request also those retired."""
        table = tables.patterns
        query = select(table).where(table.c.site_id == site.id).order_by(table.c.id)
        if not retired:
            query = query.where(table.c.retired_at.is_(None))
        with self.reading() as connection:
            rows = connection.execute(query).all()
            places = _wildcards(connection, [row.id for row in rows])
        return [_pattern(row, places.get(row.id, ())) for row in rows]


def _save(connection: Connection, site: Site, run: Run, pattern: PatternRow) -> int:
    row = {
        "cluster_id": pattern.cluster_id,
        "version": pattern.version,
        "kind": pattern.kind,
        "made_from": pattern.made_from,
        "constants": pattern.constants,
        "score": pattern.score,
        "run_id": run.id,
        "text": pattern.text,
        "data": pattern.data,
    }
    first = {"site_id": site.id, "created_at": now()}
    number = save_lasting(connection, tables.patterns, pattern.id, row, first)
    places = tables.wildcards
    connection.execute(delete(places).where(places.c.pattern_id == number))
    for batch in batches(pattern.wildcards):
        rows = [{"pattern_id": number} | asdict(place) for place in batch]
        connection.execute(insert(places), rows)
    return number


def _wildcards(connection: Connection, numbers: Sequence[int]) -> dict[int, list[WildcardRow]]:
    """Return the wildcards of some patterns, by pattern, in preorder."""
    places = tables.wildcards
    found: dict[int, list[WildcardRow]] = defaultdict(list)
    for batch in batches(numbers):
        query = select(places).where(places.c.pattern_id.in_(batch))
        for row in connection.execute(query.order_by(places.c.pattern_id, places.c.vertex)):
            found[row.pattern_id].append(
                WildcardRow(
                    vertex=row.vertex,
                    path=row.path,
                    kind=row.kind,
                    role=row.role,
                    coverage=row.coverage,
                )
            )
    return found


def _pattern(row: Row[*tuple[Any, ...]], wildcards: Iterable[WildcardRow]) -> PatternRow:
    return PatternRow(
        id=row.id,
        cluster_id=row.cluster_id,
        version=row.version,
        kind=row.kind,
        made_from=row.made_from,
        constants=row.constants,
        score=row.score,
        text=row.text,
        data=row.data,
        wildcards=tuple(wildcards),
        created_at=row.created_at,
        retired_at=row.retired_at,
    )
