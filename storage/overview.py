"""Figures of sites, clusters and patterns for the inspector.

Days and times are text, as stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from sqlalchemy import Text, bindparam, func, select, text

from flong.storage import tables
from flong.storage.database import Repository
from flong.storage.joined_words import is_part
from flong.storage.tables import Site

T = TypeVar("T")

View = Literal[
    "v_site_summary", "v_cluster_summary", "v_pattern_health", "v_article", "v_template_era"
]

# For some sites; each count reads only an index.
SITES = """
    SELECT s.name AS site, s.url, s.paused, coalesce(p.number, 0) AS pages,
        coalesce(o.failed, 0) AS failed, coalesce(o.gone, 0) AS gone,
        coalesce(a.number, 0) - coalesce(j.number, 0) AS articles,
        coalesce(c.number, 0) AS clusters, coalesce(t.number, 0) AS patterns,
        r.kind AS last_run, r.status AS last_status, r.started_at AS last_started_at,
        r.note AS last_note
    FROM sites s
    LEFT JOIN (
        SELECT site_id, count(*) AS number FROM pages
        WHERE content_hash IS NOT NULL AND site_id IN ({sites}) GROUP BY site_id
    ) AS p ON p.site_id = s.id
    LEFT JOIN (
        SELECT site_id,
            sum(CASE WHEN outcome IN ('failed', 'walled', 'broken') THEN 1 ELSE 0 END) AS failed,
            sum(CASE WHEN outcome IN ('gone', 'soft_404') THEN 1 ELSE 0 END) AS gone
        FROM pages
        WHERE outcome IN ('failed', 'walled', 'broken', 'gone', 'soft_404')
            AND site_id IN ({sites})
        GROUP BY site_id
    ) AS o ON o.site_id = s.id
    LEFT JOIN (
        SELECT site_id, count(*) AS number FROM articles
        WHERE retired_at IS NULL AND site_id IN ({sites}) GROUP BY site_id
    ) AS a ON a.site_id = s.id
    LEFT JOIN (
        SELECT site_id, count(*) AS number
        FROM article_pages m JOIN articles x ON x.page_id = m.page_id
        WHERE m.article_id <> m.page_id AND retired_at IS NULL AND site_id IN ({sites})
        GROUP BY site_id
    ) AS j ON j.site_id = s.id
    LEFT JOIN (
        SELECT site_id, count(*) AS number FROM clusters
        WHERE retired_at IS NULL AND site_id IN ({sites}) GROUP BY site_id
    ) AS c ON c.site_id = s.id
    LEFT JOIN (
        SELECT site_id, count(*) AS number FROM patterns
        WHERE retired_at IS NULL AND site_id IN ({sites}) GROUP BY site_id
    ) AS t ON t.site_id = s.id
    LEFT JOIN runs r ON r.id = (SELECT max(id) FROM runs WHERE site_id = s.id)
    WHERE s.id IN ({sites})
    ORDER BY s.name
"""
WORK = """
    SELECT s.name AS site, substr(r.started_at, 1, 10) AS day, count(*) AS runs,
        sum(r.new) AS new, sum(r.changed) AS changed, sum(r.gone) AS gone,
        sum(r.failed) AS failed, sum(r.articles) AS articles,
        sum(CASE WHEN r.status IN ('failed', 'killed') THEN 1 ELSE 0 END) AS broken, NULL AS drift
    FROM runs r JOIN sites s ON s.id = r.site_id
    WHERE r.site_id IN ({sites}) AND r.kind <> 'nightly'
    GROUP BY s.name, substr(r.started_at, 1, 10)
    ORDER BY s.name, day DESC
"""
# For runs without nightly figures, which are preferred.
FITS = """
    SELECT s.name AS site, substr(r.started_at, 1, 10) AS day, count(*) AS pages,
        sum(CASE WHEN m.fit = 'strict' THEN 1 ELSE 0 END) AS strict
    FROM runs r JOIN matches m ON m.run_id = r.id JOIN sites s ON s.id = r.site_id
    WHERE r.site_id IN ({sites}) AND NOT EXISTS (
        SELECT 1 FROM pattern_nights n WHERE n.run_id = r.night_id AND n.pages > 0)
    GROUP BY s.name, substr(r.started_at, 1, 10)
