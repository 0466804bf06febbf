"""What each number of `patterns/thresholds.py` is worth, on real sites and on harder ones.

usage: python -m benchmarks.ablation [--sites A,B] [--pages N] [--numbers A,B]

Each number is set to what switches its rule off, or, if it is a word of measure that several rules
use, to about three and five quarters of itself; the sites are then learned and read again. A
rule may have been made for what few sites lack, so each site is also taken with other class names,
without head and headings (`benchmarks.hardships`, `all`). Printed is what is lost: points of a
hundred in the mean of correct articles, precision and recall, right days and authors. The mean is
told leaving one site out, the one with the largest loss: what a single site needs is no rule.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

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
"""What is measured on each site."""

Losses = NDArray[np.float64]
"""A row a site, a column a figure; not a number where a site has no truth for it."""


@dataclass(frozen=True, slots=True)
class ChangedNumber:
    """One number, changed."""

    name: str
    """The number."""
    value: float
    """What it is set to."""
    off: bool
    """Whether that switches its rule off."""


def changes(names: Sequence[str]) -> list[ChangedNumber]:
    """Return the changes that are tried.

    >>> [(one.value, one.off) for one in changes(["mostly"])]
    [(0.45, False), (0.75, False)]
    """
    found = []
    for each in fields(Thresholds):
        value, off = getattr(THRESHOLDS, each.name), each.metadata["off"]
        if names and each.name not in names:
            continue
        if off is not None:
            found.append(ChangedNumber(each.name, off, True))
        elif isinstance(value, int):
            step = max(1, value // 4)
            found += [ChangedNumber(each.name, value + by, False) for by in (-step, step)]
        else:
            found += [
                ChangedNumber(each.name, round(value * part, 3), False) for part in (0.75, 1.25)
            ]
    return found


@contextmanager
def in_force(thresholds: Thresholds) -> Iterator[None]:
    """Let every module of `patterns` go by other numbers."""
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


def look_at(half: Half, tried: Sequence[ChangedNumber]) -> list[list[float]]:
    """Return the figures of one site, first as it is, then with each change."""
    pages = clustered(half)
    rows = []
    for one in (None, *tried):
        change: dict[str, Any] = {} if one is None else {one.name: one.value}
        with in_force(replace(THRESHOLDS, **change)):
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
    """Yield the sites as they are, then with hardships, which is said first."""
    for site in sites:
        half = Half.whole(site, pages)
        yield False, half
        yield True, endure(half, "all")
    for site in made_up:
        yield False, Half.of(site)


def report(
    tried: Sequence[ChangedNumber], figures: NDArray[np.float64], hard: NDArray[np.bool_]
) -> None:
    """Print a row for each change, in Markdown; nothing where nothing is lost."""
    reasons = {each.name: str(each.metadata["why"]) for each in fields(Thresholds)}
    head = ["number", "in use", "set to"]
    head += [f"{kind}: correct | precision | recall" for kind in ("as they are", "harder")]
    head += ["fields", "most", "what it is"]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * (len(head) + 4))
    for at, one in enumerate(tried, 1):
        losses = 100 * (figures[:, 0] - figures[:, at])
        most = float(np.nan_to_num(losses[:, 0]).max())
        row = [
            f"`{one.name}`",
            f"{getattr(THRESHOLDS, one.name):g}",
            "off" if one.off else f"{one.value:g}",
            *(_lost(each, 2) for some in (~hard, hard) for each in worth(losses[some])[:3]),
            _lost_fields(worth(losses)[3:]),
            _lost(most, 1),
            reasons[one.name],
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
    parser.add_argument("--numbers", default="", help="names of numbers, separated by commas")
    args = parser.parse_args(arguments)
    tried = changes([name for name in args.numbers.split(",") if name])
    if not tried:
        parser.error(f"--numbers {args.numbers!r}: see the fields of patterns/thresholds.py")
    sites = find_sites([name for name in args.sites.split(",") if name])
    with tempfile.TemporaryDirectory() as folder:
        made_up = [] if args.sites else [write(paper, Path(folder)) for paper in STRANGERS]
        rows, hard = [], []
        for is_hard, half in halves(sites, made_up, args.pages):
            rows.append(look_at(half, tried))
            hard.append(is_hard)
            print(f"{half.site.slug} is done", file=sys.stderr)
    report(tried, np.array(rows), np.array(hard))
    return 0


if __name__ == "__main__":
    sys.exit(main())
