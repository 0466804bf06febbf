"""Tables and their rows. The schema changes only together with a migration.

A row class is the only definition of its columns. Where callers build rows, a base class has the
columns that they give, and the class of the table adds ids and owners. Times are ISO 8601 text in
UTC, lists are JSON text.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from sqlalchemy import ForeignKey, Index, MetaData, Table, UniqueConstraint, text
from sqlalchemy.sql.schema import SchemaItem

from flong.article import Article, Provenance
from flong.decision import Decision
from flong.states import (
    CorrectedField,
    CorrectionKind,
    FindingKind,
    FindingState,
    Fit,
    JobKind,
    JobState,
    KeepReason,
    Outcome,
    PageRole,
    RunKind,
    RunStatus,
    TemplateKind,
    Verdict,
)
from flong.storage.columns import (
    Col,
    Large,
    RowTable,
    column,
    columns_of,
    from_row,
    owner,
    reference,
    row_class,
    table,
)

R = TypeVar("R")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

FULL_TEXT = ("search_index", "search_vocabulary")
"""Prefixes of the tables that the databases' full-text search creates."""
ORDERED = ("ix_articles_doubt", "ix_search_documents_dated_page_id")
"""Indexes in an order that SQLAlchemy cannot compare: see migration 0026 and `lists`."""


@row_class
class SiteSettings:
    """Crawl settings of a site, the same every night."""

    depth: Col[int] = column(default=3)
    """Maximum number of links from the home page."""
    delay: Col[float | None] = column(default=None)
    """Seconds between two requests; None for the crawler's default."""
    render: Col[bool] = column(default=False)
    """True to render the pages in a browser."""
    subdomains: Col[bool] = column(default=False)
    """True if other subdomains belong to the site."""
    max_pages: Col[int | None] = column(default=None)
    """Maximum number of pages per crawl; None for no limit."""
    include: Col[str | None] = column(default=None)
    """Request only URLs matching this regular expression; None for all."""
    exclude: Col[str | None] = column(default=None)
    """Skip URLs matching this regular expression; None for none."""
    cookies: Col[str | None] = column(default=None)
    """File with the cookies of one's own subscription; None for none."""
    visual: Col[bool] = column(server_default="0", default=False)
    """True to store the visible blocks of rendered pages."""


@row_class
class Site(SiteSettings):
    """A news portal."""

    id: Col[int] = column(primary_key=True)
    """Id in the database."""
    name: Col[str] = column(unique=True)
    """The host without `www.`, with the port unless it is the default one."""
    url: Col[str]
    """URL of the home page."""
    paused: Col[bool]
    """True if nightly runs skip it."""
    created_at: Col[datetime]
    """When it was added."""
    importance: Col[int] = column(server_default="0", default=0)
    """A fleet visits sites with a higher number first."""

    @property
    def settings(self) -> SiteSettings:
        """Its crawl settings."""
        return from_row(SiteSettings, self)


class LockPart(StrEnum):
    """Role of the process that holds a lock."""

    OWNER = "owner"
    """The process that took the site."""
    CHILD = "child"
    """A process that the owner started on the site and waits for."""


@row_class
class Process:
    """A process, distinct from all others that ever had its id."""

    pid: Col[int]
    """Process id."""
    host: Col[str]
    """Name of its machine, for people."""
    machine: Col[str]
    """Boot id of the machine and its pid namespace; empty where the system has none."""
    started: Col[int] = column(type_=Large)
    """Ticks from the machine's boot to the process's start; 0 where the system has none."""


@row_class
class Lock(Process):
    """The process that works on a site."""

    site_id: Col[int] = owner("sites.id", key=True)
    part: Col[LockPart] = column(primary_key=True)
    taken_at: Col[datetime]
    heartbeats: Col[int]
    heartbeat_seconds: Col[float]


