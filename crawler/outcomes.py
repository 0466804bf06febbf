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
from scrapy.http import Request, Response

from flong.crawler.decoding import Decoded
from flong.links import ParsingTimeout
from flong.page import Link, Mention, Page

HEADER_ENCODING = "latin-1"
"""Makes one character of each byte and one byte of each character: headers come back as sent."""

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
    """We did not ask, for a reason that its text says in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A URL that gave no page."""

    url: str
    """Canonical URL."""
    reason: str
    """What happened, in a few words."""
    depth: int = 0
    """Number of links from the home page."""
    status: int = 0
    """HTTP status; 0 if there was none, or one that HTTP does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedMentions:
    """What a sitemap or feed says."""

    mentions: tuple[Mention, ...]
    """Of pages of the site; together, because each thing that is yielded takes a millisecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchanged:
    """A stored page of which the server says that it is unchanged."""

    url: str
    """Canonical URL."""
    depth: int
    """Number of links from the home page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    """A URL of a page that is stored under another one."""

    url: str
    """Canonical URL."""
    target: str
    """Where the page is that it stands for."""
    is_page: bool = False
    """Whether a page was received, with links of its own, that names the target as canonical."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotHtml:
    """A URL at which there is something else than a page."""

    url: str
    """Canonical URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A stored page that is no longer there."""

    url: str
    """Canonical URL."""


def describe_error(error: BaseException | None) -> str:
    """Return what an error of the downloader means to a person.

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
    """Tell whether a request asks for a page only if it has changed.

    >>> is_conditional(Request("http://a.example/", headers={"If-None-Match": '"1"'}))
    True
    """
    names = ("If-None-Match", "If-Modified-Since")
    return request is not None and any(name in request.headers for name in names)


def redirect_target(response: Response) -> str | None:
    """Return where a redirect leads; None if it is none."""
    header = response.headers.get("Location")
    if header is None or not 300 <= response.status < 400:
        return None
    target = header.decode("utf-8", "replace")
    try:
        return urljoin(response.url, target)
    except ValueError:
        return target  # which leads nowhere


def build_page(
    response: Response, decoded: Decoded, url: str, depth: int, links: Sequence[Link]
) -> Page:
    """Return the page that a response brought."""
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
    """Return a header so that it can be stored, each byte as one character; None if not sent."""
    value = response.headers.get(name)
    return None if value is None else value.decode(HEADER_ENCODING)
