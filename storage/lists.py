"""Long lists of pages and articles, narrowed by what is asked for, a part at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from sqlalchemy import text

from flong.states import Outcome
from flong.storage.database import Repository
from flong.storage.joined_words import IS_PART

T = TypeVar("T")

Order = Literal["look", "latest"]

UNSURE = 0.7
"""An article below this confidence needs a look."""

# Doubts add up; a date that is missing weighs less than a pattern that is. The index
# `ix_articles_doubt` has the articles in this order: with another one it has to be made anew.
DOUBT = f"""
    (CASE WHEN a.confidence < {UNSURE} THEN 2 ELSE 0 END)
    + (CASE WHEN a.method <> 'pattern' THEN 2 ELSE 0 END)
    + (CASE WHEN a.published IS NULL THEN 1 ELSE 0 END)
"""
WHEN = "coalesce(a.published, p.first_seen)"
ORDERS = {
    "look": f"({DOUBT}) DESC, a.confidence, a.page_id",
    "latest": f"{WHEN} DESC, a.page_id",
}
PART = "LIMIT :rows OFFSET :first"
SITE = "(SELECT id FROM sites WHERE name = :site)"
# Joined where something of them is asked for; everything is, of the rows that are shown.
ARTICLES = {
    "a.": "FROM articles a",
    "p.": "JOIN pages p ON p.id = a.page_id",
    "s.": "JOIN sites s ON s.id = a.site_id",
    "d.": "JOIN search_documents d ON d.page_id = a.page_id",
}
# Only articles that are shown are searched, and the index has them by their time.
SEARCHED = {
    "d.": "FROM search_documents d",
    "a.": "JOIN articles a ON a.page_id = d.page_id",
    "p.": "JOIN pages p ON p.id = d.page_id",
}
SEARCHED_LATEST = "d.dated DESC, d.page_id"
ARTICLE_COLUMNS = """
    SELECT a.page_id AS page, s.name AS site, p.url, a.title, a.authors, a.language,
        CASE WHEN a.published_precision = 'day' THEN substr(a.published, 1, 10)
            ELSE a.published END AS published,
        a.section, a.confidence, a.method, a.pattern_id AS pattern, p.first_seen
"""
# Counted by indexes alone; asking of each article whether it is a part would take twice as long.
ALL_ARTICLES = """
    SELECT (SELECT count(*) FROM articles WHERE retired_at IS NULL) - (
        SELECT count(*) FROM article_pages j JOIN articles a ON a.page_id = j.page_id
        WHERE j.article_id <> j.page_id AND a.retired_at IS NULL)
"""
PAGES = {
    "p.": "FROM pages p",
    "s.": "JOIN sites s ON s.id = p.site_id",
    "m.": "LEFT JOIN matches m ON m.page_id = p.id",
    "k.": "LEFT JOIN cluster_members k ON k.page_id = p.id",
}
PAGE_COLUMNS = """
    SELECT p.id AS page, s.name AS site, p.url, p.depth, p.outcome, p.status, p.error,
        k.cluster_id AS cluster, m.pattern_id AS pattern, m.fit, m.verdict, m.reason, p.last_seen
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFilters:
    """Which pages are asked for."""

    site: str = ""
    """Of one site; empty for all."""
    q: str = ""
    """With this text in the URL."""
    depth: int | None = None
    """So many links from the home page."""
    outcome: str = ""
    """What the last run found: `new`, `changed`, `unchanged`, `failed` or `gone`."""
    verdict: str = ""
    """What extraction decided: `article`, `other`, `unmatched`, or `none` for nothing yet."""
    fit: str = ""
    """How the pattern fitted: `strict`, `bounded` or `none`."""
    cluster: int | None = None
    """In one cluster."""
    pattern: int | None = None
    """Of one pattern."""