@row_class
class RunCounts:
    """Results of a run."""

    new: Col[int] = column(default=0)
    """Pages seen for the first time."""
    changed: Col[int] = column(default=0)
    """Pages whose content changed."""
    unchanged: Col[int] = column(default=0)
    """Pages whose content is the same."""
    gone: Col[int] = column(default=0)
    """Pages that are no longer there."""
    failed: Col[int] = column(default=0)
    """URLs that gave no page."""
    articles: Col[int] = column(default=0)
    """Articles written."""


@row_class
class Run(RunCounts):
    """One stage of work on one site."""

    id: Col[int] = column(primary_key=True)
    """Id in the database, increasing with time."""
    site_id: Col[int] = owner("sites.id")
    """The site it works on."""
    kind: Col[RunKind]
    """Stage of work."""
    status: Col[RunStatus] = column(server_default=RunStatus.FAILED)
    """Its state."""
    pid: Col[int]
    """Id of its process."""
    host: Col[str]
    """Name of the machine of its process."""
    started_at: Col[datetime]
    """When it began."""
    finished_at: Col[datetime | None]
    """When it ended; None while it runs, and for a killed one."""
    night_id: Col[int | None]
    """The nightly run that it is a part of; None if it is not part of one."""
    note: Col[str]
    """A remark for people."""

    @property
    def counts(self) -> RunCounts:
        """Its results."""
        return from_row(RunCounts, self)


@row_class
class Dictionary:
    """Compression dictionary of a site's pages."""

    id: Col[int] = column(primary_key=True)
    site_id: Col[int] = owner("sites.id")
    pages: Col[int]
    created_at: Col[datetime]
    data: Col[bytes]


@row_class
class PageState:
    """One URL of a site, without its document."""

    id: Col[int] = column(primary_key=True)
    """Id in the database."""
    site_id: Col[int] = owner("sites.id")
    """The site it belongs to."""
    url: Col[str]
    """Canonical URL."""
    depth: Col[int]
    """Number of links from the home page when last seen."""
    outcome: Col[Outcome]
    """Result of the last run."""
    run_id: Col[int | None] = reference("runs.id")
    """The run of that result; None if it was deleted."""
    status: Col[int]
    """HTTP status of the last response; 0 without a response."""
    error: Col[str | None]
    """Error of the last request; None if it succeeded."""
    encoding: Col[str]
    """Encoding of the document as served."""
    etag: Col[str | None]
    """Validator; None if the server sent none."""
    last_modified: Col[str | None]
    """Validator, as sent; None if the server sent none."""
    content_hash: Col[str | None]
    """Hash of the document; None if there never was one."""
    first_seen: Col[datetime]
    """When the page was first received."""
    last_seen: Col[datetime | None]
    """When it was last received; None if never."""
    changed_at: Col[datetime | None]
    """When its present content was first received; None if never."""


@row_class
class StoredPage(PageState):
    """One URL of a site with the document that was last served there."""

    size: Col[int]
    dictionary_id: Col[int | None] = column(ForeignKey("dictionaries.id"))
    links: Col[bytes | None]
    html: Col[bytes | None]


@row_class
class PageVersion:
    """Earlier content of a page."""

    id: Col[int] = column(primary_key=True)
    page_id: Col[int] = owner("pages.id")
    content_hash: Col[str]
    seen_from: Col[datetime]
    seen_until: Col[datetime]
    size: Col[int]
    dictionary_id: Col[int | None] = column(ForeignKey("dictionaries.id"))
    encoding: Col[str | None]
    etag: Col[str | None]
    last_modified: Col[str | None]
    links: Col[bytes | None]
    html: Col[bytes]


@row_class
class PageBlocks:
    """Visible blocks of a rendered page."""

    page_id: Col[int] = owner("pages.id", key=True)
    content_hash: Col[str]
    blocks: Col[bytes]


@row_class
class AnchorRow:
    """An anchor text of a page."""

    url: Col[str] = column(primary_key=True)
    """Canonical URL of the target; the page need not be stored."""
    source: Col[str] = column(primary_key=True)
    """`link`, `feed`, `sitemap` or `news`."""
    text: Col[str] = column(primary_key=True)
    """Text of the link, or title in a feed or sitemap; may be empty."""
    pages: Col[int]
    """Number of other pages of the site with this link; 1 for feeds and sitemaps."""
    published: Col[datetime | None]
    """Date given by a feed or sitemap; None for links and if there is no date."""


