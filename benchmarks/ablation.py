"""Measure the worth of each threshold of `patterns/thresholds.py`, on real sites and harder copies.

usage: python -m benchmarks.ablation [--sites A,B] [--pages N] [--thresholds A,B]
       python -m benchmarks.ablation --docs

Each threshold is set to the value that switches its rule off; the sites are then learned and read
again. Each real site is also taken with other class names, without head and headings
(`benchmarks.hardships`, `all`), because a rule may serve pages that few sites have. The table shows
losses in percentage points: the mean of correct articles, precision and recall, right days and
authors. The mean leaves out the site with the largest loss. `--docs` measures nothing and writes
`docs/thresholds.md`.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.hardships import endure
from benchmarks.methods import Half, clustered, extract_half, learn_clustered
from benchmarks.quality import make_row
from benchmarks.strangers import STRANGERS
from benchmarks.strangers.__main__ import write
from flong.patterns import THRESHOLDS, Thresholds

FIGURES = ("correct", "precision", "recall")
FOUND = {
    "dates": "days",
    "authors": "authors",
    "description": "standfirst",
    "section": "section",
    "tags": "tags",
}
COLUMNS = (*FIGURES, *FOUND.values())
"""Figures measured on each site."""

Losses = NDArray[np.float64]
"""One row per site, one column per figure; NaN where a site has no truth for it."""


DOCS = Path(__file__).parents[1] / "docs" / "thresholds.md"
INTRODUCTION = """\
# Thresholds

Generated from `patterns/thresholds.py` by `python -m benchmarks.ablation --docs`. Each threshold
belongs to one rule. The weights of article evidence are fitted and are not listed here
(`patterns/article_weights.json`, see [quality](quality.md)).

*Off* is the value that switches the rule off. `python -m benchmarks.ablation` sets one threshold
after the other to it, learns and reads all sites again and prints the losses.
`python -m benchmarks.rules` shows which test fails without a rule.

| threshold | value | off | meaning |
|---|---|---|---|
"""


def document() -> str:
    """Return the text of `docs/thresholds.md`."""
    rows = (
        (
            f"`{each.name}`",
            f"{each.default:g}",
            f"{each.metadata['off']:g}",
            each.metadata["meaning"],
        )
        for each in fields(Thresholds)
    )
    return INTRODUCTION + "".join(f"| {' | '.join(row)} |\n" for row in rows)


@contextmanager
def in_force(thresholds: Thresholds) -> Iterator[None]:
    """Use other thresholds in every module of `patterns`."""
    modules = [
        module
        for name, module in sys.modules.items()
        if name.startswith("flong.patterns.") and hasattr(module, "THRESHOLDS")
    ]
    for module in modules:
        vars(module)["THRESHOLDS"] = thresholds
    try:
        yield
    finally:
        for module in modules:
            vars(module)["THRESHOLDS"] = THRESHOLDS


def measure(half: Half, names: Sequence[str]) -> list[list[float]]:
    """Return the figures of one site, first unchanged, then without the rule of each threshold."""
    pages = clustered(half)
    off = {each.name: each.metadata["off"] for each in fields(Thresholds)}
    rows = []
    for changed in (THRESHOLDS, *(replace(THRESHOLDS, **{name: off[name]}) for name in names)):
        with in_force(changed):
            results = extract_half(half, learn_clustered(half, pages))
        row, _ = make_row("flong", half.site, results, 1.0)
        figures = [getattr(row.figures, name) for name in FIGURES]
        known = [np.nan if one is None else one for one in map(row.fields.get, FOUND)]
        rows.append([*figures, *known])
    return rows


def worth(losses: Losses) -> Losses:
    """Return the mean losses, leaving the site with the largest out.

    >>> worth(np.array([[0.5, 0.0], [0.1, np.nan], [0.1, 0.0]])).round(2).tolist()
    [0.1, 0.0]
    """
    with np.errstate(invalid="ignore"):
        known = np.where(np.isnan(losses), -np.inf, losses)
        largest = known.max(axis=0)
        count = np.isfinite(known).sum(axis=0)
        total = np.nansum(losses, axis=0)
        rest: Losses = np.where(count > 1, (total - largest) / np.maximum(count - 1, 1), 0.0)
    return rest


def halves(
    sites: Sequence[CorpusSite], made_up: Sequence[CorpusSite], pages: int
) -> Iterator[tuple[bool, Half]]:
    """Yield the sites, unchanged and with hardships; the first value is True for the latter."""
    for site in sites:
        half = Half.whole(site, pages)
        yield False, half
        yield True, endure(half, "all")
    for site in made_up:
        yield False, Half.of(site)


def report(names: Sequence[str], figures: NDArray[np.float64], hard: NDArray[np.bool_]) -> None:
    """Print a row for each threshold, in Markdown; cells are empty where nothing is lost."""
    head = ["threshold"]
    head += [f"{kind}: correct | precision | recall" for kind in ("as they are", "harder")]
    head += ["fields", "largest loss"]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * (len(head) + 4))
    for at, name in enumerate(names, 1):
        losses = 100 * (figures[:, 0] - figures[:, at])
        row = [
            f"`{name}`",
            *(_lost(each, 2) for some in (~hard, hard) for each in worth(losses[some])[:3]),
            _lost_fields(worth(losses)[3:]),
            _lost(float(np.nan_to_num(losses[:, 0]).max()), 1),
        ]
        print("| " + " | ".join(row) + " |")


def _lost(points: float, digits: int) -> str:
    """Return a loss in writing.

    >>> _lost(0.123, 2), _lost(0.001, 2)
    ('+0.12', '')
    """
    return f"{points:+.{digits}f}" if round(abs(points), digits) else ""


def _lost_fields(lost: Losses) -> str:
    named = ((name, _lost(each, 1)) for name, each in zip(FOUND.values(), lost, strict=True))
    return "; ".join(f"{name} {each}" for name, each in named if each)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.ablation", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--sites", default="", help="names of real sites, separated by commas")
    parser.add_argument("--pages", type=int, default=80, help="pages of each real site")
    parser.add_argument("--thresholds", default="", help="their names, separated by commas")
    parser.add_argument("--docs", action="store_true", help=f"write docs/{DOCS.name}")
    args = parser.parse_args(arguments)
    if args.docs:
        DOCS.write_text(document(), encoding="utf-8")
        return 0
    known = [each.name for each in fields(Thresholds)]
    names = [name for name in args.thresholds.split(",") if name] or known
    if unknown := {*names} - {*known}:
        parser.error(f"unknown thresholds: {', '.join(sorted(unknown))}")
    sites = find_sites([name for name in args.sites.split(",") if name])
    with tempfile.TemporaryDirectory() as folder:
        made_up = [] if args.sites else [write(paper, Path(folder)) for paper in STRANGERS]
        rows, hard = [], []
        for is_hard, half in halves(sites, made_up, args.pages):
            rows.append(measure(half, names))
            hard.append(is_hard)
            print(f"{half.site.slug} is done", file=sys.stderr)
    report(names, np.array(rows), np.array(hard))
    return 0


if __name__ == "__main__":
    sys.exit(main())
