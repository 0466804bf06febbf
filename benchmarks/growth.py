"""Time, memory and database size by number of pages, on the whole path.

    python -m benchmarks.growth [SITE] [--sizes N ...] [--kilobytes N]

The pages of a site of the corpus (without SITE: of a generated site) are repeated under new URLs,
each copy with up to three more blocks. They are stored, learned and extracted by the real commands,
with one process that reads pages. Times are CPU seconds of all processes. Memory is the highest sum
of their resident memory, with shared pages divided among them. The exponent is the slope of log
time over log size since the previous row: 1 is linear. `--kilobytes` adds script data to each page,
as on large portals.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.corpus import PROJECT, CorpusSite, find_sites
from benchmarks.faults.generated import GeneratedSite
from benchmarks.faults.soak import children
from benchmarks.faults.trials import resident_megabytes
from benchmarks.tables import Rows, show
from flong.command import DONE, NEEDS_ATTENTION
from flong.links import page_links
from flong.page import Page
from flong.states import RunKind, RunStatus
from flong.storage import Store, batches
from flong.urls import Scope
from tests import leftovers

HOME = "https://news.example/"
"""Home page of the generated site."""
SIZES = [5_000, 20_000, 100_000]
INTERVAL = 0.05
"""Seconds between two measurements of a command's processes."""
_FETCHED = datetime(2026, 1, 1, tzinfo=UTC)
_BLOCK_END = re.compile(r"</(?:p|div|li|section)>")
_BLOCKS = (
    "<p>x</p>",
    "<div><p>x</p></div>",
    "<blockquote>x</blockquote>",
    "<ul><li>x</ul>",
    "<div><img><span>x</span></div>",
    "<section><h3>x</h3><div>y</div></section>",
    "<hr>",
)


def stored_pages(site: CorpusSite, most: int | None = None) -> list[Page]:
    """Return pages of a site as a crawl stores them, with their links."""
    found = (site.page(path) for path in site.paths[:most])
    return list(_with_links(((page.url, page.html) for page in found), site.url("")))


def generated_pages() -> Iterator[Page]:
    """Yield 1,000 pages of the generated site: the home page, sections, stories."""
    site = GeneratedSite(pages=1000)
    sections = [f"section/{number}.html" for number in range(100)]
    paths = ["", *sections, *(f"story/{number}.html" for number in range(site.stories))]
    return _with_links(((HOME + path, site.get(path) or "") for path in paths), HOME)


def _with_links(pages: Iterable[tuple[str, str]], home: str) -> Iterator[Page]:
    scope = Scope.of(home)
    for url, html in pages:
        if html.strip():
            links = tuple(page_links(html, url, scope))
            yield Page(url=url, html=html, fetched_at=_FETCHED, depth=2, links=links)