@row_class
class SiteAnchor(AnchorRow):
    """An anchor text in its table."""

    site_id: Col[int] = owner("sites.id", key=True)


@row_class
class Alias:
    """A requested URL at which no page is stored."""

    url: Col[str] = column(primary_key=True)
    """Canonical URL."""
    target: Col[str | None]
    """URL of the page that it leads to; None if there is no such page, as behind a picture."""
    is_page: Col[bool]
    """True if it has links of its own; a redirect has none."""
    checked_at: Col[datetime]
    """When it was last requested."""


@row_class
class SiteAlias(Alias):
    """An alias in its table."""

    site_id: Col[int] = owner("sites.id", key=True)
    run_id: Col[int | None]
    """The crawl that requested it last; NULL in old databases."""


@row_class
class GroupingRow:
    """Clustering parameters and dendrogram of a learned site; NULL in old databases."""

    similarity: Col[float] = column(nullable=True)
    """Minimum similarity of pages that share a template."""
    replace_cost: Col[int] = column(nullable=True)
    """Cost of replacing a vertex's tag; removing or adding a vertex costs 1."""
    dendrogram: Col[str] = column(nullable=True)
    """The dendrogram, as JSON."""


@row_class
class Model(GroupingRow):
    """Learned model of a site, without its patterns."""

    id: Col[int] = column(primary_key=True)
    site_id: Col[int] = owner("sites.id")
    version: Col[int]
    run_id: Col[int | None] = reference("runs.id")
    created_at: Col[datetime]
    data: Col[str]


@row_class
class MemberRow:
    """A page in a cluster; a page is in at most one cluster."""

    page_id: Col[int] = owner("pages.id", key=True)
    """Id of the page."""
    distance: Col[float]
    """Distance to the medoid, from 0 to 1."""


@row_class
class ClusterMember(MemberRow):
    """A cluster member in its table."""

    cluster_id: Col[int] = owner("clusters.id")


@row_class
class ClusterRow:
    """Pages that share a template."""

    id: Col[int | None] = column(primary_key=True, nullable=False, default=None)
    """Id, stable from night to night; None for a new cluster."""
    kind: Col[TemplateKind]
    """Kind of its pages."""
    medoid_id: Col[int | None] = reference("pages.id")
    """Id of the medoid page; None if that page was removed."""
    radius: Col[float]
    """Largest distance of a member to the medoid."""
    size: Col[int] = column(default=0)
    """Number of pages; counted when stored."""
    members: tuple[MemberRow, ...] = ()
    """Its pages."""
    first_seen: Col[datetime | None] = column(nullable=False, default=None)
    """When it was first found; None before it is stored."""
    last_seen: Col[datetime | None] = column(nullable=False, default=None)
    """When it was last found; None before it is stored."""
    retired_at: Col[datetime | None] = column(default=None)
    """When it was first missing; None while it is in force."""


@row_class
class SiteCluster(ClusterRow):
    """A cluster in its table."""

    site_id: Col[int] = owner("sites.id")
    run_id: Col[int | None] = reference("runs.id")


@row_class
class VertexRow:
    """A vertex of a pattern that is a wildcard or has a label."""

    vertex: Col[int] = column(primary_key=True)
    """Position in the pattern, in preorder."""
    path: Col[str]
    """Path in the pattern, for people."""
    kind: Col[str]
    """`.`, `+`, `?` or `*`; `n` for a plain vertex that has a role."""
    role: Col[str | None] = column(default=None)
    """The field of `Article` that it gives; None if it gives none."""
    coverage: Col[float] = column(default=0.0)
    """Fraction of the pattern's pages with content at this vertex."""
    example: Col[str] = column(server_default="", default="")
    """Beginning of the text that it matched on a page; empty without text."""


@row_class
class PatternVertex(VertexRow):
    """A vertex in its table."""

    pattern_id: Col[int] = owner("patterns.id", key=True)


