"""What a worker makes of stored pages: all that is decided about each, ready to be stored.

Pages come packed. Nothing here knows of the database.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from flong.document import Document, PackedDocument
from flong.patterns import Extraction, ExtractionModel
from flong.tree import SitePage


@dataclass(frozen=True, slots=True)
class CorruptPage:
    """A page that cannot be unpacked."""

    reason: str
    """What is wrong with it, in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """Reads stored pages of a site, some at a time."""

    model: ExtractionModel
    """The site's model."""
    dictionaries: Mapping[int, bytes]
    """What unpacks its pages, by id."""
    now: datetime
    """Dates after this are not believed."""

    def __call__(self, packed: Sequence[PackedDocument]) -> list[Extraction | CorruptPage]:
        """Return what becomes of each of some pages."""
        unpacked = [_unpacked(each, self.dictionaries) for each in packed]
        sound = [each for each in unpacked if isinstance(each, Document)]
        found = iter(read_documents(sound, self.model, self.now))
        return [next(found) if isinstance(each, Document) else each for each in unpacked]


def read_documents(
    documents: Sequence[Document], model: ExtractionModel, now: datetime
) -> list[Extraction]:
    """Return the decision about each page; parsing all first is faster."""
    pages = [document.page() for document in documents]
    return [
        model.read(page, document.anchors, now)
        for page, document in zip(pages, documents, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class TreeMaker:
    """Makes trees of stored pages, packed, some pages at a time."""

    dictionaries: Mapping[int, bytes]
    """What unpacks them, by id."""

    def __call__(self, packed: Sequence[PackedDocument]) -> list[SitePage | CorruptPage]:
        """Return each of some pages as the methods see it."""
        unpacked = (_unpacked(each, self.dictionaries) for each in packed)
        return [each.packed_page() if isinstance(each, Document) else each for each in unpacked]


def _unpacked(packed: PackedDocument, dictionaries: Mapping[int, bytes]) -> Document | CorruptPage:
    try:
        return packed.unpacked(dictionaries)
    except ValueError as error:
        return CorruptPage(str(error))
