"""What laying out a page costs, browser and all: `python -m benchmarks.rendering`.

    python -m benchmarks.rendering --pages 12
    python -m benchmarks.rendering --sites opstime f1blog --pages 36

CPU seconds a page of this process and of all that it started (Linux), with the style sheets and
picture sizes of the sites and without them; the first page of a site, with which the browser
starts, is left out. Then the milliseconds in which the wrapper reads a page that is laid out.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from time import process_time

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.speed import Rows, show
from benchmarks.visual_pages import chosen_paths, looks_folder, looks_of
from flong.tree import build_tree
from flong.visual import BlockTree, shipped_wrapper
from flong.visual.browser import Browser, Resources, no_resources

_TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> Iterator[int]:
    """Yield a process and those below it."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from family(int(child))


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those below it, the dead ones among them too."""
    total = 0
    for pid in family(os.getpid()):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, fields[11:15]))
    return total / _TICKS


def lay_out(site: CorpusSite, resources: Resources, pages: int) -> tuple[float, list[BlockTree]]:
    """Return CPU seconds a page, and the pages."""
    chosen = [site.page(path) for path in chosen_paths(site)[:: max(1, 36 // pages)][: pages + 1]]
    ready = [(page.url, page.html, build_tree(page.html)) for page in chosen]
    with Browser(resources=resources) as browser:
        browser.blocks(*ready[0])
        start = cpu_seconds()
        found = [browser.blocks(*page) for page in ready[1:]]
        return (cpu_seconds() - start) / len(found), found


def read_milliseconds(pages: Sequence[BlockTree]) -> float:
    """Return the time in which a page is read that is laid out."""
    wrapper = shipped_wrapper("v-wrapper").wrapper
    wrapper.read(pages[0])
    start = process_time()
    for page in pages:
        wrapper.read(BlockTree(page.rows))
    return 1000 * (process_time() - start) / len(pages)


def measure(sites: Sequence[CorpusSite], pages: int) -> Rows:
    """Return a row a site, and their mean."""
    rows: Rows = []
    for site in sites:
        styled, found = lay_out(site, looks_of(site), pages)
        plain, _ = lay_out(site, no_resources, pages)
        blocks = fmean(map(len, found))
        rows.append(
            {
                "site": site.slug,
                "blocks": blocks,
                "styled s": styled,
                "plain s": plain,
                "read ms": read_milliseconds(found),
            }
        )
        print(rows[-1], file=sys.stderr, flush=True)
    names = [name for name in rows[0] if name != "site"]
    means = {name: fmean(float(str(row[name])) for row in rows) for name in names}
    return [*rows, {"site": "mean", **means}]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.rendering",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sites", nargs="+", default=[], metavar="SITE", help="default: all")
    parser.add_argument("--pages", type=int, default=12, help="of a site")
    options = parser.parse_args(arguments)
    sites = [site for site in find_sites(options.sites) if looks_folder(site) is not None]
    if not sites:
        print("there are no sites with looks: set FLONG_SITES and FLONG_LOOKS", file=sys.stderr)
        return 2
    show("Laying out, and reading", measure(sites, options.pages))
    return 0


if __name__ == "__main__":
    sys.exit(main())
