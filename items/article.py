"""What comes out."""

from dataclasses import dataclass
from datetime import datetime


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One news article of one page."""

    url: str
    """Canonical address of its page."""
    title: str
    """The headline, without the site's name."""
    body: str
    """Its text, a line per paragraph, heading, list item, quotation or caption."""
    published: datetime | None = None
    """In UTC; None if not known. Never in the future."""
    modified: datetime | None = None
    """In UTC; None if not known."""
    authors: tuple[str, ...] = ()
    """Names as printed, without "by"."""
    image: str | None = None
    """Absolute address of the lead picture."""
    language: str | None = None
    """ISO 639-1 code."""
    section: str | None = None
    """The section as the site names it."""
    confidence: float = 0.0
    """From 0 to 1: how sure the decision is that this is an article with these fields."""
    method: str = "pattern"
    """`pattern`, `bounded` (the pattern fitted nearly) or the name of the fallback."""
    provenance: tuple[Provenance, ...] = ()
    """Why each field has its value."""
