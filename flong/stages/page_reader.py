"""Work of worker processes: decisions about compressed pages, and their trees.

This module does not import the database: workers would need longer to start.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from flong.decision import Decision
from flong.document import Document, PackedDocument
from flong.patterns import ExtractionModel
from flong.tree import SitePage


@dataclass(frozen=True, slots=True)
class CorruptPage:
    """A page that cannot be decompressed."""

    reason: str
    """Error, as a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Makes decisions about batches of stored pages."""

    model: ExtractionModel
    """The site's model."""
    dictionaries: Mapping[int, bytes]
    """Compression dictionaries, by id."""
    now: datetime
    """Dates after this time are ignored."""

    def __call__(self, packed: Sequence[PackedDocument]) -> list[Decision | CorruptPage]:
        """Return the decision about each page."""
        unpacked = [_unpacked(each, self.dictionaries) for each in packed]
        sound = [each for each in unpacked if isinstance(each, Document)]
        found = iter(read_documents(sound, self.model, self.now))
        return [next(found) if isinstance(each, Document) else each for each in unpacked]


def read_documents(
    documents: Sequence[Document], model: ExtractionModel, now: datetime
) -> list[Decision]:
    """Return the decision about each page; parsing all first is faster."""
    pages = [document.page() for document in documents]
    return [
        model.read(page, document.anchors, now)
        for page, document in zip(pages, documents, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class TreeMaker:
    """Makes packed trees of batches of stored pages."""

    dictionaries: Mapping[int, bytes]
    """Compression dictionaries, by id."""

    def __call__(self, packed: Sequence[PackedDocument]) -> list[SitePage | CorruptPage]:
        """Return each page with its packed tree."""
        unpacked = (_unpacked(each, self.dictionaries) for each in packed)
        return [each.packed_page() if isinstance(each, Document) else each for each in unpacked]


def _unpacked(packed: PackedDocument, dictionaries: Mapping[int, bytes]) -> Document | CorruptPage:
    try:
        return packed.unpacked(dictionaries)
    except ValueError as error:
        return CorruptPage(str(error))
