"""The tables, one class each; the schema changes only together with a migration.

Times are ISO 8601 text in UTC, lists are JSON text, large values stand last in their row.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Named,
    Table,
    Text,
    TypedColumns,
    UniqueConstraint,
    text,
)

from flong.states import (
    Access,
    CorrectedField,
    CorrectionKind,
    Fit,
    Genre,
    JobKind,
    JobState,
    Kept,
    LookState,
    Outcome,
    PageRole,
    Precision,
    RunStatus,
    Verdict,
)
from flong.storage.columns import (
    CleanText,
    Flag,
    Large,
    Real,
    State,
    TextList,
    UtcTime,
    owner,
    reference,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

STRICT: dict[str, Any] = {"sqlite_strict": True}
# A table that is its own primary key needs no second tree in SQLite.
KEYED: dict[str, Any] = {"sqlite_strict": True, "sqlite_with_rowid": False}

FULL_TEXT = ("search_index", "search_vocabulary")
"""How the names of the tables begin that the databases' full-text search makes for itself."""
ORDERED = ("ix_articles_doubt", "ix_search_documents_dated_page_id")
"""Indexes in an order that SQLAlchemy cannot compare: see migration 0026 and `lists`."""


class SiteColumns(TypedColumns):
    """A portal and how it is crawled."""

    id: Named[int] = Column(Integer, primary_key=True)
    name: Named[str] = Column(Text, unique=True)
    url: Named[str] = Column(Text)
    paused: Named[bool] = Column(Flag)
    depth: Named[int] = Column(Integer)
    delay: Named[float | None] = Column(Real)
    render: Named[bool] = Column(Flag)
    subdomains: Named[bool] = Column(Flag)
    max_pages: Named[int | None] = Column(Integer)
    created_at: Named[datetime] = Column(UtcTime)
    include: Named[str | None] = Column(Text)
    exclude: Named[str | None] = Column(Text)
    cookies: Named[str | None] = Column(Text)
    importance: Named[int] = Column(Integer, server_default="0")
    visual: Named[bool] = Column(Flag, server_default="0")


class LockPart(StrEnum):
    """Which of the processes that work on a site together a lock belongs to."""

    OWNER = "owner"
    """The one that took the site."""
    CHILD = "child"
    """One that the owner started on it, and waits for."""


class LockColumns(TypedColumns):
    """Which process works on a site."""

    site_id: Named[int] = owner("sites.id", key=True)
    part: Named[LockPart] = Column(State(LockPart), primary_key=True)
    pid: Named[int] = Column(Integer)
    host: Named[str] = Column(Text)
    machine: Named[str] = Column(Text)
    started: Named[int] = Column(Large)
    taken_at: Named[datetime] = Column(UtcTime)
    heartbeats: Named[int] = Column(Integer)
    heartbeat_seconds: Named[float] = Column(Real)


class RunColumns(TypedColumns):
    """One stage of work on one site, and what it found."""

    id: Named[int] = Column(Integer, primary_key=True)
    site_id: Named[int] = owner("sites.id")
    kind: Named[str] = Column(Text)
    status: Named[RunStatus] = Column(State(RunStatus), server_default=RunStatus.FAILED)
    pid: Named[int] = Column(Integer)
    host: Named[str] = Column(Text)
    started_at: Named[datetime] = Column(UtcTime)
    finished_at: Named[datetime | None] = Column(UtcTime)
    night_id: Named[int | None] = Column(Integer)
    new: Named[int] = Column(Integer)
    changed: Named[int] = Column(Integer)
    unchanged: Named[int] = Column(Integer)
    gone: Named[int] = Column(Integer)
    failed: Named[int] = Column(Integer)
    articles: Named[int] = Column(Integer)
    note: Named[str] = Column(CleanText)


