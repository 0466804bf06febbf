"""Where the time goes between a stored page and its article.

    python -m benchmarks.stages [--pages N] [--turns N] [SITE ...]

Each site is learned from one half of its pages; some of the other half are stored, read back and
extracted. Times are CPU times of one core, of each page the best of several turns, as multiples
of the bare `lxml` parse of the same pages in the same turns. *whole* is what an article needs:
unpack, tree, head, examine, article. Indented are parts of *examine*, in the shares that a profiler
sees, which makes those with many small calls look larger than they are; *choose* is also timed by
itself.
"""

import argparse
import cProfile
import gc
import pstats
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from time import process_time

from lxml.html import document_fromstring
from rich.console import Console
from rich.table import Table

from benchmarks.corpus import find_sites
from benchmarks.methods import NOW, Half, learn_half
from flong.baselines import consensus
from flong.page import Page
from flong.patterns import Anchor, Chooser, Examined, ExtractionModel
from flong.storage import PageRow, Store
from flong.tree import SitePage, build_tree

PARTS = {
    "choose": "pattern_choice.py",
    "read_page": "labels.py",
    "name_page": "page_titles.py",
    "read_metadata": "metadata.py",
    "read_imprint": "fields.py",
    "extract_features": "article_features.py",
    "weigh": "article_evidence.py",
    "judge": "article_classifier.py",
}
"""Functions that `ExtractionModel.examine` calls, and where they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """What was measured on one site."""

    site: str
    """Its name."""
    parse: float
    """Milliseconds of the bare parse of a page."""
    times: Mapping[str, float]
    """The stages, as multiples of it."""


@dataclass(frozen=True, slots=True)
class Extracting:
    """Stored pages of one site, and all that is needed to extract them."""

    model: ExtractionModel
    rows: list[PageRow]
    anchors: Mapping[str, Sequence[Anchor]]

    def pages(self) -> list[SitePage]:
        """Return the pages as trees."""
        return [SitePage(url=row.url, tree=build_tree(row.data)) for row in self.rows]

    def examine(self, page: SitePage) -> Examined:
        """Find out all about a page, as if it were seen for the first time."""
        page.tree.answers.clear()
        anchors = self.anchors.get(page.url, ())
        return self.model.examine(page, anchors, now=NOW, fallback=consensus)

    def steps(self) -> dict[str, Callable[[int], object]]:
        """Return the stages, each ready to be timed for a page by its number."""
        rows, model, pages = self.rows, self.model, self.pages()
        octets = [row.data for row in rows]
        chooser = Chooser([known.pattern for known in model.patterns])
        seen = [self.examine(page) for page in pages]
        return {
            "parse": lambda at: document_fromstring(octets[at]),
            "unpack": lambda at: rows[at].data,
            "tree": lambda at: build_tree(octets[at]),
            "head": lambda at: pages[at].tree.source.head(),
            "choose": lambda at: chooser.choose(pages[at].tree),
            "examine": lambda at: self.examine(pages[at]),
            "article": lambda at: model.conclude(pages[at], replace(seen[at])),  # reads fields
        }

    def parts(self) -> dict[str, float]:
        """Return the share of `examine` that a profiler sees in each of its parts."""
        pages, profile = self.pages(), cProfile.Profile()
        for page in pages:
            self.examine(page)
        profile.enable()
        for page in pages:
            self.examine(page)
        profile.disable()
        spent = {
            (Path(file).name, name): row[3]
            for (file, _, name), row in pstats.Stats(profile).stats.items()  # type: ignore[attr-defined]  # not in its stub
        }
        whole = spent["model.py", "examine"]
        return {name: spent.get((file, name), 0.0) / whole for name, file in PARTS.items()}


def measure(half: Half, turns: int, database: Path) -> Stages:
    """Store the judged pages of a site and time what leads to their articles."""
    judged = [page for page in half.judged if page.html.strip()]
    with Store.open(f"sqlite:///{database}") as store:
        site = store.sites.add(judged[0].url)
        run = store.runs.start(site, "load")
        pages = [Page(url=page.url, html=page.html, fetched_at=NOW) for page in judged]
        store.pages.save(site, run, pages)
        job = Extracting(learn_half(half), list(store.pages.rows(site)), half.anchors)
    gc.freeze()  # as the processes that read pages do
    seconds = _best_times(turns, len(job.rows), job.steps())
    parse = seconds.pop("parse")
    times = {name: value / parse for name, value in seconds.items()}
    whole = sum(times[name] for name in ("unpack", "tree", "head", "examine", "article"))
    parts = {f"  {name}": share * times["examine"] for name, share in job.parts().items()}
    return Stages(
        site=half.site.slug,
        parse=1000 * parse / len(job.rows),
        times={**times, **parts, "whole": whole},
    )


def _best_times(
    turns: int, pages: int, steps: Mapping[str, Callable[[int], object]]
) -> dict[str, float]:
    """Return the seconds of each step over all pages, of each page in its best turn."""
    found = {name: [float("inf")] * pages for name in steps}
    for _ in range(turns):
        for name, step in steps.items():
            for at in range(pages):
                start = process_time()
                step(at)
                found[name][at] = min(found[name][at], process_time() - start)
    return {name: sum(times) for name, times in found.items()}


def table(found: Sequence[Stages]) -> Table:
    """Return a row for each stage, a column for each site."""
    shown = Table()
    for name in ("stage", *(one.site for one in found), "mean"):
        shown.add_column(name, justify="left" if name == "stage" else "right")
    parses = [one.parse for one in found]
    shown.add_row("parse, ms", *(f"{parse:.2f}" for parse in (*parses, mean(parses))))
    for stage in found[0].times:
        times = [one.times[stage] for one in found]
        shown.add_row(stage, *(f"{value:.2f}" for value in (*times, mean(times))))
    pooled = sum(one.parse * one.times["whole"] for one in found) / sum(parses)
    shown.caption = f"of all pages together, the whole is {pooled:.2f} times the parse"
    return shown


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table for the sites named, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sites", nargs="*", metavar="SITE")
    parser.add_argument("--pages", type=int, default=30, help="articles and others of a site")
    parser.add_argument("--turns", type=int, default=7, help="of which the best counts")
    options = parser.parse_args(arguments)
    found = []
    for site in find_sites(options.sites):
        half = Half.of(site, options.pages, options.pages)
        with tempfile.TemporaryDirectory() as folder:
            found.append(measure(half, options.turns, Path(folder) / "flong.db"))
    if found:
        Console(width=40 + 16 * len(found)).print(table(found))


if __name__ == "__main__":
    main()
