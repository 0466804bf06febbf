"""Each view at its URL, as HTML and, with `.json` at the end or by `Accept`, as JSON."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Annotated, Any, get_type_hints
from urllib.parse import urlencode

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
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
from flong.inspector.examined_pages import ExaminedPages
from flong.inspector.fleet_view import FleetView, fleet_metrics, view_fleet
from flong.inspector.night import AskedNight, NightView, view_night
from flong.inspector.page import AskedPages, PagesView, PageView, safe_page, view_page, view_pages
from flong.inspector.paging import Id, Number, PartNumber
from flong.inspector.pattern import PatternView, view_pattern
from flong.inspector.sanitizer import PICK_POLICY, POLICY
from flong.inspector.search import AskedSearch, SearchView, add_search_routes, view_search
from flong.inspector.site import CoverageView, SiteView, view_coverage, view_site
from flong.inspector.sites import SitesView, view_sites
from flong.program import program
from flong.stages.dendrogram import DendrogramCache
from flong.storage import ArticleRow, UnknownPage

Writer = Callable[[Iterable[ArticleRow], IO[bytes]], int]
"""Writes articles in some format; returns how many."""

MEDIA = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "rss": "application/rss+xml",
}
CHUNK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewContext:
    """Everything that answers are made from."""

    database: ReadOnlyDatabase
    """What is stored."""
    pages: ExaminedPages
    """Pages, looked at once more."""
    dendrograms: DendrogramCache
    """Drawings of sites."""
    templates: Environment
    """How views look."""
    writers: Mapping[str, Writer]
    """How articles can be taken away."""
    editor: Editor | None = None
    """What changes something; None if nothing does."""

    def render(self, template: str, **values: object) -> str:
        """Return a view as HTML."""
        return self.templates.get_template(template).render(formats=list(self.writers), **values)

    def may_edit(self, request: Request) -> bool:
        """Tell whether a visitor may change something."""
        return self.editor is not None and self.editor.admits(request.scope)

    @staticmethod
    def wants_json(request: Request) -> bool:
        """Tell whether a program is asking."""
        accepted = request.headers.get("accept", "")
        return request.url.path.endswith(".json") or (
            "application/json" in accepted and "text/html" not in accepted
        )


def add_routes(app: FastAPI, screen: ViewContext) -> None:
    """Give every view its URLs."""
    show = _ViewAdder(app, screen)
    _add_learned(show, screen)
    _add_corrections(show, screen)
    _add_reading(show, screen.database)
    add_search_routes(app, screen.database)
    _add_others(app, screen)


def _add_learned(show: "_ViewAdder", screen: ViewContext) -> None:
    """Add what was learned from which pages."""
    database = screen.database

    def sites(page: PartNumber = 1) -> SitesView:
        """Return sites, a part of the list, each with its last nights."""
        return view_sites(database, page)

    def site(name: str) -> SiteView:
        """Return a site: its clusters, how near they are, how deep its pages are."""
        return view_site(database, screen.dendrograms, name, screen.editor)

    def coverage(name: str, month: str = "") -> CoverageView:
        """Return what a site announces against what is stored of it, and its template eras."""
        return view_coverage(database, name, month)

    def cluster(cluster_id: Id, page: PartNumber = 1) -> ClusterView:
        """Return a cluster: its members and patterns."""
        return view_cluster(database, cluster_id, page)

    def pattern(pattern_id: Id) -> PatternView:
        """Return a pattern: its tree, what its wildcards take, its history."""
        return view_pattern(database, pattern_id)

    def page(page_id: Id) -> PageView:
        """Return a page: its article, and why it is one or not."""
        return view_page(database, screen.pages, page_id)

    def pages(filters: Annotated[AskedPages, Depends()], page: PartNumber = 1) -> PagesView:
        """Return pages, a part of the list."""
        return view_pages(database, filters, page)

    def fleet() -> FleetView:
        """Return how far a fleet is with its latest round."""
        return view_fleet(database)

    show("/fleet", "fleet.html", fleet)
    show("/sites/{name}/remove", "site_remove.html", site, is_question=True)
    show("/sites", "sites.html", sites)
    show("/sites/{name}", "site.html", site)
    show("/sites/{name}/coverage", "coverage.html", coverage)
    show("/clusters/{cluster_id}", "cluster.html", cluster)
    show("/patterns/{pattern_id}", "pattern.html", pattern)
    show("/pages", "pages.html", pages)
    show("/pages/{page_id}", "page.html", page)


def _add_corrections(show: "_ViewAdder", screen: ViewContext) -> None:
    """Add what a person said about pages, and what it would change."""
    database = screen.database

    def correct(
        request: Request, page_id: Id, what: What = "title", place: Number = None
    ) -> CorrectionView:
        """Return what a correction would change; without a place, the lines to choose from.

        All pages of a template are read for that, which is not for everybody.
        """
        if not screen.may_edit(request):
            raise HTTPException(
                403, f"Nothing can be corrected here: {program()} inspect --edit lets you."
            )
        return view_correction(database, screen.pages, page_id, what, place)

    def corrections(site: str = "") -> CorrectionsView:
        """Return what was corrected, the latest first."""
        return view_corrections(database, screen.editor, site)

    show("/pages/{page_id}/correct", "correct.html", correct)
    show("/corrections", "corrections.html", corrections)


def _add_reading(show: "_ViewAdder", database: ReadOnlyDatabase) -> None:
    """Add what there is to read."""

    def night(asked: Annotated[AskedNight, Depends()]) -> NightView:
        """Return what a night brought, the last one unless another day is asked for."""
        return view_night(database, asked)

    def articles(
        filters: Annotated[AskedArticles, Depends()], page: PartNumber = 1
    ) -> ArticlesView:
        """Return articles, those that need a look first."""
        return view_articles(database, filters, page)

    def article(article_id: Id) -> ArticleView:
        """Return an article to be read."""
        return view_article(database, article_id)

    def versions(article_id: Id, old: Number = None, new: Number = None) -> VersionsView:
        """Return what was changed between two versions of an article, word by word."""
        return view_versions(database, article_id, old, new)

    def story(article_id: Id) -> ArticleStoryView:
        """Return who else tells the story of an article."""
        return view_article_story(database, article_id)

    def search(asked: Annotated[AskedSearch, Depends()]) -> SearchView:
        """Search the articles of all sites; without `fold` every article is a result."""
        return view_search(database, asked)

    show("/night", "night.html", night)
    show("/articles", "articles.html", articles)
    show("/articles/{article_id}", "article.html", article)
    show("/articles/{article_id}/versions", "article_versions.html", versions)
    show("/articles/{article_id}/story", "article_story.html", story)
    show("/articles/{article_id}/page", "article_page.html", article)
    show("/search", "search.html", search)


@dataclass(frozen=True, slots=True)
class _ViewAdder:
    """Adds a view under two URLs."""

    app: FastAPI
    screen: ViewContext

    def __call__(
        self, path: str, template: str, view: Callable[..., Any], *, is_question: bool = False
    ) -> None:
        """Answer `path` with HTML and, unless it only asks something, `path.json` with JSON."""
        written: TypeAdapter[Any] = TypeAdapter(get_type_hints(view)["return"])

        def answer(request: Request, found: Any = Depends(view)) -> Response:  # noqa: B008 - FastAPI's way
            if self.screen.wants_json(request):
                return Response(written.dump_json(found), media_type="application/json")
            shown = self.screen.render(
                template,
                view=found,
                json_path=_json_path(request),
                editing=self.screen.may_edit(request),
            )
            return HTMLResponse(shown)

        if not is_question:
            self.app.add_api_route(f"{path}.json", view, methods=["GET"], name=template)
        self.app.add_api_route(path, answer, methods=["GET"], include_in_schema=False)


def _json_path(request: Request) -> str:
    asked = request.url.query
    return f"{request.url.path}.json{'?' if asked else ''}{asked}"


def _add_others(app: FastAPI, screen: ViewContext) -> None:
    """Add what is no view: the way in, pages as documents, files to take away."""
    database = screen.database

    @app.get("/", include_in_schema=False)
    def home() -> Response:
        return RedirectResponse("/night")

    @app.get("/metrics", include_in_schema=False)
    def prometheus() -> Response:
        return Response(fleet_metrics(database), media_type="text/plain; version=0.0.4")

    @app.get("/go", include_in_schema=False)
    def go(request: Request, q: str = "") -> Response:
        """Lead to the page of a URL, else to what a search finds."""
        asked = q.strip()
        if not asked.lower().startswith(("http://", "https://")):
            return RedirectResponse(f"/search?{request.url.query}")
        try:
            return RedirectResponse(f"/pages/{database.store.pages.find(asked).id}")
        except UnknownPage:
            return RedirectResponse(f"/pages?{urlencode({'q': asked})}")

    @app.get("/pages/{page_id}/frame", response_class=HTMLResponse)
    def frame(request: Request, page_id: Id, pick: bool = False) -> Response:
        """Return the stored page as a harmless document, with what was chosen outlined.

        With `pick` every element has its position, and the view around it may reach them.
        """
        picking = pick and screen.may_edit(request)
        shown = safe_page(database, screen.pages, page_id, every=picking)
        policy = PICK_POLICY if picking else POLICY
        return HTMLResponse(
            shown.encode("utf-8", "replace"), headers={"Content-Security-Policy": policy}
        )

    @app.get("/export/articles.{format}")
    def export(format: str, filters: Annotated[AskedArticles, Depends()]) -> Response:
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