@dataclass(frozen=True, slots=True)
class PageLine:
    """A page in the list."""

    page: int
    """Its id."""
    site: str
    """Name of its site."""
    url: str
    """Its URL."""
    depth: int
    """Links from the home page."""
    outcome: str
    """What the last run found."""
    status: int
    """HTTP status of the last response; 0 if there was none."""
    error: str | None
    """What went wrong when last asked for, in words of the server or the network."""
    cluster: int | None
    """Id of its cluster."""
    pattern: int | None
    """Id of its pattern."""
    fit: str | None
    """How that fits."""
    verdict: str | None
    """What extraction decided; None if nothing yet."""
    reason: str | None
    """Why."""
    last_seen: str | None
    """When it was last received."""

    @property
    def trouble(self) -> str:
        """Why it could not be had, in words; empty if it could."""
        return self.error or Outcome(self.outcome).sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFilters:
    """Which articles are asked for."""

    site: str = ""
    """Of one site; empty for all."""
    q: str = ""
    """With this text in the title or the URL."""
    since: str = ""
    """Published, or if that is not known found, on this day or later: `2026-05-01`."""
    until: str = ""
    """On this day or earlier."""
    pattern: int | None = None
    """Read by one pattern."""
    least: float | None = None
    """At least of this confidence."""
    most: float | None = None
    """At most of this confidence."""
    retired: bool = False
    """Those that were articles and are none now, instead of those that are."""
    order: Order = "look"
    """Those that need a look first, or the latest first."""


@dataclass(frozen=True, slots=True)
class ArticleLine:
    """An article in the list."""

    page: int
    """Id of its page."""
    site: str
    """Name of its site."""
    url: str
    """Its URL."""
    title: str
    """The headline."""
    published: str | None
    """When, in UTC; the day alone if no more is known; None if not even that."""
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
    """Id of the pattern."""
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


class Lists(Repository):
    """Reads lists."""

    def page(self, page_id: int) -> PageLine | None:
        """Return one page as it stands in the list; None if there is none of this id."""
        question = f"{PAGE_COLUMNS} {_joined(PAGES)} WHERE p.id = :page"
        return next(iter(self._read(PageLine, text(question), {"page": page_id})), None)

    def count_pages(self, filters: PageFilters) -> int:
        """Return how many pages are asked for."""
        return self._count(PAGES, _page_conditions(filters))

    def pages(self, filters: PageFilters, *, first: int, rows: int) -> list[PageLine]:
        """Return some of the pages asked for, in the order in which they came."""
        where = _page_conditions(filters)
        some = f"SELECT p.id {_joined(PAGES, str(where))} {where} ORDER BY p.id {PART}"
        question = f"{PAGE_COLUMNS} {_joined(PAGES)} WHERE p.id IN ({some}) ORDER BY p.id"
        return self._read(PageLine, text(question), {**where.values, "first": first, "rows": rows})

    def count_articles(self, filters: ArticleFilters) -> int:
        """Return how many articles are asked for."""
        where = _article_conditions(filters)
        if where.values or filters.retired:
            return self._count(_article_tables(filters), where)
        with self.reading() as connection:
            return int(connection.execute(text(ALL_ARTICLES)).scalar_one())

    def articles(self, filters: ArticleFilters, *, first: int, rows: int) -> list[ArticleLine]:
        """Return some of the articles asked for, in the order asked for."""
        where, order = _article_conditions(filters), ORDERS[filters.order]
        some = f"{_article_ids(filters, where)} {PART}"
        shown = _joined(ARTICLES, ARTICLE_COLUMNS)
        question = f"{ARTICLE_COLUMNS} {shown} WHERE a.page_id IN ({some}) ORDER BY {order}"
        return self._read(
            ArticleLine, text(question), {**where.values, "first": first, "rows": rows}
        )

    def article_ids(self, filters: ArticleFilters) -> Sequence[int]:
        """Return the pages of all articles asked for, in the order asked for."""
        where = _article_conditions(filters)
        question = _article_ids(filters, where)
        with self.reading() as connection:
            return connection.execute(text(question), where.values).scalars().all()

    def _count(self, of: Mapping[str, str], where: "_Conditions") -> int:
        question = text(f"SELECT count(*) {_joined(of, str(where))} {where}")
        with self.reading() as connection:
            return int(connection.execute(question, where.values).scalar_one())


