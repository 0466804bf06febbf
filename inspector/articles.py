"""The list of articles: those that need a look first, or the latest."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from inspector.database import Database
from inspector.lists import ROWS, Conditions, Day, Number, Part, Share, containing, part_of
from storage import ArticleRow

Order = Literal["look", "latest"]

UNSURE = 0.7
"""An article below this confidence needs a look."""

# Doubts add up; a date that is missing weighs less than a pattern that is.
DOUBT = f"""
    (CASE WHEN a.confidence < {UNSURE} THEN 2 ELSE 0 END)
    + (CASE WHEN a.method <> 'pattern' THEN 2 ELSE 0 END)
    + (CASE WHEN a.published IS NULL THEN 1 ELSE 0 END)
"""
ORDERS = {
    "look": f"({DOUBT}) DESC, a.confidence, a.page_id",
    "latest": "coalesce(a.published, p.first_seen) DESC, a.page_id",
}
TABLES = """
    FROM articles a JOIN pages p ON p.id = a.page_id JOIN sites s ON s.id = a.site_id
"""
COLUMNS = """
    SELECT a.page_id AS page, s.name AS site, p.url, a.title, a.published, a.authors, a.language,
        a.section, a.confidence, a.method, a.pattern_id AS pattern, p.first_seen
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which articles are asked for."""

    site: str = ""
    """Of one site; empty for all."""
    q: str = ""
    """With this text in the title or the address."""
    since: Day = ""
    """Published, or if that is not known found, on this day or later: `2026-05-01`."""
    until: Day = ""
    """On this day or earlier."""
    pattern: Number = None
    """Read by one pattern."""
    least: Share = None
    """At least of this confidence."""
    most: Share = None
    """At most of this confidence."""
    order: Order = "look"
    """Those that need a look first, or the latest first."""


@dataclass(frozen=True, slots=True)
class ArticleLine:
    """An article in the list."""

    page: int
    """Number of its page."""
    site: str
    """Name of its site."""
    url: str
    """Its address."""
    title: str
    """The headline."""
    published: str | None
    """When, in UTC; None if not known."""
    authors: str
    """A JSON list of names."""
    language: str | None
    """ISO 639-1 code."""
    section: str | None
    """As the site names it."""
    confidence: float
    """From 0 to 1."""
    method: str
    """`pattern`, `bounded`, or what was tried without a pattern."""
    pattern: int | None
    """Number of the pattern."""
    first_seen: str
    """When its page was first received."""

    @property
    def doubts(self) -> list[str]:
        """Return why it needs a look, in words; nothing if it does not."""
        found = {
            "unsure": self.confidence < UNSURE,
            "no pattern fits exactly": self.method == "bounded",
            "read without a pattern": self.method not in ("pattern", "bounded"),
            "no date": self.published is None,
        }
        return [words for words, true in found.items() if true]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticlesView:
    """Articles, a part of the list."""

    filters: Filters
    """What was asked for."""
    articles: list[ArticleLine]
    """Those of this part."""
    part: Part
    """Which part."""
    sites: list[str]
    """Names of all sites."""


@dataclass(frozen=True, slots=True)
class _Number:
    number: int


def view_articles(database: Database, filters: Filters, page: int) -> ArticlesView:
    """Return a part of the articles asked for."""
    where = _conditions(filters)
    total = database.number(f"SELECT count(*) {TABLES} {where}", **where.values)
    part = part_of(total, page)
    query = (
        f"{COLUMNS} {TABLES} {where} ORDER BY {ORDERS[filters.order]} LIMIT {ROWS} OFFSET :first"
    )
    rows = database.rows(ArticleLine, query, first=part.first, **where.values)
    names = [site.name for site in database.store.sites()]
    return ArticlesView(filters=filters, articles=rows, part=part, sites=names)


def chosen_articles(database: Database, filters: Filters) -> Iterator[ArticleRow]:
    """Stream the articles asked for, whole, in the order of the list."""
    where = _conditions(filters)
    query = f"SELECT a.page_id AS number {TABLES} {where} ORDER BY {ORDERS[filters.order]}"
    numbers = iter(database.rows(_Number, query, **where.values))
    while batch := list(islice(numbers, ROWS)):
        found = (database.store.article(row.number) for row in batch)
        yield from (row for row in found if row is not None)


def _conditions(filters: Filters) -> Conditions:
    where = Conditions()
    when = "coalesce(a.published, p.first_seen)"
    where.add("s.name = :site", "site", filters.site)
    where.add(
        r"(lower(a.title) LIKE :q ESCAPE '\' OR lower(p.url) LIKE :q ESCAPE '\')",
        "q",
        containing(filters.q.strip().lower()),
    )
    where.add(f"{when} >= :since", "since", filters.since)
    where.add(f"substr({when}, 1, 10) <= :until", "until", filters.until)
    where.add("a.pattern_id = :pattern", "pattern", filters.pattern)
    where.add("a.confidence >= :least", "least", filters.least)
    where.add("a.confidence <= :most", "most", filters.most)
    return where
