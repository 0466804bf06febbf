"""One cluster: its medoid and members, and the patterns made from them."""

from dataclasses import dataclass

from inspector.database import Database, NotThere
from inspector.lists import ROWS, Part, part_of
from inspector.site import ClusterSummary, clusters_of

PREVIEWS = 6
"""Pages that are shown side by side: the medoid, and members from near to far."""

CLUSTER = """
    SELECT s.name AS site, s.id AS site_id, c.medoid_id AS medoid, c.retired_at
    FROM clusters c JOIN sites s ON s.id = c.site_id WHERE c.id = :number
"""
MEMBERS = """
    SELECT k.page_id AS page, p.url, k.distance, m.verdict, m.fit, m.pattern_id AS pattern, a.title
    FROM cluster_members k JOIN pages p ON p.id = k.page_id
    LEFT JOIN matches m ON m.page_id = p.id LEFT JOIN articles a ON a.page_id = p.id
    WHERE k.cluster_id = :number
    ORDER BY k.distance, k.page_id LIMIT :rows OFFSET :first
"""
PATTERNS = """
    SELECT pattern_id AS id, version, kind, made_from, constants, score, pages, strict, bounded,
        articles, wildcards, created_at, retired_at
    FROM v_pattern_health WHERE cluster_id = :number
    ORDER BY retired_at IS NOT NULL, version DESC, pattern_id
"""


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A page in a cluster."""

    page: int
    """Its number."""
    url: str
    """Its address."""
    distance: float
    """To the medoid, from 0 to 1."""
    verdict: str | None
    """What extraction decided; None if nothing yet."""
    fit: str | None
    """How the pattern fits."""
    pattern: int | None
    """Number of the pattern."""
    title: str | None
    """Title of the article, if it is one."""


@dataclass(frozen=True, slots=True)
class PatternLine:
    """A pattern made from a cluster, as `v_pattern_health` has it."""

    id: int
    """Its number."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterView:
    """One cluster."""

    id: int
    """Its number."""
    site: str
    """Name of its site."""
    retired_at: str | None
    """When it was not found any more; None while it is in force."""
    summary: ClusterSummary | None
    """What is known of it; None if it is retired."""
    medoid: int | None
    """Number of the page in the middle; None if it was removed."""
    previews: list[MemberLine]
    """The medoid and some members, from near to far."""
    members: list[MemberLine]
    """Members of this part of the list, the nearest to the medoid first."""
    part: Part
    """Which part."""
    patterns: list[PatternLine]
    """Its patterns, those in force first, then the latest."""


@dataclass(frozen=True, slots=True)
class _Cluster:
    site: str
    site_id: int
    medoid: int | None
    retired_at: str | None


def view_cluster(database: Database, number: int, page: int) -> ClusterView:
    """Return one cluster."""
    found = database.one(_Cluster, CLUSTER, f"cluster {number}", number=number)
    total = database.number(
        "SELECT count(*) FROM cluster_members WHERE cluster_id = :number", number=number
    )
    part = part_of(total, page)
    clusters = clusters_of(database, found.site_id, found.site)
    return ClusterView(
        id=number,
        site=found.site,
        retired_at=found.retired_at,
        summary=next((each for each in clusters if each.id == number), None),
        medoid=found.medoid,
        previews=_previews(database, number, total),
        members=database.rows(MemberLine, MEMBERS, number=number, rows=ROWS, first=part.first),
        part=part,
        patterns=patterns_of(database, number),
    )


def patterns_of(database: Database, cluster: int) -> list[PatternLine]:
    """Return the patterns of a cluster, those in force first, then the latest."""
    return database.rows(PatternLine, PATTERNS, number=cluster)


def _previews(database: Database, number: int, total: int) -> list[MemberLine]:
    """Return the nearest member, which is the medoid, the furthest, and some between."""
    count = min(PREVIEWS, total)
    places = {round(at * (total - 1) / max(1, count - 1)) for at in range(count)}
    found = []
    for first in sorted(places):
        found += database.rows(MemberLine, MEMBERS, number=number, rows=1, first=first)
    return found


def need_pattern(database: Database, number: int) -> PatternLine:
    """Return one pattern, or raise that there is none of this number."""
    query = PATTERNS.replace("WHERE cluster_id", "WHERE pattern_id")
    found = database.rows(PatternLine, query, number=number)
    if not found:
        raise NotThere(f"There is no pattern {number} in the database.")
    return found[0]
