"""Columns of what nights leave behind: aliases, earlier articles, figures, reports."""

from datetime import datetime

from sqlalchemy import Column, Integer, Named, TypedColumns

from storage.columns import CleanText, Flag, Real, UtcTime, owner


class AliasColumns(TypedColumns):
    """An address at which no page is kept: where it leads, if anywhere."""

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
