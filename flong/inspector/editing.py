"""Editors: visitors with a token, the cookie that carries it, and the forms they send."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from secrets import token_urlsafe
from typing import Annotated, TypeVar
from urllib.parse import parse_qsl

from fastapi import Depends, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, ValidationError
from starlette.datastructures import Headers
from starlette.types import Scope

from flong.inspector.jobs import Jobs
from flong.storage import Store

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
        given = Headers(scope=scope).get("authorization", "").removeprefix("Bearer ")
        return any(
            compare_digest(one.encode(), self.token.encode()) for one in (given, cookie_of(scope))
        )


def cookie_of(scope: Scope) -> str:
    """Return the token in the cookie of a request; empty without one."""
    try:
        cookie = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(_cookie_name(scope))
    except CookieError:
        cookie = None
    return cookie.value if cookie else ""


def own_path(path: str) -> str:
    r"""Return a path that browsers cannot take for the URL of another host.

    >>> own_path("//evil.example/"), own_path("\t/evil.example/"), own_path("/night?day=")
    ('/evil.example/', '/evil.example/', '/night?day=')
    """
    return "/" + path.lstrip("/\\\t\r\n")


def enter(scope: Scope, path: str, token: str | None) -> Response:
    """Redirect to a path of the inspector; a token becomes a cookie that scripts cannot read."""
    response = RedirectResponse(own_path(path), 303)
    if token is not None:
        response.set_cookie(
            _cookie_name(scope),
            token,
            httponly=True,
            samesite="strict",
            secure=scope["scheme"] == "https",
            path="/",
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
