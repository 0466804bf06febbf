"""Between database and workers: stored pages on their way in, decisions on their way out."""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from flong.document import Document, PackedDocument
from flong.errors import OutdatedModel, PipelineError
from flong.patterns import Anchor, Extraction, ExtractionModel
from flong.program import program
from flong.site import load_model
from flong.stages.page_reader import CorruptPage, TreeMaker
from flong.states import Verdict
from flong.storage import ExtractionRow, PageRow, Site, Store, batches
from flong.tree import SitePage
from flong.workers.pool import WorkerDied, each, worker_pool

logger = logging.getLogger(__name__)

T = TypeVar("T")

CALLED_AT_ONCE = 20
"""Pages, still packed, for which it is looked up at once what others call them."""


PARTLY = "; the page is nested too deep, or too large, and was read in part only"
"""Ends the reason for the decision about a page that was cut."""


def load_stored_model(store: Store, site: Site) -> ExtractionModel:
    """Return the model of a site, or raise `PipelineError` if there is none that can be read."""
    document = store.models.load(site)
    if document is None:
        raise PipelineError(f"{site.name} has not been learned yet: {program()} learn {site.name}")
    try:
        return load_model(document)
    except ValueError as error:
        raise OutdatedModel(f"What was learned about {site.name}: {error}.") from error


def decisions(
    store: Store,
    model: ExtractionModel,
    results: Iterable[tuple[PackedDocument, Extraction | CorruptPage | WorkerDied]],
) -> Iterator[ExtractionRow]:
    """Yield what is stored about pages that were read, or could not be.

    A page that cannot be unpacked is named, and the next crawl asks for it again.
    """
    for document, result in results:
        if isinstance(result, CorruptPage):
            _ask_again(store, document, result)
        else:
            yield decision(model, document, result)


def _ask_again(store: Store, document: PackedDocument, damaged: CorruptPage) -> None:
    """Note that a page cannot be unpacked, and say so."""
    logger.warning("%s will be asked for again. %s", document.url, damaged.reason)
    store.pages.mark_damaged(document.page_id, document.content_hash)


def decision(
    model: ExtractionModel, document: PackedDocument, result: Extraction | WorkerDied
) -> ExtractionRow:
    """Return what is stored about a page that was read, or that its reader died of."""
    if isinstance(result, WorkerDied):
        logger.warning("%s cannot be read: %s.", document.url, result.reason)
        return ExtractionRow(
            page_id=document.page_id,
            content_hash=document.content_hash,
            model_version=model.version,
            verdict=Verdict.FAILED,
            reason=f"it cannot be read: {result.reason}",
        )
    return ExtractionRow(
        page_id=document.page_id,
        content_hash=document.content_hash,
        model_version=model.version,
        verdict=result.verdict,
        fit=result.match,
        pattern_id=model.pattern_id(result.pattern),
        cost=result.cost,
        constants=result.constants,
        score=result.score,
        reason=result.reason + PARTLY * result.partial,
        article=result.article,
        page_words=result.page_words,
        agrees=result.agrees,
    )


def documents(store: Store, site: Site, rows: Iterable[PageRow]) -> Iterator[Document]:
    """Yield stored pages as they are sent to a worker, with what others call them."""
    for some in batches(rows, CALLED_AT_ONCE):
        anchors = anchors_by_url(store, site, [row.url for row in some])
        for row in some:
            yield document_of(row, anchors)


def packed_documents(store: Store, site: Site, rows: Iterable[PageRow]) -> Iterator[PackedDocument]:
    """Yield the same as they are stored, for a worker that unpacks them."""
    for some in batches(rows, CALLED_AT_ONCE):
        anchors = anchors_by_url(store, site, [row.url for row in some])
        for row in some:
            yield packed_document(row, anchors)


def packed_document(
    row: PageRow, anchors: Mapping[str, Sequence[Anchor]] | None = None
) -> PackedDocument:
    """Return a page as it is sent to a worker that unpacks it."""
    return PackedDocument(
        page_id=row.id,
        content_hash=row.content_hash or "",
        url=row.url,
        packed=row.packed,
        anchors=(anchors or {}).get(row.url, ()),
    )


def document_of(row: PageRow, anchors: Mapping[str, Sequence[Anchor]] | None = None) -> Document:
    """Return a page that was read with its HTML as it is sent to a worker."""
    return Document(
        page_id=row.id,
        content_hash=row.content_hash or "",
        url=row.url,
        data=row.data,
        anchors=(anchors or {}).get(row.url, ()),
    )


def results(
    documents: Iterable[Document],
    work: Callable[[Document], T],
    seconds: float,
) -> Iterator[tuple[Document, T]]:
    """Yield the results of workers for documents; one that kills its worker is left out."""
    with worker_pool() as pool:
        found = pool.map(each(work), documents, seconds=seconds, weigh=Document.weight)
        for document, result in found:
            if isinstance(result, WorkerDied):
                logger.warning("%s cannot be read: %s.", document.url, result.reason)
            else:
                yield document, result


def read_pages(
    store: Store,
    site: Site,
    page_ids: Sequence[int],
    seconds: float,
    jobs: int | None = None,
) -> Iterator[tuple[PageRow, SitePage]]:
    """Yield stored pages as the methods see them, packed; one that cannot be read is left out.

    A page that cannot be unpacked is named, and the next crawl asks for it again.
    """
    waiting: dict[int, PageRow] = {}

    def sent() -> Iterator[PackedDocument]:
        for row in store.pages.rows(site, only=page_ids):
            waiting[row.id] = row
            yield packed_document(row)

    maker = TreeMaker(store.dictionaries.of_pages(page_ids))
    with worker_pool() as pool:
        weigh = PackedDocument.weight
        for document, result in pool.map(maker, sent(), seconds=seconds, weigh=weigh, jobs=jobs):
            row = waiting.pop(document.page_id)
            if isinstance(result, CorruptPage):
                _ask_again(store, document, result)
            elif isinstance(result, WorkerDied):
                logger.warning("%s cannot be read: %s.", document.url, result.reason)
            else:
                yield row, result


def anchors_by_url(store: Store, site: Site, urls: Iterable[str]) -> Mapping[str, Sequence[Anchor]]:
    """Return what others call each of these pages of a site."""
    found: dict[str, list[Anchor]] = defaultdict(list)
    for anchor in store.anchors.of(site, urls):
        if anchor.text:
            found[anchor.url].append(Anchor(anchor.text, anchor.pages, anchor.source))
    return found
