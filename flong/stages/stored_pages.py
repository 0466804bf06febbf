"""Transfer between database and workers: stored pages in, decisions out."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from flong.decision import Decision
from flong.document import Document, PackedDocument
from flong.errors import OutdatedModel, PipelineError
from flong.patterns import Anchor, ExtractionModel
from flong.program import program
from flong.site import load_model
from flong.stages.page_reader import CorruptPage, TreeMaker
from flong.states import Verdict
from flong.storage import PageRow, Site, Store, batches
from flong.tree import SitePage
from flong.workers.pool import WorkerDied, each, worker_pool

logger = logging.getLogger(__name__)

T = TypeVar("T")

CALLED_AT_ONCE = 20
"""Batch size for anchor-text lookups."""


def load_stored_model(store: Store, site: Site) -> ExtractionModel:
    """Return the model of a site; raise `PipelineError` if it is missing or cannot be read."""
    document = store.templates.model(site)
    if document is None:
        raise PipelineError(f"{site.name} has not been learned yet: {program()} learn {site.name}")
    try:
        return load_model(document)
    except ValueError as error:
        raise OutdatedModel(f"The model of {site.name}: {error}.") from error


def decisions(
    store: Store,
    model: ExtractionModel,
    results: Iterable[tuple[PackedDocument, Decision | CorruptPage | WorkerDied]],
) -> Iterator[Decision]:
    """Yield the decisions about pages, also about those that killed their worker.

    A page that cannot be decompressed is logged, and the next crawl requests it again.
    """
    for document, result in results:
        if isinstance(result, CorruptPage):
            _fetch_again(store, document, result)
        else:
            yield decision(model, document, result)


def _fetch_again(store: Store, document: PackedDocument, damaged: CorruptPage) -> None:
    """Mark a page that cannot be decompressed, and log a warning."""
    logger.warning("%s will be fetched again. %s", document.url, damaged.reason)
    store.pages.mark_damaged(document.page_id, document.content_hash)


def decision(
    model: ExtractionModel, document: PackedDocument, result: Decision | WorkerDied
) -> Decision:
    """Return the decision about a page, also about one that killed its worker."""
    if isinstance(result, WorkerDied):
        logger.warning("%s cannot be read: %s.", document.url, result.reason)
        reason = f"it cannot be read: {result.reason}"
        result = Decision(verdict=Verdict.FAILED, reason=reason, model_version=model.version)
    return replace(result, page_id=document.page_id, content_hash=document.content_hash)


def documents(store: Store, site: Site, rows: Iterable[PageRow]) -> Iterator[Document]:
    """Yield stored pages for workers, with the anchor texts of links to them."""
    for some in batches(rows, CALLED_AT_ONCE):
        anchors = store.links.anchors_by_url(site, [row.url for row in some])
        for row in some:
            yield document_of(row, anchors)


def packed_documents(store: Store, site: Site, rows: Iterable[PageRow]) -> Iterator[PackedDocument]:
    """Yield compressed pages for workers, with the anchor texts of links to them."""
    for some in batches(rows, CALLED_AT_ONCE):
        anchors = store.links.anchors_by_url(site, [row.url for row in some])
        for row in some:
            yield packed_document(row, anchors)


def packed_document(
    row: PageRow, anchors: Mapping[str, Sequence[Anchor]] | None = None
) -> PackedDocument:
    """Return a compressed page for a worker."""
    return PackedDocument(
        page_id=row.id,
        content_hash=row.content_hash or "",
        url=row.url,
        packed=row.packed,
        anchors=(anchors or {}).get(row.url, ()),
    )


def document_of(row: PageRow, anchors: Mapping[str, Sequence[Anchor]] | None = None) -> Document:
    """Return a decompressed page for a worker."""
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
    """Yield documents with the results of workers, without those that killed their worker."""
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
    """Yield stored pages with packed trees, without those that cannot be read.

    A page that cannot be decompressed is logged, and the next crawl requests it again.
    """
    waiting: dict[int, PageRow] = {}

    def sent() -> Iterator[PackedDocument]:
        for row in store.pages.rows(site, only=page_ids):
            waiting[row.id] = row
            yield packed_document(row)

    maker = TreeMaker(store.documents.dictionaries(page_ids))
    with worker_pool() as pool:
        weigh = PackedDocument.weight
        for document, result in pool.map(maker, sent(), seconds=seconds, weigh=weigh, jobs=jobs):
            row = waiting.pop(document.page_id)
            if isinstance(result, CorruptPage):
                _fetch_again(store, document, result)
            elif isinstance(result, WorkerDied):
                logger.warning("%s cannot be read: %s.", document.url, result.reason)
            else:
                yield row, result
