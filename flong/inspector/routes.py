"""Routes of the views: HTML, and JSON with `.json` in the path or by `Accept`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Any, get_type_hints
from urllib.parse import urlencode

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
from fastapi.routing import APIRoute
from jinja2 import Environment
from pydantic import TypeAdapter

from flong.inspector.article import (
    ArticleStoryView,
    ArticlesView,
    ArticleView,
    AskedArticles,
    VersionsView,
    chosen_articles,
    view_article,
    view_article_story,
    view_articles,
    view_versions,
)
from flong.inspector.clippings import ClippingView, view_clippings
from flong.inspector.cluster import ClusterView, view_cluster
from flong.inspector.correction import (
    CorrectionsView,
    CorrectionView,
    What,
    view_correction,
    view_corrections,
)
from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.editing import Editor
from flong.inspector.edits import AskedEdits, EditsView, add_edit_feeds, view_edits
from flong.inspector.examined_pages import ExaminedPages
from flong.inspector.fleet_view import FleetView, view_fleet
from flong.inspector.login import Login
from flong.inspector.night import AskedNight, NightView, view_night
from flong.inspector.page import AskedPages, PagesView, PageView, safe_page, view_page, view_pages
from flong.inspector.paging import Id, Number, PartNumber
from flong.inspector.pattern import PatternView, PublishedView, view_pattern, view_published
from flong.inspector.sanitizer import PICK_POLICY, POLICY
from flong.inspector.search import AskedSearch, SearchView, add_feeds, view_search
from flong.inspector.site import CoverageView, SiteView, view_coverage, view_site
from flong.inspector.sites import SitesView, view_sites
from flong.inspector.stories import AskedStories, StoriesView, StoryView, view_stories, view_story
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
    show = _ViewAdder(app, context)
    _add_learned(show, context)
    _add_corrections(show, context)
    _add_articles(show, context.database)
    _add_reading(show, context.database)
    add_feeds(app, context.database)
    add_edit_feeds(app, context.database)
    _add_others(app, context)


def _add_learned(show: "_ViewAdder", context: ViewContext) -> None:
    """Add the views of sites, clusters, patterns and pages."""
    database = context.database

    def sites(page: PartNumber = 1) -> SitesView:
        """List sites with their last nights."""
        return view_sites(database, page)

    def site(name: str) -> SiteView:
        """Show a site: clusters, dendrogram, map and current work."""
        return view_site(database, context.dendrograms, name, context.editor)

    def coverage(name: str, month: str = "") -> CoverageView:
        """Compare announced and stored pages of a site, and list its template eras."""
        return view_coverage(database, name, month)

    def cluster(cluster_id: Id, page: PartNumber = 1) -> ClusterView:
        """Show a cluster: members and patterns."""
        return view_cluster(database, cluster_id, page)

    def pattern(pattern_id: Id) -> PatternView:
        """Show a pattern: tree, matches of its wildcards, history."""
        return view_pattern(database, pattern_id)

    def published(name: str, number: PartNumber = 1) -> PublishedView:
        """Show the patterns of Reis et al. as published, and the tree of one."""
        return view_published(database, name, number)

    def page(page_id: Id) -> PageView:
        """Show a page: its article and the evidence of the decision."""
        return view_page(database, context.pages, page_id)

    def pages(filters: Annotated[AskedPages, Depends()], page: PartNumber = 1) -> PagesView:
        """List pages."""
        return view_pages(database, filters, page)

    def fleet() -> FleetView | None:
        """Show the latest round of a fleet; null before the first."""
        return view_fleet(database)

    show("/fleet", "fleet.html", fleet)
    show("/sites/{name}/remove", "site_remove.html", site, is_question=True)
    show("/sites", "sites.html", sites)
    show("/sites/{name}", "site.html", site)
    show("/sites/{name}/coverage", "coverage.html", coverage)
    show("/sites/{name}/published", "published.html", published)
    show("/clusters/{cluster_id}", "cluster.html", cluster)
    show("/patterns/{pattern_id}", "pattern.html", pattern)
    show("/pages", "pages.html", pages)
    show("/pages/{page_id}", "page.html", page)


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

    def corrections(site: str = "") -> CorrectionsView:
        """List corrections, latest first."""
        return view_corrections(database, context.editor, site)

    show("/pages/{page_id}/correct", "correct.html", correct)
    show("/corrections", "corrections.html", corrections)


def _add_articles(show: "_ViewAdder", database: ReadOnlyDatabase) -> None:
    """Add the views of articles."""

    def articles(
        filters: Annotated[AskedArticles, Depends()], page: PartNumber = 1
    ) -> ArticlesView:
        """List articles, those that need a look first."""
        return view_articles(database, filters, page)

    def article(article_id: Id) -> ArticleView:
        """Show an article."""
        return view_article(database, article_id)

    def versions(article_id: Id, old: Number = None, new: Number = None) -> VersionsView:
        """Compare two versions of an article word by word."""
        return view_versions(database, article_id, old, new)

    def article_story(article_id: Id) -> ArticleStoryView:
        """List the articles of the story of an article."""
        return view_article_story(database, article_id)

    def article_page(article_id: Id) -> ArticleView:
        """Show an article beside its stored page."""
        return view_article(database, article_id)

    show("/articles", "articles.html", articles)
    show("/articles/{article_id}", "article.html", article)
    show("/articles/{article_id}/versions", "article_versions.html", versions)
    show("/articles/{article_id}/story", "article_story.html", article_story)
    show("/articles/{article_id}/page", "article_page.html", article_page)


def _add_reading(show: "_ViewAdder", database: ReadOnlyDatabase) -> None:
    """Add the views of the menu."""

    def night(asked: Annotated[AskedNight, Depends()]) -> NightView:
        """Show the last night, or the night of a day."""
        return view_night(database, asked)

    def search(asked: Annotated[AskedSearch, Depends()]) -> SearchView:
        """Search the articles of all sites; without `fold` every article is a result."""
        return view_search(database, asked)

    def clippings() -> list[ClippingView]:
        """List saved searches with their latest articles."""
        return view_clippings(database)

    def stories(asked: Annotated[AskedStories, Depends()]) -> StoriesView:
        """List the stories with the most articles."""
        return view_stories(database, asked)

    def story(story_id: Id) -> StoryView:
        """List the articles of a story in order of appearance."""
        return view_story(database, story_id)

    def edits(asked: Annotated[AskedEdits, Depends()]) -> EditsView:
        """List edited headlines and texts, and articles taken down."""
        return view_edits(database, asked)

    show("/night", "night.html", night)
    show("/search", "search.html", search)
    show("/clippings", "clippings.html", clippings)
    show("/stories", "stories.html", stories)
    show("/stories/{story_id}", "story.html", story)
    show("/edits", "edits.html", edits)


@dataclass(frozen=True, slots=True)
class _ViewAdder:
    """Adds a view as HTML and as JSON."""

    app: FastAPI
    context: ViewContext

    def __call__(
        self, path: str, template: str, view: Callable[..., Any], *, is_question: bool = False
    ) -> None:
        """Add `path` as HTML and, unless it is a confirmation, `path.json` as JSON."""
        written: TypeAdapter[Any] = TypeAdapter(get_type_hints(view)["return"])

        def answer(request: Request, found: Any = Depends(view)) -> Response:  # noqa: B008 - FastAPI's way
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
            summary = (view.__doc__ or "").partition("\n")[0]
            self.app.add_api_route(f"{path}.json", view, methods=["GET"], summary=summary)
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
