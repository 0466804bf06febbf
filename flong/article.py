"""What comes out."""

from dataclasses import dataclass, field
from datetime import datetime

from flong.blocks import Block, read_blocks
from flong.states import Access, Genre, Precision


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Why a field of an article has its value."""

    field: str
    """Name of the field of `Article`."""
    source: str
    """What gave the value: `wildcard`, `container`, `json-ld`, `meta`, `fallback` ..."""
    place: str = ""
    """XPath in the page or key in the metadata; empty if it is nowhere in one piece."""
    vertex: int | None = None
    """Position of the pattern's vertex (preorder) that gave it; None if no pattern did."""


def _iso(time: datetime | None) -> str | None:
    """Return a time as Scrapy's feeds have it: with its zone, unlike their own way."""
    return time.isoformat() if time else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One news article of one page."""

    url: str
    """Canonical URL of its page."""
    title: str
    """The headline, without the site's name."""
    body: str
    """Its text, a line per paragraph, heading, list item or quotation."""
    structure: str | None = None
    """Its blocks as `write_blocks` writes them; None if they were not read."""
    published: datetime | None = field(default=None, metadata={"serializer": _iso})
    """In UTC; None if not known. Never in the future."""
    published_precision: Precision | None = None
    """Whether only the day of publication is known; None if not even that."""
    published_text: str | None = None
    """The date of publication as the page writes it, with its zone."""
    modified: datetime | None = field(default=None, metadata={"serializer": _iso})
    """In UTC; None if not known."""
    modified_precision: Precision | None = None
    """Whether only the day of the last change is known."""
    modified_text: str | None = None
    """The date of the last change as the page writes it."""
    authors: tuple[str, ...] = ()
    """Names as printed, without "by"."""
    image: str | None = None
    """Absolute URL of the lead picture."""
    language: str | None = None
    """ISO 639-1 code."""
    section: str | None = None
    """The section as the site names it, the first of several."""
    sections: tuple[str, ...] = ()
    """All sections that it is in, from the widest to the narrowest where the site says so."""
    description: str | None = None
    """What the page says of it in a sentence or two."""
    tags: tuple[str, ...] = ()
    """What it is about, as the site tags it."""
    publisher: str | None = None
    """What the site or its publisher is called."""
    canonical_url: str | None = None
    """The absolute URL that the page names as its own; None if it names none."""
    page_urls: tuple[str, ...] = ()
    """URLs of all its pages, in order, if it is spread over several; none if it is not."""
    other_urls: tuple[str, ...] = ()
    """Other URLs of the site at which the same article stands."""
    access: Access | None = None
    """Whether all of it can be read; None if the page does not say."""
    genre: Genre | None = None
    """What sort of article the site says that it is; None if it does not."""
    confidence: float = 0.0
    """From 0 to 1: how sure the decision is that this is an article with these fields."""
    method: str = "pattern"
    """`pattern`, `bounded` (it fitted nearly), `fallback` (none fitted) or the name of a method."""
    provenance: tuple[Provenance, ...] = ()
    """Why each field has its value."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Its text with its structure, and pictures with their captions; none if not read."""
        return read_blocks(self.structure) if self.structure else ()
