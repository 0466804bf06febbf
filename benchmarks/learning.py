"""Time to learn a site, from stored pages to the stored model.

    python -m benchmarks.learning [SITE ...] [--pages N] [--turns N]

Runs `flong learn` on all cores. "processor" is the CPU time of all its processes, "clock" the time
a user waits. Both exclude the start of the command, which is measured on a site of one page. The
last two columns compare them with the bare lxml parse of the same pages in the same run.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import process_time

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.growth import Spent, fill, peak, stored_pages
from benchmarks.speed import bare_parse
from benchmarks.tables import Rows, show
from flong.page import Page
from flong.workers.pool import usable_cores


def measure_learning(site: CorpusSite, most: int, turns: int) -> dict[str, object]:
    """Return the row of one site; the turn with the least CPU time counts."""
    pages = stored_pages(site, most)
    start = min((_learn(site, pages[:1]) for _ in range(2)), key=lambda spent: spent.processor)
    whole = min((_learn(site, pages) for _ in range(turns)), key=lambda spent: spent.processor)
    parse = min(_parse_all(pages) for _ in range(3))
    clock, processor = whole.clock - start.clock, whole.processor - start.processor
    return {
        "site": site.slug,
        "pages": len(pages),
        "parse s": parse,
        "start, clock s": start.clock,
        "clock s": clock,
        "processor s": processor,
        "peak MB": whole.megabytes,
        "clock / parse": clock / parse,
        "processor / parse": processor / parse,
    }


def _learn(site: CorpusSite, pages: Sequence[Page]) -> Spent:
    """Return the cost of `flong learn` on a new database with these pages."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder)}/learn.db"
        fill(database, pages, site.url(""))
        return peak("learn", database, usable_cores())


def _parse_all(pages: Sequence[Page]) -> float:
    octets = [page.html.encode("utf-8", "replace") for page in pages]
    begun = process_time()
    for data in octets:
        bare_parse(data)
    return process_time() - begun


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one row per site."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.learning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sites", nargs="*", metavar="SITE", help="default: okcfreepress")
    parser.add_argument("--pages", type=int, default=1000, help="per site; default: 1000")
    parser.add_argument("--turns", type=int, default=1, help="the best one counts; default: 1")
    options = parser.parse_args(arguments)
    sites = find_sites(options.sites or ["okcfreepress"])
    rows: Rows = [measure_learning(site, options.pages, options.turns) for site in sites]
    show("Stored pages to stored model", rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
