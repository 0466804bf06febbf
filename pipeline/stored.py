"""Between database and workers: stored pages on their way in, decisions on their way out."""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from patterns import Anchor, SiteModel
from pipeline.command import OutdatedModel, PipelineError
from pipeline.reader import Document, Finding, Reader
from pipeline.worker import Died, Worker, each
from storage import ExtractionRow, PageRow, Site, Store
from trees import SitePage

logger = logging.getLogger(__name__)

T = TypeVar("T")

PARTLY = "; the page is nested too deep, or too large, and was read in part only"
"""Ends the reason for the decision about a page that was cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedSite:
    """What was last learned about a site, as it is stored."""

    reader: Reader
    """Decides about pages."""
    version: int
    """Version of the model."""
    pattern_ids: Mapping[int, int]
    """Numbers of the patterns in the database, by their numbers in the model."""

    @classmethod
    def of(cls, store: Store, site: Site) -> "LearnedSite":
        """Return what was learned, or say in a sentence why not."""
        data = store.load_model(site)
        if data is None:
            raise PipelineError(f"{site.name} has not been learned yet: scrapy learn {site.name}")
        try:
            model = SiteModel.from_json(data)
        except ValueError as error:
            raise OutdatedModel(f"What was learned about {site.name}: {error}.") from error
        patterns = store.patterns(site)
        return cls(
            reader=Reader(model=model, now=datetime.now(UTC)),
            version=store.model_version(site),
            pattern_ids={at: row.id for at, row in enumerate(patterns) if row.id is not None},
        )

    def decision(self, document: Document, answer: Finding | Died) -> ExtractionRow:
        """Return what is stored about a page that was read, or could not be."""
        if isinstance(answer, Died):
            logger.warning("%s cannot be read: %s.", document.url, answer.reason)
            return ExtractionRow(
                page_id=document.page_id,
                content_hash=document.content_hash,
                model_version=self.version,
                verdict="failed",
                reason=f"it cannot be read: {answer.reason}",
            )
        found = answer.extraction
        return ExtractionRow(
            page_id=document.page_id,
            content_hash=document.content_hash,
            model_version=self.version,
            verdict=found.verdict,
            fit=found.match,
            pattern_id=None if found.pattern is None else self.pattern_ids[found.pattern],
            cost=found.cost,
            constants=found.constants,
            score=found.score,
            reason=found.reason + PARTLY * answer.partial,
            article=found.article,
            page_words=answer.words,
            agrees=answer.agrees,
        )


def document_of(row: PageRow, anchors: Mapping[str, Sequence[Anchor]] | None = None) -> Document:
    """Return a page that was read with its HTML as it is sent to a worker."""
    return Document(
        page_id=row.id,
        content_hash=row.content_hash or "",
        url=row.url,
        html=row.html,
        anchors=(anchors or {}).get(row.url, ()),
    )


def answers(
    documents: Iterable[Document], work: Callable[[Document], T], seconds: float
) -> Iterator[tuple[Document, T]]:
    """Yield what a worker makes of documents; one that it dies of is left out."""
    with Worker(each(work), seconds=seconds) as worker:
        for document, answer in worker.map(documents):
            if isinstance(answer, Died):
                logger.warning("%s cannot be read: %s.", document.url, answer.reason)
            else:
                yield document, answer


def read_pages(rows: Iterable[PageRow], seconds: float) -> Iterator[tuple[PageRow, SitePage]]:
    """Yield stored pages as the methods see them; one that cannot be read is left out."""
    waiting: dict[int, PageRow] = {}

    def documents() -> Iterator[Document]:
        for row in rows:
            waiting[row.id] = row
            yield document_of(row)

    for document, page in answers(documents(), Document.page, seconds):
        yield waiting.pop(document.page_id), page


def anchors_by_url(store: Store, site: Site) -> Mapping[str, Sequence[Anchor]]:
    """Return what others call each page of a site."""
    found: dict[str, list[Anchor]] = defaultdict(list)
    for anchor in store.anchors(site):
        if anchor.text:
            found[anchor.url].append(Anchor(anchor.text, anchor.pages, anchor.source))
    return found
