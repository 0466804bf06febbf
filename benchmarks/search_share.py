"""What indexing and signatures add to the extraction of real pages."""

import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from unittest.mock import patch

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.methods import NOW
from flong.page import Page
from flong.stages.article_merge import merge
from flong.stages.extraction import BATCH
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.stages.page_reader import Reading
from flong.stages.stored_pages import decision, load_learned_site, packed_documents
from flong.storage import Store, batches

PAGES = 400
"""Pages of a site."""
TURNS = 3
"""Times that each way is gone, one after the other; the best counts."""


def measure_share(names: Sequence[str]) -> None:
    """Print the CPU time of extraction with the index and without, where every article is new."""
    print(f"{'site':<14}{'pages':>6}{'articles':>9}{'without':>9}{'with':>8}   ms a page")
    sums = [0.0, 0.0]
    for site in find_sites(names):
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "learned.db"
            pages = _learn(site, database)
            times, articles = _best_times(database)
        sums = [total + spent for total, spent in zip(sums, times, strict=True)]
        cells = "".join(f"{1000 * spent / pages:>8.2f}" for spent in times)
        share = times[1] / times[0] - 1
        print(f"{site.slug:<14}{pages:>6}{articles:>9} {cells}   +{share:.0%}", flush=True)
    print(f"all: +{sums[1] / sums[0] - 1:.0%}")


def _learn(site: CorpusSite, database: Path) -> int:
    """Store pages of a site and learn it; return how many they are."""
    read = (site.page(path) for path in islice(site.paths, PAGES))
    pages = [Page(url=page.url, html=page.html, fetched_at=NOW) for page in read]
    with Store.open(f"sqlite:///{database}") as store:
        ours = store.sites.add(pages[0].url)
        store.pages.save(ours, store.runs.start(ours, "load"), pages)
        learn(store, ours, LearningSettings())
    return len(pages)


def _best_times(database: Path) -> tuple[list[float], int]:
    times = [float("inf"), float("inf")]
    articles = 0
    for turn in range(2 * TURNS):
        copy = shutil.copy(database, database.with_name("turn.db"))
        spent, articles = _extract(str(copy), is_indexed=bool(turn % 2))
        times[turn % 2] = min(times[turn % 2], spent)
        for path in database.parent.glob("turn.db*"):
            path.unlink()
    return times, articles


def _extract(database: str, *, is_indexed: bool) -> tuple[float, int]:
    """Extract all pages as the stage does, in one process; return seconds and articles."""
    unindexed = patch("flong.storage.extractions.keep_index", lambda *_: nullcontext())
    with Store.open(f"sqlite:///{database}") as store, nullcontext() if is_indexed else unindexed:
        (site,) = store.sites.all()
        learned, articles = load_learned_site(store, site), 0
        dictionaries = store.dictionaries.of_pages(store.pages.ids(site))
        run = store.runs.start(site, "extract")
        begin = time.process_time()
        for batch in batches(packed_documents(store, site, store.pages.rows(site)), BATCH):
            found = learned.read_all([page.unpacked(dictionaries) for page in batch], NOW)
            read = zip(batch, found, strict=True)
            rows = [decision(learned, page, Reading(result, None)) for page, result in read]
            store.extractions.save(site, run, rows, merge)
            articles += sum(row.article is not None for row in rows)
        store.search_index.find_stories()
        return time.process_time() - begin, articles
