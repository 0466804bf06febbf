"""Corrections: what people said about pages, until they take it back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, insert, select, update

from flong.program import program
from flong.states import CorrectedField, CorrectionKind
from flong.storage import tables
from flong.storage.columns import now, to_row
from flong.storage.database import Repository
from flong.storage.errors import UnknownCorrection
from flong.storage.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCorrection:
    """What somebody says about a page."""

    page_id: int
    """The page."""
    field: CorrectedField
    """What it is about."""
    kind: CorrectionKind
    """Whether the element is that, or is not."""
    place: str = ""
    """XPath of the element; empty if the whole page is meant."""
    selector: str | None = None
    """How it is found on other pages, as JSON; None for its place in the pattern."""
    text: str = ""
    """The beginning of what stands there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRow(NewCorrection):
    """A correction that is kept."""

    id: int
    """Its id."""
    site: str
    """Name of the site."""
    url: str
    """URL of the page."""
    made_at: datetime
    """When it was made."""
    undone_at: datetime | None
    """When it was taken back; None while it is in force."""


class Corrections(Repository):
    """Writes and reads corrections."""

    def add(self, site: Site, new: NewCorrection) -> CorrectionRow:
        """Keep a correction."""
        corrections = tables.corrections
        row = to_row(new) | {"site_id": site.id, "made_at": now(), "undone_at": None}
        with self.writing() as connection:
            added = insert(corrections).values(row).returning(corrections.c.id)
            number = int(connection.execute(added).scalar_one())
        return self.find(number)

    def undo(self, number: int) -> CorrectionRow:
        """Take a correction back; it stays in the list."""
        corrections = tables.corrections
        found = self.find(number)
        if found.undone_at is None:
            these = corrections.c.id == number
            with self.writing() as connection:
                connection.execute(update(corrections).where(these).values(undone_at=now()))
        return self.find(number)

    def find(self, number: int) -> CorrectionRow:
        """Return the correction of this id, or raise `UnknownCorrection`."""
        found = self._read(CorrectionRow, _rows().where(tables.corrections.c.id == number))
        if not found:
            raise UnknownCorrection(f"There is no correction {number}: {program()} corrections.")
        return found[0]

    def all(self, sites: Sequence[Site] | None = None) -> list[CorrectionRow]:
        """Return the corrections of some sites, or of all, the earliest first."""
        query = _rows().order_by(tables.corrections.c.id)
        if sites is not None:
            query = query.where(tables.corrections.c.site_id.in_([site.id for site in sites]))
        return self._read(CorrectionRow, query)

    def in_force(self, site: Site) -> list[CorrectionRow]:
        """Return the corrections of a site that were not taken back, the earliest first."""
        return [row for row in self.all([site]) if row.undone_at is None]


def _rows() -> Select[*tuple[object, ...]]:
    return (
        select(tables.corrections, tables.sites.c.name.label("site"), tables.pages.c.url)
        .join(tables.sites, tables.sites.c.id == tables.corrections.c.site_id)
        .join(tables.pages, tables.pages.c.id == tables.corrections.c.page_id)
    )
