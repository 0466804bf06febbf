"""Refusal of visitors without a login, and of changes without authorization."""

from hmac import compare_digest
from urllib.parse import parse_qsl, urlencode

from fastapi.responses import PlainTextResponse, RedirectResponse, Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from flong.inspector.editing import Editor, enter
from flong.inspector.login import Login
from flong.program import program

READS = ("GET", "HEAD", "OPTIONS")
PUBLIC = ("/login", "/static/style.css", "/health")
"""Paths that need no login."""


class AccessCheck:
    """Refuses unauthorized requests.

    With a login, everything but `PUBLIC` needs a session. Requests for changes need an editor and
    its token or a session, and are refused from another origin. A `?token=` in the URL is moved
    to a cookie by a redirect, because URLs end up in logs and histories.
    """

    def __init__(self, app: ASGIApp, editor: Editor | None, login: Login | None) -> None:
        self.app = app
        self.editor = editor
        self.login = login

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: D102 - ASGI
        answer = self._answer(scope) if scope["type"] == "http" else None
        await (answer or self.app)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response | None:
        """Return a refusal or a redirect; None if the request may pass."""
        is_read = scope["method"] in READS
        if not is_read and _is_foreign(scope):
            return PlainTextResponse("Requests from another origin are refused.", 403)
        if self.login is not None:
            if scope["path"] in PUBLIC:
                return None
            if not self.login.admits(scope):
                return _ask_for_login(scope)
            if scope["path"] == "/logout":
                return None
        refusal = "" if is_read else self._refusal(scope)
        return PlainTextResponse(refusal, 403) if refusal else self._entering(scope)

    def _refusal(self, scope: Scope) -> str:
        if self.editor is None:
            return (
                f"This inspector is read-only. Start {program()} inspect --edit to change things."
            )
        if not (self.login or self.editor).admits(scope):
            return f"The token is missing. Open the URL that {program()} inspect --edit printed."
        return ""

    def _entering(self, scope: Scope) -> Response | None:
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if given is None or self.editor is None or scope["method"] not in READS:
            return None
        is_right = compare_digest(given.encode(), self.editor.token.encode())
        rest = urlencode([pair for pair in query if pair[0] != "token"])
        return enter(scope, _with_query(scope["path"], rest), given if is_right else None)


def _is_foreign(scope: Scope) -> bool:
    """Return True if a request was made by a page of another origin."""
    headers = Headers(scope=scope)
    own = f"{scope['scheme']}://{headers.get('host', '')}"
    return (
        headers.get("origin", own) != own
        or headers.get("sec-fetch-site", "same-origin") != "same-origin"
    )


def _ask_for_login(scope: Scope) -> Response:
    """Return the way to the login for a browser, or a refusal for a program."""
    if scope["method"] != "GET" or "text/html" not in Headers(scope=scope).get("accept", ""):
        return PlainTextResponse("Log in at /login.", 403)
    to = _with_query(scope["path"], scope["query_string"].decode("latin-1"))
    return RedirectResponse(f"/login?{urlencode({'to': to})}", 303)


def _with_query(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path
