"""The first view: all sites, each with its last nights."""

from dataclasses import dataclass

from inspector.database import Database
from inspector.nights import Night, nights_of

SUMMARY = """
    SELECT site, url, paused, pages, failed, gone, articles, clusters, patterns,
        last_run, last_status, last_started_at, last_note
    FROM v_site_summary ORDER BY site
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSummary:
    """What is known of a site, as `v_site_summary` has it."""

    site: str
    """Its name."""
    url: str
    """Address of its home page."""
    paused: int
    """1 if nightly runs leave it out, else 0."""
    pages: int
    """Pages with content."""
    failed: int
    """Addresses that last gave no page."""
    gone: int
    """Pages no longer there."""
    articles: int
    """Articles."""
    clusters: int
    """Clusters in force."""
    patterns: int
    """Patterns in force."""
    last_run: str | None
    """Kind of the last run; None if there was none."""
    last_status: str | None
    """How it ended."""
    last_started_at: str | None
    """When it began."""
    last_note: str | None
    """A remark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCard:
    """A site with its last nights."""

    summary: SiteSummary
    """What is known of it."""
    nights: list[Night]
    """The last nights, the earliest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitesView:
    """All sites."""

    sites: list[SiteCard]
    """By name."""


def view_sites(database: Database) -> SitesView:
    """Return all sites."""
    nights = nights_of(database)
    return SitesView(
        sites=[
            SiteCard(summary=summary, nights=list(nights.get(summary.site, ())))
            for summary in database.rows(SiteSummary, SUMMARY)
        ]
    )
