"""Patterns: the templates of a site, with their wildcards and labels."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select

from flong.storage import tables
from flong.storage.columns import from_row, now, to_row
from flong.storage.database import Repository, batches, retire, save_lasting, upsert
from flong.storage.runs import Run
from flong.storage.sites import Site


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
    """Its id, the same while its template is; None if it is a new one to be stored."""
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
    position: int = 0
    """Its place among the patterns of its version."""
    article_share: float = 0.0
    """Share of its sampled pages that are articles."""
    score: float | None = None
    """How well its labels agreed with the evidence, from 0 to 1; None if it has none."""
    text: str = ""
    """The tree, for people."""
    labels: str = ""
    """Where its fields are and what is to be expected of its pages, as JSON."""
    data: str = "{}"
    """The tree, as JSON: what extraction reads."""
    wildcards: tuple[WildcardRow, ...] = ()
    """Its wildcards and labelled vertices."""
    created_at: datetime | None = None
    """When it was first stored; None before."""
    retired_at: datetime | None = None
    """When it was replaced; None while it is in force."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How a pattern did on the pages of one night."""

    pattern_id: int
    """The pattern."""
    pages: int
    """Pages that it fitted."""
    strict: int
    """Those that it fitted exactly."""
    articles: int
    """Those that are articles."""
    before: int = 0
    """Pages that it had fitted before their document changed."""
    accepted: float | None = None
    """Share of these that it still fits; None if there are none."""
    dated: float | None = None
    """Share of the articles with a date; None, here and below, without articles."""
    authored: float | None = None
    """Share of the articles with an author."""
    words: float | None = None
    """Median number of words of the bodies."""
    paragraphs: float | None = None
    """Median number of paragraphs of the bodies."""
    captured: float | None = None
    """Median share of the words of the page that are in the body."""
    agreeing: float | None = None
    """Share of the articles whose title the metadata has too; None if there is no metadata."""


class Patterns(Repository):
    """Writes and reads the patterns of a site."""

    def save(self, site: Site, run: Run, patterns: Sequence[PatternRow]) -> list[int]:
        """Store the patterns of a site and return their ids, in the same order.

        One with an `id` lives on; all others that were in force are retired.
        """
        with self.writing() as connection:
            ids = [_save(connection, site, run, pattern) for pattern in patterns]
            retire(connection, tables.patterns, site.id, ids)
            return ids

    def of(self, site: Site, *, retired: bool = False) -> list[PatternRow]:
        """Return the patterns in force, by id; on request also those retired."""
        table = tables.patterns
        query = select(table).where(table.c.site_id == site.id).order_by(table.c.id)
        if not retired:
            query = query.where(table.c.retired_at.is_(None))
        with self.reading() as connection:
            rows = connection.execute(query).all()
            places = _wildcards(connection, [row.id for row in rows])
        return [_pattern(row, places.get(row.id, ())) for row in rows]

    def find(self, pattern_id: int) -> tuple[str, PatternRow] | None:
        """Return the name of a pattern's site, and the pattern; None if there is none."""
        table, sites = tables.patterns, tables.sites
        query = select(table, sites.c.name).join_from(table, sites, table.c.site_id == sites.c.id)
        with self.reading() as connection:
            row = connection.execute(query.where(table.c.id == pattern_id)).first()
            if row is None:
                return None
            return row.name, _pattern(row, _wildcards(connection, [row.id])[row.id])

    def fitted_pages(self, site: Site) -> dict[int, frozenset[int]]:
        """Return the pages that each pattern in force was last chosen for, by its id."""
        table, matches = tables.patterns, tables.matches
        query = (
            select(table.c.id, matches.c.page_id)
            .join_from(table, matches, matches.c.pattern_id == table.c.id)
            .where(table.c.site_id == site.id, table.c.retired_at.is_(None))
            .order_by(table.c.id)
        )
        found: dict[int, set[int]] = defaultdict(set)
        with self.reading() as connection:
            for pattern_id, page_id in connection.execute(query):
                found[pattern_id].add(page_id)
        return {pattern_id: frozenset(pages) for pattern_id, pages in found.items()}

    def save_figures(self, run: Run, figures: Sequence[Figures]) -> None:
        """Store how patterns did in a run; again is as good as once."""
        rows = [{"run_id": run.id} | to_row(each) for each in figures]
        with self.writing() as connection:
            for batch in batches(rows):
                upsert(connection, tables.pattern_nights, batch, key=("run_id", "pattern_id"))

    def figures(self, site: Site, before: Run) -> list[Figures]:
        """Return how the patterns of a site did in runs before one, the earliest first."""
        nights, runs = tables.pattern_nights, tables.runs
        query = (
            select(nights)
            .join_from(nights, runs, nights.c.run_id == runs.c.id)
            .where(runs.c.site_id == site.id, nights.c.run_id < before.id)
            .order_by(nights.c.run_id)
        )
        return self._read(Figures, query)

    def figures_of(self, run: Run) -> list[Figures]:
        """Return how the patterns did in one run, by pattern."""
        nights = tables.pattern_nights
        query = select(nights).where(nights.c.run_id == run.id).order_by(nights.c.pattern_id)
        return self._read(Figures, query)


def _save(connection: Connection, site: Site, run: Run, pattern: PatternRow) -> int:
    row = to_row(pattern, without=("id", "wildcards", "created_at", "retired_at"))
    row["run_id"] = run.id
    first = {"site_id": site.id, "created_at": now()}
    pattern_id = save_lasting(connection, tables.patterns, pattern.id, row, first)
    places = tables.wildcards
    connection.execute(delete(places).where(places.c.pattern_id == pattern_id))
    for batch in batches(pattern.wildcards):
        rows = [{"pattern_id": pattern_id} | to_row(place) for place in batch]
        connection.execute(insert(places), rows)
    return pattern_id


def _wildcards(connection: Connection, ids: Sequence[int]) -> dict[int, list[WildcardRow]]:
    """Return the wildcards of some patterns, by pattern, in preorder."""
    places = tables.wildcards
    found: dict[int, list[WildcardRow]] = defaultdict(list)
    for batch in batches(ids):
        query = select(places).where(places.c.pattern_id.in_(batch))
        for row in connection.execute(query.order_by(places.c.pattern_id, places.c.vertex)):
            found[row.pattern_id].append(from_row(WildcardRow, row))
    return found


def _pattern(row: Row[*tuple[Any, ...]], wildcards: Iterable[WildcardRow]) -> PatternRow:
    return from_row(PatternRow, row, wildcards=tuple(wildcards))
