"""Learning a site from stored rows to the stored model, as a multiple of the bare parse.

    python -m benchmarks.speed_learning [--pages N] [--turns N] [SITE ...]

The real command learns them, on all cores. `processor` is the time of all its processes, `clock`
what a user waits; both are told without the start of the command, which is what it takes for a
site of one page, and is told apart. `again` is what it takes to learn once more when a tenth of the
pages has come since: in seconds of the processor, and as a share of learning all of them in a
database where nothing was learned before. `known` is the share of learning from trees that is left
when all that was found out about each page is still known: what it would be worth to keep that.
"""

import argparse
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.memory import Spent, fill, peak
from benchmarks.speed_building import bare_parse
from flong.links import page_links
from flong.page import Page
from flong.site import learn_pages
from flong.tree import SitePage, build_tree
from flong.urls import Scope
from flong.workers.isolated_worker import usable_cores
from flong.workers.memory import without_collection

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


def measure_learning(site: CorpusSite, most: int, turns: int = 1) -> dict[str, object]:
    """Return what it takes to learn a site, by the best of some turns."""
    pages = pages_of(site, most)
    octets = [page.html.encode("utf-8", "replace") for page in pages]
    old = [page for at, page in enumerate(pages) if at % TENTH]
    start = _best(_learn_in_turn(site, pages[:1]) for _ in range(2))[0]
    learning = _best(_learn_in_turn(site, pages) for _ in range(turns))[0]
    again = _best(_learn_in_turn(site, old, pages[::TENTH]) for _ in range(turns))[1]
    bare = min(_parse_all(octets) for _ in range(3))
    processor, clock = learning.processor - start.processor, learning.clock - start.clock
    return {
        "site": site.slug,
        "pages": len(pages),
        "bare parse s": bare,
        "start, clock s": start.clock,
        "start, processor s": start.processor,
        "clock s": clock,
        "processor s": processor,
        "clock / parse": clock / bare,
        "times the parse": processor / bare,
        "again s": again.processor - start.processor,
        "again": (again.processor - start.processor) / processor,
        "known": _left_when_known(pages),
        "peak MB": learning.megabytes,
    }


def _best(turns: Iterable[Sequence[Spent]]) -> Sequence[Spent]:
    """Return the turn whose last command took the least processor time."""
    return min(turns, key=lambda spent: spent[-1].processor)


def _learn_in_turn(site: CorpusSite, *parts: Sequence[Page]) -> list[Spent]:
    """Return what the command takes to learn a site each time that further pages are stored."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder)}/learn.db"
        for part in parts:
            fill(database, part, site.url(""))
            found.append(peak("learn", database, usable_cores()))
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
    parser.add_argument("--turns", type=int, default=1, help="of which the best counts")
    options = parser.parse_args(arguments)
    sites = find_sites(options.sites or ["okcfreepress"])
    rows = [measure_learning(site, options.pages, options.turns) for site in sites]
    show("Stored rows to stored model", rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
