"""What became of a request: a page, or in words for people why there is none."""

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
from scrapy.http import HtmlResponse, Response

from items import Link, Mention, Page

_LONGEST = 300
_BAD_CERTIFICATE = ("certificate verify failed", "VerificationError")
_MEANINGS: dict[type[BaseException], str] = {
    CannotResolveHostError: "the host is not known",
    DownloadConnectionRefusedError: "the connection was refused",
    DownloadTimeoutError: "no answer in time",
    DownloadCancelledError: "the answer was too large",
    ResponseDataLossError: "the answer was cut short",
    DownloadFailedError: "the connection failed",
}


class FetchRefused(Exception):
    """We did not ask, for a reason that its text says in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """An address that gave no page."""

    url: str
    """Canonical address."""
    reason: str
    """What happened, in a few words."""
    depth: int = 0
    """Number of links from the home page."""
    status: int = 0
    """HTTP status; 0 if there was no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What a sitemap or feed says."""

    mentions: tuple[Mention, ...]
    """Of pages of the site; together, because each thing that is yielded takes a millisecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchanged:
    """A stored page of which the server says that it is as before."""

    url: str
    """Canonical address."""
    depth: int
    """Number of links from the home page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """An address at which there is nothing to keep."""

    url: str
    """Canonical address."""
    target: str | None = None
    """Where the page is that it stands for; None if there is none."""
    is_page: bool = False
    """Whether a page was received, with links of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A stored page that is no longer there."""

    url: str
    """Canonical address."""


def meaning(error: BaseException | None) -> str:
    """Return what an error of the downloader means to a person.

    >>> meaning(DownloadTimeoutError("30.0 seconds"))
    'no answer in time'
    >>> meaning(OSError("odd"))
    'OSError: odd'
    """
    if isinstance(error, FetchRefused):
        return str(error)[:_LONGEST]
    failed = isinstance(error, DownloadFailedError)
    if failed and any(words in str(error) for words in _BAD_CERTIFICATE):
        return "the certificate is not valid"
    for kind, words in _MEANINGS.items():
        if isinstance(error, kind):
            return words
    first_line = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {first_line}"[:_LONGEST]


def location(response: Response) -> str | None:
    """Return where a redirect leads; None if it is none."""
    header = response.headers.get("Location")
    if header is None or not 300 <= response.status < 400:
        return None
    target = header.decode("utf-8", "replace")
    try:
        return urljoin(response.url, target)
    except ValueError:
        return target  # which leads nowhere


def page_of(response: HtmlResponse, url: str, depth: int, links: Sequence[Link]) -> Page:
    """Return the page that an answer brought."""
    return Page(
        url=url,
        html=response.text,
        fetched_at=datetime.now(UTC),
        depth=depth,
        status=response.status,
        encoding=response.encoding,
        etag=_header(response, "ETag"),
        last_modified=_header(response, "Last-Modified"),
        links=tuple(links),
    )


def _header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return None if value is None else value.decode("latin-1")