class DictionaryColumns(TypedColumns):
    """What the pages of a site have in common, for their compression."""

    id: Named[int] = Column(Integer, primary_key=True)
    site_id: Named[int] = owner("sites.id")
    pages: Named[int] = Column(Integer)
    created_at: Named[datetime] = Column(UtcTime)
    data: Named[bytes] = Column(LargeBinary)


class PageColumns(TypedColumns):
    """One URL of a site, with what was last served there."""

    id: Named[int] = Column(Integer, primary_key=True)
    site_id: Named[int] = owner("sites.id")
    url: Named[str] = Column(CleanText)
    depth: Named[int] = Column(Integer)
    outcome: Named[Outcome] = Column(State(Outcome))
    run_id: Named[int | None] = reference("runs.id")
    status: Named[int] = Column(Integer)
    error: Named[str | None] = Column(CleanText)
    encoding: Named[str] = Column(CleanText)
    etag: Named[str | None] = Column(CleanText)
    last_modified: Named[str | None] = Column(CleanText)
    content_hash: Named[str | None] = Column(Text)
    first_seen: Named[datetime] = Column(UtcTime)
    last_seen: Named[datetime | None] = Column(UtcTime)
    changed_at: Named[datetime | None] = Column(UtcTime)
    size: Named[int] = Column(Integer)
    dictionary_id: Named[int | None] = Column(Integer, ForeignKey("dictionaries.id"))
    links: Named[bytes | None] = Column(LargeBinary)
    html: Named[bytes | None] = Column(LargeBinary)


class VersionColumns(TypedColumns):
    """What a page was before it changed."""

    id: Named[int] = Column(Integer, primary_key=True)
    page_id: Named[int] = owner("pages.id")
    content_hash: Named[str] = Column(Text)
    seen_from: Named[datetime] = Column(UtcTime)
    seen_until: Named[datetime] = Column(UtcTime)
    size: Named[int] = Column(Integer)
    dictionary_id: Named[int | None] = Column(Integer, ForeignKey("dictionaries.id"))
    encoding: Named[str | None] = Column(CleanText)
    etag: Named[str | None] = Column(CleanText)
    last_modified: Named[str | None] = Column(CleanText)
    links: Named[bytes | None] = Column(LargeBinary)
    html: Named[bytes] = Column(LargeBinary)


class PageBlockColumns(TypedColumns):
    """What a reader saw of a page when it was crawled."""

    page_id: Named[int] = owner("pages.id", key=True)
    content_hash: Named[str] = Column(Text)
    blocks: Named[bytes] = Column(LargeBinary)


class AnchorColumns(TypedColumns):
    """What others call a page."""

    site_id: Named[int] = owner("sites.id", key=True)
    url: Named[str] = Column(CleanText, primary_key=True)
    source: Named[str] = Column(Text, primary_key=True)
    text: Named[str] = Column(CleanText, primary_key=True)
    pages: Named[int] = Column(Integer)
    published: Named[datetime | None] = Column(UtcTime)


class ModelColumns(TypedColumns):
    """What was learned about a site as a whole, and how its pages were grouped."""

    id: Named[int] = Column(Integer, primary_key=True)
    site_id: Named[int] = owner("sites.id")
    version: Named[int] = Column(Integer)
    run_id: Named[int | None] = reference("runs.id")
    created_at: Named[datetime] = Column(UtcTime)
    similarity: Named[float | None] = Column(Real)
    replace_cost: Named[int | None] = Column(Integer)
    dendrogram: Named[str | None] = Column(Text)
    data: Named[str] = Column(CleanText)


class ClusterColumns(TypedColumns):
    """Pages that share a template; the id stays the same from night to night."""

    id: Named[int] = Column(Integer, primary_key=True)
    site_id: Named[int] = owner("sites.id")
    kind: Named[str] = Column(Text)
    medoid_id: Named[int | None] = reference("pages.id")
    size: Named[int] = Column(Integer)
    radius: Named[float] = Column(Real)
    run_id: Named[int | None] = reference("runs.id")
    first_seen: Named[datetime] = Column(UtcTime)
    last_seen: Named[datetime] = Column(UtcTime)
    retired_at: Named[datetime | None] = Column(UtcTime)