@row_class
class PatternRow:
    """An ne-pattern."""

    id: Col[int | None] = column(primary_key=True, nullable=False, default=None)
    """Id, stable while its template lasts; None for a new pattern."""
    cluster_id: Col[int | None] = reference("clusters.id")
    """The cluster it was made from; None if that was removed."""
    version: Col[int]
    """Version of the model that it came with."""
    kind: Col[TemplateKind]
    """Kind of its pages."""
    made_from: Col[int]
    """Number of pages composed into it."""
    constants: Col[int]
    """Number of vertices that are not wildcards."""
    position: Col[int] = column(server_default="0", default=0)
    """Position among the patterns of its version."""
    article_share: Col[float] = column(server_default="0", default=0.0)
    """Fraction of its sampled pages that are articles."""
    score: Col[float | None] = column(default=None)
    """Agreement of its labels with the evidence, from 0 to 1; None if it has none."""
    text: Col[str] = column(default="")
    """The tree, one vertex a line."""
    labels: Col[str] = column(server_default="", default="")
    """Labels and expectations of its pages, as JSON."""
    vertices: tuple[VertexRow, ...] = ()
    """Its wildcards and labelled vertices."""
    pages: tuple[int, ...] = ()
    """Ids of the pages composed into it, in order; written but not read."""
    created_at: Col[datetime | None] = column(nullable=False, default=None)
    """When it was first stored; None before."""
    retired_at: Col[datetime | None] = column(default=None)
    """When it was replaced; None while it is in force."""


@row_class
class SitePattern(PatternRow):
    """A pattern in its table."""

    site_id: Col[int] = owner("sites.id")
    run_id: Col[int | None] = reference("runs.id")


@row_class
class PatternPage:
    """A page that was composed into a pattern."""

    pattern_id: Col[int] = owner("patterns.id", key=True)
    page_id: Col[int] = owner("pages.id", key=True)
    position: Col[int]


@row_class
class PublishedPattern:
    """A pattern of Reis et al. (2004) as published; extraction does not use it."""

    number: Col[int] = column(primary_key=True)
    """Number in its site, from 1."""
    vertices: Col[int]
    """Number of vertices."""
    wildcards: Col[int]
    """Number of wildcards."""
    text: Col[str]
    """The tree, one vertex a line."""


@row_class
class SitePublishedPattern(PublishedPattern):
    """A published pattern in its table."""

    site_id: Col[int] = owner("sites.id", key=True)


@row_class
class Figures:
    """Results of a pattern on the pages of one night."""

    pattern_id: Col[int] = owner("patterns.id", key=True)
    """The pattern."""
    pages: Col[int]
    """Pages that it matched."""
    strict: Col[int]
    """Pages that it matched exactly."""
    articles: Col[int]
    """Matched pages that are articles."""
    before: Col[int] = column(default=0)
    """Pages that it had matched before their document changed."""
    accepted: Col[float | None] = column(default=None)
    """Fraction of these that it still matches; None without such pages."""
    dated: Col[float | None] = column(default=None)
    """Fraction of the articles with a date; None, here and below, without articles."""
    authored: Col[float | None] = column(default=None)
    """Fraction of the articles with an author."""
    words: Col[float | None] = column(default=None)
    """Median number of words of the bodies."""
    paragraphs: Col[float | None] = column(default=None)
    """Median number of paragraphs of the bodies."""
    captured: Col[float | None] = column(default=None)
    """Median fraction of the page's words that are in the body."""
    agreeing: Col[float | None] = column(default=None)
    """Fraction of the articles whose title is in the metadata; None without metadata."""


@row_class
class PatternNight(Figures):
    """Results of a pattern in their table."""

    run_id: Col[int] = owner("runs.id", key=True)


DECISION_FIELDS = (
    "content_hash model_version cost constants score page_words agrees before_pattern_id reason"
).split()
"""Fields of `Decision` that are columns as they are."""


