"""Routes of the views: HTML, and JSON with `.json` in the path or by `Accept`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import getdoc
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Any, get_type_hints
from urllib.parse import urlencode

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
from fastapi.routing import APIRoute
from jinja2 import Environment
from pydantic import TypeAdapter

from flong.inspector.article import (
    AskedArticles,
    chosen_articles,
    view_article,
    view_article_page,
    view_article_story,
    view_articles,
    view_versions,
)
from flong.inspector.clippings import view_clippings
from flong.inspector.cluster import view_cluster
from flong.inspector.correction import (
    CorrectionView,
    What,
    view_correction,
    view_corrections,
)
from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.editing import Editor
from flong.inspector.edits import add_edit_feeds, view_edits
from flong.inspector.examined_pages import ExaminedPages
from flong.inspector.fleet_view import view_fleet
from flong.inspector.login import Login
from flong.inspector.night import view_night
from flong.inspector.page import safe_page, view_page, view_pages
from flong.inspector.paging import Id, Number
from flong.inspector.pattern import view_pattern, view_published
from flong.inspector.sanitizer import PICK_POLICY, POLICY
from flong.inspector.search import add_feeds, view_search
from flong.inspector.site import view_coverage, view_site
from flong.inspector.sites import view_sites
from flong.inspector.stories import view_stories, view_story
from flong.program import program
from flong.stages.dendrogram import DendrogramCache
from flong.storage import ArticleRow, UnknownPage

Writer = Callable[[Iterable[ArticleRow], IO[bytes]], int]
"""Writes articles in one format; returns their number."""

MEDIA = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "rss": "application/rss+xml",
}
"""Media types of exports."""
CHUNK = 1 << 16
"""Size of the pieces of a download in bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewContext:
    """Dependencies shared by all views."""

    database: ReadOnlyDatabase
    """The database."""
    pages: ExaminedPages
    """Cache of examined pages."""
    dendrograms: DendrogramCache
    """Cache of dendrograms."""
    templates: Environment
    """Templates."""
    writers: Mapping[str, Writer]
    """Writers by name of the export format."""
    editor: Editor | None = None
    """Access for editors; None if the inspector is read-only."""
    login: Login | None = None
    """Access for visitors; None if there is no password. All who pass it are editors."""

    def render(self, template: str, **values: object) -> str:
        """Return a view as HTML."""
        return self.templates.get_template(template).render(formats=list(self.writers), **values)

    def may_edit(self, request: Request) -> bool:
        """Return True if the visitor is an editor."""
        return self.editor is not None and (self.login or self.editor).admits(request.scope)

    @staticmethod
    def wants_json(request: Request) -> bool:
        """Return True if a request prefers JSON."""
        accepted = request.headers.get("accept", "")
        return request.url.path.endswith(".json") or (
            "application/json" in accepted and "text/html" not in accepted
        )


def add_routes(app: FastAPI, context: ViewContext) -> None:
    """Add all views."""
    show, database = _ViewAdder(app, context), context.database
    site = (database, context.dendrograms, context.editor)

    show("/fleet", "fleet.html", view_fleet, database)
    show("/sites/{name}/remove", "site_remove.html", view_site, *site, is_question=True)
    show("/sites", "sites.html", view_sites, database)
    show("/sites/{name}", "site.html", view_site, *site)
    show("/sites/{name}/coverage", "coverage.html", view_coverage, database)
    show("/sites/{name}/published", "published.html", view_published, database)
    show("/clusters/{cluster_id}", "cluster.html", view_cluster, database)
    show("/patterns/{pattern_id}", "pattern.html", view_pattern, database)
    show("/pages", "pages.html", view_pages, database)
    show("/pages/{page_id}", "page.html", view_page, database, context.pages)
    show("/articles", "articles.html", view_articles, database)
    show("/articles/{article_id}", "article.html", view_article, database)
    show("/articles/{article_id}/versions", "article_versions.html", view_versions, database)
    show("/articles/{article_id}/story", "article_story.html", view_article_story, database)
    show("/articles/{article_id}/page", "article_page.html", view_article_page, database)
    show("/night", "night.html", view_night, database)
    show("/search", "search.html", view_search, database)
    show("/clippings", "clippings.html", view_clippings, database)
    show("/stories", "stories.html", view_stories, database)
    show("/stories/{story_id}", "story.html", view_story, database)
    show("/edits", "edits.html", view_edits, database)
    _add_corrections(show, context)
    add_feeds(app, database)
    add_edit_feeds(app, database)
    _add_others(app, context)


