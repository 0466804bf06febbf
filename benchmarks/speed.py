"""Speed of trees, distances and clusters, as ratios within one run.

    python -m benchmarks.speed
    python -m benchmarks.speed building distances --sites malilive f1blog
    python -m benchmarks.speed --figures docs/figures --json > speed.json

Times are of the processor, all cores added up, so that other work on the machine counts less.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.speed_building import measure_building
from benchmarks.speed_distances import measure_sizes
from benchmarks.speed_figures import draw_distances, draw_scale
from benchmarks.speed_scale import measure_learning, measure_scale

Rows = list[dict[str, object]]

PIPE_WIDTH = 160
"""Columns of a table where nobody says how wide it is."""

PARTS: Mapping[str, tuple[str, Callable[[Sequence[CorpusSite], argparse.Namespace], Rows]]] = {
    "building": (
        "HTML to trees",
        lambda sites, options: measure_building(sites, options.pages),
    ),
    "distances": (
        "One distance, raw trees of one site",
        lambda sites, options: measure_sizes(sites, options.vertices),
    ),
    "learning": (
        "Stored pages to clusters",
        lambda sites, options: measure_learning(sites, options.pages),
    ),
    "scale": (
        "Stored pages to clusters, by number of pages",
        lambda sites, options: measure_scale(sites, options.counts),
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts asked for and print what they found."""
    options = _parser().parse_args(arguments)
    sites = find_sites(options.sites)
    if not sites:
        print("no sites: set FLONG_SITES to the directory that holds them")
        return 1
    found: dict[str, Rows] = {}
    for part in options.parts or PARTS:
        title, measure = PARTS[part]
        found[part] = measure(sites, options)
        if not options.json:
            show(title, found[part])
    if options.json:
        print(json.dumps(found, indent=1, ensure_ascii=False))
    if options.figures:
        _draw(found, options.figures)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", help=f"any of {', '.join(PARTS)}; default: all")
    parser.add_argument("--sites", nargs="+", default=[], metavar="SITE", help="default: all")
    parser.add_argument("--pages", type=int, default=1000, help="of all sites, or of each")
    parser.add_argument(
        "--vertices", type=int, nargs="+", default=[60, 120, 240, 300, 480, 960], metavar="N"
    )
    parser.add_argument("--counts", type=int, nargs="+", default=[1000, 5000, 20000], metavar="N")
    parser.add_argument("--figures", type=Path, metavar="DIR", help="draw the figures there")
    parser.add_argument("--json", action="store_true", help="for programs")
    return parser


def show(title: str, rows: Rows) -> None:
    """Print a table."""
    table = Table(title=title)
    for name in rows[0] if rows else ():
        table.add_column(name, justify="left" if isinstance(rows[0][name], str) else "right")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    Console(width=None if sys.stdout.isatty() else PIPE_WIDTH).print(table)


def _cell(value: object) -> str:
    """Return a value as it is read best."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return "" if value is None else str(value)


def _draw(found: Mapping[str, Rows], folder: Path) -> None:
    if "distances" in found:
        draw_distances(found["distances"], folder / "distances.svg")
    if "scale" in found:
        draw_scale(found["scale"], folder / "scale.svg")


if __name__ == "__main__":
    raise SystemExit(main())