@row_class
class Match:
    """Columns of a decision that have constraints or defaults in the database."""

    page_id: Col[int] = owner("pages.id", key=True)
    pattern_id: Col[int | None] = reference("patterns.id")
    fit: Col[Fit] = column(server_default=Fit.NONE)
    verdict: Col[Verdict] = column(server_default=Verdict.UNMATCHED)
    kept: Col[KeepReason] = column(server_default=KeepReason.NONE)
    run_id: Col[int | None] = reference("runs.id")
    extracted_at: Col[datetime]


ARTICLE_FIELDS = frozenset(
    name
    for name in Article.__slots__
    if name not in ("url", "page_urls", "other_urls", "provenance")
)
"""Fields of `Article` that are columns; the others are read from `pages` and `provenance`."""


@row_class
class StoredArticle:
    """Columns of an article besides the fields of `Article`, which are columns too."""

    page_id: Col[int] = owner("pages.id", key=True)
    site_id: Col[int] = owner("sites.id")
    pattern_id: Col[int | None] = reference("patterns.id")
    extracted_at: Col[datetime]
    created_at: Col[datetime | None]
    changed_at: Col[datetime | None]
    retired_at: Col[datetime | None]
    content_hash: Col[str | None]
    created_run_id: Col[int | None]
    retired_run_id: Col[int | None]


@row_class
class JoinedPage:
    """A page of a multi-page article, or a copy of an article."""

    page_id: Col[int] = owner("pages.id", key=True)
    """Id of the page."""
    article_id: Col[int] = owner("pages.id")
    """Id of the article's first page; that of the page itself if it is the first."""
    position: Col[int]
    """Position among the pages, from 1; 0 for a copy."""
    role: Col[PageRole]
    """Relation to the article."""


@row_class
class ArticlePage(JoinedPage):
    """A page of an article in its table; the row of the first page has the joined text."""

    structure: Col[str | None]
    body: Col[str | None]


@row_class
class FieldReason:
    """Columns of a provenance entry besides the fields of `Provenance`."""

    page_id: Col[int] = owner("articles.page_id", key=True)
    position: Col[int] = column(primary_key=True)


@row_class
class ArticleVersion:
    """Earlier content of an article."""

    title: Col[str]
    """The headline."""
    body: Col[str]
    """The text."""
    seen_from: Col[datetime]
    """When this content was first stored."""
    seen_until: Col[datetime]
    """When it was replaced."""
    changes: Col[str]
    """Changes of the next version, in a few words."""
    content_hash: Col[str | None] = column(default=None)
    """Hash of the document that gave it; None if unknown."""


@row_class
class PageArticleVersion(ArticleVersion):
    """Earlier content of an article in its table."""

    id: Col[int] = column(primary_key=True)
    page_id: Col[int] = owner("pages.id")
    run_id: Col[int | None]


@row_class
class Report:
    """Report of a nightly run."""

    run_id: Col[int] = owner("runs.id", key=True)
    needs_attention: Col[bool]
    data: Col[str]


@row_class
class Story:
    """At least two articles that are near-duplicates of each other."""

    id: Col[int] = column(primary_key=True)
    representative_id: Col[int] = owner("pages.id")
    created_at: Col[datetime]


@row_class
class SearchDocument:
    """An article in the search index; an edited article is a new document."""

    id: Col[int] = column(primary_key=True)
    page_id: Col[int] = owner("pages.id")
    site_id: Col[int] = owner("sites.id")
    dated: Col[datetime]
    language: Col[str | None]
    story_id: Col[int | None] = reference("stories.id")
    shared: Col[float | None]
    length: Col[int]
    is_compared: Col[bool]
    digest: Col[bytes]
    signature: Col[bytes]


@row_class
class SearchVersion:
    """Version of the folding function that the search index was built with."""

    folding: Col[int] = column(primary_key=True, autoincrement=False)


@row_class
class NewCorrection:
    """A person's correction of a page."""

    page_id: Col[int] = owner("pages.id")
    """The page."""
    field: Col[CorrectedField]
    """The corrected field."""
    kind: Col[CorrectionKind]
    """Whether the element is that field or is not."""
    place: Col[str] = column(default="")
    """XPath of the element; empty for the whole page."""
    selector: Col[str | None] = column(default=None)
    """Selector for other pages, as JSON; None for the element's place in the pattern."""
    text: Col[str] = column(default="")
    """The beginning of the element's text."""


