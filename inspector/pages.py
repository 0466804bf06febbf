"""The list of pages: what there is at each address, and what was decided about it."""

from dataclasses import dataclass

from inspector.database import Database
from inspector.lists import ROWS, Conditions, Number, Part, containing, part_of

TABLES = """
    FROM pages p JOIN sites s ON s.id = p.site_id
    LEFT JOIN matches m ON m.page_id = p.id
    LEFT JOIN cluster_members k ON k.page_id = p.id
"""
COLUMNS = """
    SELECT p.id AS page, s.name AS site, p.url, p.depth, p.outcome, p.status, p.error,
        k.cluster_id AS cluster, m.pattern_id AS pattern, m.fit, m.verdict, m.reason, p.last_seen
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFilters:
    """Which pages are asked for."""

    site: str = ""
    """Of one site; empty for all."""
    q: str = ""
    """With this text in the address."""
    depth: Number = None
    """So many links from the home page."""
    outcome: str = ""
    """What the last run found: `new`, `changed`, `unchanged`, `failed` or `gone`."""
    verdict: str = ""
    """What extraction decided: `article`, `other`, `unmatched`, or `none` for nothing yet."""
    fit: str = ""
    """How the pattern fitted: `strict`, `bounded` or `none`."""
    cluster: Number = None
    """In one cluster."""
    pattern: Number = None
    """Of one pattern."""


@dataclass(frozen=True, slots=True)
class PageLine:
    """A page in the list."""

    page: int
    """Its number."""
    site: str
    """Name of its site."""
    url: str
    """Its address."""
    depth: int
    """Links from the home page."""
    outcome: str
    """What the last run found."""
    status: int
    """HTTP status of the last answer; 0 if there was none."""
    error: str | None
    """What went wrong when last asked for."""
    cluster: int | None
    """Number of its cluster."""
    pattern: int | None
    """Number of its pattern."""
    fit: str | None
    """How that fits."""
    verdict: str | None
    """What extraction decided; None if nothing yet."""
    reason: str | None
    """Why."""
    last_seen: str | None
    """When it was last received."""


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


def view_pages(database: Database, filters: PageFilters, page: int) -> PagesView:
    """Return a part of the pages asked for, in the order in which they came."""
    where = _conditions(filters)
    part = part_of(database.number(f"SELECT count(*) {TABLES} {where}", **where.values), page)
    query = f"{COLUMNS} {TABLES} {where} ORDER BY p.id LIMIT {ROWS} OFFSET :first"
    return PagesView(
        filters=filters,
        pages=database.rows(PageLine, query, first=part.first, **where.values),
        part=part,
        sites=[site.name for site in database.store.sites()],
    )


def _conditions(filters: PageFilters) -> Conditions:
    where = Conditions()
    where.add("s.name = :site", "site", filters.site)
    where.add(r"lower(p.url) LIKE :q ESCAPE '\'", "q", containing(filters.q.strip().lower()))
    where.add("p.depth = :depth", "depth", filters.depth)
    where.add("p.outcome = :outcome", "outcome", filters.outcome)
    if filters.verdict == "none":
        where.clauses.append("m.verdict IS NULL")
    else:
        where.add("m.verdict = :verdict", "verdict", filters.verdict)
    where.add("m.fit = :fit", "fit", filters.fit)
    where.add("k.cluster_id = :cluster", "cluster", filters.cluster)
    where.add("m.pattern_id = :pattern", "pattern", filters.pattern)
    return where