"""
NIGHT_FITS = """
    SELECT s.name AS site, substr(r.started_at, 1, 10) AS day, sum(n.pages) AS pages,
        sum(n.strict) AS strict
    FROM pattern_nights n JOIN runs r ON r.id = n.run_id JOIN sites s ON s.id = r.site_id
    WHERE r.site_id IN ({sites}) AND n.pages > 0
    GROUP BY s.name, substr(r.started_at, 1, 10)
"""
CLUSTERS = """
    SELECT c.cluster_id AS id, c.kind, c.size, c.radius, c.medoid, c.patterns, c.articles,
        c.first_seen, c.last_seen
    FROM v_cluster_summary c
    WHERE c.site = :site AND c.retired_at IS NULL
    ORDER BY c.size DESC, c.cluster_id
"""
CLUSTER_FITS = """
    SELECT k.cluster_id AS cluster, substr(m.extracted_at, 1, 10) AS day, count(*) AS pages,
        sum(CASE WHEN m.fit = 'strict' THEN 1 ELSE 0 END) AS strict,
        sum(CASE WHEN m.fit = 'bounded' THEN 1 ELSE 0 END) AS bounded
    FROM clusters c JOIN cluster_members k ON k.cluster_id = c.id
    JOIN matches m ON m.page_id = k.page_id
    WHERE c.site_id = :site AND c.retired_at IS NULL
    GROUP BY k.cluster_id, substr(m.extracted_at, 1, 10)
"""
CLUSTER_NIGHT_FITS = """
    SELECT t.cluster_id AS cluster, substr(r.started_at, 1, 10) AS day, sum(n.pages) AS pages,
        sum(n.strict) AS strict, sum(n.pages - n.strict) AS bounded
    FROM pattern_nights n JOIN patterns t ON t.id = n.pattern_id JOIN runs r ON r.id = n.run_id
    WHERE t.site_id = :site AND t.cluster_id IS NOT NULL AND n.pages > 0
    GROUP BY t.cluster_id, substr(r.started_at, 1, 10)
"""
DEPTHS = """
    SELECT p.depth, k.cluster_id AS cluster, count(*) AS pages
    FROM pages p LEFT JOIN cluster_members k ON k.page_id = p.id
    WHERE p.site_id = :site AND p.content_hash IS NOT NULL
    GROUP BY p.depth, k.cluster_id
    ORDER BY p.depth, count(*) DESC, k.cluster_id
"""
VERDICTS = """
    SELECT m.verdict, count(*) AS pages
    FROM pages p JOIN matches m ON m.page_id = p.id
    WHERE p.site_id = :site
    GROUP BY m.verdict ORDER BY m.verdict
"""
SITE_MEMBERS = """
    SELECT c.id AS cluster, k.page_id AS page, p.url,
        CASE WHEN c.medoid_id = k.page_id THEN 1 ELSE 0 END AS medoid
    FROM clusters c JOIN cluster_members k ON k.cluster_id = c.id JOIN pages p ON p.id = k.page_id
    WHERE c.site_id = :site AND c.retired_at IS NULL
    ORDER BY c.size DESC, c.id, medoid DESC, k.distance, k.page_id
"""
CLUSTER = """
    SELECT s.name AS site, s.id AS site_id, c.medoid_id AS medoid, c.retired_at
    FROM clusters c JOIN sites s ON s.id = c.site_id WHERE c.id = :id
"""
MEMBERS = """
    SELECT k.page_id AS page, p.url, k.distance, m.verdict, m.fit, m.pattern_id AS pattern, a.title
    FROM cluster_members k JOIN pages p ON p.id = k.page_id
    LEFT JOIN matches m ON m.page_id = p.id LEFT JOIN articles a
        ON a.page_id = p.id AND a.retired_at IS NULL
    WHERE k.cluster_id = :id
    ORDER BY k.distance, k.page_id LIMIT :rows OFFSET :first
