"""Lists for the inspector: pages, articles, failures, announced URLs, eras of templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import desc, func, select, text

from flong.article import doubt_of_method
from flong.states import FAILED_OUTCOMES, ArticleKind, Outcome
from flong.storage import tables
from flong.storage.columns import TextList
from flong.storage.database import Repository
from flong.storage.joined_words import IS_PART, is_part
from flong.storage.marks import MARKED, MarkFilter
from flong.storage.tables import Site

Order = Literal["look", "latest"]

UNSURE = 0.7
"""Maximum confidence of an article that needs attention."""

# Doubts add up; a missing date weighs less than a missing pattern. The index `ix_articles_doubt`
# has this order: change both together.
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
# Joined to queries that use their columns.
ARTICLES = {
    "a.": "FROM articles a",
    "p.": "JOIN pages p ON p.id = a.page_id",
    "s.": "JOIN sites s ON s.id = a.site_id",
    "d.": "JOIN search_documents d ON d.page_id = a.page_id",
    "k.": "LEFT JOIN reader_marks k ON k.page_id = a.page_id",
}
# Only articles that are shown are searched; this index has them by time.
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
        a.section, a.confidence, a.method, a.pattern_id AS pattern, p.first_seen,
        k.read_at, k.starred_at
"""
# Two counts of indexes take half the time of a condition on each article.
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
TITLES = 5
"""Maximum number of listed titles."""
DAYS = 30
"""Maximum number of days with articles."""
REASONS = 12
"""Maximum number of reasons of failures."""
ERAS = """
    SELECT pattern_id, cluster_id, kind, articles, dated, first_day, last_day, retired_at
    FROM v_template_era WHERE site = :site
    ORDER BY coalesce(last_day, '') DESC, coalesce(first_day, '') DESC, pattern_id
"""
MONTHS = """
    SELECT month, source, announced, stored, articles, missing
    FROM v_coverage WHERE site = :site ORDER BY month DESC, source DESC
"""
MISSING = """
    SELECT url, source, month, state, announced_at
    FROM v_announced
    WHERE site = :site AND state NOT IN ('article', 'no_article', 'unread')
        AND (:month = '' OR month = :month)
    ORDER BY CASE source WHEN 'archive' THEN 1 ELSE 0 END, month DESC, url LIMIT :most
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFilters:
    """Selection of pages."""

    site: str = ""
    """Name of the site; empty for all."""
    q: str = ""
    """Text in the URL."""
    depth: int | None = None
    """Number of links from the home page."""
    outcome: str = ""
    """Outcome of the last run: `new`, `changed`, `unchanged`, `failed` or `gone`."""
    verdict: str = ""
    """Verdict of extraction: `article`, `other`, `unmatched`, or `none` before extraction."""
    fit: str = ""
    """Kind of the match: `strict`, `bounded` or `none`."""
    cluster: int | None = None
    """Id of the cluster."""
    pattern: int | None = None
    """Id of the pattern."""


@dataclass(frozen=True, slots=True)
class PageLine:
    """A page in the list."""

    page: int
    """Id of the page."""
    site: str
    """Name of its site."""
    url: str
    """Its URL."""
    depth: int
    """Number of links from the home page."""
    outcome: str
    """Outcome of the last run."""
    status: int
    """HTTP status of the last response; 0 without a response."""
    error: str | None
    """Error of the last request, as reported by the server or the network."""
    cluster: int | None
    """Id of its cluster."""
    pattern: int | None
    """Id of its pattern."""
    fit: str | None
    """Kind of the match."""
    verdict: str | None
    """Verdict of extraction; None before it."""
    reason: str | None
    """Reason of the verdict."""
    last_seen: str | None
    """When it was last received."""

    @property
    def trouble(self) -> str:
        """Error message of a page that could not be fetched; empty for others."""
        return self.error or Outcome(self.outcome).sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFilters:
    """Selection of articles."""

    site: str = ""
    """Name of the site; empty for all."""
    q: str = ""
    """Text in the title or the URL."""
    since: str = ""
    """Published, else first seen, on this day or later: `2026-05-01`."""
    until: str = ""
    """Published, else first seen, on this day or earlier."""
    pattern: int | None = None
    """Id of the pattern."""
    least: float | None = None
    """Minimum confidence."""
    most: float | None = None
    """Maximum confidence."""
    retired: bool = False
    """True for retired articles instead of current ones."""
    mark: MarkFilter = ""
    """`unread` or `starred` articles only; empty for all."""
    kind: ArticleKind = ArticleKind.NEWS
    """News, or pages in prose that are not news."""
    order: Order = "look"
    """Doubtful articles first, or the latest first."""

    @property
    def is_current(self) -> bool:
        """True for current news, which other lists and the search index contain."""
        return not self.retired and self.kind is ArticleKind.NEWS


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
    """Date of publication in UTC; without a time of day if that is unknown; None without a date."""
    authors: tuple[str, ...] | None
    """Names as printed; None if the stored list is damaged."""
    language: str | None
    """ISO 639-1 code."""
    section: str | None
    """Section, as named by the site."""
    confidence: float
    """Confidence, from 0 to 1."""
    method: str
    """`pattern`, `bounded`, or the method used without a pattern."""
    pattern: int | None
    """Id of the pattern."""
    first_seen: str
    """When its page was first received."""
    read_at: str | None
    """When a reader has read it; None while it is unread."""
    starred_at: str | None
    """When a reader starred it; None without a star."""

    @property
    def doubts(self) -> list[str]:
        """Return reasons to check the article, in words; empty without doubts."""
        unsure = "unsure" if self.confidence < UNSURE else ""
        undated = "" if self.published else "no date"
        return [doubt for doubt in (unsure, doubt_of_method(self.method), undated) if doubt]


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOfArticles:
    """Number of articles of one day."""

    day: str
    """`2026-05-01`, in UTC."""
    articles: int
    """Articles published, else first seen, on this day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedReason:
    """URLs that failed for one reason."""

    reason: str
    """Error message or outcome."""
    pages: int
    """Number of URLs."""
    example: str
    """One of the URLs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateEra:
    """The time in which articles of one pattern were published."""

    pattern_id: int
    """Id of the pattern."""
    cluster_id: int | None
    """Id of its cluster; None if that was removed."""
    kind: str
    """Kind of its pages: `article`, `mixed` or `other`."""
    articles: int
    """Number of its articles."""
    dated: int
    """Number of its articles with a date."""
    first_day: str | None
    """Day of the first publication, `2026-05-01`, in UTC; None if unknown."""
    last_day: str | None
    """Day of the last publication."""
    retired_at: str | None
    """When the pattern was replaced; None while it is in force."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageMonth:
    """URLs announced by one source for one month, and how many of them are stored."""

    month: str
    """Month, `2026-05`, of the article's date, else of the source's; empty if unknown."""
    source: str
    """`sitemap`, `feed`, or `archive` for URLs that only the site's own pages link to."""
    announced: int
    """Number of announced URLs."""
    stored: int
    """Number of these with a stored page."""
    articles: int
    """Number of these with an article."""
    missing: int
    """Number of these without a stored page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingPage:
    """An announced URL without a stored page."""

    url: str
    """The URL."""
    source: str
    """Source of the announcement."""
    month: str
    """Month of the announcement."""
    state: str
    """`missing` (never requested), `no_page` (not a page), or the outcome of the request."""
    announced_at: str | None
    """Date given by the source."""


class Lists(Repository):
    """Reads lists."""

    def page(self, page_id: int) -> PageLine | None:
        """Return one page as listed, or None."""
        question = f"{PAGE_COLUMNS} {_joined(PAGES)} WHERE p.id = :page"
        return self._first(PageLine, text(question), {"page": page_id})

    def count_pages(self, filters: PageFilters) -> int:
        """Return the number of selected pages."""
        return self._count(PAGES, _page_conditions(filters))

    def pages(self, filters: PageFilters, *, first: int, rows: int) -> list[PageLine]:
        """Return some of the selected pages, by id."""
        where = _page_conditions(filters)
        some = f"SELECT p.id {_joined(PAGES, str(where))} {where} ORDER BY p.id {PART}"
        question = f"{PAGE_COLUMNS} {_joined(PAGES)} WHERE p.id IN ({some}) ORDER BY p.id"
        return self._read(PageLine, text(question), {**where.values, "first": first, "rows": rows})

    def count_articles(self, filters: ArticleFilters) -> int:
        """Return the number of selected articles."""
        where = _article_conditions(filters)
        if where.values or not filters.is_current or filters.mark:
            return self._count(_article_tables(filters), where)
        with self.reading() as connection:
            return int(connection.execute(text(ALL_ARTICLES)).scalar_one())

    def articles(self, filters: ArticleFilters, *, first: int, rows: int) -> list[ArticleLine]:
        """Return some of the selected articles, in the selected order."""
        where, order = _article_conditions(filters), ORDERS[filters.order]
        some = f"{_article_ids(filters, where)} {PART}"
        shown = _joined(ARTICLES, ARTICLE_COLUMNS)
        question = f"{ARTICLE_COLUMNS} {shown} WHERE a.page_id IN ({some}) ORDER BY {order}"
        query = text(question).columns(authors=TextList)
        return self._read(ArticleLine, query, {**where.values, "first": first, "rows": rows})

    def article_ids(self, filters: ArticleFilters) -> Sequence[int]:
        """Return the page ids of all selected articles, in the selected order."""
        where = _article_conditions(filters)
        question = _article_ids(filters, where)
        with self.reading() as connection:
            return connection.execute(text(question), where.values).scalars().all()

    def latest_titles(self, site: Site) -> Sequence[str]:
        """Return the titles of the articles that were stored last."""
        articles = tables.articles
        query = select(articles.c.title).where(articles.c.site_id == site.id)
        query = query.where(articles.c.retired_at.is_(None), ~is_part()).order_by(
            articles.c.page_id.desc()
        )
        return self._column(query.limit(TITLES))

    def articles_by_day(self, site: Site) -> list[DayOfArticles]:
        """Return the number of articles of the last days that have some, the earliest first."""
        articles, pages = tables.articles, tables.pages
        day = func.substr(func.coalesce(articles.c.published, pages.c.first_seen), 1, 10)
        query = (
            select(day.label("day"), func.count().label("articles"))
            .join_from(articles, pages, pages.c.id == articles.c.page_id)
            .where(articles.c.site_id == site.id, articles.c.retired_at.is_(None), ~is_part())
            .group_by("day")
            .order_by(desc("day"))
            .limit(DAYS)
        )
        return self._read(DayOfArticles, query)[::-1]

    def failures(self, site: Site) -> list[FailedReason]:
        """Return the reasons of failed URLs of a site, the most frequent first."""
        pages = tables.pages
        reason = func.coalesce(pages.c.error, pages.c.outcome)
        query = (
            select(reason.label("reason"), func.count().label("pages"))
            .add_columns(func.min(pages.c.url).label("example"))
            .where(pages.c.site_id == site.id, pages.c.outcome.in_(FAILED_OUTCOMES))
            .group_by("reason")
            .order_by(desc("pages"), "reason")
            .limit(REASONS)
        )
        return self._read(FailedReason, query)

    def eras(self, site: Site) -> list[TemplateEra]:
        """Return the eras of a site's patterns, the latest first."""
        return self._read(TemplateEra, text(ERAS), {"site": site.name})

    def announced_months(self, site: Site) -> list[CoverageMonth]:
        """Return announced and stored URLs by month and source, the latest month first."""
        return self._read(CoverageMonth, text(MONTHS), {"site": site.name})

    def missing_pages(self, site: Site, *, month: str = "", most: int = 100) -> list[MissingPage]:
        """Return URLs without a stored page, of one month or of all; archives come last."""
        values = {"site": site.name, "month": month, "most": most}
        return self._read(MissingPage, text(MISSING), values)

    def _count(self, of: Mapping[str, str], where: "_Conditions") -> int:
        question = text(f"SELECT count(*) {_joined(of, str(where))} {where}")
        with self.reading() as connection:
            return int(connection.execute(question, where.values).scalar_one())


