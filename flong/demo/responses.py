"""HTTP responses, and conditional requests."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import blake2b

HTML = "text/html; charset=utf-8"
XML = "application/xml; charset=utf-8"


@dataclass(frozen=True)
class Response:
    """An HTTP response."""

    status: int
    """HTTP status."""
    headers: tuple[tuple[str, str], ...] = ()
    """Names and values; the server adds the length."""
    body: bytes = b""
    """Content; empty for a 304."""

    def header(self, name: str) -> str | None:
        """Return the value of a header, or None."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    @property
    def text(self) -> str:
        """Content as text."""
        return self.body.decode()


def page(content: str | bytes, kind: str = HTML, changed: datetime | None = None) -> Response:
    """Return a response of status 200 with validators: ETag always, Last-Modified if known."""
    body = content.encode() if isinstance(content, str) else content
    etag = f'"{blake2b(body, digest_size=8).hexdigest()}"'
    headers = [("Content-Type", kind), ("ETag", etag)]
    if changed:
        headers.append(("Last-Modified", format_datetime(changed, usegmt=True)))
    return Response(200, tuple(headers), body)


def failure(status: int, content: str) -> Response:
    """Return an error page, or another response that must not be cached."""
    return Response(
        status, (("Content-Type", HTML), ("Cache-Control", "no-store")), content.encode()
    )


def redirect(path: str) -> Response:
    """Return a permanent redirect."""
    return Response(301, (("Location", path), ("Content-Type", HTML)))


def conditional(response: Response, asked: Mapping[str, str]) -> Response:
    """Return the response, or a 304 if the client has it; an ETag takes precedence over a date.

    >>> first = page("hello")
    >>> conditional(first, {"If-None-Match": first.header("ETag") or ""}).status
    304
    """
    if response.status != 200 or not _same(response, asked):
        return response
    return replace(response, status=304, body=b"")


def _same(response: Response, asked: Mapping[str, str]) -> bool:
    lower = {name.lower(): value for name, value in asked.items()}
    etag, changed = response.header("ETag"), response.header("Last-Modified")
    if "if-none-match" in lower:
        return etag is not None and etag in lower["if-none-match"]
    if "if-modified-since" not in lower or changed is None:
        return False
    try:
        since = parsedate_to_datetime(lower["if-modified-since"])
    except ValueError:
        return False
    return parsedate_to_datetime(changed) <= since
