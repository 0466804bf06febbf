"""Search: what fits a query, stories and suggestions, and feeds at stable URLs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Depends, FastAPI, Request, Response
from fastapi import Query as Asked

from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.paging import Day
from flong.search import FEED_FORMATS, Feed, Query, parse_query
from flong.storage import UnknownClipping
from flong.storage.search import (
    Clippings,
    Copy,
    Result,
    Search,
    SearchResults,
    SearchSettings,
    search_feed,
)

MEDIA = {
    "rss": "application/rss+xml",
    "atom": "application/atom+xml",
    "json": "application/feed+json",
}
ENTRIES = 50
"""Entries of a feed."""

Limit = Annotated[int, Asked(ge=1, le=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An article that fits a query."""

    article: int
    """Id of its page."""
    url: str
    """Its URL."""
    site: str
    """Name of its site."""
    title: str
    """The headline."""
    dated: datetime
    """When it was published, or else first seen."""
    language: str | None
    """ISO 639-1 code."""
    authors: tuple[str, ...]
    """Names as printed."""
    summary: tuple[str, ...]
    """What it says about the query, sentence by sentence."""
    story: int | None
    """Its story, if others tell it too."""
    copies: tuple[Copy, ...]
    """The others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSearch:
    """What is asked for."""

    q: str = ""
    """As it was typed."""
    site: str = ""
    """Only of one site; empty for all."""
    since: Day = ""
    """Only from this day on: `2026-05-01`."""
    until: Day = ""
    """Only until this day."""
    language: str = ""
    """Only in this language, an ISO 639-1 code."""
    limit: Limit = 20
    """Results at most."""
    fold: bool = True
    """Whether the articles of a story are one result."""

    @property
    def filters(self) -> str:
        """Return the filters as they could be typed.

        >>> AskedSearch(q="rain", site="news.example", since="2026-05-01").filters
        'site:"news.example" since:"2026-05-01" '
        """
        names = ("site", "since", "until", "language")
        given = {name: getattr(self, name).replace('"', "") for name in names}
        return "".join(f'{name}:"{value}" ' for name, value in given.items() if value)

    @property
    def query(self) -> str:
        """Return everything in one query, the filters first: a quotation may be left open."""
        return self.filters + self.q


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchView:
    """What a search found."""

    asked: AskedSearch
    """What was asked for."""
    query: str
    """The same in one line, filters and all: what a feed is asked for."""
    terms: tuple[str, ...]
    """The words that are looked for, as they are indexed."""
    is_query: bool
    """Whether what was typed says something to look for; signs alone do not."""
    sites: list[str]
    """Names of all sites."""
    languages: list[str]
    """Languages that articles are in."""
    total: int
    """Articles that fit."""
    is_counted: bool
    """Whether that is all of them; otherwise there may be more."""
    suggestion: str | None
    """What may have been meant, if nothing fits."""
    results: tuple[Found, ...]
    """The best, one a story."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryView:
    """Articles that are redundant to each other."""

    story: int
    """Its id."""
    title: str
    """Headline of its first article."""
    articles: tuple[Copy, ...]
    """The articles, the earliest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageView:
    """What an article is to the first one of its story."""

    article: int
    """Id of its page."""
    url: str
    """Its URL."""
    site: str
    """Name of its site."""
    title: str
    """Its headline."""
    relation: str
    """`first`, `repeated` (on the same site) or `syndicated`."""
    appeared: datetime
    """When it was published, or else first seen."""
    copied: float
    """Share of its text that the first one has."""
    edited: tuple[datetime, ...]
    """When it was changed."""
    taken_down: datetime | None
    """When its page was found to be gone."""


Typesetter = Callable[[str, str, Sequence[Result]], bytes]
"""Makes a PDF of a title, a subtitle and what was found."""


def view_search(database: ReadOnlyDatabase, asked: AskedSearch) -> SearchView:
    """Return what a search finds, the best first; without words to look for, the latest."""
    store, found = database.store, _search(database, asked)
    meant = found.suggestion and found.suggestion.removeprefix(asked.filters)
    return SearchView(
        asked=asked,
        query=asked.query,
        terms=found.query.terms,
        is_query=parse_query(asked.q, datetime.now(UTC).date()) != Query(),
        sites=[site.name for site in store.sites.all()],
        languages=Search(store).languages(),
        total=found.total,
        is_counted=found.is_counted,
        suggestion=meant,
        results=tuple(map(_found, found.results)),
    )


def _search(database: ReadOnlyDatabase, asked: AskedSearch) -> SearchResults:
    settings = SearchSettings(
        limit=asked.limit, depth=max(100, 2 * asked.limit), is_folded=asked.fold
    )
    return Search(database.store).find(asked.query, settings)


def add_newspaper(app: FastAPI, database: ReadOnlyDatabase, typeset: Typesetter) -> None:
    """Add what one sees as a newspaper."""

    @app.get("/search.pdf")
    def newspaper(asked: Annotated[AskedSearch, Depends()]) -> Response:
        """Return what a search finds as a PDF, whole articles in the order of the results."""
        found = _search(database, asked)
        subtitle = f"{datetime.now(UTC):%Y-%m-%d}, {len(found.results)} of {found.total} articles"
        made = typeset(asked.q.strip() or "The latest articles", subtitle, found.results)
        headers = {"Content-Disposition": 'inline; filename="newspaper.pdf"'}
        return Response(made, media_type="application/pdf", headers=headers)


def lineage_of(database: ReadOnlyDatabase, story: int) -> list[LineageView]:
    """Return who had a story first, who copied how much, and what became of it."""
    return [
        LineageView(
            article=each.appearance.key,
            url=each.appearance.url,
            site=each.appearance.site,
            title=each.appearance.title,
            relation=each.relation,
            appeared=each.appearance.time,
            copied=each.copied,
            edited=each.appearance.edited,
            taken_down=each.appearance.taken_down,
        )
        for each in Search(database.store).lineage(story)
    ]


def add_search_routes(app: FastAPI, database: ReadOnlyDatabase) -> None:
    """Add what programs ask for."""
    store = database.store

    @app.get("/suggest.json")
    def suggest(q: str = "") -> list[str]:
        """Return what a query that is being typed may become."""
        return Search(store).completions(q)

    @app.get("/stories.json")
    def stories(limit: Limit = 20, since: datetime | None = None) -> list[StoryView]:
        """Return the stories that most articles tell."""
        told = Search(store).stories(since=since, limit=limit)
        return [StoryView(story=s.id, title=s.title, articles=s.members) for s in told]

    @app.get("/stories/{story_id}.json")
    def lineage(story_id: int) -> list[LineageView]:
        """Return who had a story first, who copied how much, and what became of it."""
        members = lineage_of(database, story_id)
        if not members:
            raise NotThere(f"There is no story {story_id} in the database.")
        return members

    @app.get("/feed.{format}")
    def feed(
        request: Request, format: str, q: str = "", clipping: str = "", full: bool = False
    ) -> Response:
        """Return a search or a clipping as a feed: `rss`, `atom` or `json`."""
        if format not in FEED_FORMATS:
            raise NotThere(f"There is no feed as {format!r}.")
        return _feed_response(request, _feed(database, request, q, clipping, full=full), format)


def _feed(
    database: ReadOnlyDatabase, request: Request, q: str, clipping: str, *, full: bool
) -> Feed:
    settings, title = SearchSettings(limit=ENTRIES, depth=4 * ENTRIES), q or "The latest articles"
    if clipping:
        try:
            kept = Clippings(database.store).find(clipping)
        except UnknownClipping as error:
            raise NotThere(f"There is no clipping {clipping!r} in the database.") from error
        q, title = kept.query, kept.name
        settings = SearchSettings(limit=ENTRIES, depth=4 * ENTRIES, sites=frozenset(kept.sites))
    home = str(request.base_url) + f"search?{urlencode({'q': q})}"
    frame = Feed(title=title, home=home, url=str(request.url), entries=())
    return search_feed(Search(database.store), q, settings, frame, full_text=full)


def _feed_response(request: Request, feed: Feed, format: str) -> Response:
    """Return the feed, or 304 if the reader has it already."""
    body = FEED_FORMATS[format](feed)
    etag = f'"{blake2b(body, digest_size=16).hexdigest()}"'
    headers = {"ETag": etag}
    known = [tag.strip().removeprefix("W/") for tag in _known(request).split(",")]
    if etag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=MEDIA[format], headers=headers)


def _known(request: Request) -> str:
    return request.headers.get("if-none-match", "")


def _found(result: Result) -> Found:
    article = result.row.article
    return Found(
        article=result.row.page_id,
        url=article.url,
        site=result.row.site,
        title=article.title,
        dated=article.published or result.row.first_seen,
        language=article.language,
        authors=article.authors,
        summary=tuple(str(excerpt) for excerpt in result.excerpts),
        story=result.story_id,
        copies=result.copies,
    )
