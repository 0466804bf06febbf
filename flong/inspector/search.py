"""Search: view of results, suggestions, the newspaper, and feeds at stable URLs."""

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
from flong.storage import MarkFilter, UnknownClipping
from flong.storage.search import (
    Clippings,
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
"""Media types of feeds."""
ENTRIES = 50
"""Maximum number of entries in a feed."""

Limit = Annotated[int, Asked(ge=1, le=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSearch:
    """Parameters of a search."""

    q: str = ""
    """Query as typed."""
    site: str = ""
    """Name of a site; empty for all sites."""
    since: Day = ""
    """First day: `2026-05-01`."""
    until: Day = ""
    """Last day."""
    language: str = ""
    """ISO 639-1 code; empty for all languages."""
    mark: MarkFilter = ""
    """`unread` or `starred` articles only; empty for all."""
    limit: Limit = 20
    """Maximum number of results."""
    fold: bool = True
    """True to show one result per story."""

    @property
    def filters(self) -> str:
        """Return the filters in the syntax of queries.

        >>> AskedSearch(q="rain", site="news.example", since="2026-05-01").filters
        'site:"news.example" since:"2026-05-01" '
        """
        names = ("site", "since", "until", "language")
        given = {name: getattr(self, name).replace('"', "") for name in names}
        return "".join(f'{name}:"{value}" ' for name, value in given.items() if value)

    @property
    def query(self) -> str:
        """Return filters and query in one line; filters come first, as a quotation may be open."""
        return self.filters + self.q


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchView:
    """Results of a search."""

    asked: AskedSearch
    """Parameters of the search."""
    query: str
    """Query with the filters in one line, for the feed."""
    is_query: bool
    """True if the query contains a condition; punctuation is not one."""
    found: SearchResults
    """Results, best first; without a query, latest first."""
    sites: list[str]
    """Names of all sites."""
    languages: list[str]
    """Languages of the articles."""


Typesetter = Callable[[str, str, Sequence[Result]], bytes]
"""Makes a PDF of a title, a subtitle and results."""


def view_search(database: ReadOnlyDatabase, asked: Annotated[AskedSearch, Depends()]) -> SearchView:
    """Search the articles of all sites; without `fold` every article is a result."""
    return SearchView(
        asked=asked,
        query=asked.query,
        is_query=parse_query(asked.q, datetime.now(UTC).date()) != Query(),
        found=_search(database, asked),
        sites=[site.name for site in database.store.sites.all()],
        languages=Search(database.store).languages(),
    )


def _search(database: ReadOnlyDatabase, asked: AskedSearch) -> SearchResults:
    settings = SearchSettings(
        limit=asked.limit,
        depth=max(100, 2 * asked.limit),
        is_folded=asked.fold,
        mark=asked.mark,
    )
    return Search(database.store).find(asked.query, settings)


def add_newspaper(app: FastAPI, typeset: Typesetter) -> None:
    """Add PDFs of searches."""
    context = app.state.context
    context.templates.globals["has_newspaper"] = True

    @app.get("/search.pdf")
    def newspaper(asked: Annotated[AskedSearch, Depends()]) -> Response:
        """Return the results of a search as a PDF of whole articles."""
        found = _search(context.database, asked)
        subtitle = f"{datetime.now(UTC):%Y-%m-%d}, {len(found.results)} of {found.total} articles"
        made = typeset(asked.q.strip() or "The latest articles", subtitle, found.results)
        headers = {"Content-Disposition": 'inline; filename="newspaper.pdf"'}
        return Response(made, media_type="application/pdf", headers=headers)


def add_feeds(app: FastAPI, database: ReadOnlyDatabase) -> None:
    """Add suggestions and feeds."""

    @app.get("/suggest.json")
    def suggest(q: str = "") -> list[str]:
        """Return completions of a query."""
        return Search(database.store).completions(q)

    @app.get("/feed.{format}")
    def feed(
        request: Request, format: str, q: str = "", clipping: str = "", full: bool = False
    ) -> Response:
        """Return a search or a clipping as a feed: `rss`, `atom` or `json`."""
        return send_feed(request, format, lambda: _feed(database, request, q, clipping, full=full))


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


def send_feed(request: Request, format: str, make: Callable[[], Feed]) -> Response:
    """Return a feed in one of the formats, or 304 if the reader has it already."""
    if format not in FEED_FORMATS:
        raise NotThere(f"There is no feed as {format!r}.")
    body = FEED_FORMATS[format](make())
    etag = f'"{blake2b(body, digest_size=16).hexdigest()}"'
    headers = {"ETag": etag}
    given = request.headers.get("if-none-match", "").split(",")
    known = [tag.strip().removeprefix("W/") for tag in given]
    if etag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=MEDIA[format], headers=headers)
