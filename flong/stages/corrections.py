"""What people said about pages, on its way to where sites are learned and read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from flong.errors import OutdatedModel, PipelineError
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
from flong.states import CorrectedField, CorrectionKind
from flong.storage import CorrectionRow, NewCorrection, Site, Store
from flong.tree import SitePage

WORDS = {
    (CorrectedField.BODY, CorrectionKind.IS_NOT): "a block is no part of the body",
    (CorrectedField.ARTICLE, CorrectionKind.IS_NOT): "it is no article",
}


def says(field: CorrectedField, kind: CorrectionKind) -> str:
    """Return what a correction says, in words.

    >>> says(CorrectedField.TITLE, CorrectionKind.IS)
    'where the title is'
    """
    return WORDS.get((field, kind), f"where the {field} is")


def correction_of(row: CorrectionRow) -> Correction:
    """Return a stored correction as learning takes it."""
    return read_correction(
        url=row.url, field=row.field, kind=row.kind, place=row.place, selector=row.selector
    )


def corrections_of(store: Store, site: Site) -> list[Correction]:
    """Return the corrections of a site that are in force."""
    return [correction_of(row) for row in store.corrections.in_force(site)]


def unmet(
    model: ExtractionModel,
    pages: Sequence[SitePage],
    anchors: Mapping[str, Sequence[Anchor]],
    corrections: Sequence[Correction],
) -> tuple[str, ...]:
    """Return the corrections that their own pages do not follow, a sentence each."""
    by_url = {page.url: page for page in pages}
    time, found = datetime.now(UTC), []
    for correction in corrections:
        page = by_url.get(correction.url)
        if page is None:
            continue
        seen = model.examine(page, anchors.get(page.url, ()), time)
        if not is_met(correction, page.tree, seen):
            said = says(correction.field, correction.kind)
            found.append(f"A correction of {page.url} ({said}) would no longer hold.")
    return tuple(found)


def is_learned(store: Store, site: Site) -> bool:
    """Tell whether something was learned about a site that can be read."""
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
    """What it is about."""
    kind: str
    """Whether the element is that, or is not."""
    place: str
    """XPath of the element."""
    selector: str | None
    """How it is found on other pages, as JSON."""
    text: str
    """The beginning of what stood there."""

    @classmethod
    def of(cls, row: CorrectionRow) -> "ExportedCorrection":
        """Return what of a row another database can use."""
        return cls(**{name: getattr(row, name) for name in cls.__dataclass_fields__})

    def into(self, store: Store) -> CorrectionRow | None:
        """Keep it, unless it is in force already: None then."""
        site = store.sites.find(self.site)
        if any(ExportedCorrection.of(row) == self for row in store.corrections.in_force(site)):
            return None
        page = store.pages.find(self.url, site)
        return store.corrections.add(
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
    """Yield the corrections of a file; one that cannot be read is a `PipelineError`."""
    for number, line in enumerate(lines, 1):
        try:
            found = ExportedCorrection(**json.loads(line))
            CorrectedField(found.field), CorrectionKind(found.kind)
            read_selector(json.loads(found.selector or "null"))
        except (TypeError, ValueError) as error:
            raise PipelineError(
                f"Line {number} is no correction as {program()} corrections export writes them."
            ) from error
        yield found