class MemberColumns(TypedColumns):
    """Which cluster a page is in; one at most."""

    page_id: Named[int] = owner("pages.id", key=True)
    cluster_id: Named[int] = owner("clusters.id")
    distance: Named[float] = Column(Real)


class PatternColumns(TypedColumns):
    """An ne-pattern in force, or retired; the id stays the same while its template does."""

    id: Named[int] = Column(Integer, primary_key=True)
    site_id: Named[int] = owner("sites.id")
    cluster_id: Named[int | None] = reference("clusters.id")
    version: Named[int] = Column(Integer)
    kind: Named[str] = Column(Text)
    made_from: Named[int] = Column(Integer)
    constants: Named[int] = Column(Integer)
    score: Named[float | None] = Column(Real)
    run_id: Named[int | None] = reference("runs.id")
    created_at: Named[datetime] = Column(UtcTime)
    retired_at: Named[datetime | None] = Column(UtcTime)
    position: Named[int] = Column(Integer, server_default="0")
    article_share: Named[float] = Column(Real, server_default="0")
    labels: Named[str] = Column(CleanText, server_default="")
    text: Named[str] = Column(CleanText)
    data: Named[str] = Column(CleanText)


class WildcardColumns(TypedColumns):
    """A place of a pattern where pages differ or where a field was found."""

    pattern_id: Named[int] = owner("patterns.id", key=True)
    vertex: Named[int] = Column(Integer, primary_key=True)
    path: Named[str] = Column(CleanText)
    kind: Named[str] = Column(Text)
    role: Named[str | None] = Column(Text)
    coverage: Named[float] = Column(Real)


class MatchColumns(TypedColumns):
    """How extraction last decided about a page."""

    page_id: Named[int] = owner("pages.id", key=True)
    content_hash: Named[str] = Column(Text)
    model_version: Named[int] = Column(Integer)
    pattern_id: Named[int | None] = reference("patterns.id")
    fit: Named[Fit] = Column(State(Fit), server_default=Fit.NONE)
    cost: Named[float | None] = Column(Real)
    constants: Named[int] = Column(Integer)
    verdict: Named[Verdict] = Column(State(Verdict), server_default=Verdict.UNMATCHED)
    score: Named[float | None] = Column(Real)
    run_id: Named[int | None] = reference("runs.id")
    extracted_at: Named[datetime] = Column(UtcTime)
    page_words: Named[int | None] = Column(Integer)
    agrees: Named[bool | None] = Column(Flag)
    before_pattern_id: Named[int | None] = Column(Integer)
    kept: Named[Kept] = Column(State(Kept), server_default=Kept.NONE)
    reason: Named[str] = Column(CleanText)


class ArticleColumns(TypedColumns):
    """The article of a page."""

    page_id: Named[int] = owner("pages.id", key=True)
    site_id: Named[int] = owner("sites.id")
    title: Named[str] = Column(CleanText)
    published: Named[datetime | None] = Column(UtcTime)
    modified: Named[datetime | None] = Column(UtcTime)
    authors: Named[str] = Column(CleanText)
    image: Named[str | None] = Column(CleanText)
    language: Named[str | None] = Column(CleanText)
    section: Named[str | None] = Column(CleanText)
    confidence: Named[float] = Column(Real)
    method: Named[str] = Column(Text)
    pattern_id: Named[int | None] = reference("patterns.id")
    extracted_at: Named[datetime] = Column(UtcTime)
    created_at: Named[datetime | None] = Column(UtcTime)
    changed_at: Named[datetime | None] = Column(UtcTime)
    retired_at: Named[datetime | None] = Column(UtcTime)
    content_hash: Named[str | None] = Column(Text)
    published_precision: Named[Precision | None] = Column(State(Precision))
    published_text: Named[str | None] = Column(CleanText)
    modified_precision: Named[Precision | None] = Column(State(Precision))
    modified_text: Named[str | None] = Column(CleanText)
    sections: Named[tuple[str, ...] | None] = Column(TextList)
    description: Named[str | None] = Column(CleanText)
    tags: Named[tuple[str, ...] | None] = Column(TextList)
    publisher: Named[str | None] = Column(CleanText)
    canonical_url: Named[str | None] = Column(CleanText)
    access: Named[Access | None] = Column(State(Access))
    genre: Named[Genre | None] = Column(State(Genre))
    structure: Named[str | None] = Column(CleanText)
    body: Named[str] = Column(CleanText)


