"""What extraction says about a page."""

from dataclasses import dataclass
from datetime import datetime

from items import Article


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionRow:
    """What extraction decided about one page."""

    page_id: int
    """Number of the page."""
    content_hash: str
    """Fingerprint of the document that was looked at."""
    model_version: int
    """Version of the model that was used; 0 for none."""
    verdict: str
    """`article`, `other` (a page, but no article) or `unmatched` (no pattern fits)."""
    fit: str = "none"
    """How the pattern fitted: `strict`, `bounded` or `none`."""
    pattern_id: int | None = None
    """The pattern that fitted; None if none did."""
    cost: float | None = None
    """Cost of the match; None without one."""
    constants: int = 0
    """Number of the pattern's constant vertices that were found."""
    score: float | None = None
    """How much speaks for an article; None if it was not weighed."""
    reason: str = ""
    """The decision in words."""
    article: Article | None = None
    """The article; None unless the verdict is `article`."""
    extracted_at: datetime | None = None
    """When it was decided; None before it is stored."""
    page_words: int | None = None
    """Number of words on the page; None if they were not counted."""
    agrees: bool | None = None
    """Whether the page's metadata has the same title; None if it has none."""
    before_pattern_id: int | None = None
    """The pattern that fitted the page before its document changed; set when it is stored."""
