"""What the last nights brought, site by site."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.database import Database

NIGHTS = 14
"""So many nights are shown, the latest ones."""

WORK = """
    SELECT s.name AS site, substr(r.started_at, 1, 10) AS day, count(*) AS runs,
        sum(r.new) AS new, sum(r.changed) AS changed, sum(r.gone) AS gone,
        sum(r.failed) AS failed, sum(r.articles) AS articles,
        sum(CASE WHEN r.status IN ('failed', 'killed') THEN 1 ELSE 0 END) AS broken
    FROM runs r JOIN sites s ON s.id = r.site_id
    WHERE (:site = '' OR s.name = :site) AND r.kind <> 'nightly'
    GROUP BY s.name, substr(r.started_at, 1, 10)
    ORDER BY s.name, day DESC
"""
FITS = """
    SELECT s.name AS site, substr(m.extracted_at, 1, 10) AS day, count(*) AS pages,
        sum(CASE WHEN m.fit = 'strict' THEN 1 ELSE 0 END) AS strict
    FROM matches m JOIN pages p ON p.id = m.page_id JOIN sites s ON s.id = p.site_id
    WHERE :site = '' OR s.name = :site
    GROUP BY s.name, substr(m.extracted_at, 1, 10)
"""


FIGURES = """
    SELECT s.name AS site, substr(r.started_at, 1, 10) AS day, sum(n.pages) AS pages,
        sum(n.strict) AS strict
    FROM pattern_nights n JOIN runs r ON r.id = n.run_id JOIN sites s ON s.id = r.site_id
    WHERE (:site = '' OR s.name = :site) AND n.pages > 0
    GROUP BY s.name, substr(r.started_at, 1, 10)
"""


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
    """Addresses that gave no page."""
    articles: int
    """Articles written."""
    drift: float | None
    """Share of the pages read that day that no pattern accepts exactly; None if none was read."""


@dataclass(frozen=True, slots=True)
class _Work:
    site: str
    day: str
    runs: int
    new: int
    changed: int
    gone: int
    failed: int
    articles: int
    broken: int


@dataclass(frozen=True, slots=True)
class _Fits:
    site: str
    day: str
    pages: int
    strict: int


def nights_of(database: Database, site: str = "") -> Mapping[str, Sequence[Night]]:
    """Return the last nights of one site or of all, by its name, the earliest first."""
    # What was noted that night counts more than what is left of it in the latest decisions.
    fits = database.rows(_Fits, FITS, site=site) + database.rows(_Fits, FIGURES, site=site)
    drift = {(row.site, row.day): 1 - row.strict / row.pages for row in fits}
    found: dict[str, list[Night]] = defaultdict(list)
    for row in database.rows(_Work, WORK, site=site):
        if len(found[row.site]) < NIGHTS:
            night = Night(
                day=row.day,
                runs=row.runs,
                broken=row.broken,
                new=row.new,
                changed=row.changed,
                gone=row.gone,
                failed=row.failed,
                articles=row.articles,
                drift=drift.get((row.site, row.day)),
            )
            found[row.site].insert(0, night)
    return found
