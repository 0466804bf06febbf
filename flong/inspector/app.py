"""The application: URLs, what answers them, and the rules that every response keeps."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from flong.inspector.changes import add_changes
from flong.inspector.correction import Refused
from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.editing import Editor, WriteCheck
from flong.inspector.examined_pages import KEPT, ExaminedPages
from flong.inspector.live import add_live
from flong.inspector.rendering import make_environment
from flong.inspector.routes import ViewContext, Writer, add_routes
from flong.inspector.search import Typesetter, add_newspaper
from flong.stages.dendrogram import DendrogramCache
from flong.storage import LockedSite, StorageError, Store
from flong.storage.search import Search

STATIC = Path(__file__).parent / "static"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "frame-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""The Content-Security-Policy of every response that has none of its own."""

SENTENCES = {NotThere: 404, Refused: 409, LockedSite: 409, StorageError: 503}
"""Errors that say in a sentence what is wrong, and the status that goes with each."""

PLAINLY = {
    "string_pattern_mismatch": "a day is written as 2026-05-01",
    "int_parsing": "this has to be a number",
}
"""What is said of a value that cannot be read, where pydantic has no plain words for it."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def create_app(
    store: Store,
    *,
    writers: Mapping[str, Writer] | None = None,
    hosts: Sequence[str] = LOOPBACK,
    editor: Editor | None = None,
    typesetter: Typesetter | None = None,
) -> FastAPI:
    """Return the inspector of a database, which it only reads from now on.

    `writers` are the formats in which articles can be taken away. Requests that name another
    host than `hosts` or the address that they came to are refused, so that no web page can reach
    it through a name of its own.
    Only an `editor`, with a store of its own, changes something. With a `typesetter` searches can
    be had as newspapers.
    """
    Search(store).prepare()
    database = ReadOnlyDatabase(store)
    screen = ViewContext(
        database=database,
        pages=ExaminedPages(database),
        dendrograms=DendrogramCache(store),
        templates=make_environment(),
        writers=writers or {},
        editor=editor,
    )
    app = FastAPI(
        title="flong inspector",
        description="Sites, clusters, patterns, pages, articles, and why they are what they are.",
        docs_url=None,
        redoc_url=None,
    )
    app.add_middleware(WriteCheck, editor=editor)
    app.add_middleware(_HostCheck, hosts=hosts)
    app.middleware("http")(_keep_rules)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    _tell_errors(app, screen)
    add_routes(app, screen)
    add_live(app, database, editor)
    if typesetter is not None:
        add_newspaper(app, database, typesetter)
        screen.templates.globals["has_newspaper"] = True
    if editor is not None:
        add_changes(app, database, screen.pages, editor)
    app.state.screen = screen
    return app


class _HostCheck:
    """Refuses requests for another host than some, and than the address that they came to."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._is_ours(scope):
            await self.app(scope, receive, send)
        else:
            await PlainTextResponse("This host is not known here.", 400)(scope, receive, send)

    def _is_ours(self, scope: Scope) -> bool:
        try:
            host = urlsplit(f"//{Headers(scope=scope).get('host', '')}").hostname
        except ValueError:
            return False
        return host in (*self.hosts, scope["server"][0])


def warm_up(app: FastAPI) -> None:
    """Load and draw what the views need, so that the first visitor does not wait for it."""
    screen: ViewContext = app.state.screen
    screen.pages.warm_up()
    for site in screen.database.store.sites.all()[:KEPT]:
        screen.dendrograms.drawing(site)


async def _keep_rules(
    request: Request, respond: Callable[[Request], Awaitable[Response]]
) -> Response:
    """Give every response the headers that keep a browser from doing more than it should.

    Fields of a form that were left empty count as not given.
    """
    given = [pair for pair in request.query_params.multi_items() if pair[1]]
    request.scope["query_string"] = urlencode(given).encode()
    if "\0" in request.scope["path"] or any("\0" in value for _, value in given):
        response: Response = PlainTextResponse("No stored text holds a NUL.", 400)
    else:
        response = await respond(request)
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    response.headers.setdefault("Cache-Control", "no-cache")
    return response


def _tell_errors(app: FastAPI, screen: ViewContext) -> None:
    """Answer what went wrong with a sentence, as HTML or JSON."""

    def tell(request: Request, status: int, sentence: str) -> Response:
        if screen.wants_json(request):
            return JSONResponse({"detail": sentence}, status)
        shown = screen.render(
            "error.html", status=status, sentence=sentence, editing=screen.may_edit(request)
        )
        return HTMLResponse(shown, status)

    @app.exception_handler(404)
    def no_route(request: Request, error: Exception) -> Response:
        return tell(request, 404, f"There is nothing at {request.url.path}.")

    @app.exception_handler(405)
    def no_such_way(request: Request, error: Exception) -> Response:
        return tell(request, 405, "This is only done by the buttons of a view.")

    @app.exception_handler(HTTPException)
    def not_done(request: Request, error: HTTPException) -> Response:
        return tell(request, error.status_code, error.detail)

    @app.exception_handler(500)
    def broken(request: Request, error: Exception) -> Response:
        return tell(request, 500, "This view cannot be shown; the server's output says why.")

    @app.exception_handler(RequestValidationError)
    def not_understood(request: Request, error: RequestValidationError) -> Response:
        wrong = "; ".join(
            f"{each['loc'][-1]}: {PLAINLY.get(each['type'], each['msg'])}"
            for each in error.errors()
        )
        return tell(request, 422, f"The URL is not understood ({wrong}).")

    for kind, status in SENTENCES.items():

        def told(request: Request, error: Exception, status: int = status) -> Response:
            return tell(request, status, str(error))

        app.add_exception_handler(kind, told)
