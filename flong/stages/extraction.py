"""The stage `extract`: articles from stored pages and the site's model."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from flong import features
from flong.console import progress_bar, show_compiling, told
from flong.document import PackedDocument
from flong.stages.article_merge import merge
from flong.stages.joined_pages import join_pages
from flong.stages.page_reader import PageReader
from flong.stages.stored_pages import decisions, load_stored_model, packed_documents
from flong.states import RunKind, RunStatus, Verdict
from flong.storage import Merge, Site, Store, batches
from flong.workers.memory import give_back_memory
from flong.workers.pool import PAGE_SECONDS, worker_pool

BATCH = 100
"""Maximum number of pages whose results are stored in one transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """Result of extracting a site."""

    articles: int
    """Number of pages that are articles."""
    others: int
    """Number of pages that are not articles."""
    unmatched: int
    """Number of pages that no pattern fits."""
    failed: int = 0
    """Number of pages that cannot be read."""
    belonging: int = 0
    """Number of pages that belong to the article of another page, or are copies of one."""

    @property
    def summary(self) -> str:
        """Sentence with the result."""
        pages = self.articles + self.others + self.unmatched + self.failed
        failed = f", {self.failed} cannot be read" if self.failed else ""
        joined = f" {self.belonging} pages belong to the articles of others." * bool(self.belonging)
        return (
            f"{self.articles} of {pages} pages are articles, {self.others} are not, "
            f"{self.unmatched} fit no pattern{failed}.{joined}"
        )


def extract(  # noqa: PLR0913 - the pages, and limits for reading them
    store: Store,
    site: Site,
    *,
    everything: bool = False,
    only: Sequence[int] | None = None,
    merge: Merge = merge,
    seconds: float = PAGE_SECONDS,
    jobs: int | None = None,
) -> Extracted:
    """Extract `only` some pages, or `everything`, or those that changed or whose patterns did.

    A page that takes more than `seconds` of CPU time, or crashes its worker, is stored as failed.
    It is tried again when it or the patterns change. Pages are read by `jobs` processes, by default
    one per core.
    """
    model = load_stored_model(store, site)
    waiting = only or store.pages.ids(site, None if everything else "unextracted")
    reader = PageReader(
        model=model,
        dictionaries=store.documents.dictionaries(waiting),
        now=datetime.now(UTC),
    )
    verdicts: Counter[Verdict] = Counter()
    with (
        store.runs.attend(store.runs.start(site, RunKind.EXTRACT)) as run,
        progress_bar(f"Extracting {site.name}") as tell,
        worker_pool() as pool,
    ):
        if waiting:
            pool.start().wait_until_ready(show_compiling)
        documents = packed_documents(store, site, store.pages.rows(site, only=waiting))
        weigh = PackedDocument.weight
        results = pool.map(reader, documents, seconds=seconds, weigh=weigh, jobs=jobs)
        # Batch decisions, not documents: those would take more memory than everything else.
        decided = decisions(store, model, results)
        for found in batches(told(decided, tell, "pages", len(waiting)), BATCH):
            verdicts.update(each.verdict for each in found)
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
