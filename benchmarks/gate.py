"""Quality gate: measured figures must not fall below the floors.

usage: python -m benchmarks.gate [--pages N] [--raise]

`floors.json` has the minimum figures of each site and of the mean, for a fingerprint of the corpus.
`--raise` raises floors to the measured figures; floors are only lowered by hand.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.corpus import digest, find_sites
from benchmarks.quality import QualityRow, mean_row, measure

FLOORS = Path(__file__).with_name("floors.json")
NAMES = ("correct", "body_f1", "title", "precision", "recall")
"""Figures with floors."""

SLACK = 0.005
"""Distance of new floors below the measured figures."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit with 0 on success, 1 if a figure fell, 2 without the corpus."""
    parser = argparse.ArgumentParser(prog="benchmarks.gate", description=(__doc__ or "").strip())
    parser.add_argument("--pages", type=int, default=40, help="articles and others of a site")
    parser.add_argument("--raise", dest="lift", action="store_true", help="raise the floors")
    args = parser.parse_args(arguments)
    pinned = json.loads(FLOORS.read_text())
    sites = find_sites([] if args.lift else [site for site in pinned["floors"] if site != "mean"])
    if not sites:
        print("there is no corpus: set FLONG_SITES", file=sys.stderr)
        return 2
    if pinned["corpus"] != digest(sites) and not args.lift:
        print("the corpus is not the one that the floors were measured on", file=sys.stderr)
        return 2
    rows = [measure(site, ["flong"], args.pages)[0][0] for site in sites]
    measured = figures([*rows, mean_row(rows)])
    fallen = fallen_below(pinned["floors"], measured)
    print(*fallen or ["no figure is below its floor"], sep="\n")
    if args.lift and not fallen:
        lifted = {"corpus": digest(sites), "floors": raised(pinned["floors"], measured)}
        FLOORS.write_text(json.dumps(lifted, indent=1, sort_keys=True) + "\n")
    return 1 if fallen else 0


def figures(rows: Sequence[QualityRow]) -> dict[str, dict[str, float]]:
    """Return the figures with floors, by site."""
    return {row.site: {name: asdict(row.figures)[name] for name in NAMES} for row in rows}


Table = dict[str, dict[str, float]]


def fallen_below(floors: Table, measured: Table) -> list[str]:
    """Return a message for each figure below its floor.

    >>> fallen_below({"a": {"title": 0.9}}, {"a": {"title": 0.8}})
    ['a: title 0.800 is below 0.900']
    """
    return [
        f"{site}: {name} {measured[site][name]:.3f} is below {floor:.3f}"
        for site, row in floors.items()
        if site in measured
        for name, floor in row.items()
        if measured[site][name] < floor
    ]


def raised(floors: Table, measured: Table) -> Table:
    """Return new floors just below the measured figures; never lower an old one.

    >>> raised({"a": {"title": 0.9}}, {"a": {"title": 0.85}})
    {'a': {'title': 0.9}}
    """
    return {
        site: {
            name: max(floors.get(site, {}).get(name, 0.0), round(value - SLACK, 3))
            for name, value in row.items()
        }
        for site, row in measured.items()
    }


if __name__ == "__main__":
    sys.exit(main())
