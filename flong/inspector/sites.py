"""View of all sites with their last nights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.night import nights_of
from flong.inspector.paging import ROWS, Part, PartNumber, part_of
from flong.inspector.reports import Report, last_reports
from flong.storage import DayOfWork, SiteSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class SitesView:
    """One part of the list of sites."""

    sites: list[SiteSummary]
    """Sites by name."""
    nights: Mapping[str, Sequence[DayOfWork]]
    """Last nights by name of site, earliest first."""
    reports: Mapping[str, Report]
    """Latest reports by name of site."""
    unread: Mapping[str, int]
    """Numbers of unread articles by name of site."""
    part: Part
    """Position of this part."""


def view_sites(database: ReadOnlyDatabase, page: PartNumber = 1) -> SitesView:
    """List sites with their last nights."""
    sites = sorted(database.store.sites.all(), key=lambda site: site.name)
    part = part_of(len(sites), page)
    shown = sites[part.first : part.first + ROWS]
    return SitesView(
        sites=database.store.overview.sites(shown),
        nights=nights_of(database, shown),
        reports=last_reports(database, shown),
        unread=database.store.marks.unread(shown),
        part=part,
    )