class ArticlePageColumns(TypedColumns):
    """Which pages belong to the article of another page; in the row of the first, its words."""

    page_id: Named[int] = owner("pages.id", key=True)
    article_id: Named[int] = owner("pages.id")
    position: Named[int] = Column(Integer)
    role: Named[PageRole] = Column(State(PageRole))
    structure: Named[str | None] = Column(CleanText)
    body: Named[str | None] = Column(CleanText)


class ProvenanceColumns(TypedColumns):
    """Why a field of an article has its value."""

    page_id: Named[int] = owner("articles.page_id", key=True)
    position: Named[int] = Column(Integer, primary_key=True)
    field: Named[str] = Column(Text)
    source: Named[str] = Column(CleanText)
    place: Named[str] = Column(CleanText)
    vertex: Named[int | None] = Column(Integer)


class AliasColumns(TypedColumns):
    """A URL at which no page is kept: where it leads, if anywhere."""

    site_id: Named[int] = owner("sites.id", key=True)
    url: Named[str] = Column(CleanText, primary_key=True)
    target: Named[str | None] = Column(CleanText)
    is_page: Named[bool] = Column(Flag)
    checked_at: Named[datetime] = Column(UtcTime)


class ArticleVersionColumns(TypedColumns):
    """What an article was before it changed."""

    id: Named[int] = Column(Integer, primary_key=True)
    page_id: Named[int] = owner("pages.id")
    title: Named[str] = Column(CleanText)
    seen_from: Named[datetime] = Column(UtcTime)
    seen_until: Named[datetime] = Column(UtcTime)
    changes: Named[str] = Column(CleanText)
    content_hash: Named[str | None] = Column(Text)
    body: Named[str] = Column(CleanText)


class FigureColumns(TypedColumns):
    """How a pattern did on the pages of one night."""

    run_id: Named[int] = owner("runs.id", key=True)
    pattern_id: Named[int] = owner("patterns.id", key=True)
    pages: Named[int] = Column(Integer)
    strict: Named[int] = Column(Integer)
    articles: Named[int] = Column(Integer)
    before: Named[int] = Column(Integer)
    accepted: Named[float | None] = Column(Real)
    dated: Named[float | None] = Column(Real)
    authored: Named[float | None] = Column(Real)
    words: Named[float | None] = Column(Real)
    paragraphs: Named[float | None] = Column(Real)
    captured: Named[float | None] = Column(Real)
    agreeing: Named[float | None] = Column(Real)


class ReportColumns(TypedColumns):
    """What a nightly run had to say."""

    run_id: Named[int] = owner("runs.id", key=True)
    needs_look: Named[bool] = Column(Flag)
    data: Named[str] = Column(CleanText)


class StoryColumns(TypedColumns):
    """Articles that are redundant to each other; one of at least two."""

    id: Named[int] = Column(Integer, primary_key=True)
    representative_id: Named[int] = owner("pages.id")
    created_at: Named[datetime] = Column(UtcTime)


