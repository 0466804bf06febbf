"""Authorization of changes: a token, and a request from a page of the inspector."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from secrets import token_urlsafe
from typing import Annotated, TypeVar
from urllib.parse import parse_qsl, urlencode

from fastapi import Depends, HTTPException, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response
from pydantic import BaseModel, ValidationError
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from flong.inspector.jobs import Jobs
from flong.program import program
from flong.storage import Store

READS = ("GET", "HEAD", "OPTIONS")
LARGEST = 1 << 16
"""Maximum size of a form in bytes."""

T = TypeVar("T", bound=BaseModel)

Form = Mapping[str, str]
"""Values by name of the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """Access for visitors with the token."""

    store: Store = field(repr=False)
    """Writable database."""
    jobs: Jobs = field(repr=False)
    """Queue of commands that take longer than a request."""
    token: str = field(default_factory=token_urlsafe, repr=False)
    """Secret of the editors."""

    def admits(self, scope: Scope) -> bool:
        """Return True if a request carries the token, in a cookie or as `Authorization`."""
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
    """Refuses unauthorized changes.

    Without an editor, every change is refused. Otherwise requests from another origin and
    requests without the token are refused. A `?token=` in the URL is moved to a cookie by a
    redirect, because URLs end up in logs and histories.
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
            return (
                f"This inspector is read-only. Start {program()} inspect --edit to change things."
            )
        headers = Headers(scope=scope)
        own = f"{scope['scheme']}://{headers.get('host', '')}"
        if headers.get("origin", own) != own:
            return "Requests from another origin are refused."
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return "Requests from another origin are refused."
        if not self.editor.admits(scope):
            return f"The token is missing. Open the URL that {program()} inspect --edit printed."
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
    """Return a name with the port, because all ports of a host share their cookies."""
    return f"flong-{scope['server'][1]}"


async def read_form(request: Request) -> Form:
    """Return the values of a form; refuse one that is too large."""
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
        raise HTTPException(400, "NUL characters are not allowed.")
    return dict(given)


Filled = Annotated[Form, Depends(read_form)]


def read(kind: type[T], form: Form) -> T:
    """Return the checked values of a form; empty fields count as missing."""
    try:
        return kind.model_validate({name: value for name, value in form.items() if value})
    except ValidationError as error:
        wrong = "; ".join(f"{each['loc'][-1]}: {each['msg']}" for each in error.errors())
        raise HTTPException(422, f"The form is not valid ({wrong}).") from error
