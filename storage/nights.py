"""Nights: their reports, findings that were seen or muted, and their articles.

A night begins with the first crawl of a day, in UTC, and lasts until the first crawl of a later
day. So it includes results after midnight of a crawl before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select, text

from flong.findings import Finding
from flong.states import GONE_OUTCOMES, FindingKind, FindingState
from flong.storage import tables
from flong.storage.columns import from_row
from flong.storage.database import Repository, upsert
from flong.storage.joined_words import IS_PART
from flong.storage.tables import MutedFinding, Run, Site

FindingKey = tuple[str, FindingKind, str]
"""Name of the site, kind and subject of a finding."""

# From the first run of a day to that of the next: few rows are read of many runs.
FIRST = """
    SELECT started_at FROM runs WHERE kind IN ('crawl', 'load', 'nightly') AND started_at > {after}
    ORDER BY started_at LIMIT 1
"""
NIGHTS = f"""
    WITH RECURSIVE firsts (since) AS (
        SELECT ({FIRST.format(after="''")})
        UNION ALL
        SELECT ({FIRST.format(after="substr(since, 1, 10) || 'T99'")})
        FROM firsts WHERE since IS NOT NULL
    )
    SELECT substr(since, 1, 10) AS day, since,
        coalesce(lead(since) OVER (ORDER BY since), '9999-12-31T23:59:59Z') AS until
    FROM firsts WHERE since IS NOT NULL ORDER BY day
"""  # noqa: S608 - the constants only
GONE_STATES = ", ".join(f"'{outcome}'" for outcome in GONE_OUTCOMES)
# Some articles of each site with the total of the site; only these titles are read.
SOME = """
    SELECT page_id, s.name AS site, what, happened, total,
        (SELECT title FROM articles a WHERE a.page_id = placed.page_id) AS title
    FROM (
        SELECT found.*, count(*) OVER (PARTITION BY site_id) AS total,
            row_number() OVER (PARTITION BY site_id ORDER BY happened DESC, page_id) AS place
        FROM ({found}) AS found
    ) AS placed JOIN sites s ON s.id = placed.site_id
    WHERE place <= :most ORDER BY s.name, place
"""
NEW = f"""
    SELECT a.page_id, a.site_id, '' AS what,
        coalesce(a.published, (SELECT first_seen FROM pages p WHERE p.id = a.page_id)) AS happened
    FROM articles a
    WHERE a.created_at >= :since AND a.created_at < :until AND a.retired_at IS NULL
        AND NOT {IS_PART} {{only}}
"""  # noqa: S608 - the constants only
EDITED = """
    SELECT a.page_id, a.site_id, max(v.changes) AS what, max(v.seen_until) AS happened
    FROM article_versions v LEFT JOIN article_pages j ON j.page_id = v.page_id
    JOIN articles a ON a.page_id = coalesce(j.article_id, v.page_id)
    WHERE v.seen_until >= :since AND v.seen_until < :until AND a.retired_at IS NULL
        AND coalesce(j.role, 'page') = 'page' {only}
    GROUP BY a.page_id, a.site_id
"""
GONE = f"""
    SELECT a.page_id, a.site_id, 'gone' AS what, r.started_at AS happened
    FROM runs r JOIN pages p ON p.run_id = r.id AND p.outcome IN ({GONE_STATES})
    JOIN articles a ON a.page_id = p.id AND a.kind = 'news'
    WHERE r.started_at >= :since AND r.started_at < :until AND NOT {IS_PART} {{only}}
    UNION ALL
    SELECT a.page_id, a.site_id, 'retired' AS what, a.retired_at AS happened
    FROM articles a JOIN pages p ON p.id = a.page_id AND p.outcome NOT IN ({GONE_STATES})
    WHERE a.retired_at >= :since AND a.retired_at < :until AND a.kind = 'news'
        AND NOT {IS_PART} {{only}}
"""  # noqa: S608 - constants only
ONLY = "AND a.site_id = (SELECT id FROM sites WHERE name = :site)"
LAST_REPORTS = """
    SELECT s.name AS site, r.started_at AS started, n.data
    FROM reports n JOIN runs r ON r.id = n.run_id JOIN sites s ON s.id = r.site_id
    WHERE r.id IN (SELECT max(x.run_id) FROM reports x JOIN runs y ON y.id = x.run_id
        WHERE y.site_id IN ({sites}) GROUP BY y.site_id)
