"""Pages and links, as the crawler stores them."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a page."""

    url: str
    """Absolute, canonical, inside the site."""
    text: str = ""
    """Text of the link; empty for a picture without an alternative text."""


class Anchor(NamedTuple):
    """An anchor text of a page."""

    text: str
    """Text of the link, or headline in a feed."""
    pages: int = 1
    """Number of pages with this link."""
    source: str = "link"
    """`link`, `feed`, `sitemap` or `news`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Data about a page in a feed or sitemap."""

    url: str
    """Absolute, canonical."""
    source: str
    """`feed`, `sitemap` or `news` (a news sitemap)."""
    title: str = ""
    """Headline; empty if the source has none."""
    published: datetime | None = None
    """Time of publication or last change, in UTC; None if not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One HTML page as served."""

    url: str
    """Canonical URL, which identifies the page within its site."""
    html: str
    """The decoded document."""
    fetched_at: datetime
    """Time of the response, in UTC."""
    depth: int = 0
    """Number of links from the home page."""
    status: int = 200
    """HTTP status."""
    encoding: str = "utf-8"
    """Encoding used to decode the document."""
    etag: str | None = None
    """Validator for a conditional request; None without one."""
    last_modified: str | None = None
    """Validator for a conditional request, as sent; None without one."""
    links: tuple[Link, ...] = ()
    """Links to pages of the same site, in document order, each URL once."""
    blocks: bytes | None = None
    """Blocks as a browser shows them, packed by `flong.visual`; None if not rendered."""
