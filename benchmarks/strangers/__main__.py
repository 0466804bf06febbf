"""How right the articles of made-up sites are that are built quite unlike the real ones.

usage: python -m benchmarks.strangers [--sites Ghost,Tables] [--keep FOLDER] [--worst N]

Nineteen small sites in sixteen languages imitate the page structures of publishing systems and
layouts that the real sites do not have. Each is written to a folder, one half is learned from, the
other extracted and scored as `benchmarks.quality` does. So is the demo portal, under the name Demo.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.corpus import CorpusSite
from benchmarks.demo_site import write_demo
from benchmarks.quality import fields_table, mean_row, measure, table
from benchmarks.strangers import STRANGERS, Paper


def write(paper: type[Paper], folder: Path) -> CorpusSite:
    """Write one of the sites below a folder and return it."""
    target = folder / paper.__name__
    target.mkdir(parents=True, exist_ok=True)
    paper().write(target)
    return CorpusSite(target)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.strangers", description=(__doc__ or "").strip()
    )
    parser.add_argument("--sites", default="", help="names of sites, separated by commas")
    parser.add_argument("--keep", type=Path, help="write the sites here and leave them")
    parser.add_argument("--worst", type=int, default=20, help="list so many wrong pages")
    args = parser.parse_args(arguments)
    names = {name for name in args.sites.split(",") if name}
    chosen = [paper for paper in STRANGERS if not names or paper.__name__ in names]
    with_demo = not names or "Demo" in names
    rows, worst = [], []
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or Path(scratch)
        sites = [write(paper, folder) for paper in chosen]
        for site in [*sites, *([write_demo(folder)] if with_demo else [])]:
            some, wrong = measure(site, ["flong"], None)
            rows += some
            worst += wrong
    rows.append(mean_row(rows))
    Console(width=160).print(table(rows), fields_table(rows))
    print(*worst[: args.worst], sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
