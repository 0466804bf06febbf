"""Outcomes of requests: a page, an alias, an unchanged page, or a failure with its reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urljoin

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from scrapy.http import Request, Response

from flong.crawler.decoding import Decoded
from flong.links import ParsingTimeout
from flong.page import Link, Mention, Page

HEADER_ENCODING = "latin-1"
"""Encoding that maps each byte to one character, so that headers are sent back unchanged."""

_LONGEST = 300
_BAD_CERTIFICATE = ("certificate verify failed", "VerificationError")
_MEANINGS: dict[type[BaseException], str] = {
    CannotResolveHostError: "the host is not known",
    DownloadConnectionRefusedError: "the connection was refused",
    DownloadTimeoutError: "no response in time",
    DownloadCancelledError: "the response was too large",
    ResponseDataLossError: "the response was cut short",
    DownloadFailedError: "the connection failed",
}


class FetchRefused(Exception):
    """The request was not sent; str(exc) is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A URL whose request failed."""

    url: str
    """Canonical URL."""
    reason: str
    """Reason as a short phrase."""
    depth: int = 0
    """Number of links from the home page."""
    status: int = 0
    """HTTP status; 0 if there was no response or the status is not valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedMentions:
    """The pages listed in a sitemap or feed."""

    mentions: tuple[Mention, ...]
    """Pages of the site. Sent as one item, because each item costs about a millisecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchanged:
    """A stored page for which the server returned 304 Not Modified."""

    url: str
    """Canonical URL."""
    depth: int
    """Number of links from the home page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    """A URL whose page is stored under another URL."""

    url: str
    """Canonical URL."""
    target: str
    """URL of the stored page."""
    is_page: bool = False
    """True if the URL returned a page that declares the target as its canonical URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotHtml:
    """A URL whose content is not HTML."""

    url: str
    """Canonical URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A stored page that no longer exists."""

    url: str
    """Canonical URL."""


def describe_error(error: BaseException | None) -> str:
    """Return a downloader error as a short phrase for the user.

    >>> describe_error(DownloadTimeoutError("30.0 seconds"))
    'no response in time'
    >>> describe_error(OSError("odd"))
    'OSError: odd'
    """
    if isinstance(error, FetchRefused | ParsingTimeout):
        return str(error)[:_LONGEST]
    failed = isinstance(error, DownloadFailedError)
    if failed and any(words in str(error) for words in _BAD_CERTIFICATE):
        return "the certificate is not valid"
    for kind, words in _MEANINGS.items():
        if isinstance(error, kind):
            return words
    first_line = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {first_line}"[:_LONGEST]


def is_conditional(request: Request | None) -> bool:
    """Return True if the request is conditional (ETag or Last-Modified).

    >>> is_conditional(Request("http://a.example/", headers={"If-None-Match": '"1"'}))
    True
    """
    names = ("If-None-Match", "If-Modified-Since")
    return request is not None and any(name in request.headers for name in names)


def redirect_target(response: Response) -> str | None:
    """Return the target of a redirect, or None if the response is not a redirect."""
    header = response.headers.get("Location")
    if header is None or not 300 <= response.status < 400:
        return None
    target = header.decode("utf-8", "replace")
    try:
        return urljoin(response.url, target)
    except ValueError:
        return target  # not a valid URL


def build_page(
    response: Response, decoded: Decoded, url: str, depth: int, links: Sequence[Link]
) -> Page:
    """Return the page built from a response."""
    return Page(
        url=url,
        html=decoded.text,
        fetched_at=datetime.now(UTC),
        depth=depth,
        status=response.status,
        encoding=decoded.encoding,
        etag=header_text(response, "ETag"),
        last_modified=header_text(response, "Last-Modified"),
        links=tuple(links),
    )


def header_text(response: Response, name: str) -> str | None:
    """Return a header with each byte as one character; None if it was not sent."""
    value = response.headers.get(name)
    return None if value is None else value.decode(HEADER_ENCODING)
