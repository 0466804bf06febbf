"""Learning a site from stored rows to the stored model, as a multiple of the bare parse.

    python -m benchmarks.speed_learning [--pages N] [SITE ...]

Times are of the processor, those of the processes that read pages included. `again` is what it
takes to learn once more when a tenth of the pages has come since: in seconds, and as a share of
learning all of them in a database where nothing was learned before. `known` is the share of
learning from trees that is left when all that was found out about each page is still known: what
it would be worth to keep that.
"""

import argparse
import resource
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.speed_building import bare_parse
from items import Page
from learned import learn_pages
from links import Scope, page_links
from pipeline.learning import learn
from pipeline.learning_settings import LearningSettings
from pipeline.memory import without_collection
from storage import Store, batches
from trees import SitePage, build_tree

TENTH = 10
"""Each page of so many comes later than the others."""


def pages_of(site: CorpusSite, most: int) -> list[Page]:
    """Return pages of a site as a crawl stores them, with their links."""
    scope = Scope.of(site.url(""))
    found = (site.page(path) for path in site.paths[:most])
    return [
        Page(
            url=page.url,
            html=page.html,
            fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
            links=tuple(page_links(page.html, page.url, scope)),
        )
        for page in found
        if page.html.strip()
    ]


def processor_clock() -> float:
    """Return the processor time so far, that of processes which were started and ended included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + used.ru_utime + used.ru_stime


def measure_learning(site: CorpusSite, most: int) -> dict[str, object]:
    """Return what it takes to learn a site."""
    pages = pages_of(site, most)
    octets = [page.html.encode("utf-8", "replace") for page in pages]
    old = [page for at, page in enumerate(pages) if at % TENTH]
    _, again = _learn_in_turn(site, old, pages[::TENTH])
    [learning] = _learn_in_turn(site, pages)
    bare = min(_parse_all(octets) for _ in range(3))
    return {
        "site": site.slug,
        "pages": len(pages),
        "bare parse s": bare,
        "learn s": learning,
        "times the parse": learning / bare,
        "again s": again,
        "again": again / learning,
        "known": _left_when_known(pages),
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _learn_in_turn(site: CorpusSite, *parts: Sequence[Page]) -> list[float]:
    """Return what it takes to learn a site each time that further pages are stored."""
    found = []
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(f"sqlite:///{Path(folder)}/learn.db") as store,
    ):
        stored = store.sites.add(site.url(""))
        for part in parts:
            run = store.runs.start(stored, "load")
            for batch in batches(part, 100):
                store.pages.save(stored, run, batch)
            begun = processor_clock()
            learn(store, stored, LearningSettings())
            found.append(processor_clock() - begun)
    return found


def _left_when_known(pages: Sequence[Page]) -> float:
    """Return what learning takes from trees that keep all answers, as a share of the first time."""
    built = [SitePage(url=page.url, tree=build_tree(page.html).packed()) for page in pages]
    times = []
    with without_collection():
        for _ in range(2):
            begun = process_time()
            learn_pages(built, {}, linking_pages=len(built))
            times.append(process_time() - begun)
    first, known = times
    return known / first


def _parse_all(octets: Sequence[bytes]) -> float:
    begun = process_time()
    for data in octets:
        bare_parse(data)
    return process_time() - begun


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each site."""
    from benchmarks.speed import show  # noqa: PLC0415 - draws figures, too

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed_learning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sites", nargs="*", metavar="SITE", help="default: okcfreepress")
    parser.add_argument("--pages", type=int, default=1000, help="of each site; default: 1000")
    options = parser.parse_args(arguments)
    sites = find_sites(options.sites or ["okcfreepress"])
    show("Stored rows to stored model", [measure_learning(site, options.pages) for site in sites])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
