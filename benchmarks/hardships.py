"""Quality on pages with less information than real ones.

    python -m benchmarks.hardships
    python -m benchmarks.hardships --sites f1blog,rubima --hardships names,anchors --worst 9

Each hardship removes something from all pages of the real sites: class names, headings, metadata,
anchor texts, or most of the pages. flong learns at most 200 pages of each site; 40 held-out
articles and 40 other pages are judged. A row has the mean of the sites, and the worst site.
"""

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.corpus import CorpusPage, CorpusSite, find_sites
from benchmarks.methods import Half, extract_half, learn_half
from benchmarks.quality import QualityRow, describe, make_row, mean_row
from flong.tree.build import serialise

LEARNED, JUDGED, FEW = 200, 40, 20
"""Pages to learn from; judged articles and others; pages of the hardship `few`."""

_NAMES = re.compile(r' (class|id)="([^"]*)"')
_MEANING = re.compile(
    r"<(/?)(?:h[1-6]|address|article|aside|figure|footer|header|main|nav|section|time)\b"
)
_HEAD = re.compile(
    r"<title>.*?</title>|<meta [^>]*>|<script[^>]*ld\+json[^>]*>.*?</script>"
    r'| (?:itemprop|itemtype|itemscope|property|rel|datetime)="[^"]*"',
    re.DOTALL,
)


def _other_names(html: str) -> str:
    """Rename each class and id, consistently on all pages.

    >>> _other_names('<p class="lead big">')
    '<p class="x289161cb xd3fbe249">'
    """

    def renamed(found: re.Match[str]) -> str:
        words = (f"x{crc32(word.encode()):08x}" for word in found[2].split())
        return f' {found[1]}="{" ".join(words)}"'

    return _NAMES.sub(renamed, html)


def _no_names(html: str) -> str:
    return _NAMES.sub("", html)


def _no_meaning(html: str) -> str:
    return _MEANING.sub(r"<\1div", html)


def _no_head(html: str) -> str:
    return _HEAD.sub("", html)


def _all(html: str) -> str:
    return _other_names(_no_meaning(_no_head(html)))


Change = Callable[[str], str]
HARDSHIPS: Mapping[str, tuple[str, Change | None]] = {
    "none": ("nothing is missing", None),
    "names": ("class names and ids are others", _other_names),
    "nameless": ("there are no classes and ids", _no_names),
    "meaning": ("there are no headings, no `article`, `main`, `nav` ...", _no_meaning),
    "head": ("there is no `<title>`, no metadata", _no_head),
    "anchors": ("no words of links are known", None),
    "few": (f"only {FEW} pages are learned from", None),
    "all": ("other names, no head, no headings at once", _all),
}
"""Description and function of each hardship, by name."""


def endure(half: Half, name: str) -> Half:
    """Return the pages of a site after a hardship."""
    change = HARDSHIPS[name][1]
    step = max(1, len(half.learning) // (FEW if name == "few" else LEARNED))
    return Half(
        half.site,
        _changed(half.learning[::step][: FEW if name == "few" else LEARNED], change),
        _changed(half.judged, change),
        {} if name == "anchors" else half.anchors,
        half.linking,
    )


def _changed(pages: Sequence[CorpusPage], change: Change | None) -> list[CorpusPage]:
    if change is None:
        return list(pages)
    return [replace(page, html=change(serialise(page.html)[0].decode())) for page in pages]


def measure(site: CorpusSite, names: Sequence[str]) -> tuple[dict[str, QualityRow], list[str]]:
    """Return the figures of one site under each hardship, and the pages that are wrong."""
    half, rows, wrong = Half.of(site, JUDGED, JUDGED), {}, []
    for name in names:
        left = endure(half, name)
        results = extract_half(left, learn_half(left))
        rows[name], scores = make_row("flong", site, results, 1.0)
        wrong += [f"{name}: {line}" for line in describe(site, results, scores)]
    return rows, wrong


def table(rows: Mapping[str, Sequence[QualityRow]]) -> Table:
    """Return a row for each hardship."""
    shown = Table()
    for column in ("pages changed so that", "correct", "body F1", "title", "precision", "recall"):
        shown.add_column(column, justify="right" if shown.columns else "left")
    shown.add_column("worst site")
    for name, some in rows.items():
        f = mean_row(some).figures
        worst = min(some, key=lambda row: row.figures.correct)
        values = (f.correct, f.body_f1, f.title, f.precision, f.recall)
        shown.add_row(
            HARDSHIPS[name][0],
            *(f"{value:.3f}" for value in values),
            f"{worst.site} {worst.figures.correct:.2f}",
        )
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.hardships", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--sites", default="", help="names of sites, separated by commas")
    parser.add_argument("--hardships", default=",".join(HARDSHIPS), help="some of them")
    parser.add_argument("--worst", type=int, default=0, help="list so many wrong pages")
    args = parser.parse_args(arguments)
    names = args.hardships.split(",")
    if not {*names} <= HARDSHIPS.keys():
        parser.error(f"--hardships {args.hardships!r}: there are {', '.join(HARDSHIPS)}")
    sites = find_sites([name for name in args.sites.split(",") if name])
    if not sites:
        print("there is no corpus: set FLONG_SITES", file=sys.stderr)
        return 2
    rows: dict[str, list[QualityRow]] = {name: [] for name in names}
    wrong: list[str] = []
    screen = Console(stderr=True)
    for site in track(sites, "Sites", console=screen, disable=not screen.is_terminal):
        found, lines = measure(site, names)
        for name, row in found.items():
            rows[name].append(row)
        wrong += lines
    Console(width=150).print(table(rows))
    print(*wrong[: args.worst], sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
