"""CPU time per page of flong, the public extractors and the bare lxml parse, in one run.

    python -m benchmarks.speed [SITE ...] [--pages N] [--learned N] [--turns N]

Each site is learned from one half of its pages. Articles and other pages of the other half are then
read by every method in turn, page by page, so that other work on the machine affects all alike.
`model.read` reads with the learned model, `flong.read` reads a single page without its site.
Figures are CPU milliseconds per page on one core, from the text of the page to the article; of each
page the fastest turn counts. The last row is the mean as a multiple of the bare parse. Extractors
that are not installed are left out; `make bench-setup` installs them.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from statistics import fmean
from time import process_time

from lxml import etree

import flong
from benchmarks.corpus import CorpusPage, CorpusSite, find_sites
from benchmarks.methods import NOW, PEERS, Peer, read_or_none
from benchmarks.tables import Rows, show
from flong.links import Element

SITES = ("f1blog", "malilive", "mysaline", "opstime", "rubima")
PARSE = "lxml parse"

Method = Callable[[CorpusPage], object]


def bare_parse(data: bytes) -> Element:
    """Parse a page with lxml, and do nothing with it."""
    return etree.fromstring(data, etree.HTMLParser(huge_tree=True, encoding="utf-8"))


def methods_of(site: CorpusSite, learned: int) -> dict[str, Method]:
    """Return all methods that can be run here, by name."""
    first, _ = site.halves()
    pages = [site.page(path) for path in first[:learned]]
    model = flong.learn((page.url, page.html) for page in pages)
    methods: dict[str, Method] = {
        PARSE: lambda page: bare_parse(page.html.encode("utf-8", "replace")),
        "model.read": lambda page: model.read(page.url, page.html, now=NOW),
        "flong.read": lambda page: flong.read(page.url, page.html, now=NOW),
    }
    for package, (name, peer) in PEERS.items():
        if find_spec(package) is not None:
            methods[name] = _guarded(peer)
    return methods


def _guarded(peer: Peer) -> Method:
    return lambda page: read_or_none(peer, page)


def chosen_pages(site: CorpusSite, count: int) -> list[CorpusPage]:
    """Return this number of articles and of other pages from the half that is not learned."""
    _, second = site.halves()
    pages = [site.page(path) for path in second]
    readable = [page for page in pages if page.html.strip()]
    return [
        page
        for kind in ("article", "other")
        for page in [each for each in readable if each.kind == kind][:count]
    ]


def seconds_per_page(
    methods: Mapping[str, Method], pages: Sequence[CorpusPage], turns: int
) -> dict[str, float]:
    """Return the mean CPU seconds of each method; the fastest turn of each page counts."""
    for read in methods.values():
        read(pages[0])  # the first call loads modules and tables
    best = {name: [float("inf")] * len(pages) for name in methods}
    for _ in range(turns):
        for at, page in enumerate(pages):
            for name, read in methods.items():
                begun = process_time()
                read(page)
                best[name][at] = min(best[name][at], process_time() - begun)
    return {name: fmean(times) for name, times in best.items()}


def measure(sites: Sequence[CorpusSite], count: int, learned: int, turns: int) -> Rows:
    """Return CPU milliseconds per page by site, their mean, and its multiple of the parse."""
    rows: Rows = []
    found = []
    for site in sites:
        pages = chosen_pages(site, count)
        found.append(seconds_per_page(methods_of(site, learned), pages, turns))
        milliseconds = {name: 1000 * seconds for name, seconds in found[-1].items()}
        rows.append({"site": site.slug, "pages": len(pages), **milliseconds})
    means = {name: 1000 * fmean(each[name] for each in found) for name in found[0]}
    multiples = {name: value / means[PARSE] for name, value in means.items()}
    return [
        *rows,
        {"site": "mean", "pages": None, **means},
        {"site": "times the parse", "pages": None, **multiples},
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one row per site."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sites", nargs="*", metavar="SITE", help=f"default: {' '.join(SITES)}")
    parser.add_argument("--pages", type=int, default=15, help="articles, and others, per site")
    parser.add_argument("--learned", type=int, default=300, help="pages to learn a site from")
    parser.add_argument("--turns", type=int, default=3, help="the fastest one counts; default: 3")
    options = parser.parse_args(arguments)
    sites = find_sites(options.sites or SITES)
    if not sites:
        print("No sites found: set FLONG_SITES to the directory that holds them.")
        return 2
    rows = measure(sites, options.pages, options.learned, options.turns)
    show("CPU milliseconds per page", rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