def _joined(of: Mapping[str, str], asked: str | None = None) -> str:
    """Return a FROM clause with the first table and those that are asked for; None for all."""
    first, *others = of
    return " ".join([of[first], *(of[a] for a in others if asked is None or a in asked)])


def _is_by_time(filters: ArticleFilters) -> bool:
    """Return whether the index of searched articles has the order that is asked for."""
    return filters.order == "latest" and not filters.retired


def _article_tables(filters: ArticleFilters) -> Mapping[str, str]:
    return SEARCHED if _is_by_time(filters) else ARTICLES


def _article_ids(filters: ArticleFilters, where: "_Conditions") -> str:
    """Return the question for the pages of all articles that are asked for."""
    tables = _article_tables(filters)
    order = SEARCHED_LATEST if _is_by_time(filters) else ORDERS[filters.order]
    joined = _joined(tables, f"{where} {order}")
    return f"SELECT {next(iter(tables))}page_id {joined} {where} ORDER BY {order}"


class _Conditions:
    """Parts of a WHERE clause, and the values that they name."""

    def __init__(self) -> None:
        self.clauses: list[str] = []
        self.values: dict[str, object] = {}

    def add(self, clause: str, name: str, value: object) -> None:
        """Ask for a condition, unless its value is empty or None."""
        if value is not None and value != "":
            self.clauses.append(clause)
            self.values[name] = value

    def __str__(self) -> str:
        return f"WHERE {' AND '.join(self.clauses)}" if self.clauses else ""


def _page_conditions(filters: PageFilters) -> _Conditions:
    where = _Conditions()
    where.add(f"p.site_id = {SITE}", "site", filters.site)
    where.add(r"lower(p.url) LIKE :q ESCAPE '\'", "q", _containing(filters.q.strip().lower()))
    where.add("p.depth = :depth", "depth", filters.depth)
    if filters.outcome:
        alike = [each for each in Outcome if filters.outcome in (each, each.counted_as)]
        names = ", ".join(f"'{each}'" for each in alike)
        where.clauses.append(f"p.outcome IN ({names or 'NULL'})")
    if filters.verdict == "none":
        where.clauses.append("m.verdict IS NULL")
    else:
        where.add("m.verdict = :verdict", "verdict", filters.verdict)
    where.add("m.fit = :fit", "fit", filters.fit)
    where.add("k.cluster_id = :cluster", "cluster", filters.cluster)
    where.add("m.pattern_id = :pattern", "pattern", filters.pattern)
    return where


def _article_conditions(filters: ArticleFilters) -> _Conditions:
    where = _Conditions()
    if filters.retired:
        where.clauses.append("a.retired_at IS NOT NULL")
    elif not _is_by_time(filters):
        where.clauses += ["a.retired_at IS NULL", f"NOT {IS_PART}"]
    when = WHEN if filters.retired else "d.dated"
    where.add(f"a.site_id = {SITE}", "site", filters.site)
    where.add(
        r"(lower(a.title) LIKE :q ESCAPE '\' OR lower(p.url) LIKE :q ESCAPE '\')",
        "q",
        _containing(filters.q.strip().lower()),
    )
    where.add(f"{when} >= :since", "since", filters.since)
    where.add(f"substr({when}, 1, 10) <= :until", "until", filters.until)
    where.add("a.pattern_id = :pattern", "pattern", filters.pattern)
    where.add("a.confidence >= :least", "least", filters.least)
    where.add("a.confidence <= :most", "most", filters.most)
    return where


def _containing(text: str) -> str:
    r"""Return the pattern for `LIKE ... ESCAPE '\'` that finds a text anywhere.

    >>> _containing("100%")
    '%100\\%%'
    """
    for sign in "\\%_":
        text = text.replace(sign, f"\\{sign}")
    return f"%{text}%" if text else ""
