"""Corrections by people: from the database to learning, and as lines of a file."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from flong.errors import OutdatedModel, PipelineError
from flong.findings import Finding
from flong.patterns import (
    Anchor,
    Correction,
    ExtractionModel,
    is_met,
    read_correction,
    read_selector,
)
from flong.program import program
from flong.stages.stored_pages import load_stored_model
from flong.states import CorrectedField, CorrectionKind, FindingKind
from flong.storage import CorrectionRow, NewCorrection, Site, Store
from flong.tree import SitePage


def correction_of(row: CorrectionRow) -> Correction:
    """Return a stored correction in the form that learning uses."""
    return read_correction(
        url=row.url, field=row.field, kind=row.kind, place=row.place, selector=row.selector
    )


def corrections_of(store: Store, site: Site) -> list[Correction]:
    """Return the corrections of a site that are in force."""
    return [correction_of(row) for row in store.extractions.corrections_in_force(site)]


def unmet(
    site: Site,
    model: ExtractionModel,
    pages: Sequence[SitePage],
    anchors: Mapping[str, Sequence[Anchor]],
    corrections: Sequence[Correction],
) -> list[Finding]:
    """Return the corrections that their own pages do not follow."""
    by_url = {page.url: page for page in pages}
    time, found = datetime.now(UTC), []
    for correction in corrections:
        page = by_url.get(correction.url)
        if page is None:
            continue
        seen = model.examine(page, anchors.get(page.url, ()), time)
        if not is_met(correction, page.tree, seen):
            detail = f"{correction.field} {correction.kind}"
            kind = FindingKind.CORRECTION_UNMET
            found.append(Finding(kind=kind, site=site.name, subject=page.url, detail=detail))
    return found


def is_learned(store: Store, site: Site) -> bool:
    """Return True if the site has a model that can be read."""
    try:
        load_stored_model(store, site)
    except (OutdatedModel, PipelineError):
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedCorrection:
    """A correction as a line of a file, for another database of the same site."""

    site: str
    """Name of the site."""
    url: str
    """URL of the page."""
    field: str
    """Corrected field."""
    kind: str
    """`CorrectionKind`: the element is the field, or is not."""
    place: str
    """XPath of the element."""
    selector: str | None
    """Selector that finds it on other pages, as JSON."""
    text: str
    """Beginning of its text."""

    @classmethod
    def of(cls, row: CorrectionRow) -> "ExportedCorrection":
        """Return the columns of a row that another database can use."""
        return cls(**{name: getattr(row, name) for name in cls.__dataclass_fields__})

    def into(self, store: Store) -> CorrectionRow | None:
        """Store the correction and return its row; None if it is already in force."""
        site = store.sites.find(self.site)
        if any(
            ExportedCorrection.of(row) == self
            for row in store.extractions.corrections_in_force(site)
        ):
            return None
        page = store.pages.find(self.url, site)
        return store.extractions.add_correction(
            site,
            NewCorrection(
                page_id=page.id,
                field=CorrectedField(self.field),
                kind=CorrectionKind(self.kind),
                place=self.place,
                selector=self.selector,
                text=self.text,
            ),
        )


def read_lines(lines: Sequence[str]) -> Iterator[ExportedCorrection]:
    """Yield the corrections of a file; raise `PipelineError` for an invalid line."""
    for number, line in enumerate(lines, 1):
        try:
            found = ExportedCorrection(**json.loads(line))
            CorrectedField(found.field), CorrectionKind(found.kind)
            read_selector(found.selector or "null")
        except (TypeError, ValueError) as error:
            raise PipelineError(
                f"Line {number} is not a correction. Run: {program()} corrections export"
            ) from error
        yield found
