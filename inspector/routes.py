"""Each view at its address, as HTML and, with `.json` at the end or by `Accept`, as JSON."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, FastAPI, Request, Response
from fastapi.encoders import jsonable_encoder
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse
from jinja2 import Environment

from inspector.articles import ArticlesView, Filters, chosen_articles, view_articles
from inspector.cluster import ClusterView, view_cluster
from inspector.database import Database, NotThere
from inspector.dendrogram import Gallery
from inspector.frame import POLICY
from inspector.knowledge import Library
from inspector.lists import PartNumber
from inspector.page import PageView, frame_of, view_page
from inspector.pages import PageFilters, PagesView, view_pages
from inspector.pattern import PatternView, view_pattern
from inspector.site import SiteView, view_site
from inspector.sites import SitesView, view_sites
from storage import ArticleRow, UnknownPage

Writer = Callable[[Iterable[ArticleRow], IO[bytes]], int]
"""Writes articles in some format; returns how many."""

MEDIA = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "rss": "application/rss+xml",
}
CHUNK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """Everything that answers are made from."""

    database: Database
    """What is stored."""
    library: Library
    """What was learned."""
    gallery: Gallery
    """Drawings of sites."""
    templates: Environment
    """How views look."""
    writers: Mapping[str, Writer]
    """How articles can be taken away."""

    def render(self, template: str, **values: object) -> str:
        """Return a view as HTML."""
        return self.templates.get_template(template).render(formats=list(self.writers), **values)

    @staticmethod
    def wants_json(request: Request) -> bool:
        """Tell whether a program is asking."""
        accepted = request.headers.get("accept", "")
        return request.url.path.endswith(".json") or (
            "application/json" in accepted and "text/html" not in accepted
        )


def add_routes(app: FastAPI, screen: Screen) -> None:
    """Give every view its addresses."""
    database, library = screen.database, screen.library

    def sites() -> SitesView:
        """Return all sites, each with its last nights."""
        return view_sites(database)

    def site(name: str) -> SiteView:
        """Return a site: its clusters, how near they are, how deep its pages are."""
        return view_site(database, screen.gallery, name)

    def cluster(number: int, page: PartNumber = 1) -> ClusterView:
        """Return a cluster: its members and patterns."""
        return view_cluster(database, number, page)

    def pattern(number: int) -> PatternView:
        """Return a pattern: its tree, what its wildcards take, its history."""
        return view_pattern(database, number)

    def page(number: int) -> PageView:
        """Return a page: its article, and why it is one or not."""
        return view_page(database, library, number)

    def pages(filters: Annotated[PageFilters, Depends()], page: PartNumber = 1) -> PagesView:
        """Return pages, a part of the list."""
        return view_pages(database, filters, page)

    def articles(filters: Annotated[Filters, Depends()], page: PartNumber = 1) -> ArticlesView:
        """Return articles, those that need a look first."""
        return view_articles(database, filters, page)

    show = _Shower(app, screen)
    show("/sites", "sites.html", sites)
    show("/sites/{name}", "site.html", site)
    show("/clusters/{number}", "cluster.html", cluster)
    show("/patterns/{number}", "pattern.html", pattern)
    show("/pages", "pages.html", pages)
    show("/pages/{number}", "page.html", page)
    show("/articles", "articles.html", articles)
    _add_others(app, screen)


@dataclass(frozen=True, slots=True)
class _Shower:
    """Adds a view under two addresses."""

    app: FastAPI
    screen: Screen

    def __call__(self, path: str, template: str, view: Callable[..., Any]) -> None:
        """Answer `path` with HTML and `path.json` with JSON."""

        def answer(request: Request, found: Any = Depends(view)) -> Response:  # noqa: B008 - FastAPI's way
            if self.screen.wants_json(request):
                return JSONResponse(jsonable_encoder(found))
            shown = self.screen.render(template, view=found, json_path=_json_path(request))
            return HTMLResponse(shown)

        self.app.add_api_route(f"{path}.json", view, methods=["GET"], name=template)
        self.app.add_api_route(path, answer, methods=["GET"], include_in_schema=False)


def _json_path(request: Request) -> str:
    asked = request.url.query
    return f"{request.url.path}.json{'?' if asked else ''}{asked}"


def _add_others(app: FastAPI, screen: Screen) -> None:
    """Add what is no view: the way in, pages as documents, files to take away."""
    database = screen.database

    @app.get("/", include_in_schema=False)
    def home() -> Response:
        return RedirectResponse("/sites")

    @app.get("/go", include_in_schema=False)
    def go(url: str = "") -> Response:
        try:
            return RedirectResponse(f"/pages/{database.store.page(url.strip()).id}")
        except UnknownPage:
            return RedirectResponse(f"/pages?{urlencode({'q': url.strip()})}")

    @app.get("/pages/{number}/frame", response_class=HTMLResponse)
    def frame(number: int) -> Response:
        """Return the stored page as a harmless document, with what was chosen outlined."""
        shown = frame_of(database, screen.library, number)
        return HTMLResponse(
            shown.encode("utf-8", "replace"), headers={"Content-Security-Policy": POLICY}
        )

    @app.get("/export/articles.{format}")
    def export(format: str, filters: Annotated[Filters, Depends()]) -> Response:
        """Return the articles of the list as a file."""
        if format not in screen.writers:
            raise NotThere(f"Articles cannot be exported as {format!r}.")
        found = chosen_articles(database, filters)
        return StreamingResponse(
            _written(screen.writers[format], found),
            media_type=MEDIA.get(format, "application/octet-stream"),
            headers={"Content-Disposition": f'attachment; filename="articles.{format}"'},
        )


def _written(writer: Writer, articles: Iterator[ArticleRow]) -> Iterator[bytes]:
    """Yield a file in pieces; a large one is on the disk meanwhile."""
    with SpooledTemporaryFile(max_size=1 << 24) as file:
        writer(articles, file)
        file.seek(0)
        while piece := file.read(CHUNK):
            yield piece
