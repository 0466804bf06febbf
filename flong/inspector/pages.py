"""The list of pages: what there is at each URL, and what was decided about it."""

from dataclasses import dataclass

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.paging import ROWS, Number, Part, part_of
from flong.storage import PageFilters, PageLine


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedPages(PageFilters):
    """Which pages are asked for, in the bounds of what can be."""

    depth: Number = None
    cluster: Number = None
    pattern: Number = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesView:
    """Pages, a part of the list."""

    filters: PageFilters
    """What was asked for."""
    pages: list[PageLine]
    """Those of this part."""
    part: Part
    """Which part."""
    sites: list[str]
    """Names of all sites."""


def view_pages(database: ReadOnlyDatabase, filters: PageFilters, page: int) -> PagesView:
    """Return a part of the pages asked for, in the order in which they came."""
    lists = database.store.lists
    part = part_of(lists.count_pages(filters), page)
    return PagesView(
        filters=filters,
        pages=lists.pages(filters, first=part.first, rows=ROWS),
        part=part,
        sites=[site.name for site in database.store.sites.all()],
    )
