"""Quality cannot slip: measured figures must not be below the floors.

usage: python -m benchmarks.gate [--pages N] [--raise]

`floors.json` pins, for a fingerprint of the corpus, the least figures of each site and of the
mean. `--raise` writes what is now measured where it is higher; a floor is lowered by hand only.
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
"""The figures that have floors."""

SLACK = 0.005
"""Floors are set so much below what is measured."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line: 0 if all is well, 1 if a figure fell, 2 without the corpus."""
    parser = argparse.ArgumentParser(prog="benchmarks.gate", description=(__doc__ or "").strip())
    parser.add_argument("--pages", type=int, default=40, help="articles and others of a site")
    parser.add_argument("--raise", dest="lift", action="store_true", help="raise the floors")
    args = parser.parse_args(arguments)
    sites = find_sites()
    if not sites:
        print("there is no corpus: set FLONG_SITES", file=sys.stderr)
        return 2
    pinned = json.loads(FLOORS.read_text())
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
    """Return the figures that have floors, by site."""
    return {row.site: {name: asdict(row.figures)[name] for name in NAMES} for row in rows}


Table = dict[str, dict[str, float]]


def fallen_below(floors: Table, measured: Table) -> list[str]:
    """Return a sentence for each figure that is below its floor.

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
    """Return floors a little below what is measured, none lower than it was.

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
