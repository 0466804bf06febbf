"""The tables, one class each; the schema changes only together with a migration.

Times are ISO 8601 text in UTC, lists are JSON text, large values stand last in their row.
"""

from datetime import datetime
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
)

from storage.columns import CleanText, Flag, Real, UtcTime, owner, reference
from storage.night_columns import AliasColumns, ArticleVersionColumns, FigureColumns, ReportColumns

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


class LockColumns(TypedColumns):
    """Which process works on a site."""

    site_id: Named[int] = owner("sites.id", key=True)
    pid: Named[int] = Column(Integer)
    host: Named[str] = Column(Text)
    taken_at: Named[datetime] = Column(UtcTime)


class RunColumns(TypedColumns):
    """One stage of work on one site, and what it found."""

    id: Named[int] = Column(Integer, primary_key=True)
    site_id: Named[int] = owner("sites.id")
    kind: Named[str] = Column(Text)
    status: Named[str] = Column(Text)
    pid: Named[int] = Column(Integer)
    host: Named[str] = Column(Text)
    started_at: Named[datetime] = Column(UtcTime)
    finished_at: Named[datetime | None] = Column(UtcTime)
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
    """One address of a site, with what was last served there."""

    id: Named[int] = Column(Integer, primary_key=True)
    site_id: Named[int] = owner("sites.id")
    url: Named[str] = Column(CleanText)
    depth: Named[int] = Column(Integer)
    outcome: Named[str] = Column(Text)
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


class AnchorColumns(TypedColumns):
    """What others call a page."""

    site_id: Named[int] = owner("sites.id", key=True)
    url: Named[str] = Column(CleanText, primary_key=True)
    source: Named[str] = Column(Text, primary_key=True)
    text: Named[str] = Column(CleanText, primary_key=True)
    pages: Named[int] = Column(Integer)
    published: Named[datetime | None] = Column(UtcTime)


class ModelColumns(TypedColumns):
    """Everything learned about a site, in one document."""

    id: Named[int] = Column(Integer, primary_key=True)
    site_id: Named[int] = owner("sites.id")
    version: Named[int] = Column(Integer)
    run_id: Named[int | None] = reference("runs.id")
    created_at: Named[datetime] = Column(UtcTime)
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
    """An ne-pattern in force, or retired."""

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
    fit: Named[str] = Column(Text)
    cost: Named[float | None] = Column(Real)
    constants: Named[int] = Column(Integer)
    verdict: Named[str] = Column(Text)
    score: Named[float | None] = Column(Real)
    run_id: Named[int | None] = reference("runs.id")
    extracted_at: Named[datetime] = Column(UtcTime)
    page_words: Named[int | None] = Column(Integer)
    agrees: Named[bool | None] = Column(Flag)
    before_pattern_id: Named[int | None] = Column(Integer)
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
    body: Named[str] = Column(CleanText)


class ProvenanceColumns(TypedColumns):
    """Why a field of an article has its value."""

    page_id: Named[int] = owner("articles.page_id", key=True)
    position: Named[int] = Column(Integer, primary_key=True)
    field: Named[str] = Column(Text)
    source: Named[str] = Column(CleanText)
    place: Named[str] = Column(CleanText)
    vertex: Named[int | None] = Column(Integer)


sites = Table("sites", metadata, SiteColumns, **STRICT)
locks = Table("locks", metadata, LockColumns, **STRICT)
runs = Table("runs", metadata, RunColumns, Index(None, "site_id", "kind"), **STRICT)
# A number is never given twice: a stored page must not meet another dictionary than its own.
dictionaries = Table(
    "dictionaries",
    metadata,
    DictionaryColumns,
    Index(None, "site_id"),
    sqlite_autoincrement=True,
    **STRICT,
)
pages = Table("pages", metadata, PageColumns, UniqueConstraint("site_id", "url"), **STRICT)
page_versions = Table("page_versions", metadata, VersionColumns, Index(None, "page_id"), **STRICT)
anchors = Table("anchors", metadata, AnchorColumns, **KEYED)
models = Table("models", metadata, ModelColumns, UniqueConstraint("site_id", "version"), **STRICT)
clusters = Table("clusters", metadata, ClusterColumns, Index(None, "site_id"), **STRICT)
cluster_members = Table(
    "cluster_members", metadata, MemberColumns, Index(None, "cluster_id"), **STRICT
)
patterns = Table("patterns", metadata, PatternColumns, Index(None, "site_id"), **STRICT)
wildcards = Table("wildcards", metadata, WildcardColumns, **KEYED)
matches = Table("matches", metadata, MatchColumns, Index(None, "pattern_id"), **STRICT)
articles = Table("articles", metadata, ArticleColumns, Index(None, "site_id"), **STRICT)
provenance = Table("provenance", metadata, ProvenanceColumns, **KEYED)
article_versions = Table(
    "article_versions", metadata, ArticleVersionColumns, Index(None, "page_id"), **STRICT
)
pattern_nights = Table(
    "pattern_nights", metadata, FigureColumns, Index(None, "pattern_id"), **KEYED
)
aliases = Table("aliases", metadata, AliasColumns, **KEYED)
reports = Table("reports", metadata, ReportColumns, **STRICT)
