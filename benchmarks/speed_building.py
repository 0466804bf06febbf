"""How long it takes to turn HTML into arrays, as a multiple of the bare parse."""

import time
from collections.abc import Callable, Sequence

from lxml import etree

from benchmarks.corpus import CorpusSite
from flong.clustering import skeleton_of
from flong.tree import build_tree
from flong.tree.build import serialise


def sample_pages(sites: Sequence[CorpusSite], count: int) -> list[str]:
    """Return so many pages that can be parsed, the same number of each site where it has them."""
    each = -(-count // max(len(sites), 1))
    pages = (site.page(path).html for site in sites for path in site.paths[:each])
    return [page for page in pages if page.strip()]


def bare_parse(data: bytes) -> etree._Element:
    """Parse a page as everybody does."""
    return etree.fromstring(data, etree.HTMLParser(huge_tree=True, encoding="utf-8"))


def best_of(repeats: int, steps: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the shortest time of each step, in seconds of the processor.

    Steps take turns, so that a noisy moment of the machine does not fall on one alone.
    """
    found = dict.fromkeys(steps, float("inf"))
    for _ in range(repeats):
        for name, step in steps.items():
            start = time.process_time()
            step()
            found[name] = min(found[name], time.process_time() - start)
    return found


def measure_building(sites: Sequence[CorpusSite], count: int) -> list[dict[str, object]]:
    """Return milliseconds a page of each step, and its multiple of the bare parse."""
    pages = sample_pages(sites, count)
    octets = [page.encode("utf-8", "replace") for page in pages]
    built = [build_tree(page) for page in pages]
    skeleton_of(built[0])
    seconds = best_of(
        5,
        {
            "lxml parse": lambda: [bare_parse(data) for data in octets],
            "lexbor parse, serialise": lambda: [serialise(page) for page in pages],
            "HTML to arrays (build_tree)": lambda: [build_tree(page) for page in pages],
            "arrays to clustering view (skeleton_of)": lambda: [
                skeleton_of(tree) for tree in built
            ],
        },
    )
    bare = seconds["lxml parse"]
    return [
        {"step": name, "ms a page": 1e3 * value / len(pages), "times the parse": value / bare}
        for name, value in seconds.items()
    ]
