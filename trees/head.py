"""What a page says about itself: title, metadata, structured data."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The parts of a page that are kept beside its tree."""

    title: str = ""
    """Text of `<title>`, spaces normalised."""
    meta: Mapping[str, str] = field(default_factory=dict)
    """First content of each `<meta>` by lower-case `property`, `name` or `itemprop`."""
    canonical: str | None = None
    """`<link rel=canonical>`, as written."""
    language: str | None = None
    """`lang` of `<html>`, as written."""
    json_ld: tuple[str, ...] = ()
    """Text of each `<script type="application/ld+json">`, not parsed."""
