"""View and feed of edited headlines and texts, and of articles taken down."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Depends, FastAPI, Request, Response
from fastapi import Query as Asked

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.differences import Change, Kind, compare
from flong.inspector.search import send_feed
from flong.search import Entry, Feed
from flong.storage import NightArticle, NightPeriod

SHOWN = 50
"""Maximum number of edits, and of articles taken down, latest first."""

SIGNS = {Kind.SAME: "{}", Kind.REMOVED: "[-{}-]", Kind.ADDED: "{{+{}+}}"}
"""Differences in feeds, in the notation of `wdiff`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedEdits:
    """Parameters of the view."""

    site: str = ""
    """Name of a site; empty for all sites."""
    days: Annotated[int, Asked(ge=1, le=36500)] = 7
    """Number of days before now."""
    headlines: bool = False
    """True for edited headlines only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The latest edit of an article."""

    article: NightArticle
    """The article and the time of the edit."""
    title: list[Change]
    """Differences of the headline; empty if it is unchanged."""
    paragraphs: list[list[Change]]
    """Changed paragraphs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditsView:
    """Edits of one site or all."""

    asked: AskedEdits
    """Parameters of the view."""
    edits: list[Edit]
    """Edits, latest first."""
    gone: list[NightArticle]
    """Articles taken down, latest first."""
    sites: list[str]
    """Names of all sites."""


def view_edits(database: ReadOnlyDatabase, asked: Annotated[AskedEdits, Depends()]) -> EditsView:
    """List edited headlines and texts, and articles taken down."""
    if asked.site:
        database.site(asked.site)
    since = datetime.now(UTC) - timedelta(days=asked.days)
    period = NightPeriod(day="", since=f"{since:%Y-%m-%dT%H:%M:%SZ}", until="9999")
    nights = database.store.nights
    edited = _latest(nights.edited(period, most=SHOWN, site=asked.site))
    gone = _latest(nights.gone(period, most=SHOWN, site=asked.site))
    edits = [_edit(database, each) for each in edited]
    return EditsView(
        asked=asked,
        edits=[each for each in edits if each.title or not asked.headlines],
        gone=[] if asked.headlines else gone,
        sites=[site.name for site in database.store.sites.all()],
    )


def _latest(found: Sequence[NightArticle]) -> list[NightArticle]:
    return sorted(found, key=lambda each: each.happened, reverse=True)[:SHOWN]


def _edit(database: ReadOnlyDatabase, found: NightArticle) -> Edit:
    articles = database.store.articles
    old, new = articles.versions(found.page_id)[-1], articles.find(found.page_id)
    title, body = (new.article.title, new.article.body) if new else (found.title, old.body)
    return Edit(
        article=found,
        title=[change for line in _changed(old.title, title) for change in line],
        paragraphs=_changed(old.body, body),
    )


def _changed(old: str, new: str) -> list[list[Change]]:
    """Return the paragraphs with differences."""
    return [
        line for line in compare(old, new) if any(change.kind is not Kind.SAME for change in line)
    ]


def add_edit_feeds(app: FastAPI, database: ReadOnlyDatabase) -> None:
    """Add the feeds of edits."""

    @app.get("/edits.{format}")
    def edit_feed(
        request: Request, format: str, asked: Annotated[AskedEdits, Depends()]
    ) -> Response:
        """Return edits and articles taken down as a feed: `rss` or `atom`."""
        return send_feed(request, format, lambda: _feed(database, request, asked))


def _feed(database: ReadOnlyDatabase, request: Request, asked: AskedEdits) -> Feed:
    view = view_edits(database, asked)
    base = str(request.base_url)
    entries = [
        _entry(base, each.article, each.article.title, _summary(each)) for each in view.edits
    ]
    entries += [
        _entry(base, each, f"Taken down: {each.title}", "The page is gone.") for each in view.gone
    ]
    return Feed(
        title=f"Edits of {asked.site or 'all sites'}",
        home=f"{base}edits?{urlencode({'site': asked.site})}",
        url=str(request.url),
        entries=sorted(entries, key=lambda entry: entry.updated, reverse=True),
    )


def _entry(base: str, article: NightArticle, title: str, summary: str) -> Entry:
    time = datetime.fromisoformat(article.happened)
    return Entry(
        url=f"{base}articles/{article.page_id}/versions#{article.happened}",
        title=title,
        summary=summary,
        published=time,
        updated=time,
        site=article.site,
    )


def _summary(edit: Edit) -> str:
    lines = [edit.title, *edit.paragraphs] if edit.title else edit.paragraphs
    return "\n".join(
        "".join(SIGNS[change.kind].format(change.text) for change in line if change.text)
        for line in lines
    )
