"""The first view: all sites, each with its last nights."""

from dataclasses import dataclass

from inspector.database import Database
from inspector.nights import Night, nights_of
from inspector.reports import Report, last_reports

# What `v_site_summary` says, with one pass over the pages in place of three.
SUMMARY = """
    SELECT s.name AS site, s.url, s.paused, coalesce(g.pages, 0) AS pages,
        coalesce(g.failed, 0) AS failed, coalesce(g.gone, 0) AS gone,
        (SELECT count(*) FROM articles a WHERE a.site_id = s.id) AS articles,
        (SELECT count(*) FROM clusters c
            WHERE c.site_id = s.id AND c.retired_at IS NULL) AS clusters,
        (SELECT count(*) FROM patterns t
            WHERE t.site_id = s.id AND t.retired_at IS NULL) AS patterns,
        r.kind AS last_run, r.status AS last_status, r.started_at AS last_started_at,
        r.note AS last_note
    FROM sites s
    LEFT JOIN (
        SELECT site_id, count(content_hash) AS pages,
            sum(CASE WHEN outcome = 'failed' THEN 1 ELSE 0 END) AS failed,
            sum(CASE WHEN outcome = 'gone' THEN 1 ELSE 0 END) AS gone
        FROM pages GROUP BY site_id
    ) AS g ON g.site_id = s.id
    LEFT JOIN runs r ON r.id = (SELECT max(id) FROM runs WHERE site_id = s.id)
    ORDER BY s.name
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSummary:
    """What is known of a site."""

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
    report: Report | None
    """What the last nightly run had to say; None if there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitesView:
    """All sites."""

    sites: list[SiteCard]
    """By name."""


def view_sites(database: Database) -> SitesView:
    """Return all sites."""
    nights, reports = nights_of(database), last_reports(database)
    return SitesView(
        sites=[
            SiteCard(
                summary=summary,
                nights=list(nights.get(summary.site, ())),
                report=reports.get(summary.site),
            )
            for summary in database.rows(SiteSummary, SUMMARY)
        ]
    )
