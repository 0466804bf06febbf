"""What the last nights brought, site by site."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from flong.inspector.database import ReadOnlyDatabase
from flong.storage import DayOfWork, Site

NIGHTS = 14
"""So many nights are shown, the latest ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One day of work on one site."""

    day: str
    """`2026-05-01`, in UTC."""
    runs: int
    """Stages that ran."""
    broken: int
    """Those of them that failed or were killed."""
    new: int
    """Pages seen for the first time."""
    changed: int
    """Pages with another content than before."""
    gone: int
    """Pages no longer there."""
    failed: int
    """URLs that gave no page."""
    articles: int
    """Articles written."""
    drift: float | None
    """Share of the pages read that day that no pattern accepts exactly; None if none was read."""


def nights_of(database: ReadOnlyDatabase, sites: Sequence[Site]) -> Mapping[str, Sequence[Night]]:
    """Return the last nights of some sites, by name, the earliest first."""
    # What was noted that night counts more than what is left of it in the latest decisions.
    fits = database.store.overview.site_fits(sites)
    drift = {(row.site, row.day): 1 - row.strict / row.pages for row in fits}
    found: dict[str, list[Night]] = defaultdict(list)
    for row in database.store.overview.days(sites):
        if len(found[row.site]) < NIGHTS:
            night = Night(drift=drift.get((row.site, row.day)), **_of_day(row))
            found[row.site].insert(0, night)
    return found


def _of_day(row: DayOfWork) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "site"}
