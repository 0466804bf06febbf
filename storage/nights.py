"""What nights brought: articles that are new, edited or gone, and what was said about it.

A night begins with the first crawl of a day, in UTC, and lasts until that of a later day: what a
crawl before midnight finds after it belongs to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import text

from flong.states import GONE_OUTCOMES
from flong.storage.articles import ArticleRow, read_articles
from flong.storage.columns import from_row
from flong.storage.database import Repository, batches
from flong.storage.joined_words import IS_PART
from flong.storage.overview import StoredReport

T = TypeVar("T")

# From the first run of a day to that of the next: of very many runs few are read.
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
"""  # noqa: S608 - the question is ours
GONE_STATES = ", ".join(f"'{outcome}'" for outcome in GONE_OUTCOMES)
# Some of each site, with how many there are of it; only of these the title is read.
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
"""  # noqa: S608 - the condition is ours
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
    JOIN articles a ON a.page_id = p.id
    WHERE r.started_at >= :since AND r.started_at < :until AND NOT {IS_PART} {{only}}
    UNION ALL
    SELECT a.page_id, a.site_id, 'retired' AS what, a.retired_at AS happened
    FROM articles a JOIN pages p ON p.id = a.page_id AND p.outcome NOT IN ({GONE_STATES})
    WHERE a.retired_at >= :since AND a.retired_at < :until AND NOT {IS_PART} {{only}}
"""  # noqa: S608 - states are ours
ONLY = "AND a.site_id = (SELECT id FROM sites WHERE name = :site)"
REPORTS = """
    SELECT s.name AS site, r.started_at AS started, n.data
    FROM reports n JOIN runs r ON r.id = n.run_id JOIN sites s ON s.id = r.site_id
    WHERE r.started_at >= :since AND r.started_at < :until
    ORDER BY s.name, r.id
"""


@dataclass(frozen=True, slots=True)
class NightPeriod:
    """A night, from its first crawl to that of a later day."""

    day: str
    """On which it began: `2026-05-01`, in UTC."""
    since: str
    """When it began."""
    until: str
    """When the next one began; later than any time for the last."""


@dataclass(frozen=True, slots=True)
class NightArticle:
    """An article that a night found new, edited or gone."""

    page_id: int
    """Id of its page."""
    site: str
    """Name of its site."""
    title: str
    """The headline."""
    what: str
    """What was edited, in a few words; `gone` if its page is, `retired` if that is no article any
    more; empty for a new one."""
    happened: str
    """When it was published, or else first seen; when it was edited or found to be gone."""
    total: int
    """How many such articles of its site there are."""


class Nights(Repository):
    """Reads what nights brought."""

    def all(self) -> list[NightPeriod]:
        """Return all nights, the earliest first."""
        return self._rows(NightPeriod, NIGHTS)

    def new(self, night: NightPeriod, *, most: int, site: str = "") -> list[NightArticle]:
        """Return the latest of each site's new articles, by site."""
        return self._some(NEW, night, most, site)

    def edited(self, night: NightPeriod, *, most: int, site: str = "") -> list[NightArticle]:
        """Return the latest of each site's edited articles, by site."""
        return self._some(EDITED, night, most, site)

    def gone(self, night: NightPeriod, *, most: int, site: str = "") -> list[NightArticle]:
        """Return some of each site's articles that are gone, or are none any more, by site."""
        return self._some(GONE, night, most, site)

    def texts(self, found: Sequence[NightArticle]) -> list[ArticleRow]:
        """Return the articles themselves, in this order."""
        with self.reading() as connection:
            ids = [each.page_id for each in found]
            return [row for part in batches(ids) for row in read_articles(connection, part)]

    def reports(self, night: NightPeriod) -> list[StoredReport]:
        """Return what was said about each site that night, by site; the latest last."""
        return self._rows(StoredReport, REPORTS, since=night.since, until=night.until)

    def _some(self, found: str, night: NightPeriod, most: int, site: str) -> list[NightArticle]:
        window = {"since": night.since, "until": night.until, "most": most}
        if site:
            window["site"] = site
        question = SOME.format(found=found.format(only=ONLY if site else ""))
        return self._rows(NightArticle, question, **window)

    def _rows(self, kind: type[T], question: str, **values: object) -> list[T]:
        with self.reading() as connection:
            return [from_row(kind, row) for row in connection.execute(text(question), values)]
