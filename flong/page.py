"""What the crawler brings home."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a page, as a reader sees it."""

    url: str
    """Absolute, canonical, inside the site."""
    text: str = ""
    """The words that are clicked on; empty for a picture without an alternative text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """What a feed or a sitemap says about a page."""

    url: str
    """Absolute, canonical."""
    source: str
    """`feed`, `sitemap` or `news` (a news sitemap)."""
    title: str = ""
    """Its headline there; empty where the source gives none."""
    published: datetime | None = None
    """When it was published or last changed, in UTC; None if not said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One HTML page as it was served."""

    url: str
    """Canonical URL: the identity of the page within its site."""
    html: str
    """The decoded document."""
    fetched_at: datetime
    """When it was received, in UTC."""
    depth: int = 0
    """Number of links from the home page; 0 for the home page itself."""
    status: int = 200
    """HTTP status."""
    encoding: str = "utf-8"
    """The encoding that was chosen to decode the document."""
    etag: str | None = None
    """Validator for a conditional request; None if the server sent none."""
    last_modified: str | None = None
    """Validator for a conditional request, as sent; None if the server sent none."""
    links: tuple[Link, ...] = ()
    """Links to pages of the same site, in document order, each URL once."""
    blocks: bytes | None = None
    """What a reader saw of it in a browser, packed by `visual`; None if nobody looked."""
