"""What was learned about a site, ready to read its pages.

Nothing here knows of the database, which the process that reads pages need not even import.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from flong.baselines import consensus
from flong.document import Document
from flong.model_document import ModelDocument
from flong.patterns import (
    Anchor,
    Examined,
    Explanation,
    Extraction,
    ExtractionModel,
    explain,
    read_model,
)
from flong.tree import SitePage


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedSite:
    """A site's model: the one way in which its pages are read, for whatever purpose.

    Everywhere `anchors` are what others call the page, and dates after `now` are not believed.
    """

    model: ExtractionModel
    """What was learned about the site."""
    version: int = 0
    """Version of the model."""

    @classmethod
    def load(cls, document: ModelDocument) -> "LearnedSite":
        """Return what is stored; raise `ValueError` if another version of flong stored it."""
        return cls(model=read_model(document), version=document.version)

    def pattern_id(self, number: int | None) -> int | None:
        """Return the id that a pattern of the model has in the database."""
        return None if number is None else self.model.patterns[number].id

    def read_all(self, documents: Sequence[Document], now: datetime) -> list[Extraction]:
        """Return what is decided about each of some pages; parsing all first is faster."""
        pages = [document.page() for document in documents]
        return [
            self.read(page, document.anchors, now)
            for page, document in zip(pages, documents, strict=True)
        ]

    def read(self, page: SitePage, anchors: Sequence[Anchor], now: datetime) -> Extraction:
        """Return what is decided about a page."""
        return self.model.extract(page, anchors, now=now, fallback=consensus)

    def explain(self, page: SitePage, anchors: Sequence[Anchor], now: datetime) -> Explanation:
        """Return why that is decided."""
        return explain(self.model, page, anchors, now=now, fallback=consensus)

    def examine(self, page: SitePage, anchors: Sequence[Anchor], now: datetime) -> Examined:
        """Return all that is found out about a page on the way to the decision."""
        return self.model.examine(page, anchors, now=now, fallback=consensus)
