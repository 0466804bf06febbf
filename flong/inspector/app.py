"""The application: middleware, response headers and error messages."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from flong.inspector.access import AccessCheck
from flong.inspector.changes import add_changes
from flong.inspector.correction import Refused
from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.editing import Editor
from flong.inspector.examined_pages import KEPT, ExaminedPages
from flong.inspector.health import add_health
from flong.inspector.live import add_live
from flong.inspector.login import Login, add_login
from flong.inspector.rendering import make_environment
from flong.inspector.routes import ViewContext, Writer, add_routes
from flong.stages.dendrogram import DendrogramCache
from flong.storage import LockedSite, StorageError, Store
from flong.storage.search import Search

STATIC = Path(__file__).parent / "static"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "frame-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""Default Content-Security-Policy."""

STATUSES = {NotThere: 404, Refused: 409, LockedSite: 409, StorageError: 503}
"""Status of each exception whose text is a message for the visitor."""

MESSAGES = {
    "string_pattern_mismatch": "write a day as 2026-05-01",
    "int_parsing": "enter a number",
}
"""Messages that replace those of pydantic, by type of error."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names of this machine in requests from itself."""


def create_app(
    store: Store,
    *,
    writers: Mapping[str, Writer] | None = None,
    hosts: Sequence[str] = LOOPBACK,
    editor: Editor | None = None,
    login: Login | None = None,
) -> FastAPI:
    """Return the inspector of a database; the store becomes read-only.

    `writers` are the export formats. Requests whose Host is neither in `hosts` nor the address of
    the server are refused, which prevents DNS rebinding. Changes need an `editor` with a store
    of its own. With a `login`, visitors need its password.
    """
    Search(store).prepare()
    database = ReadOnlyDatabase(store)
    context = ViewContext(
        database=database,
        pages=ExaminedPages(database),
        dendrograms=DendrogramCache(store),
        templates=make_environment(),
        writers=writers or {},
        editor=editor,
        login=login,
    )
    app = FastAPI(
        title="flong inspector",
        description="Sites, clusters, patterns, pages and articles, with evidence.",
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    app.add_middleware(AccessCheck, editor=editor, login=login)
    app.add_middleware(_HostCheck, hosts=hosts)
    app.middleware("http")(_keep_rules)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(_HeadRequests)
    _add_error_handlers(app, context)
    add_routes(app, context)
    add_health(app, database, editor)
    add_live(app, database, editor)
    if login is not None:
        add_login(app, context.templates, login)
    if editor is not None:
        add_changes(app, database, context.pages, editor)
    app.state.context = context
    return app


class _HostCheck:
    """Refuses requests for unknown hosts."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._is_ours(scope):
            await self.app(scope, receive, send)
        else:
            await PlainTextResponse("Unknown host.", 400)(scope, receive, send)

    def _is_ours(self, scope: Scope) -> bool:
        try:
            host = urlsplit(f"//{Headers(scope=scope).get('host', '')}").hostname
        except ValueError:
            return False
        return host in (*self.hosts, scope["server"][0])


class _HeadRequests:
    """Answers HEAD with the headers of GET."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b""})

        await self.app({**scope, "method": "GET"}, receive, send_headers)


def warm_up(app: FastAPI) -> None:
    """Fill the caches ahead of the first request."""
    context: ViewContext = app.state.context
    context.pages.warm_up()
    for site in context.database.store.sites.all()[:KEPT]:
        context.dendrograms.drawing(site)


async def _keep_rules(
    request: Request, respond: Callable[[Request], Awaitable[Response]]
) -> Response:
    """Add security headers to a response, and drop empty parameters from the request."""
    given = [pair for pair in request.query_params.multi_items() if pair[1]]
    request.scope["query_string"] = urlencode(given).encode()
    if "\0" in request.scope["path"] or any("\0" in value for _, value in given):
        response: Response = PlainTextResponse("NUL characters are not allowed.", 400)
    else:
        response = await respond(request)
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    response.headers.setdefault("Cache-Control", "no-cache")
    return response


def _add_error_handlers(app: FastAPI, context: ViewContext) -> None:
    """Answer errors with a message, as HTML or JSON."""

    def tell(request: Request, status: int, message: str) -> Response:
        if context.wants_json(request):
            return JSONResponse({"detail": message}, status)
        shown = context.render(
            "error.html", status=status, message=message, editing=context.may_edit(request)
        )
        return HTMLResponse(shown, status)

    @app.exception_handler(404)
    def no_route(request: Request, error: Exception) -> Response:
        return tell(request, 404, f"There is nothing at {request.url.path}.")

    @app.exception_handler(405)
    def no_method(request: Request, error: Exception) -> Response:
        return tell(request, 405, "Use the button of the view instead of this URL.")

    @app.exception_handler(HTTPException)
    def refused(request: Request, error: HTTPException) -> Response:
        return tell(request, error.status_code, error.detail)

    @app.exception_handler(500)
    def broken(request: Request, error: Exception) -> Response:
        return tell(request, 500, "This view failed. See the output of the server.")

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        wrong = "; ".join(
            f"{each['loc'][-1]}: {MESSAGES.get(each['type'], each['msg'])}"
            for each in error.errors()
        )
        return tell(request, 422, f"The URL is not valid ({wrong}).")

    for kind, status in STATUSES.items():

        def known(request: Request, error: Exception, status: int = status) -> Response:
            return tell(request, status, str(error))

        app.add_exception_handler(kind, known)
