"""The stage `extract`: stored pages and the site's model in, articles out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from flong import features
from flong.console import progress_bar, show_compiling, told
from flong.document import PackedDocument
from flong.stages.article_merge import merge
from flong.stages.joined_pages import join_pages
from flong.stages.page_reader import PageReader
from flong.stages.published import METHODS
from flong.stages.stored_pages import decisions, load_stored_model, packed_documents, read_pages
from flong.states import RunStatus, Verdict
from flong.storage import ArticleRow, Merge, Site, Store, batches
from flong.workers.memory import give_back_memory
from flong.workers.pool import PAGE_SECONDS, worker_pool

BATCH = 100
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
    belonging: int = 0
    """Pages of the site whose article is a part, or a copy, of another one's."""

    @property
    def summary(self) -> str:
        """Return it in a sentence."""
        pages = self.articles + self.others + self.unmatched + self.failed
        failed = f", {self.failed} cannot be read" if self.failed else ""
        joined = f" {self.belonging} pages belong to the articles of others." * bool(self.belonging)
        return (
            f"{self.articles} of {pages} pages are articles, {self.others} are none, "
            f"{self.unmatched} fit no pattern{failed}.{joined}"
        )


def extract(  # noqa: PLR0913 - what, how and for how long
    store: Store,
    site: Site,
    *,
    everything: bool = False,
    only: Sequence[int] | None = None,
    merge: Merge = merge,
    seconds: float = PAGE_SECONDS,
    jobs: int | None = None,
) -> Extracted:
    """Extract the pages that are new or changed, or whose patterns are; on request some, or all.

    A page whose reading takes more than `seconds` of processor time, or ends the process that
    reads it, is stored as failed, and tried again when it or the patterns change. Pages are read by
    `jobs` processes, by default one for each core.
    """
    model = load_stored_model(store, site)
    waiting = only or store.pages.ids(site, None if everything else "unextracted")
    reader = PageReader(
        model=model,
        dictionaries=store.dictionaries.of_pages(waiting),
        now=datetime.now(UTC),
    )
    verdicts: Counter[Verdict] = Counter()
    with (
        store.runs.attend(store.runs.start(site, "extract")) as run,
        progress_bar(f"Extracting {site.name}") as tell,
        worker_pool() as pool,
    ):
        if waiting:
            pool.start().wait_until_ready(show_compiling)
        documents = packed_documents(store, site, store.pages.rows(site, only=waiting))
        weigh = PackedDocument.weight
        results = pool.map(reader, documents, seconds=seconds, weigh=weigh, jobs=jobs)
        # Not the documents: a batch of those would be more than everything else in memory.
        rows = decisions(store, model, results)
        for found in batches(told(rows, tell, "pages", len(waiting)), BATCH):
            verdicts.update(row.verdict for row in found)
            store.retry_while_busy(partial(store.extractions.save, site, run, found, merge))
            give_back_memory()
        tell("stories", 0, 0)
        belonging = join_pages(store, site)
        for follow_up in features.load(features.AFTER_EXTRACTION):
            follow_up(store)
        store.runs.finish(run, RunStatus.DONE)
    return Extracted(
        articles=verdicts[Verdict.ARTICLE],
        others=verdicts[Verdict.OTHER],
        unmatched=verdicts[Verdict.UNMATCHED],
        failed=verdicts[Verdict.FAILED],
        belonging=belonging,
    )


def articles_by(
    store: Store, site: Site, method: str, *, seconds: float = PAGE_SECONDS
) -> Iterator[ArticleRow]:
    """Yield what one of the other papers' methods finds on all pages of a site.

    None is stored: the articles in the database are those of the patterns. The methods compare
    pages with each other, so all of them are in memory at once.
    """
    find, page_ids = METHODS[method], store.pages.ids(site)
    rows, pages = [], []
    with progress_bar(f"Reading {site.name}") as tell:
        found = read_pages(store, site, page_ids, seconds)
        for row, page in told(found, tell, "pages", len(page_ids)):
            rows.append((row.id, row.first_seen))
            pages.append(page)
        tell(method, 0, 0)
        articles = find(pages)
    for (page_id, first_seen), article in zip(rows, articles, strict=True):
        if article is not None:
            yield ArticleRow(
                page_id=page_id,
                site=site.name,
                article=article,
                pattern_id=None,
                first_seen=first_seen,
                extracted_at=datetime.now(UTC),
            )
