"""All ratios of speed on one page, beside those of the last time.

    python -m benchmarks.all [SITE ...] [--pages N] [--quick] > speed.md
    python -m benchmarks.all --keep

Printed is a table in Markdown: each figure, what it was the last time that `--keep` was given, and
by how much it changed; then what became worse by more than a twentieth, with which the exit code
is 1. All figures are ratios within the run, so that the machine matters little; another load on it
does matter. Instructions are counted (`benchmarks.instructions`), which no load changes. `--quick`
leaves out what crawls or runs for minutes.
"""

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.corpus import CorpusSite, find_sites

LAST = Path(__file__).with_name("speed.json")
WORSE = 0.05
"""By so much a figure may be worse without being named."""
SITES = ("f1blog", "malilive", "mysaline", "opstime", "rubima")
VERSIONS = ("numba", "numpy", "lxml", "selectolax", "scrapy", "sqlalchemy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One ratio."""

    name: str
    """What is measured."""
    value: float
    """How many times."""
    more_is_better: bool = False
    """Whether a larger one is better."""

    def change(self, last: float) -> float:
        """Return by which share it is worse than it was; less than 0 if it is better.

        >>> Figure(name="a", value=3.3).change(3.0) > 0
        True
        """
        worse = self.value / last - 1
        return -worse if self.more_is_better else worse


Measured = Iterator[Figure]


def building(sites: Sequence[CorpusSite], pages: int) -> Measured:
    """Yield what a tree costs."""
    from benchmarks.speed_building import measure_building  # noqa: PLC0415 - loads the compiler

    for row in measure_building(sites, pages * len(sites)):
        if row["step"] != "lxml parse":
            yield Figure(name=f"{row['step']} / parse", value=float(str(row["times the parse"])))


def extracting(sites: Sequence[CorpusSite], pages: int) -> Measured:
    """Yield what an article costs, from its stored row."""
    from benchmarks.methods import Half  # noqa: PLC0415 - loads the compiler
    from benchmarks.stages import measure  # noqa: PLC0415

    found = []
    for site in sites:
        with TemporaryDirectory() as folder:
            half = Half.of(site, pages // 2, pages // 2)
            found.append(measure(half, 5, Path(folder) / "stages.db").times["whole"])
        yield Figure(name=f"stored row to article / parse, {site.slug}", value=found[-1])
    yield Figure(name="stored row to article / parse, mean", value=mean(found))


def learning(sites: Sequence[CorpusSite], pages: int) -> Measured:
    """Yield what a model costs, from stored rows."""
    from benchmarks.speed_learning import measure_learning  # noqa: PLC0415 - loads the compiler

    for site in sites:
        times = measure_learning(site, 10 * pages)["times the parse"]
        yield Figure(name=f"stored rows to model / parse, {site.slug}", value=float(str(times)))


def crawling(sites: Sequence[CorpusSite], pages: int) -> Measured:
    """Yield how fast the crawl is, against bare spiders."""
    from benchmarks.crawling import compare  # noqa: PLC0415 - needs the corpus' server

    for label, ratio in compare(sites[0].slug, 3).items():
        name = f"crawl, pages a second / {label} spider, {sites[0].slug}"
        yield Figure(name=name, value=ratio.clock, more_is_better=True)


def growing(sites: Sequence[CorpusSite], pages: int) -> Measured:
    """Yield how time grows on the whole path."""
    from benchmarks.growth import measure_growth  # noqa: PLC0415 - loads the pipeline

    *_, row = measure_growth(sites[0], [500, 2000])
    yield Figure(
        name="growth, exponent of time, 500 to 2,000 pages", value=float(str(row["exponent"]))
    )
    ratio = float(str(row["raw / database"]))
    yield Figure(name="growth, raw HTML / database", value=ratio, more_is_better=True)


def scaling(sites: Sequence[CorpusSite], pages: int) -> Measured:
    """Yield what all cores gain when whole sites are extracted."""
    from benchmarks.cores import measure_cores, store_learned  # noqa: PLC0415 - loads the pipeline
    from flong.workers.isolated_worker import usable_cores  # noqa: PLC0415

    with TemporaryDirectory() as folder:
        file = Path(folder, "cores.db")
        store_learned(file, sites)
        *_, row = measure_cores(file, usable_cores(), turns=2)
    gain = float(str(row["gain"]))
    yield Figure(
        name=f"extraction, one core / {usable_cores()} cores", value=gain, more_is_better=True
    )


def comparing(sites: Sequence[CorpusSite], pages: int) -> Measured:
    """Yield how many times as long the public extractors take, as far as they are installed."""
    from benchmarks.methods import Half, extract_half, learn_half  # noqa: PLC0415 - the compiler
    from benchmarks.peers import PEERS, installed, seconds_a_page  # noqa: PLC0415

    halves = [Half.of(site, 5 * pages, pages) for site in sites]
    ours = mean(extract_half(half, learn_half(half)).seconds for half in halves)
    for name in filter(installed, PEERS):
        theirs = mean(seconds_a_page(name, half.judged) for half in halves)
        yield Figure(
            name=f"{name} / flong, page to article", value=theirs / ours, more_is_better=True
        )


def counting(sites: Sequence[CorpusSite], pages: int) -> Measured:
    """Yield how many instructions compiled code takes, where valgrind can count them."""
    from benchmarks.instructions import count_instructions  # noqa: PLC0415 - loads the pipeline

    for name, millions in count_instructions().items():
        yield Figure(name=f"million instructions a page, {name}", value=millions)


QUICK: Sequence[Callable[[Sequence[CorpusSite], int], Measured]] = (building, extracting, learning)
SLOW: Sequence[Callable[[Sequence[CorpusSite], int], Measured]] = (
    comparing,
    crawling,
    growing,
    scaling,
    counting,
)


def machine() -> str:
    """Return what the figures were measured on, and when."""
    versions = ", ".join(f"{name} {version(name)}" for name in VERSIONS)
    load = os.getloadavg()[0]
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {platform.machine()}, {os.cpu_count()} cores, "
        f"load {load:.1f}; Python {platform.python_version()}, {versions}"
    )


def page(figures: Sequence[Figure], last: dict[str, float], when: str) -> str:
    """Return the table in Markdown.

    >>> page([Figure(name="tree", value=2.2)], {"tree": 2.0}, "last year").splitlines()[-1]
    '| tree | 2.20 | 2.00 | +10 % |'
    """
    rows = ["| figure | now | last | change |", "|---|---:|---:|---:|"]
    for figure in figures:
        was = last.get(figure.name)
        before, change = ("", "")
        if was is not None:
            before, change = f"{was:.2f}", f"{100 * (figure.value / was - 1):+.0f} %"
        rows.append(f"| {figure.name} | {figure.value:.2f} | {before} | {change} |")
    return "\n".join([f"{machine()}. Last: {when}.", "", *rows, ""])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line: 1 if something became worse."""
    options = _parser().parse_args(arguments)
    sites = find_sites(options.sites or SITES)
    kept: dict[str, Any] = {"machine": "never", "figures": []}
    if LAST.is_file():
        kept = json.loads(LAST.read_text())
    last = {row["name"]: row["value"] for row in kept["figures"]}
    parts = QUICK if options.quick else (*QUICK, *SLOW)
    figures = [figure for part in parts for figure in part(sites, options.pages)]
    print(page(figures, last, kept["machine"]))
    worse = [one for one in figures if one.name in last and one.change(last[one.name]) > WORSE]
    for figure in worse:
        print(f"Worse: {figure.name}, {last[figure.name]:.2f} -> {figure.value:.2f}")
    if options.keep:
        rows = [asdict(figure) for figure in figures]
        LAST.write_text(json.dumps({"machine": machine(), "figures": rows}, indent=1) + "\n")
    return 1 if worse else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.all",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sites", nargs="*", metavar="SITE", help=f"default: {' '.join(SITES)}")
    parser.add_argument("--pages", type=int, default=30, help="of each site; learned: 10 times")
    parser.add_argument("--quick", action="store_true", help="no crawl, no growth")
    parser.add_argument("--keep", action="store_true", help="compare the next run with this one")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
