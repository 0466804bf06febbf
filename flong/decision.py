"""Decision about a page: made by `ExtractionModel.read`, merged, stored and shown."""

from dataclasses import dataclass
from datetime import datetime

from flong.article import Article
from flong.states import ArticleKind, Fit, KeepReason, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Kind of a page, with its pattern, article and evidence."""

    verdict: Verdict
    """Article or not."""
    reason: str = ""
    """Reason for the verdict, in words."""
    article: Article | None = None
    """The article or page in prose; None for other pages."""
    score: float | None = None
    """Points for an article; None if not counted."""
    fit: Fit = Fit.NONE
    """Fit of the pattern."""
    pattern_id: int | None = None
    """Id of the pattern, or its position in a model outside of a database; None if none fits."""
    cost: float | None = None
    """Cost of the match; None if the page could not be read."""
    constants: int = 0
    """Number of the pattern's constants found on the page."""
    page_words: int | None = None
    """Number of words on the page; None if they were not counted."""
    agrees: bool | None = None
    """True if the page's metadata contains the article's title; None without either."""
    model_version: int = 0
    """Version of the model; 0 outside of a database."""
    page_id: int = 0
    """Id of the page; 0 outside of a database."""
    content_hash: str = ""
    """Fingerprint of the document that was read."""
    before_pattern_id: int | None = None
    """Pattern that fitted the page before its document changed; set by the merge."""
    kept: KeepReason = KeepReason.NONE
    """Reason to keep an earlier article although the page gives another one; set by the merge."""
    extracted_at: datetime | None = None
    """Time of the decision; None before it is stored."""

    @property
    def news(self) -> Article | None:
        """The article; None unless it is news."""
        is_news = self.article is not None and self.article.kind is ArticleKind.NEWS
        return self.article if is_news else None

    @property
    def words(self) -> str:
        """The reason, preceded by the reason to keep an earlier article."""
        return f"{self.kept.sentence} {self.reason}".strip()
