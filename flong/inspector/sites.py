"""The first view: all sites, each with its last nights."""

from dataclasses import dataclass

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.night import Night, nights_of
from flong.inspector.paging import ROWS, Part, part_of
from flong.inspector.reports import Report, last_reports
from flong.storage import SiteSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCard:
    """A site with its last nights."""

    summary: SiteSummary
    """What is known of it."""
    nights: list[Night]
    """The last nights, the earliest first."""
    report: Report | None
    """What the last nightly run had to say; None if there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitesView:
    """Sites, a part of the list."""

    sites: list[SiteCard]
    """By name."""
    part: Part
    """Which part."""


def view_sites(database: ReadOnlyDatabase, page: int) -> SitesView:
    """Return a part of the sites."""
    sites = sorted(database.store.sites.all(), key=lambda site: site.name)
    part = part_of(len(sites), page)
    shown = sites[part.first : part.first + ROWS]
    nights, reports = nights_of(database, shown), last_reports(database, shown)
    return SitesView(
        sites=[
            SiteCard(
                summary=summary,
                nights=list(nights.get(summary.site, ())),
                report=reports.get(summary.site),
            )
            for summary in database.store.overview.sites(shown)
        ],
        part=part,
    )