class SearchDocumentColumns(TypedColumns):
    """An article in the search index; an edited one is another document."""

    id: Named[int] = Column(Integer, primary_key=True)
    page_id: Named[int] = owner("pages.id")
    site_id: Named[int] = owner("sites.id")
    dated: Named[datetime] = Column(UtcTime)
    language: Named[str | None] = Column(CleanText)
    story_id: Named[int | None] = reference("stories.id")
    shared: Named[float | None] = Column(Real)
    length: Named[int] = Column(Integer)
    is_compared: Named[bool] = Column(Flag)
    digest: Named[bytes] = Column(LargeBinary)
    signature: Named[bytes] = Column(LargeBinary)


class SearchVersionColumns(TypedColumns):
    """By which version of the folding function the search index was made."""

    folding: Named[int] = Column(Integer, primary_key=True, autoincrement=False)


class CorrectionColumns(TypedColumns):
    """What a person said about a page."""

    id: Named[int] = Column(Integer, primary_key=True)
    site_id: Named[int] = owner("sites.id")
    page_id: Named[int] = owner("pages.id")
    field: Named[CorrectedField] = Column(State(CorrectedField))
    kind: Named[CorrectionKind] = Column(State(CorrectionKind))
    place: Named[str] = Column(CleanText)
    selector: Named[str | None] = Column(CleanText)
    text: Named[str] = Column(CleanText)
    made_at: Named[datetime] = Column(UtcTime)
    undone_at: Named[datetime | None] = Column(UtcTime)


class LookStateColumns(TypedColumns):
    """What was seen of what needs a look."""

    site_id: Named[int] = owner("sites.id", key=True)
    about: Named[str] = Column(CleanText, primary_key=True)
    state: Named[LookState] = Column(State(LookState))
    said_at: Named[str] = Column(Text)


class ClippingColumns(TypedColumns):
    """A search that is kept."""

    name: Named[str] = Column(CleanText, primary_key=True)
    query: Named[str] = Column(CleanText)
    sites: Named[str] = Column(CleanText)
    created_at: Named[datetime] = Column(UtcTime)


class RoundColumns(TypedColumns):
    """What a fleet was asked to do to many sites: a night, or a stage for all of them."""

    id: Named[int] = Column(Integer, primary_key=True)
    kind: Named[JobKind] = Column(State(JobKind))
    name: Named[str] = Column(Text)
    version: Named[str] = Column(Text)
    queued_at: Named[datetime] = Column(UtcTime)
    reported_at: Named[datetime | None] = Column(UtcTime)


class JobColumns(TypedColumns):
    """One site of a round: what became of it, and who did it."""

    id: Named[int] = Column(Integer, primary_key=True)
    round_id: Named[int] = owner("fleet_rounds.id")
    site_id: Named[int] = owner("sites.id")
    state: Named[JobState] = Column(State(JobState))
    host: Named[str] = Column(Text)
    priority: Named[int] = Column(Integer)
    due_at: Named[datetime] = Column(UtcTime)
    expected_seconds: Named[float] = Column(Real)
    run_before: Named[int] = Column(Integer)
    attempts: Named[int] = Column(Integer)
    worker: Named[str] = Column(Text)
    started_at: Named[datetime | None] = Column(UtcTime)
    finished_at: Named[datetime | None] = Column(UtcTime)
    run_id: Named[int | None] = reference("runs.id")
    note: Named[str] = Column(CleanText)


def _index_where(condition: str, *columns: str) -> Index:
    """Return an index of the rows for which a condition holds."""
    where = text(condition)
    return Index(None, *columns, sqlite_where=where, postgresql_where=where)