@row_class
class Correction(NewCorrection):
    """A stored correction."""

    id: Col[int] = column(primary_key=True)
    """Its id."""
    site_id: Col[int] = owner("sites.id")
    """The site."""
    made_at: Col[datetime]
    """When it was made."""
    undone_at: Col[datetime | None]
    """When it was undone; None while it is in force."""


@row_class
class MutedFinding:
    """A finding that somebody has seen or muted."""

    site_id: Col[int] = owner("sites.id", key=True)
    """The site."""
    kind: Col[FindingKind] = column(primary_key=True)
    """Kind."""
    subject: Col[str] = column(primary_key=True)
    """Part of the site that it concerns."""
    state: Col[FindingState]
    """Seen, or muted."""
    said_at: Col[str]
    """Start of the nightly run that reported it: a later report of it is news."""

    def covers(self, said_at: str) -> bool:
        """Return True if it hides the finding in the report of a night that began then."""
        return self.state is FindingState.MUTED or said_at <= self.said_at


@row_class
class Clipping:
    """A saved search."""

    name: Col[str] = column(primary_key=True)
    """Its name."""
    query: Col[str]
    """The query as typed; relative days such as `since:7d` count from the time of the search."""
    sites: Col[tuple[str, ...]] = column(default=())
    """Names of the sites to search; empty for all."""
    created_at: Col[datetime]
    """When it was last saved."""


@row_class
class ReaderMarks:
    """Marks of an article by its readers."""

    page_id: Col[int] = owner("pages.id", key=True)
    """Its page."""
    read_at: Col[datetime | None] = column(default=None)
    """When it was read; None while it is unread."""
    starred_at: Col[datetime | None] = column(default=None)
    """When it was starred; None without a star."""


@row_class
class Round:
    """Work of a fleet on many sites: a night, or one stage."""

    id: Col[int] = column(primary_key=True)
    """Its number."""
    kind: Col[JobKind]
    """The work."""
    name: Col[str]
    """The day of a night; the time of the request for other work."""
    version: Col[str]
    """Version of flong that queued it."""
    queued_at: Col[datetime]
    """When it was queued."""
    reported_at: Col[datetime | None]
    """When its report was sent; None before."""


@row_class
class PlannedJob:
    """Work on one site, before it is queued."""

    site_id: Col[int] = owner("sites.id")
    """The site."""
    host: Col[str]
    """Host that it requests from: jobs of one host never run at the same time."""
    priority: Col[int]
    """Of the jobs that are due, the highest runs first."""
    due_at: Col[datetime]
    """When it may begin."""
    expected_seconds: Col[float]
    """Expected duration, from earlier runs."""


@row_class
class Job(PlannedJob):
    """Work on one site of a round."""

    id: Col[int] = column(primary_key=True)
    """Its number."""
    round_id: Col[int] = owner("fleet_rounds.id")
    """Its round."""
    state: Col[JobState]
    """Its state."""
    run_before: Col[int]
    """The site's latest finished run of this kind when it was queued; 0 before the first one."""
    attempts: Col[int]
    """Number of attempts."""
    worker: Col[str]
    """The worker that last began it."""
    started_at: Col[datetime | None]
    """When it was last begun; None if never."""
    finished_at: Col[datetime | None]
    """When it ended; None before."""
    run_id: Col[int | None] = reference("runs.id")
    """The run that did the work."""
    note: Col[str]
    """Error message."""


def _table(
    kind: type[R], name: str, *parts: SchemaItem, keyed: bool = False, **options: bool
) -> RowTable[R]:
    """Return a strict table; `keyed` stores its rows by primary key, without rowid in SQLite."""
    if keyed:
        options["sqlite_with_rowid"] = False
    return table(kind, name, metadata, *parts, sqlite_strict=True, **options)


