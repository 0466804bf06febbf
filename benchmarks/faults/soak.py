"""Soak test: memory and speed of a long night must not change.

The first night (`flong nightly`) of a generated site, which a separate process serves on loopback.
Every few seconds the memory of all processes and the number of crawled or extracted pages are
recorded. For both stages, memory at the end is compared with that after a tenth of the pages, and
the speed of the second half with that of the first.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.faults.generated import GeneratedServing, GeneratedSite
from benchmarks.faults.trials import resident_megabytes
from flong.storage import Store
from tests import leftovers

PROJECT = Path(__file__).parents[2]
EXAMPLES = """\
examples:
  python -m benchmarks.faults.soak
  python -m benchmarks.faults.soak --pages 3000
"""
STAGES = {"crawl": "SELECT count(*) FROM pages", "extract": "SELECT count(*) FROM matches"}
GROWTH = 1.2
"""Maximum ratio of the memory at the end of a stage to that after a tenth of its pages."""
SLOWDOWN = 1.5
"""Maximum ratio of the seconds for the second half of the pages to those for the first."""
OPTIONS = (
    "DOWNLOAD_DELAY=0",
    "AUTOTHROTTLE_ENABLED=False",
    "FLONG_LISTED_PAGES=0",
    "FLONG_RESUME_HOURS=48",
)


@dataclass(frozen=True, slots=True)
class SoakSample:
    """State of a night at one moment."""

    seconds: float
    stage: str
    pages: int
    megabytes: float
    processor: float


def children(parent: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            above = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents.setdefault(above, []).append(int(path.parent.name))
    waiting = [parent]
    for each in waiting:
        yield each
        waiting += parents.get(each, [])


def processor_seconds(process: int) -> float:
    """Return the CPU time of a process; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    # With the time of children that have ended.
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def look(database: Path, process: int, begun: float) -> SoakSample | None:
    """Return the state of a night; None between its stages."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        running = connection.execute("SELECT kind FROM runs WHERE status = 'running'").fetchall()
        stages = [kind for (kind,) in running if kind in STAGES]
        if not stages:
            return None
        (pages,) = connection.execute(STAGES[stages[0]]).fetchone()
    alive = list(children(process))
    return SoakSample(
        seconds=time.monotonic() - begun,
        stage=stages[0],
        pages=pages,
        megabytes=sum(map(resident_megabytes, alive)),
        processor=sum(map(processor_seconds, alive)),
    )


def at(samples: Sequence[SoakSample], share: float) -> SoakSample:
    """Return the sample nearest to a fraction of the pages."""
    wanted = share * samples[-1].pages
    return min(samples, key=lambda sample: abs(sample.pages - wanted))


def judge(samples: Sequence[SoakSample]) -> bool:
    """Print the figures of a stage; return True if they are within the limits."""
    begun, tenth, half, end = samples[0], at(samples, 0.1), at(samples, 0.5), samples[-1]
    growth = end.megabytes / tenth.megabytes
    first, second = half.processor - begun.processor, end.processor - half.processor
    pages = (half.pages - begun.pages, end.pages - half.pages)
    slower = (second / max(1, pages[1])) / max(1e-9, first / max(1, pages[0]))
    seconds = end.seconds - begun.seconds
    print(f"{end.stage}: {end.pages} pages in {seconds:.0f} s, {end.pages / seconds:.0f} a second")
    print(f"  memory: {tenth.megabytes:.0f} MB at a tenth, {end.megabytes:.0f} MB, x{growth:.2f}")
    for name, number, cpu in zip(("first", "second"), pages, (first, second), strict=True):
        print(f"  {name} half: {1000 * cpu / max(1, number):.1f} ms of CPU a page")
    return growth <= GROWTH and slower <= SLOWDOWN


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 0 if memory and speed are within the limits."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faults.soak",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pages", type=int, default=50_000, help="default: 50000")
    args = parser.parse_args(arguments)
    leftovers.watch()
    with (
        tempfile.TemporaryDirectory() as folder,
        GeneratedServing(GeneratedSite(args.pages)) as url,
    ):
        database = Path(folder, "soak.db")
        with Store.open(f"sqlite:///{database}") as store:
            store.sites.add(url)
        samples = list(night(database, args.pages))
        with Store.open(f"sqlite:///{database}") as store:
            print(f"{store.articles.count(store.sites.find(url))} articles")
    stages = [[s for s in samples if s.stage == stage and s.pages] for stage in STAGES]
    stayed = [judge(stage) for stage in stages if stage]
    return 0 if all(stayed) and all(stages) else 1


def night(database: Path, pages: int) -> Iterator[SoakSample]:
    """Run a night; yield its state every few seconds."""
    options = [word for option in OPTIONS for word in ("-s", option)]
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    )
    with (
        bar,
        subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "scrapy", "nightly", *options],
            cwd=PROJECT,
            env={**os.environ, "FLONG_DATABASE": f"sqlite:///{database}"},
            stdout=subprocess.DEVNULL,
        ) as process,
    ):
        tasks = {stage: bar.add_task(stage, total=pages) for stage in STAGES}
        begun = time.monotonic()
        while process.poll() is None:
            time.sleep(1)
            sample = look(database, process.pid, begun)
            if sample is not None:
                bar.update(tasks[sample.stage], completed=sample.pages)
                yield sample


if __name__ == "__main__":
    sys.exit(main())
