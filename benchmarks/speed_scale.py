"""Learning clusters from stored pages: against the bare parse, and by number of pages."""

import random
import re
import resource
import time
from collections.abc import Iterator, Sequence
from math import log

from benchmarks.corpus import CorpusSite
from benchmarks.speed_building import bare_parse, sample_pages
from flong.clustering import cluster_pages, skeleton_of
from flong.packing import zstd
from flong.tree import build_tree

REPEATS = 3
"""Parse and learning take turns so many times; the shortest of each counts."""

_BLOCK_END = re.compile(r"</(?:p|div|li|section)>")
_BLOCKS = ("<p>x</p>", "<div><p>x</p></div>", "<blockquote>x</blockquote>", "<ul><li>x</ul>")
_MORE = ("<div><img><span>x</span></div>", "<section><h3>x</h3><div>y</div></section>", "<hr>")


def synthesise(pages: Sequence[str], count: int, seed: int = 1) -> Iterator[str]:
    """Yield so many pages: real ones in turn, each with up to three blocks more somewhere."""
    chance = random.Random(seed)  # noqa: S311 - a benchmark wants the same pages every time
    for number in range(count):
        page = pages[number % len(pages)]
        for _ in range(chance.randint(0, 3) if number >= len(pages) else 0):
            ends = [found.end() for found in _BLOCK_END.finditer(page)]
            if ends:
                where = chance.choice(ends)
                page = page[:where] + chance.choice(_BLOCKS + _MORE) + page[where:]
        yield page


def store(pages: Iterator[str]) -> list[bytes]:
    """Return pages as they are stored."""
    return [zstd.compress(page.encode("utf-8", "replace"), 3) for page in pages]


def learn(stored: Sequence[bytes]) -> tuple[float, float, int]:
    """Return the seconds to skeletons, those from there to labels, and the number of clusters."""
    start = time.process_time()
    skeletons = [skeleton_of(build_tree(zstd.decompress(data).decode())) for data in stored]
    between = time.process_time()
    found = cluster_pages(skeletons)
    return between - start, time.process_time() - between, len(found.clusters)


def _parse_all(octets: Sequence[bytes]) -> float:
    """Return the seconds of the bare parse."""
    start = time.process_time()
    for data in octets:
        bare_parse(data)
    return time.process_time() - start


def measure_learning(sites: Sequence[CorpusSite], count: int) -> list[dict[str, object]]:
    """Return for each site what its pages cost from compressed HTML to labels."""
    rows = []
    for site in sites:
        pages = sample_pages([site], count)
        octets = [page.encode("utf-8", "replace") for page in pages]
        stored = store(iter(pages))
        learn(stored[:20])
        turns = [(_parse_all(octets), learn(stored)) for _ in range(REPEATS)]
        bare = min(seconds for seconds, _ in turns)
        skeletons, labels, clusters = min(found for _, found in turns)
        rows.append(
            {
                "site": site.slug,
                "pages": len(pages),
                "clusters": clusters,
                "bare parse s": bare,
                "to skeletons s": skeletons,
                "to labels s": labels,
                "times the parse": (skeletons + labels) / bare,
            }
        )
    return rows


def measure_scale(sites: Sequence[CorpusSite], counts: Sequence[int]) -> list[dict[str, object]]:
    """Return time and memory by number of pages synthesised from one site's, smallest first.

    The exponent says how time grew since the row before: pages ** exponent.
    """
    pages = sample_pages(sites[:1], 1000)
    learn(store(synthesise(pages, 50)))
    rows: list[dict[str, object]] = []
    last: tuple[int, float] | None = None
    for count in sorted(counts):
        stored = store(synthesise(pages, count))
        skeletons, labels, clusters = learn(stored)
        total = skeletons + labels
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        rows.append(
            {
                "pages": count,
                "clusters": clusters,
                "to skeletons s": skeletons,
                "to labels s": labels,
                "exponent": _exponent(last, (count, total)),
                "peak GB": peak,
            }
        )
        last = count, total
    return rows


def _exponent(last: tuple[int, float] | None, now: tuple[int, float]) -> float | None:
    """Return the e of `time = pages ** e` between two measurements."""
    if last is None or last[0] == now[0]:
        return None
    return log(now[1] / last[1]) / log(now[0] / last[0])
