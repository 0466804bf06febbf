"""What was corrected, and how far learning it has come."""

import json
from dataclasses import dataclass

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.editing import Editor
from flong.inspector.jobs import Job
from flong.patterns import read_selector
from flong.storage import CorrectionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionLine:
    """One correction."""

    row: CorrectionRow
    """What was said."""
    selector: str
    """How the element is found on other pages; empty for its place in the pattern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionsView:
    """What was corrected."""

    site: str
    """The site that is asked for; empty for all."""
    corrections: list[CorrectionLine]
    """The latest first."""
    jobs: list[Job]
    """What is being done for the site, the latest first."""


def view_corrections(
    database: ReadOnlyDatabase, editor: Editor | None, site: str
) -> CorrectionsView:
    """Return the corrections of a site, or of all."""
    sites = [database.site(site)] if site else None
    rows = database.store.corrections.all(sites)
    return CorrectionsView(
        site=sites[0].name if sites else "",
        corrections=[_line(row) for row in reversed(rows)],
        jobs=editor.jobs.of(sites[0].name)[:3] if editor and sites else [],
    )


def _line(row: CorrectionRow) -> CorrectionLine:
    found = read_selector(json.loads(row.selector)) if row.selector else None
    return CorrectionLine(row=row, selector=str(found) if found else "")
