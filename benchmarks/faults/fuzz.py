"""Mutated pages through everything that reads pages: none may crash, hang or leak.

Bytes, tags and attributes of real pages (of the corpus, else of the demo portal) are cut, doubled,
swapped and nested, links are nested in links, and charsets are replaced by wrong or unknown ones.
The pages go through the crawler's decoding and parsing, tree, match and extraction in one worker
process, with a limit of CPU time for each. A page depends only on the seed and its number, so that
it can be reproduced.

Set `NUMBA_BOUNDSCHECK=1` and a separate `NUMBA_CACHE_DIR` to check all array indexes of compiled
code.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic

from rich.progress import track

from benchmarks.corpus import find_sites
from benchmarks.faults.mutations import mutate, serve
from benchmarks.faults.trials import Bench, Trial, TrialOutcome
from flong.baselines import BASELINES, single_page_leaves
from flong.clustering import cluster_pages, skeleton_of
from flong.demo import Portal
from flong.patterns import ClusterOfPages, ExtractionModel, learn_site
from flong.tree import SitePage, build_tree
from flong.workers.pool import WorkerDied, each, worker_pool

EXAMPLES = """\
examples:
  python -m benchmarks.faults.fuzz
  python -m benchmarks.faults.fuzz --pages 2000 --seed 7
  python -m benchmarks.faults.fuzz --only 1234 --write page.html
"""
LEARNED, MUTATED = 25, 150
"""Numbers of pages of a site for learning, and for mutation."""
LONGEST = 80_000
"""Maximum number of characters of a page for mutation."""
GROWTH = 1.2
"""Maximum ratio of the memory at the end to that after a tenth of the pages."""


@dataclass(frozen=True, slots=True)
class MutatedSite:
    """A site whose pages are mutated."""

    url: str
    """URL of its home page."""
    model: ExtractionModel
    """Its model."""
    pages: list[tuple[str, str]]
    """URLs and documents."""


@dataclass(slots=True)
class FuzzTally:
    """Results of all pages."""

    verdicts: Counter[str] = field(default_factory=Counter)
    deaths: list[str] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)
    seconds: float = 0.0
    memory: list[float] = field(default_factory=list)

    def add(self, number: int, outcome: TrialOutcome | WorkerDied) -> None:
        """Count a result."""
        if isinstance(outcome, WorkerDied):
            self.deaths.append(f"page {number}: {outcome.reason}")
            print(self.deaths[-1], file=sys.stderr)
            return
        self.verdicts[outcome.verdict] += 1
        self.slowest = max(self.slowest, (outcome.seconds, number))
        self.seconds += outcome.seconds
        self.memory.append(outcome.megabytes)

    def growth(self) -> float:
        """Return the ratio of the memory at the end to that after a tenth of the pages."""
        few = max(1, len(self.memory) // 100)
        tenth = len(self.memory) // 10
        early, late = self.memory[tenth : tenth + few], self.memory[-few:]
        return (sum(late) / len(late)) / (sum(early) / len(early)) if early else 1.0


def bases() -> Iterator[MutatedSite]:
    """Yield the sites of the corpus, else the demo portal, each learned from a few pages."""
    for site in find_sites():
        found = [site.page(path) for path in site.paths[: LEARNED + MUTATED]]
        yield _base(site.url(""), [(page.url, page.html) for page in found])
    if not find_sites():
        portal, home = Portal(articles=LEARNED + MUTATED), "http://demo.example/"
        paths = ["/", *(truth.path for truth in portal.truth())]
        yield _base(home, [(home + path[1:], portal.get(path).text) for path in paths])


def _base(home: str, pages: list[tuple[str, str]]) -> MutatedSite:
    learned = [SitePage(url=url, tree=build_tree(html)) for url, html in pages[:LEARNED]]
    clusters = cluster_pages([skeleton_of(page.tree) for page in learned]).clusters
    model: ExtractionModel = learn_site(
        learned,
        [ClusterOfPages(members=c.members, distances=c.distances) for c in clusters],
        baselines=BASELINES.values(),
        fallback=single_page_leaves,
    )
    mutated = [(url, html) for url, html in pages[LEARNED:] if len(html) <= LONGEST]
    return MutatedSite(home, model, mutated)


def trials(sites: Sequence[MutatedSite], seed: int, numbers: range) -> Iterator[Trial]:
    """Yield mutated pages, each a function of the seed and its number."""
    for number in numbers:
        dice = Random(f"{seed} {number}")  # noqa: S311 - no secrets
        at = dice.randrange(len(sites))
        url, html = dice.choice(sites[at].pages)
        body, content_type = serve(mutate(html, dice), dice)
        yield Trial(number, at, url, body, content_type)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; return 1 if a page failed, else 0."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faults.fuzz",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pages", type=int, default=100_000, help="default: 100000")
    parser.add_argument("--seed", type=int, default=1, help="default: 1")
    parser.add_argument("--seconds", type=float, default=20.0, help="for one page (default: 20)")
    parser.add_argument("--only", type=int, metavar="N", help="only the page of this number")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write that page there")
    args = parser.parse_args(arguments)
    numbers = range(args.pages) if args.only is None else range(args.only, args.only + 1)
    sites = list(track(bases(), "Learning", transient=True, disable=not sys.stderr.isatty()))
    if args.write:
        [trial] = trials(sites, args.seed, range(args.only or 0, (args.only or 0) + 1))
        args.write.write_bytes(trial.body)
    tally, begun = FuzzTally(), monotonic()
    bench = Bench(tuple((site.url, site.model) for site in sites))
    with worker_pool() as pool:
        work = each(bench.run)
        answers = pool.map(work, trials(sites, args.seed, numbers), seconds=args.seconds)
        for trial, outcome in track(answers, "Fuzzing", total=len(numbers)):
            tally.add(trial.number, outcome)
    report(tally, monotonic() - begun)
    return 1 if tally.deaths or tally.growth() > GROWTH else 0


def report(tally: FuzzTally, seconds: float) -> None:
    """Print the results."""
    pages = tally.verdicts.total() + len(tally.deaths)
    print(f"{pages} pages in {seconds:.0f} s, {1000 * tally.seconds / pages:.1f} ms of CPU each")
    print(", ".join(f"{name}: {number}" for name, number in tally.verdicts.most_common()))
    print(f"slowest: {tally.slowest[0]:.2f} s (page {tally.slowest[1]})")
    tenth = tally.memory[len(tally.memory) // 10] if tally.memory else 0.0
    last = tally.memory[-1] if tally.memory else 0.0
    print(f"memory: {tenth:.0f} MB at a tenth, {last:.0f} MB at the end, x{tally.growth():.2f}")
    print(f"{len(tally.deaths)} pages were too much", *tally.deaths[:50], sep="\n")


if __name__ == "__main__":
    sys.exit(main())
