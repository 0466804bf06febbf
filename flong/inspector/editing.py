"""Who may change something: whoever has the token, from a page of the inspector itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from secrets import token_urlsafe
from urllib.parse import parse_qsl, urlencode

from fastapi import HTTPException, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from flong.inspector.jobs import Jobs
from flong.program import program
from flong.storage import Store

READS = ("GET", "HEAD", "OPTIONS")
LARGEST = 1 << 16
"""Bytes that a form may have."""

Form = Mapping[str, str]
"""What was filled in, by name of the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """What changes something, for whoever has the token."""

    store: Store = field(repr=False)
    """The database, which may be written here."""
    jobs: Jobs = field(repr=False)
    """What takes longer than a visitor waits."""
    token: str = field(default_factory=token_urlsafe, repr=False)
    """Whoever has it may change something."""

    def admits(self, scope: Scope) -> bool:
        """Tell whether a request comes with the token, in a cookie or as `Authorization`."""
        headers = Headers(scope=scope)
        given = headers.get("authorization", "").removeprefix("Bearer ")
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(_cookie_name(scope))
        except CookieError:
            cookie = None
        return any(
            compare_digest(one.encode(), self.token.encode())
            for one in (given, cookie.value if cookie else "")
        )


class WriteCheck:
    """Refuses every request that would change something and must not.

    Without an editor all are refused; else those of pages of another origin (a browser says whose
    they are), and those without the token. A visitor who comes with `?token=` gets a cookie for it,
    and is led on to the same URL without: a URL is written down in too many places.
    """

    def __init__(self, app: ASGIApp, editor: Editor | None) -> None:
        self.app = app
        self.editor = editor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: D102 - ASGI
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = "" if scope["method"] in READS else self._refusal(scope)
        if refusal:
            await PlainTextResponse(refusal, 403)(scope, receive, send)
        elif (entering := self._entering(scope)) is not None:
            await entering(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> str:
        if self.editor is None:
            return f"Nothing can be changed here: {program()} inspect --edit lets you."
        headers = Headers(scope=scope)
        own = f"{scope['scheme']}://{headers.get('host', '')}"
        if headers.get("origin", own) != own:
            return "Pages of another origin may change nothing here."
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return "Pages of another origin may change nothing here."
        if not self.editor.admits(scope):
            return f"Open the URL that {program()} inspect --edit has printed: it holds the token."
        return ""

    def _entering(self, scope: Scope) -> Response | None:
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if given is None or self.editor is None or scope["method"] not in READS:
            return None
        rest = urlencode([pair for pair in query if pair[0] != "token"])
        path = "/" + scope["path"].lstrip("/\\")
        response = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        if compare_digest(given.encode(), self.editor.token.encode()):
            response.set_cookie(
                _cookie_name(scope), given, httponly=True, samesite="strict", path="/"
            )
        return response


def _cookie_name(scope: Scope) -> str:
    """Return a name of this server's own: cookies of all ports of a host are one heap."""
    return f"flong-{scope['server'][1]}"


async def read_form(request: Request) -> Form:
    """Return what a form was filled in with; one that is too large is refused."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST:
            raise HTTPException(413, "The form is too large.")
    try:
        given = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=100)
    except ValueError as error:
        raise HTTPException(400, f"The form cannot be read: {error}.") from error
    if any("\0" in value for _, value in given):
        raise HTTPException(400, "No stored text holds a NUL.")
    return dict(given)