def _add_corrections(show: "_ViewAdder", context: ViewContext) -> None:
    """Add the views of corrections."""
    database = context.database

    def correct(
        request: Request, page_id: Id, what: What = "title", place: Number = None
    ) -> CorrectionView:
        """Preview a correction; without a place, list the lines of the page.

        For editors, because it reads all pages of a template.
        """
        if not context.may_edit(request):
            raise HTTPException(
                403, f"This inspector is read-only. Start {program()} inspect --edit to correct."
            )
        return view_correction(database, context.pages, page_id, what, place)

    show("/pages/{page_id}/correct", "correct.html", correct)
    show("/corrections", "corrections.html", view_corrections, database, context.editor)


@dataclass(frozen=True, slots=True)
class _ViewAdder:
    """Adds a view as HTML and as JSON."""

    app: FastAPI
    context: ViewContext

    def __call__(
        self,
        path: str,
        template: str,
        view: Callable[..., Any],
        *given: object,
        is_question: bool = False,
    ) -> None:
        """Add `path` as HTML and, unless it is a confirmation, `path.json` as JSON.

        The first arguments of the view are `given`, the others come from the request.
        """
        written: TypeAdapter[Any] = TypeAdapter(get_type_hints(view)["return"])
        made = partial(view, *given)

        def answer(request: Request, found: Any = Depends(made)) -> Response:  # noqa: B008 - FastAPI's way
            if self.context.wants_json(request):
                return Response(written.dump_json(found), media_type="application/json")
            shown = self.context.render(
                template,
                view=found,
                json_path="" if is_question else _json_path(request),
                editing=self.context.may_edit(request),
            )
            return HTMLResponse(shown)

        if not is_question:
            said = getdoc(view) or ""
            self.app.add_api_route(
                f"{path}.json",
                made,
                methods=["GET"],
                name=view.__name__.removeprefix("view_"),
                summary=said.partition("\n")[0],
                description=said,
            )
        self.app.add_api_route(path, answer, methods=["GET"], include_in_schema=False)


def _json_path(request: Request) -> str:
    asked = request.url.query
    return f"{request.url.path}.json{'?' if asked else ''}{asked}"


def _add_others(app: FastAPI, context: ViewContext) -> None:
    """Add the home page, stored documents, exports and the list of URLs for programs."""
    database = context.database

    @app.get("/", include_in_schema=False)
    def home() -> Response:
        return RedirectResponse("/night")

    @app.get("/docs", include_in_schema=False)
    def docs(request: Request) -> Response:
        """Return the JSON views and feeds with their parameters."""
        routes = [
            route for route in app.routes if isinstance(route, APIRoute) and route.include_in_schema
        ]
        shown = context.render("docs.html", routes=routes, editing=context.may_edit(request))
        return HTMLResponse(shown)

    @app.get("/go", include_in_schema=False)
    def go(request: Request, q: str = "") -> Response:
        """Redirect to the page of a URL, or to the results of a search."""
        asked = q.strip()
        if not asked.lower().startswith(("http://", "https://")):
            return RedirectResponse(f"/search?{request.url.query}")
        try:
            return RedirectResponse(f"/pages/{database.store.pages.find(asked).id}")
        except UnknownPage:
            return RedirectResponse(f"/pages?{urlencode({'q': asked})}")

    @app.get("/pages/{page_id}/frame", response_class=HTMLResponse)
    def frame(request: Request, page_id: Id, pick: bool = False) -> Response:
        """Return the stored page as a sanitized document with highlights.

        With `pick`, every element has its position, and the view around it may access it.
        """
        picking = pick and context.may_edit(request)
        shown = safe_page(database, context.pages, page_id, every=picking)
        policy = PICK_POLICY if picking else POLICY
        return HTMLResponse(
            shown.encode("utf-8", "replace"), headers={"Content-Security-Policy": policy}
        )

    @app.get("/export/articles.{format}")
    def export(format: str, filters: Annotated[AskedArticles, Depends()]) -> Response:
        """Return the articles of the list as a file."""
        if format not in context.writers:
            raise NotThere(f"Articles cannot be exported as {format!r}.")
        found = chosen_articles(database, filters)
        return StreamingResponse(
            _written(context.writers[format], found),
            media_type=MEDIA.get(format, "application/octet-stream"),
            headers={"Content-Disposition": f'attachment; filename="articles.{format}"'},
        )


def _written(writer: Writer, articles: Iterator[ArticleRow]) -> Iterator[bytes]:
    """Yield an export in pieces; a large one is buffered on disk."""
    with SpooledTemporaryFile(max_size=1 << 24) as file:
        writer(articles, file)
        file.seek(0)
        while piece := file.read(CHUNK):
            yield piece
