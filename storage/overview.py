"""What a visitor sees of the database at a glance: sites, nights, clusters, patterns.

Days and times are text, as they are stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from sqlalchemy import Text, bindparam, text

from flong.storage.database import Repository
from flong.storage.sites import Site

T = TypeVar("T")

# Of the sites that are asked for; each count reads nothing but an index.
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
        sum(CASE WHEN r.status IN ('failed', 'killed') THEN 1 ELSE 0 END) AS broken
    FROM runs r JOIN sites s ON s.id = r.site_id
    WHERE r.site_id IN ({sites}) AND r.kind <> 'nightly'
    GROUP BY s.name, substr(r.started_at, 1, 10)
    ORDER BY s.name, day DESC
"""
# Of runs whose night noted nothing: of a night, that is all that is wanted.
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
REPORTS = """
    SELECT s.name AS site, r.started_at AS started, n.data
    FROM reports n JOIN runs r ON r.id = n.run_id JOIN sites s ON s.id = r.site_id
    WHERE r.id IN (SELECT max(x.run_id) FROM reports x JOIN runs y ON y.id = x.run_id
        WHERE y.site_id IN ({sites}) GROUP BY y.site_id)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSummary:
    """What is known of a site."""

    site: str
    """Its name."""
    url: str
    """URL of its home page."""
    paused: int
    """1 if nightly runs leave it out, else 0."""
    pages: int
    """Pages with content."""
    failed: int
    """URLs that last gave no page."""
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


@dataclass(frozen=True, slots=True)
class DayOfWork:
    """What the runs of one day on one site brought."""

    site: str
    """Its name."""
    day: str
    """`2026-05-01`, in UTC."""
    runs: int
    """Stages that ran."""
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
    broken: int
    """Stages that failed or were killed."""


@dataclass(frozen=True, slots=True)
class SiteFits:
    """How the pages of a site that were read on one day fitted."""

    site: str
    """Its name."""
    day: str
    """`2026-05-01`, in UTC."""
    pages: int
    """Pages read."""
    strict: int
    """Those that a pattern accepts."""


@dataclass(frozen=True, slots=True)
class ClusterFits:
    """How the pages of a cluster fitted their patterns, those last read on one day."""

    cluster: int
    """Id of the cluster."""
    day: str
    """`2026-05-01`, in UTC."""
    pages: int
    """Pages read."""
    strict: int
    """Those that a pattern accepts."""
    bounded: int
    """Those that one nearly accepts."""


@dataclass(frozen=True, slots=True)
class ClusterLine:
    """A cluster in force, as `v_cluster_summary` has it."""

    id: int
    """Its id."""
    kind: str
    """What its pages are: `article`, `mixed`, `listing` or `other`."""
    size: int
    """Number of its pages."""
    radius: float
    """Largest distance of a page to the medoid."""
    medoid: str | None
    """URL of the page in the middle; None if it was removed."""
    patterns: int
    """Its patterns in force."""
    articles: int
    """Articles among its pages."""
    first_seen: str
    """When it was first found."""
    last_seen: str
    """When it was last found."""


@dataclass(frozen=True, slots=True)
class ClusterOrigin:
    """Where a cluster belongs, also a retired one."""

    site: str
    """Name of its site."""
    site_id: int
    """Its id."""
    medoid: int | None
    """Id of the page in the middle; None if it was removed."""
    retired_at: str | None
    """When it was not found any more; None while it is in force."""


@dataclass(frozen=True, slots=True)
class DepthPart:
    """Pages of one depth and one cluster."""

    depth: int
    """Links from the home page."""
    cluster: int | None
    """Id of the cluster; None for pages in no cluster."""
    pages: int
    """How many."""


@dataclass(frozen=True, slots=True)
class VerdictCount:
    """Pages of one verdict."""

    verdict: str
    """`article`, `other` or `unmatched`."""
    pages: int
    """How many."""


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
    """1 if it is the page in the middle."""


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A page in a cluster."""

    page: int
    """Its id."""
    url: str
    """Its URL."""
    distance: float
    """To the medoid, from 0 to 1."""
    verdict: str | None
    """What extraction decided; None if nothing yet."""
    fit: str | None
    """How the pattern fits."""
    pattern: int | None
    """Id of the pattern."""
    title: str | None
    """Title of the article, if it is one."""


