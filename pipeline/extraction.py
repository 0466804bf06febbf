"""The stage `extract`: stored pages and the site's model in, articles out."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TypeVar

from extractors import EXTRACTORS
from pipeline.command import PipelineError
from pipeline.screen import tracked
from pipeline.stored import LearnedSite, anchors_by_url, document_of, read_pages
from pipeline.worker import PAGE_SECONDS, Worker
from storage import ExtractionRow, Site, Store

T = TypeVar("T")

BATCH = 200
"""Pages whose results are stored in one transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What came of extracting a site."""

    articles: int
    """Pages that are articles."""
    others: int
    """Pages that are none."""
    unmatched: int
    """Pages that no pattern fits."""
    failed: int = 0
    """Pages that cannot be read."""

    @property
    def summary(self) -> str:
        """Return it in a sentence."""
        pages = self.articles + self.others + self.unmatched + self.failed
        failed = f", {self.failed} cannot be read" if self.failed else ""
        return (
            f"{self.articles} of {pages} pages are articles, {self.others} are none, "
            f"{self.unmatched} fit no pattern{failed}."
        )


def extract(
    store: Store, site: Site, *, everything: bool = False, seconds: float = PAGE_SECONDS
) -> Extracted:
    """Extract the pages that are new or changed, or whose patterns are; on request all.

    A page whose reading takes more than `seconds` of processor time, or ends the process that
    reads it, is stored as failed, and tried again when it or the patterns change.
    """
    learned, anchors = LearnedSite.of(store, site), anchors_by_url(store, site)
    run = store.start_run(site, "extract")
    waiting = store.page_rows(site, only=None if everything else "unextracted")
    verdicts: Counter[str] = Counter()
    with Worker(learned.reader.read_all, seconds=seconds) as worker:
        documents = (document_of(row, anchors) for row in waiting)
        answers = tracked(worker.map(documents), f"Extracting {site.name}", None)
        for batch in _batches(answers):
            found = [learned.decision(document, answer) for document, answer in batch]
            verdicts.update(row.verdict for row in found)
            store.patiently(partial(store.save_extractions, site, run, found))
    store.finish_run(run, "done")
    return Extracted(
        articles=verdicts["article"],
        others=verdicts["other"],
        unmatched=verdicts["unmatched"],
        failed=verdicts["failed"],
    )


def extract_by(
    store: Store, site: Site, method: str, *, seconds: float = PAGE_SECONDS
) -> Extracted:
    """Extract all pages of a site by one of the other papers' methods instead of the patterns.

    The methods compare pages with each other, so all of them are in memory at once.
    """
    find = EXTRACTORS.get(method)
    if find is None:
        raise PipelineError(f"There is no method {method!r}: {', '.join(sorted(EXTRACTORS))}.")
    run = store.start_run(site, "extract")
    stored = tracked(store.page_rows(site), f"Reading {site.name}", None)
    rows, pages = [], []
    for row, page in read_pages(stored, seconds):
        rows.append((row.id, row.content_hash or ""))
        pages.append(page)
    version = store.model_version(site)
    found = [
        ExtractionRow(
            page_id=number,
            content_hash=content_hash,
            model_version=version,
            verdict="other" if article is None else "article",
            reason=f"{method} finds {'no article' if article is None else 'an article'}",
            article=article,
        )
        for (number, content_hash), article in zip(rows, find(pages), strict=True)
    ]
    store.patiently(partial(store.save_extractions, site, run, found, keep_better=False))
    store.finish_run(run, "done", note=method)
    articles = sum(row.article is not None for row in found)
    return Extracted(articles=articles, others=len(found) - articles, unmatched=0)


def _batches(things: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(things)
    while batch := list(islice(rest, BATCH)):
        yield batch
