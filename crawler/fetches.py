"""What became of a request that gave no page, in words for people."""

from dataclasses import dataclass
from urllib.parse import urljoin

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from scrapy.http import Response

_LONGEST = 300
_MEANINGS: dict[type[BaseException], str] = {
    CannotResolveHostError: "the host is not known",
    DownloadConnectionRefusedError: "the connection was refused",
    DownloadTimeoutError: "no answer in time",
    DownloadCancelledError: "the answer was too large",
    ResponseDataLossError: "the answer was cut short",
    DownloadFailedError: "the connection failed",
}


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


def meaning(error: BaseException | None) -> str:
    """Return what an error of the downloader means to a person.

    >>> meaning(DownloadTimeoutError("30.0 seconds"))
    'no answer in time'
    >>> meaning(OSError("odd"))
    'OSError: odd'
    """
    for kind, words in _MEANINGS.items():
        if isinstance(error, kind):
            return words
    first_line = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {first_line}"[:_LONGEST]


def location(response: Response) -> str | None:
    """Return where a redirect leads; None if it is none."""
    location = response.headers.get("Location")
    if location is None or not 300 <= response.status < 400:
        return None
    return urljoin(response.url, location.decode("utf-8", "replace"))