def _index_where(condition: str, *columns: str) -> Index:
    """Return an index of the rows that meet a condition."""
    where = text(condition)
    return Index(None, *columns, sqlite_where=where, postgresql_where=where)


sites = _table(Site, "sites")
locks = _table(Lock, "locks")
runs = _table(Run, "runs", Index(None, "site_id", "kind"), Index(None, "started_at"))
# Ids are not reused: a page must never be unpacked with another dictionary.
dictionaries = _table(Dictionary, "dictionaries", Index(None, "site_id"), sqlite_autoincrement=True)
pages = _table(
    StoredPage,
    "pages",
    UniqueConstraint("site_id", "url"),
    _index_where("content_hash IS NOT NULL", "site_id"),
    _index_where(
        "outcome IN ('failed', 'walled', 'broken', 'gone', 'soft_404')", "site_id", "outcome"
    ),
    _index_where("outcome IN ('gone', 'soft_404')", "run_id", "id"),
)
page_versions = _table(PageVersion, "page_versions", Index(None, "page_id"))
page_blocks = _table(PageBlocks, "page_blocks")
anchors = _table(SiteAnchor, "anchors", keyed=True)
models = _table(Model, "models", UniqueConstraint("site_id", "version"))
clusters = _table(SiteCluster, "clusters", Index(None, "site_id"))
cluster_members = _table(ClusterMember, "cluster_members", Index(None, "cluster_id"))
patterns = _table(SitePattern, "patterns", Index(None, "site_id"))
vertices = _table(PatternVertex, "vertices", keyed=True)
pattern_pages = _table(PatternPage, "pattern_pages", Index(None, "page_id"), keyed=True)
published_patterns = _table(SitePublishedPattern, "published_patterns", keyed=True)
matches: Table[Any] = _table(
    Match,
    "matches",
    *columns_of(Decision, names=DECISION_FIELDS),
    Index(None, "pattern_id"),
    Index(None, "run_id"),
)
articles: Table[Any] = _table(
    StoredArticle,
    "articles",
    *columns_of(Article, names=ARTICLE_FIELDS, nullable=("sections", "tags")),
    Index(None, "site_id"),
    Index(None, "pattern_id"),
    Index(None, "created_at", "site_id", "page_id", "published", "retired_at"),
    _index_where("retired_at IS NULL", "site_id", "page_id"),
    _index_where("retired_at IS NOT NULL", "retired_at"),
    Index(None, "created_run_id"),
)
article_pages = _table(ArticlePage, "article_pages", Index(None, "article_id"))
provenance: Table[Any] = _table(
    FieldReason, "provenance", *columns_of(Provenance, names=Provenance.__slots__), keyed=True
)
article_versions = _table(
    PageArticleVersion, "article_versions", Index(None, "page_id"), Index(None, "seen_until")
)
pattern_nights = _table(PatternNight, "pattern_nights", Index(None, "pattern_id"), keyed=True)
aliases = _table(SiteAlias, "aliases", keyed=True)
reports = _table(Report, "reports")
stories = _table(Story, "stories", Index(None, "representative_id"))
# SQLAlchemy does not describe the index itself, `search_index`: see `term_index`.
search_documents = _table(
    SearchDocument,
    "search_documents",
    UniqueConstraint("page_id"),
    Index(None, "site_id"),
    Index(None, "story_id"),
    sqlite_autoincrement=True,
)
search_version = _table(SearchVersion, "search_version")
# Ids are not reused: people refer to corrections by number.
corrections = _table(
    Correction,
    "corrections",
    Index(None, "site_id"),
    Index(None, "page_id"),
    sqlite_autoincrement=True,
)
muted_findings = _table(MutedFinding, "muted_findings", keyed=True)
clippings = _table(Clipping, "clippings", keyed=True)
reader_marks = _table(ReaderMarks, "reader_marks")
fleet_rounds = _table(Round, "fleet_rounds", UniqueConstraint("kind", "name"))
fleet_jobs = _table(
    Job,
    "fleet_jobs",
    UniqueConstraint("round_id", "site_id"),
    Index(None, "site_id"),
    Index(None, "state"),
)
