"""Memory of `scrapy learn` and `scrapy extract` by the number of stored pages.

The pages of a mirror (else of a generated site) are stored again and again under other URLs,
each as heavy as pages of large portals are: most of it is data for scripts. The real commands run
then; twenty times a second the resident memory of their processes is added up, and the highest sum
counts. What processes share is divided among them. One process reads pages; without `--jobs 1`
there are more. Extraction may take 400 MB, and its memory, like that of learning beyond the
sample, must not grow with the number of pages.
"""

import argparse
import os
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

from benchmarks.faults.generated import GeneratedSite
from benchmarks.faults.soak import children
from benchmarks.faults.trials import resident_megabytes
from flong.command import DONE, NEEDS_A_LOOK
from flong.links import page_links
from flong.page import Page
from flong.stages.mirror import pages_of_mirror
from flong.states import RunStatus
from flong.storage import Store, batches
from flong.urls import Scope

PROJECT = Path(__file__).parents[1]
HOME = "https://news.example/"
MOST_MEGABYTES = 400
"""What extraction may take."""
GROWTH = 1.1
"""Extraction of the most pages, against that of the number before."""
OFTEN = 0.05
"""Seconds between two looks at the processes of a command."""
EXAMPLES = """\
examples:
  python -m benchmarks.memory
  python -m benchmarks.memory mirror/www --sizes 1300 4000 --kilobytes 500
"""


def generated_pages() -> Iterator[Page]:
    """Yield pages of a made-up site."""
    site, scope = GeneratedSite(pages=1000), Scope.of(HOME)
    sections = [f"section/{number}.html" for number in range(100)]
    for path in ["", *sections, *(f"story/{number}.html" for number in range(site.stories))]:
        html = site.get(path) or ""
        links = tuple(page_links(html, HOME + path, scope))
        yield Page(url=HOME + path, html=html, fetched_at=datetime.now(UTC), depth=2, links=links)


def heavy_pages(folder: Path | None, kilobytes: int) -> Iterator[Page]:
    """Yield pages without an end, each with its share of data for scripts."""
    found = list(generated_pages() if folder is None else pages_of_mirror(folder, HOME))
    for number in count():
        page = found[number % len(found)]
        again = number // len(found)
        dice = Random(number)  # noqa: S311 - no secrets
        data = dice.randbytes(kilobytes * 1000 // 8).hex() * 4
        html = page.html.replace("</head>", f"<script>let data = '{data}'</script></head>", 1)
        mark = "&" if "?" in page.url else "?"
        yield replace(page, url=f"{page.url}{mark}again={again}" if again else page.url, html=html)


def fill(database: str, pages: Iterable[Page], home: str = HOME) -> None:
    """Store pages of a site."""
    with Store.open(database) as store:
        site = store.sites.add(home)
        run = store.runs.start(site, "load")
        for some in batches(pages, 50):
            store.pages.save(site, run, some)
        store.runs.finish(run, RunStatus.DONE)


class Spent(NamedTuple):
    """What a command took, with all its processes."""

    megabytes: float
    """The most memory that they had together."""
    clock: float
    """Seconds by the clock."""
    processor: float
    """Seconds of the processor: readers are nobody's children, so the system adds up less."""


def own_seconds(process: int) -> float:
    """Return the processor time of a process, without its children; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak(command: str, database: str, jobs: int = 1) -> Spent:
    """Run a command with so many processes that read pages; return what it took."""
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
                spent[each] = max(spent.get(each, 0.0), own_seconds(each))
            time.sleep(OFTEN)
    if process.returncode not in (DONE, NEEDS_A_LOOK):
        raise SystemExit(f"scrapy {command} ended with exit code {process.returncode}")
    return Spent(most, time.monotonic() - begun, sum(spent.values()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line: 0 if extraction kept to its bound, 1 if not."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.memory",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", nargs="?", type=Path, help="a mirror; else a generated site")
    parser.add_argument("--sizes", nargs="+", type=int, default=[300, 1300, 4000], metavar="PAGES")
    parser.add_argument("--kilobytes", type=int, default=400, help="added to a page; default: 400")
    args = parser.parse_args(arguments)
    extraction = []
    print("  pages  database     learn             extract")
    for size in sorted(args.sizes):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "memory.db")
            fill(f"sqlite:///{path}", islice(heavy_pages(args.folder, args.kilobytes), size))
            stored = path.stat().st_size / 1e6
            learn, extract = (peak(name, f"sqlite:///{path}") for name in ("learn", "extract"))
        figures = "  ".join(
            f"{each.megabytes:6.0f} MB {each.clock:5.0f} s" for each in (learn, extract)
        )
        print(f"{size:7}  {stored:5.0f} MB  {figures}", flush=True)
        extraction.append(extract.megabytes)
    growth = extraction[-1] / extraction[-2] if len(extraction) > 1 else 1.0
    print(f"Extraction of the most pages takes x{growth:.2f} of the memory of those before.")
    return 0 if max(extraction) <= MOST_MEGABYTES and growth <= GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