sites = Table("sites", metadata, SiteColumns, **STRICT)
locks = Table("locks", metadata, LockColumns, **STRICT)
runs = Table(
    "runs",
    metadata,
    RunColumns,
    Index(None, "site_id", "kind"),
    Index(None, "started_at"),
    **STRICT,
)
# An id is never given twice: a stored page must not meet another dictionary than its own.
dictionaries = Table(
    "dictionaries",
    metadata,
    DictionaryColumns,
    Index(None, "site_id"),
    sqlite_autoincrement=True,
    **STRICT,
)
pages = Table(
    "pages",
    metadata,
    PageColumns,
    UniqueConstraint("site_id", "url"),
    _index_where("content_hash IS NOT NULL", "site_id"),
    _index_where(
        "outcome IN ('failed', 'walled', 'broken', 'gone', 'soft_404')", "site_id", "outcome"
    ),
    _index_where("outcome IN ('gone', 'soft_404')", "run_id", "id"),
    **STRICT,
)
page_versions = Table("page_versions", metadata, VersionColumns, Index(None, "page_id"), **STRICT)
page_blocks = Table("page_blocks", metadata, PageBlockColumns, **STRICT)
anchors = Table("anchors", metadata, AnchorColumns, **KEYED)
models = Table("models", metadata, ModelColumns, UniqueConstraint("site_id", "version"), **STRICT)
clusters = Table("clusters", metadata, ClusterColumns, Index(None, "site_id"), **STRICT)
cluster_members = Table(
    "cluster_members", metadata, MemberColumns, Index(None, "cluster_id"), **STRICT
)
patterns = Table("patterns", metadata, PatternColumns, Index(None, "site_id"), **STRICT)
wildcards = Table("wildcards", metadata, WildcardColumns, **KEYED)
matches = Table(
    "matches", metadata, MatchColumns, Index(None, "pattern_id"), Index(None, "run_id"), **STRICT
)
articles = Table(
    "articles",
    metadata,
    ArticleColumns,
    Index(None, "site_id"),
    Index(None, "pattern_id"),
    Index(None, "created_at", "site_id", "page_id", "published", "retired_at"),
    _index_where("retired_at IS NULL", "site_id", "page_id"),
    _index_where("retired_at IS NOT NULL", "retired_at"),
    **STRICT,
)
article_pages = Table(
    "article_pages", metadata, ArticlePageColumns, Index(None, "article_id"), **STRICT
)
provenance = Table("provenance", metadata, ProvenanceColumns, **KEYED)
article_versions = Table(
    "article_versions",
    metadata,
    ArticleVersionColumns,
    Index(None, "page_id"),
    Index(None, "seen_until"),
    **STRICT,
)
pattern_nights = Table(
    "pattern_nights", metadata, FigureColumns, Index(None, "pattern_id"), **KEYED
)
aliases = Table("aliases", metadata, AliasColumns, **KEYED)
reports = Table("reports", metadata, ReportColumns, **STRICT)
stories = Table("stories", metadata, StoryColumns, Index(None, "representative_id"), **STRICT)
# The index itself, `search_index`, is no table that SQLAlchemy knows: see `term_index`.
search_documents = Table(
    "search_documents",
    metadata,
    SearchDocumentColumns,
    UniqueConstraint("page_id"),
    Index(None, "site_id"),
    Index(None, "story_id"),
    sqlite_autoincrement=True,
    **STRICT,
)
search_version = Table("search_version", metadata, SearchVersionColumns, **STRICT)
# A number is never given twice: people remember those of corrections.
corrections = Table(
    "corrections",
    metadata,
    CorrectionColumns,
    Index(None, "site_id"),
    Index(None, "page_id"),
    sqlite_autoincrement=True,
    **STRICT,
)
look_states = Table("look_states", metadata, LookStateColumns, **KEYED)
clippings = Table("clippings", metadata, ClippingColumns, **KEYED)
fleet_rounds = Table(
    "fleet_rounds", metadata, RoundColumns, UniqueConstraint("kind", "name"), **STRICT
)
fleet_jobs = Table(
    "fleet_jobs",
    metadata,
    JobColumns,
    UniqueConstraint("round_id", "site_id"),
    Index(None, "site_id"),
    Index(None, "state"),
    **STRICT,
)