def endless_pages(site: CorpusSite | None, kilobytes: int = 0) -> Iterator[Page]:
    """Yield pages without end: real or generated ones, then copies with more blocks."""
    pages = list(generated_pages()) if site is None else stored_pages(site)
    for number in count():
        page, again = pages[number % len(pages)], number // len(pages)
        dice = Random(number)  # noqa: S311 - the same pages every time
        html, url = page.html, page.url
        if again:
            url = f"{url}{'&' if '?' in url else '?'}again={again}"
            html = _with_blocks(html, dice)
        if kilobytes:
            data = dice.randbytes(kilobytes * 1000 // 8).hex() * 4
            html = html.replace("</head>", f"<script>let data = '{data}'</script></head>", 1)
        yield replace(page, url=url, html=html)


def _with_blocks(html: str, dice: Random) -> str:
    """Return a page with up to three more blocks."""
    for _ in range(dice.randint(0, 3)):
        ends = [found.end() for found in _BLOCK_END.finditer(html)]
        if ends:
            where = dice.choice(ends)
            html = html[:where] + dice.choice(_BLOCKS) + html[where:]
    return html


def fill(database: str, pages: Iterable[Page], home: str = HOME) -> None:
    """Store pages of one site."""
    with Store.open(database) as store:
        site = store.sites.add(home)
        run = store.runs.start(site, RunKind.LOAD)
        for some in batches(pages, 50):
            store.pages.save(site, run, some)
        store.runs.finish(run, RunStatus.DONE)


class Spent(NamedTuple):
    """Cost of a command, all its processes included."""

    megabytes: float
    """Highest sum of their resident memory."""
    clock: float
    """Wall-clock seconds."""
    processor: float
    """CPU seconds."""


def peak(command: str, database: str, jobs: int = 1) -> Spent:
    """Run a command with this number of reading processes; return its cost."""
    begun, most = time.monotonic(), 0.0
    spent: dict[int, float] = {}
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "scrapy", command, "--jobs", str(jobs)],
        cwd=PROJECT,
        env={**os.environ, "FLONG_DATABASE": database},
        stdout=subprocess.DEVNULL,
    ) as process:
        while process.poll() is None:
            alive = list(children(process.pid))
            most = max(most, sum(map(resident_megabytes, alive)))
            for each in alive:
                spent[each] = max(spent.get(each, 0.0), _own_seconds(each))
            time.sleep(INTERVAL)
    if process.returncode not in (DONE, NEEDS_ATTENTION):
        raise SystemExit(f"scrapy {command} ended with exit code {process.returncode}")
    return Spent(most, time.monotonic() - begun, sum(spent.values()))


def _own_seconds(process: int) -> float:
    """Return the CPU time of a process without its children; 0 if it has ended.

    Reading processes are not children of the command, so the system does not add them up.
    """
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Return the slope of log time over log size between the first and the last: 1 is linear.

    >>> exponent([1, 10], [3, 300])
    2.0
    """
    return round(math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0]), 2)


def measure_growth(site: CorpusSite | None, sizes: Sequence[int], kilobytes: int) -> Rows:
    """Return one row per number of pages, smallest first."""
    rows: Rows = []
    totals: list[float] = []
    for size in sizes:
        row = _measure(site, size, kilobytes)
        totals.append(sum(float(str(row[f"{name} s"])) for name in ("store", "learn", "extract")))
        if rows:
            row["exponent"] = exponent(sizes[len(rows) - 1 : len(rows) + 1], totals[-2:])
        rows.append(row)
    return rows


def _measure(site: CorpusSite | None, size: int, kilobytes: int) -> dict[str, object]:
    """Store, learn and extract this number of pages."""
    raw = 0

    def weighed() -> Iterator[Page]:
        nonlocal raw
        for page in islice(endless_pages(site, kilobytes), size):
            raw += len(page.html.encode("utf-8", "replace"))
            yield page

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "growth.db")
        begun = time.process_time()
        fill(f"sqlite:///{file}", weighed(), HOME if site is None else site.url(""))
        storing = time.process_time() - begun
        learn, extract = (peak(name, f"sqlite:///{file}") for name in ("learn", "extract"))
        stored = file.stat().st_size
    return {
        "pages": size,
        "store s": storing,
        "learn s": learn.processor,
        "extract s": extract.processor,
        "exponent": None,
        "learn MB": learn.megabytes,
        "extract MB": extract.megabytes,
        "raw MB": raw / 1e6,
        "raw / database": raw / stored,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one row per number of pages."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.growth",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("site", nargs="?", metavar="SITE", help="default: a generated site")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, metavar="N")
    parser.add_argument("--kilobytes", type=int, default=0, help="script data added to each page")
    options = parser.parse_args(arguments)
    leftovers.watch()
    site = find_sites([options.site])[0] if options.site else None
    rows = measure_growth(site, sorted(options.sizes), options.kilobytes)
    show(f"Pages made from those of {site.slug if site else 'a generated site'}", rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