def _joined(of: Mapping[str, str], asked: str | None = None) -> str:
    """Return a FROM clause with the first table and those that `asked` uses; None for all."""
    first, *others = of
    return " ".join([of[first], *(of[a] for a in others if asked is None or a in asked)])


def _is_by_time(filters: ArticleFilters) -> bool:
    """Return True if the index of searched articles has the selected order."""
    return filters.order == "latest" and filters.is_current


def _article_tables(filters: ArticleFilters) -> Mapping[str, str]:
    return SEARCHED if _is_by_time(filters) else ARTICLES


def _article_ids(filters: ArticleFilters, where: "_Conditions") -> str:
    """Return the query for the page ids of all selected articles."""
    tables = _article_tables(filters)
    order = SEARCHED_LATEST if _is_by_time(filters) else ORDERS[filters.order]
    joined = _joined(tables, f"{where} {order}")
    return f"SELECT {next(iter(tables))}page_id {joined} {where} ORDER BY {order}"


class _Conditions:
    """Conditions of a WHERE clause, with their values."""

    def __init__(self) -> None:
        self.clauses: list[str] = []
        self.values: dict[str, object] = {}

    def add(self, clause: str, name: str, value: object) -> None:
        """Add a condition, unless its value is empty or None."""
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
    if not filters.is_current:
        where.add("a.kind = :kind", "kind", filters.kind)
        where.clauses.append("a.retired_at IS NOT NULL")
    elif not _is_by_time(filters):
        where.clauses += ["a.retired_at IS NULL", f"NOT {IS_PART}"]
    when = "d.dated" if filters.is_current else WHEN
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
    if filters.mark:
        where.clauses.append(f"a.page_id {MARKED[filters.mark]}")
    return where


def _containing(text: str) -> str:
    r"""Return the pattern for `LIKE ... ESCAPE '\'` that matches a text anywhere.

    >>> _containing("100%")
    '%100\\%%'
    """
    for sign in "\\%_":
        text = text.replace(sign, f"\\{sign}")
    return f"%{text}%" if text else ""
