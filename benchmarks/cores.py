"""What `scrapy extract` gains by a second core.

    python -m benchmarks.cores [SITE ...] [--jobs N] [--turns N]

The pages of some sites are stored and learned once. The real command extracts them on one core, on
all cores with one process that reads pages, and on all with several. Seconds by the clock are those
of the best turn; others who use the machine disturb them. Seconds of the processor are those of the
same turn: of the process that stores, and of all others together. `bound` is what the clock cannot
fall below: the processor's seconds divided among the cores, or those of the process that stores,
whichever is more. The gain is the clock on one core over it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.faults.soak import children
from benchmarks.memory import PROJECT, own_seconds
from benchmarks.speed_learning import pages_of
from flong.console import Row, show_rows
from flong.states import RunStatus
from flong.storage import Store, batches
from flong.workers.isolated_worker import usable_cores

SITES = ("sportsofboston", "tableless", "wechange", "okcfreepress", "insertcredit")
OFTEN = 0.05
"""Seconds between two looks at the processes of a command."""


def store_site(database: str, site: CorpusSite) -> int:
    """Store all pages of a site; return how many they are."""
    with Store.open(database) as store:
        stored = store.sites.add(site.url(""))
        run = store.runs.start(stored, "load")
        pages = pages_of(site, len(site.paths))
        for some in batches(pages, 50):
            store.pages.save(stored, run, some)
        store.runs.finish(run, RunStatus.DONE)
    return len(pages)


def store_learned(file: Path, sites: Sequence[CorpusSite]) -> int:
    """Store all pages of some sites and learn them; return how many pages they are."""
    url = f"sqlite:///{file}"
    pages = sum(store_site(url, site) for site in sites)
    learn = [sys.executable, "-m", "scrapy", "learn"]
    env = {**os.environ, "FLONG_DATABASE": url}
    subprocess.run(learn, cwd=PROJECT, env=env, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - ours
    return pages


def measure_cores(database: Path, jobs: int, turns: int) -> list[Row]:
    """Return a row for each way to extract what is stored and learned in a database."""
    cores = usable_cores()
    ways = {"one core": (1, 1), "all cores": (cores, 1), f"all cores, {jobs} jobs": (cores, jobs)}
    rows: list[Row] = []
    for name, (used, readers) in ways.items():
        wall, storing, reading = min(_extract(database, used, readers) for _ in range(turns))
        first = float(str(rows[0]["clock s"])) if rows else wall
        rows.append(
            {
                "on": name,
                "clock s": wall,
                "storing, cpu s": storing,
                "reading, cpu s": reading,
                "bound s": max(storing, (storing + reading) / used),
                "gain": first / wall,
            }
        )
    return rows


def _extract(database: Path, cores: int, jobs: int) -> tuple[float, float, float]:
    """Extract a copy of a database; return seconds: the clock, the first process, all others."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(database, folder)
        with _on(cores):
            begun = time.monotonic()
            process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-m", "scrapy", "extract", "--jobs", str(jobs)],
                cwd=PROJECT,
                env={**os.environ, "FLONG_DATABASE": f"sqlite:///{copy}"},
                stdout=subprocess.DEVNULL,
            )
        spent: dict[int, float] = {}
        while process.poll() is None:
            for each in children(process.pid):
                spent[each] = max(spent.get(each, 0.0), own_seconds(each))
            time.sleep(OFTEN)
        wall = time.monotonic() - begun
    if process.returncode:
        raise SystemExit(f"scrapy extract ended with exit code {process.returncode}")
    storing = spent.pop(process.pid)
    return wall, storing, sum(spent.values())


@contextmanager
def _on(cores: int) -> Iterator[None]:
    """Let processes that are started in the block use so many of our cores."""
    usable = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(usable)[:cores])
    try:
        yield
    finally:
        os.sched_setaffinity(0, usable)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each way."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cores",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sites", nargs="*", metavar="SITE", help=f"default: {' '.join(SITES)}")
    parser.add_argument("--jobs", type=int, default=usable_cores(), help="default: all cores")
    parser.add_argument("--turns", type=int, default=3, help="of which the best counts")
    options = parser.parse_args(arguments)
    sites = find_sites(options.sites or SITES)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "cores.db")
        pages = store_learned(file, sites)
        rows = measure_cores(file, options.jobs, options.turns)
    show_rows(f"{pages} pages of {len(sites)} sites", rows, as_json=False, empty="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