"""
REPORTS = """
    SELECT s.name AS site, r.started_at AS started, n.data
    FROM reports n JOIN runs r ON r.id = n.run_id JOIN sites s ON s.id = r.site_id
    WHERE r.started_at >= :since AND r.started_at < :until
    ORDER BY s.name, r.id
"""


@dataclass(frozen=True, slots=True)
class StoredReport:
    """The report of a night."""

    site: str
    """Name of its site."""
    started: str
    """When it began."""
    data: str
    """The report, as JSON."""


@dataclass(frozen=True, slots=True)
class NightPeriod:
    """A night, from its first crawl to that of a later day."""

    day: str
    """Day on which it began, `2026-05-01`, in UTC."""
    since: str
    """When it began."""
    until: str
    """When the next one began; later than any time for the last night."""


@dataclass(frozen=True, slots=True)
class NightArticle:
    """An article that was new, edited or missing in a night."""

    page_id: int
    """Id of its page."""
    site: str
    """Name of its site."""
    title: str
    """The headline."""
    what: str
    """Edited fields, in a few words; `gone` if the page is missing, `retired` if it is no longer an
    article; empty for a new article."""
    happened: str
    """When it was published, or else first seen; when it was edited or found missing."""
    total: int
    """Number of such articles of its site."""


class Nights(Repository):
    """Writes and reads reports and findings, and reads the articles of nights."""

    def all(self) -> list[NightPeriod]:
        """Return all nights, the earliest first."""
        return self._read(NightPeriod, text(NIGHTS))

    def new(self, night: NightPeriod, *, most: int, site: str = "") -> list[NightArticle]:
        """Return the latest new articles of each site, by site."""
        return self._some(NEW, night, most, site)

    def edited(self, night: NightPeriod, *, most: int, site: str = "") -> list[NightArticle]:
        """Return the latest edited articles of each site, by site."""
        return self._some(EDITED, night, most, site)

    def gone(self, night: NightPeriod, *, most: int, site: str = "") -> list[NightArticle]:
        """Return some missing or retired articles of each site, by site."""
        return self._some(GONE, night, most, site)

    def reports(self, night: NightPeriod) -> list[StoredReport]:
        """Return the reports of a night by site, the latest last."""
        window = {"since": night.since, "until": night.until}
        return self._read(StoredReport, text(REPORTS), window)

    def last_reports(self, sites: Sequence[Site]) -> list[StoredReport]:
        """Return the latest report of each of some sites that has one."""
        ids = ", ".join(str(site.id) for site in sites)
        return self._read(StoredReport, text(LAST_REPORTS.format(sites=ids or "NULL")))

    def save_report(self, run: Run, data: str, *, needs_attention: bool) -> None:
        """Store the report of a run, as JSON text."""
        row = {"run_id": run.id, "needs_attention": needs_attention, "data": data}
        with self.writing() as connection:
            upsert(connection, tables.reports, [row], key=("run_id",))

    def report(self, run_id: int) -> str | None:
        """Return the report of a run; None if it has none."""
        query = select(tables.reports.c.data).where(tables.reports.c.run_id == run_id)
        with self.reading() as connection:
            return connection.execute(query).scalar()

    def mute(self, site: Site, finding: Finding, said_at: str, state: FindingState) -> None:
        """Hide a finding until a later night reports it again, or for good."""
        row = {"site_id": site.id, "kind": finding.kind, "subject": finding.subject}
        row |= {"state": state, "said_at": said_at}
        with self.writing() as connection:
            upsert(connection, tables.muted_findings, [row], key=("site_id", "kind", "subject"))

    def unmute(self, site: Site, finding: Finding) -> None:
        """Show a finding again."""
        muted = tables.muted_findings
        these = (muted.c.site_id == site.id, muted.c.kind == finding.kind)
        with self.writing() as connection:
            connection.execute(delete(muted).where(*these, muted.c.subject == finding.subject))

    def muted_findings(self) -> Mapping[FindingKey, MutedFinding]:
        """Return all seen and muted findings."""
        muted, sites = tables.muted_findings, tables.sites
        query = select(muted, sites.c.name).join(sites, sites.c.id == muted.c.site_id)
        with self.reading() as connection:
            rows = connection.execute(query).all()
        return {(row.name, row.kind, row.subject): from_row(MutedFinding, row) for row in rows}

    def _some(self, found: str, night: NightPeriod, most: int, site: str) -> list[NightArticle]:
        window: dict[str, object] = {"since": night.since, "until": night.until, "most": most}
        if site:
            window["site"] = site
        question = SOME.format(found=found.format(only=ONLY if site else ""))
        return self._read(NightArticle, text(question), window)
