"""What a site announces against what is stored of it, by month, and the eras of its templates."""

from dataclasses import dataclass

from flong.inspector.database import ReadOnlyDatabase
from flong.storage import CoverageMonth, MissingPage, TemplateEra

MOST = 200
"""Missing URLs that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageView:
    """What is there of a site, and what is not."""

    site: str
    """Its name."""
    eras: list[TemplateEra]
    """When its patterns were in use, the latest first."""
    months: list[CoverageMonth]
    """What was announced and what is stored, the latest first."""
    month: str
    """The month whose missing URLs are listed; empty for all."""
    missing: list[MissingPage]
    """URLs that were announced and are not stored."""


def view_coverage(database: ReadOnlyDatabase, name: str, month: str = "") -> CoverageView:
    """Return what is there of a site."""
    site, coverage = database.site(name), database.store.coverage
    return CoverageView(
        site=site.name,
        eras=coverage.eras(site),
        months=coverage.months(site),
        month=month,
        missing=coverage.missing(site, month=month, most=MOST),
    )