"""
PATTERNS = """
    SELECT pattern_id AS id, version, kind, made_from, constants, score, pages, strict, bounded,
        articles, wildcards, created_at, retired_at
    FROM v_pattern_health WHERE {column} = :id
    ORDER BY retired_at IS NOT NULL, version DESC, pattern_id
"""
MATCHED = """
    SELECT m.page_id AS page, p.url FROM matches m JOIN pages p ON p.id = m.page_id
    WHERE m.pattern_id = :id
    ORDER BY CASE WHEN m.verdict = 'article' THEN 0 ELSE 1 END, m.fit DESC, m.page_id LIMIT :most
"""
IN_CLUSTER = """
    SELECT k.page_id AS page, p.url FROM cluster_members k JOIN pages p ON p.id = k.page_id
    WHERE k.cluster_id = :id ORDER BY k.distance, k.page_id LIMIT :most
"""
PATTERN_FITS = """
    SELECT substr(extracted_at, 1, 10) AS day, count(*) AS pages,
        sum(CASE WHEN fit = 'strict' THEN 1 ELSE 0 END) AS strict
    FROM matches WHERE pattern_id = :id
    GROUP BY substr(extracted_at, 1, 10)
"""
PATTERN_NIGHT_FITS = """
    SELECT substr(r.started_at, 1, 10) AS day, sum(n.pages) AS pages, sum(n.strict) AS strict
    FROM pattern_nights n JOIN runs r ON r.id = n.run_id
    WHERE n.pattern_id = :id AND n.pages > 0
    GROUP BY substr(r.started_at, 1, 10)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSummary:
    """Figures of a site."""

    site: str
    """Name of the site."""
    url: str
    """URL of its home page."""
    paused: int
    """1 if nightly runs skip it, else 0."""
    pages: int
    """Pages with content."""
    failed: int
    """URLs whose last request failed."""
    gone: int
    """Missing pages."""
    articles: int
    """Articles."""
    clusters: int
    """Clusters in force."""
    patterns: int
    """Patterns in force."""
    last_run: str | None
    """Kind of the last run; None before the first one."""
    last_status: str | None
    """Status of the last run."""
    last_started_at: str | None
    """When the last run began."""
    last_note: str | None
    """Note of the last run."""


@dataclass(frozen=True, slots=True)
class DayOfWork:
    """Results of one day's runs on one site."""

    site: str
    """Name of the site."""
    day: str
    """`2026-05-01`, in UTC."""
    runs: int
    """Number of runs."""
    new: int
    """Pages seen for the first time."""
    changed: int
    """Pages whose content changed."""
    gone: int
    """Missing pages."""
    failed: int
    """URLs that gave no page."""
    articles: int
    """Articles written."""
    broken: int
    """Runs that failed or were killed."""
    drift: float | None
    """Fraction of the pages read that day that no pattern accepts; None from `days`."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Matches of pages that were read on one day."""

    day: str
    """`2026-05-01`, in UTC."""
    pages: int
    """Pages read."""
    strict: int
    """Pages that a pattern matched exactly."""


@dataclass(frozen=True, slots=True)
class SiteFits(Acceptance):
    """Matches of a site's pages that were read on one day."""

    site: str
    """Name of the site."""


@dataclass(frozen=True, slots=True)
class ClusterFits(Acceptance):
    """Matches of a cluster's pages that were last read on one day."""

    cluster: int
    """Id of the cluster."""
    bounded: int
    """Pages that a pattern matched nearly."""


@dataclass(frozen=True, slots=True)
class ClusterLine:
    """A cluster in force, as in `v_cluster_summary`."""

    id: int
    """Id of the cluster."""
    kind: str
    """Kind of its pages: `article`, `mixed`, `listing` or `other`."""
    size: int
    """Number of its pages."""
    radius: float
    """Largest distance of a page to the medoid."""
    medoid: str | None
    """URL of the medoid; None if that page was removed."""
    patterns: int
    """Number of its patterns in force."""
    articles: int
    """Number of articles among its pages."""
    first_seen: str
    """When it was first found."""
    last_seen: str
    """When it was last found."""


