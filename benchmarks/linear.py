"""Time of every single-page method against page size, beside trafilatura's fast mode.

Run `python -m benchmarks.linear`. Times are CPU time per page in milliseconds; a method's
includes building the tree. The exponent is the slope of log time over log size: 1 is linear.
"""

import argparse
import math
import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice

import trafilatura

from benchmarks.corpus import find_sites
from benchmarks.growth import exponent
from flong.baselines import WITNESSES, consensus, nowonweb_article
from flong.tree import SitePage, Tree, build_tree

SIZES = (100, 400, 1_600, 6_400)
"""Paragraphs of the made-up pages."""

_WORDS = "the council of this town has met again and said that, after all, a new bridge is needed."


def make_page(paragraphs: int) -> str:
    """Return an article page whose size grows with its paragraphs: text, links, boxes, comments.

    >>> len(make_page(200)) // len(make_page(100))
    1
    """
    word = cycle(_WORDS.split())
    blocks = []
    for number in range(paragraphs):
        text = " ".join(islice(word, 20 + number * 7 % 60))
        blocks.append(f"<p>Part {number}: {text} <a href='/{number}'>more on it</a></p>")
        if number % 5 == 0:
            blocks.append(f"<div class='box'><h3><a href='/{number}'>Story {number}</a></h3></div>")
    head = "<head><title>A bridge is needed - Paper</title></head>"
    return (
        f"<html>{head}<body><h1>A bridge is needed</h1><div>{''.join(blocks)}</div></body></html>"
    )


def methods() -> dict[str, Callable[[Tree], object]]:
    """Return what is timed, by name."""

    def whole_nowonweb(tree: Tree) -> object:
        return nowonweb_article(SitePage(url="http://paper.example/", tree=tree))

    return {**WITNESSES, "nowonweb, title, image": whole_nowonweb, "consensus": consensus}


def cpu_ms(function: Callable[[str], object], pages: Sequence[str], rounds: int) -> float:
    """Return the least CPU time per page over some rounds."""
    best = math.inf
    for _ in range(rounds):
        start = time.process_time()
        for page in pages:
            function(page)
        best = min(best, time.process_time() - start)
    return best / len(pages) * 1000


def table(pages: dict[str, list[str]], rounds: int) -> dict[str, list[float]]:
    """Return the times of every method on each set of pages, tree building included."""
    times = {
        "tree alone": [cpu_ms(build_tree, htmls, rounds) for htmls in pages.values()],
        "trafilatura, fast": [cpu_ms(_trafilatura, htmls, rounds) for htmls in pages.values()],
    }
    trees = {html: build_tree(html) for htmls in pages.values() for html in htmls}
    for name, method in methods().items():
        alone = [
            cpu_ms(lambda html, run=method: run(trees[html]), htmls, rounds)  # type: ignore[misc]
            for htmls in pages.values()
        ]
        times[name] = [a + b for a, b in zip(alone, times["tree alone"], strict=True)]
    return times


def _trafilatura(html: str) -> str | None:
    found: str | None = trafilatura.extract(html, fast=True)
    return found


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many counts")
    parser.add_argument(
        "--pages", type=int, default=5, help="real pages per site, if there are sites"
    )
    options = parser.parse_args()
    made = {f"{size} p": [make_page(size)] for size in SIZES}
    real = [
        site.page(path).html
        for site in find_sites()
        for path in [path for path in site.paths if site.kind(path) == "article"][: options.pages]
    ]
    pages = {**({"real": real} if real else {}), **made}
    times = table(pages, options.rounds)
    peer = times["trafilatura, fast"]
    lengths = [len(made[name][0]) for name in made]
    print("| method |", " | ".join(pages), "| exponent | times as fast as trafilatura |")
    print("|---|" + "---:|" * (len(pages) + 2))
    for name, row in times.items():
        slope = exponent(lengths, row[-len(SIZES) :])
        ratios = " ".join(f"{b / a:.1f}" for a, b in zip(row, peer, strict=True))
        print(f"| {name} |", " | ".join(f"{ms:.2f}" for ms in row), f"| {slope} | {ratios} |")


if __name__ == "__main__":
    main()