@dataclass(frozen=True, slots=True)
class PatternLine:
    """A pattern made from a cluster, as `v_pattern_health` has it."""

    id: int
    """Its id."""
    version: int
    """Of the model that it came with."""
    kind: str
    """What its pages are."""
    made_from: int
    """Pages composed into it."""
    constants: int
    """Vertices that are no wildcards."""
    score: float | None
    """How well its labels agreed with the evidence."""
    pages: int
    """Pages it was last chosen for."""
    strict: int
    """Those that it accepts."""
    bounded: int
    """Those that it nearly accepts."""
    articles: int
    """Those that are articles."""
    wildcards: int
    """Its wildcards and labelled vertices."""
    created_at: str
    """When it was first stored."""
    retired_at: str | None
    """When it was replaced; None while it is in force."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that the pattern is tried on."""

    page: int
    """Its id."""
    url: str
    """Its URL."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """How pages that were read on one day fitted."""

    day: str
    """`2026-05-01`, in UTC."""
    pages: int
    """Pages it was chosen for."""
    strict: int
    """Those that it accepts."""


@dataclass(frozen=True, slots=True)
class StoredReport:
    """What a night had to say."""

    site: str
    """Name of its site."""
    started: str
    """When it began."""
    data: str
    """The report, as JSON."""


class Overview(Repository):
    """Answers what a visitor asks."""

    def sites(self, sites: Sequence[Site]) -> list[SiteSummary]:
        """Return what is known of some sites, by name."""
        return self._ask_of(SiteSummary, SITES, sites)

    def days(self, sites: Sequence[Site]) -> list[DayOfWork]:
        """Return what the days brought to some sites, by name, the latest first."""
        return self._ask_of(DayOfWork, WORK, sites)

    def site_fits(self, sites: Sequence[Site]) -> list[SiteFits]:
        """Return how pages of some sites fitted by day; what was noted that night last."""
        both = (FITS, NIGHT_FITS)
        return [row for each in both for row in self._ask_of(SiteFits, each, sites)]

    def last_reports(self, sites: Sequence[Site]) -> list[StoredReport]:
        """Return the latest report of each of some sites that has one."""
        return self._ask_of(StoredReport, REPORTS, sites)

    def clusters(self, site: str) -> list[ClusterLine]:
        """Return the clusters in force of a site, the largest first."""
        return self._ask(ClusterLine, CLUSTERS, site=site)

    def cluster_fits(self, site_id: int) -> list[ClusterFits]:
        """Return how the pages of a site's clusters fitted by day; what was noted then last."""
        both = (CLUSTER_FITS, CLUSTER_NIGHT_FITS)
        return [row for each in both for row in self._ask(ClusterFits, each, site=site_id)]

    def depths(self, site: Site) -> list[DepthPart]:
        """Return the pages of a site by depth, in each the largest cluster first."""
        return self._ask(DepthPart, DEPTHS, site=site.id)

    def verdicts(self, site: Site) -> list[VerdictCount]:
        """Return what extraction decided about the pages of a site."""
        return self._ask(VerdictCount, VERDICTS, site=site.id)

    def clustered_pages(self, site: Site) -> list[SiteMember]:
        """Return the pages in clusters, the largest cluster first, in it the medoid first."""
        return self._ask(SiteMember, SITE_MEMBERS, site=site.id)

    def cluster(self, cluster_id: int) -> ClusterOrigin | None:
        """Return where a cluster belongs; None if there is none of this id."""
        return next(iter(self._ask(ClusterOrigin, CLUSTER, id=cluster_id)), None)

    def members(self, cluster_id: int, *, first: int, rows: int) -> list[MemberLine]:
        """Return some pages of a cluster, the nearest to the medoid first."""
        return self._ask(MemberLine, MEMBERS, id=cluster_id, first=first, rows=rows)

    def count_members(self, cluster_id: int) -> int:
        """Return how many pages a cluster has."""
        count = text("SELECT count(*) FROM cluster_members WHERE cluster_id = :id")
        with self.reading() as connection:
            return int(connection.execute(count, {"id": cluster_id}).scalar_one())

    def patterns(self, cluster_id: int) -> list[PatternLine]:
        """Return the patterns of a cluster, those in force first, then the latest."""
        return self._ask(PatternLine, PATTERNS.format(column="cluster_id"), id=cluster_id)

    def pattern(self, pattern_id: int) -> PatternLine | None:
        """Return one pattern; None if there is none of this id."""
        question = PATTERNS.format(column="pattern_id")
        return next(iter(self._ask(PatternLine, question, id=pattern_id)), None)

    def samples(self, pattern_id: int, cluster_id: int | None, most: int) -> list[Sample]:
        """Return pages that a pattern fits, articles first, else some of its cluster."""
        found = self._ask(Sample, MATCHED, id=pattern_id, most=most)
        return found or self._ask(Sample, IN_CLUSTER, id=cluster_id, most=most)

    def acceptance(self, pattern_id: int) -> list[Acceptance]:
        """Return how pages fitted a pattern, by the day on which they were read."""
        both = (PATTERN_FITS, PATTERN_NIGHT_FITS)  # what was noted that night counts more
        found = [row for each in both for row in self._ask(Acceptance, each, id=pattern_id)]
        return [row for _, row in sorted({row.day: row for row in found}.items())]

    def _ask(self, kind: type[T], question: str, **values: object) -> list[T]:
        return self._read(kind, text(question), values)

    def _ask_of(self, kind: type[T], question: str, sites: Sequence[Site]) -> list[T]:
        ids = ", ".join(str(site.id) for site in sites)
        return self._ask(kind, question.format(sites=ids or "NULL"))


View = Literal[
    "v_site_summary", "v_cluster_summary", "v_pattern_health", "v_article", "v_template_era"
]


class Views(Repository):
    """Reads what people read."""

    def rows(self, view: View, sites: Sequence[Site]) -> list[Mapping[str, Any]]:
        """Return the rows of a view that are about these sites, in the order of the view.

        The columns are those of the database, so that a table on the screen and a query by
        hand say the same.
        """
        query = text(f"SELECT * FROM {view} WHERE site IN :names")  # noqa: S608 - one of five names
        query = query.bindparams(bindparam("names", expanding=True, type_=Text))
        with self.reading() as connection:
            found = connection.execute(query, {"names": [site.name for site in sites]})
            return [dict(row._mapping) for row in found]