@dataclass(frozen=True, slots=True)
class ClusterOrigin:
    """Site and medoid of a cluster, also of a retired one."""

    site: str
    """Name of its site."""
    site_id: int
    """Id of its site."""
    medoid: int | None
    """Id of the medoid; None if that page was removed."""
    retired_at: str | None
    """When it was first missing; None while it is in force."""


@dataclass(frozen=True, slots=True)
class DepthPart:
    """Number of pages of one depth and one cluster."""

    depth: int
    """Links from the home page."""
    cluster: int | None
    """Id of the cluster; None for pages in no cluster."""
    pages: int
    """Number of pages."""


@dataclass(frozen=True, slots=True)
class VerdictCount:
    """Number of pages with one verdict."""

    verdict: str
    """`article`, `other` or `unmatched`."""
    pages: int
    """Number of pages."""


@dataclass(frozen=True, slots=True)
class SiteMember:
    """A page of a cluster."""

    cluster: int
    """Id of its cluster."""
    page: int
    """Id of the page."""
    url: str
    """Its URL."""
    medoid: int
    """1 for the medoid."""


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A page in a cluster, with its decision."""

    page: int
    """Id of the page."""
    url: str
    """Its URL."""
    distance: float
    """Distance to the medoid, from 0 to 1."""
    verdict: str | None
    """Verdict of extraction; None before it."""
    fit: str | None
    """Kind of the match."""
    pattern: int | None
    """Id of the pattern."""
    title: str | None
    """Title of its article; None without an article."""


@dataclass(frozen=True, slots=True)
class PatternLine:
    """A pattern, as in `v_pattern_health`."""

    id: int
    """Id of the pattern."""
    version: int
    """Version of the model that it came with."""
    kind: str
    """Kind of its pages."""
    made_from: int
    """Number of pages composed into it."""
    constants: int
    """Number of vertices that are not wildcards."""
    score: float | None
    """Agreement of its labels with the evidence."""
    pages: int
    """Pages that it was last chosen for."""
    strict: int
    """Pages that it matched exactly."""
    bounded: int
    """Pages that it matched nearly."""
    articles: int
    """Its pages that are articles."""
    wildcards: int
    """Number of wildcards."""
    created_at: str
    """When it was first stored."""
    retired_at: str | None
    """When it was replaced; None while it is in force."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that the pattern can be shown on."""

    page: int
    """Id of the page."""
    url: str
    """Its URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveFigures:
    """Present figures of a site."""

    pages: int
    """Pages with content."""
    templates: int
    """Clusters in force."""
    articles: int
    """Articles."""


class Overview(Repository):
    """Reads figures for the inspector."""

    def sites(self, sites: Sequence[Site]) -> list[SiteSummary]:
        """Return the figures of some sites, by name."""
        return self._ask_of(SiteSummary, SITES, sites)

    def days(self, sites: Sequence[Site]) -> list[DayOfWork]:
        """Return the results of days on some sites, by name, the latest first."""
        return self._ask_of(DayOfWork, WORK, sites)

    def site_fits(self, sites: Sequence[Site]) -> list[SiteFits]:
        """Return the matches of some sites by day; figures noted by nights come last."""
        both = (FITS, NIGHT_FITS)
        return [row for each in both for row in self._ask_of(SiteFits, each, sites)]

    def figures(self, site: Site) -> LiveFigures:
        """Return the present figures of a site."""
        pages, clusters, articles = tables.pages, tables.clusters, tables.articles
        count = select(func.count())
        return LiveFigures(
            pages=self._number(
                count.where(pages.c.site_id == site.id, pages.c.content_hash.is_not(None))
            ),
            templates=self._number(
                count.where(clusters.c.site_id == site.id, clusters.c.retired_at.is_(None))
            ),
            articles=self._number(
                count.where(
                    articles.c.site_id == site.id, articles.c.retired_at.is_(None), ~is_part()
                )
            ),
        )

    def view(self, name: View, sites: Sequence[Site]) -> list[Mapping[str, Any]]:
        """Return the rows of a view for these sites, in the order of the view.

        Columns have the names of the database, so that tables on the screen agree with queries by
        hand.
        """
        query = text(f"SELECT * FROM {name} WHERE site IN :names")  # noqa: S608 - one of five names
        query = query.bindparams(bindparam("names", expanding=True, type_=Text))
        with self.reading() as connection:
            found = connection.execute(query, {"names": [site.name for site in sites]})
            return [dict(row._mapping) for row in found]

    def clusters(self, site: str) -> list[ClusterLine]:
        """Return the clusters in force of a site, the largest first."""
        return self._ask(ClusterLine, CLUSTERS, site=site)

    def cluster_fits(self, site_id: int) -> list[ClusterFits]:
        """Return the matches of a site's clusters by day; figures noted by nights come last."""
        both = (CLUSTER_FITS, CLUSTER_NIGHT_FITS)
        return [row for each in both for row in self._ask(ClusterFits, each, site=site_id)]

    def depths(self, site: Site) -> list[DepthPart]:
        """Return the number of pages of a site by depth and cluster, the largest first."""
        return self._ask(DepthPart, DEPTHS, site=site.id)

    def verdicts(self, site: Site) -> list[VerdictCount]:
        """Return the number of pages of a site by verdict."""
        return self._ask(VerdictCount, VERDICTS, site=site.id)

    def clustered_pages(self, site: Site) -> list[SiteMember]:
        """Return the pages in clusters, the largest cluster first, each with the medoid first."""
        return self._ask(SiteMember, SITE_MEMBERS, site=site.id)

    def cluster(self, cluster_id: int) -> ClusterOrigin | None:
        """Return site and medoid of a cluster, or None."""
        return self._first(ClusterOrigin, text(CLUSTER), {"id": cluster_id})

    def members(self, cluster_id: int, *, first: int, rows: int) -> list[MemberLine]:
        """Return some pages of a cluster, nearest to the medoid first."""
        return self._ask(MemberLine, MEMBERS, id=cluster_id, first=first, rows=rows)

    def count_members(self, cluster_id: int) -> int:
        """Return the number of pages of a cluster."""
        count = text("SELECT count(*) FROM cluster_members WHERE cluster_id = :id")
        with self.reading() as connection:
            return int(connection.execute(count, {"id": cluster_id}).scalar_one())

    def patterns(self, cluster_id: int) -> list[PatternLine]:
        """Return the patterns of a cluster, those in force first, then the latest."""
        return self._ask(PatternLine, PATTERNS.format(column="cluster_id"), id=cluster_id)

    def pattern(self, pattern_id: int) -> PatternLine | None:
        """Return one pattern, or None."""
        question = PATTERNS.format(column="pattern_id")
        return self._first(PatternLine, text(question), {"id": pattern_id})

    def samples(self, pattern_id: int, cluster_id: int | None, most: int) -> list[Sample]:
        """Return pages that a pattern matches, articles first, else pages of its cluster."""
        found = self._ask(Sample, MATCHED, id=pattern_id, most=most)
        return found or self._ask(Sample, IN_CLUSTER, id=cluster_id, most=most)

    def acceptance(self, pattern_id: int) -> list[Acceptance]:
        """Return the matches of a pattern by the day of reading."""
        both = (PATTERN_FITS, PATTERN_NIGHT_FITS)  # figures noted by nights override the others
        found = [row for each in both for row in self._ask(Acceptance, each, id=pattern_id)]
        return [row for _, row in sorted({row.day: row for row in found}.items())]

    def _ask(self, kind: type[T], question: str, **values: object) -> list[T]:
        return self._read(kind, text(question), values)

    def _ask_of(self, kind: type[T], question: str, sites: Sequence[Site]) -> list[T]:
        ids = ", ".join(str(site.id) for site in sites)
        return self._ask(kind, question.format(sites=ids or "NULL"))
