"""Accuracy of models learned from few pages: an archive that holds only articles, or few others.

    python -m benchmarks.few_pages
    python -m benchmarks.few_pages --sites malilive,rubima --draws 2 --peers trafilatura

For k = 1, 2, 3, 5, 10, 20 the model is learned from k articles of a site and reads the same k.
`k = 1` is `flong.read`. With `--others`, one page in ten (at least one) is not an article. The
pages are given without the rest of the site, so nearly no links lead to them. All sizes read the
same articles, because some are harder than others: 20 of each site for each of `--draws`. An
article is correct if its title is equal after folding and its body has a token F1 of at least .90.
Peers read each page by itself.
"""

import argparse
import sys
from collections.abc import Sequence
from statistics import mean

import flong
from benchmarks.corpus import CorpusPage, CorpusSite, find_sites
from benchmarks.methods import NOW, ask_peer
from benchmarks.scoring import FoundArticle, score

SIZES = (1, 2, 3, 5, 10, 20)
"""Numbers of articles to learn from."""
OTHERS = 10
"""Articles per page that is not an article."""
MINIMUM_OTHERS = 1
"""Minimum number of other pages, with `--others`."""

Found = dict[str, FoundArticle | None]


def sample_pages(site: CorpusSite, count: int, draw: int, *, others: bool) -> list[CorpusPage]:
    """Return `count` articles, and other pages if requested; each draw has pages of its own."""
    articles = [path for path in site.paths if path in site.truth]
    rest = [path for path in site.paths if path in site.other]
    paths = _window(articles, count, draw)
    if others:
        paths += _window(rest, max(MINIMUM_OTHERS, count // OTHERS), draw)
    return [site.page(path) for path in paths]


def _window(paths: Sequence[str], count: int, draw: int) -> list[str]:
    first = draw * count % max(1, len(paths) - count + 1)
    return list(paths[first : first + count])


def read_sample(pages: Sequence[CorpusPage], count: int) -> Found:
    """Return the articles of the pages; a single page is read without a model."""
    if count == 1:
        articles = {page.path: flong.read(page.url, page.html, now=NOW) for page in pages}
    else:
        model = flong.learn((page.url, page.html) for page in pages)
        articles = {page.path: model.read(page.url, page.html, now=NOW) for page in pages}
    return {
        path: FoundArticle(article.title, article.body) if article else None
        for path, article in articles.items()
    }


def correct_share(site: CorpusSite, pages: Sequence[CorpusPage], found: Found) -> float:
    """Return the fraction of the sample's articles that are correct."""
    truth = {page.path: site.truth[page.path] for page in pages if page.path in site.truth}
    figures, _ = score(truth, found, site.other, site.captions)
    return figures.correct


def measure(site: CorpusSite, size: int, draws: int, *, others: bool) -> float:
    """Return the mean over samples of the fraction of correct articles."""
    shares = []
    for draw in range(draws * SIZES[-1] // size):
        pages = sample_pages(site, size, draw, others=others)
        shares.append(correct_share(site, pages, read_sample(pages, size)))
    return mean(shares)


def measure_peer(site: CorpusSite, name: str, pages: Sequence[CorpusPage]) -> float:
    """Return the fraction of articles that a peer reads correctly."""
    return correct_share(site, pages, ask_peer(name, site, pages)[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one row per site, and the mean."""
    parser = argparse.ArgumentParser(prog="benchmarks.few_pages", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--sites", default="", help="names, separated by commas; default all")
    parser.add_argument("--draws", type=int, default=1, help="samples of the largest size")
    parser.add_argument("--others", action="store_true", help="add pages that are not articles")
    parser.add_argument("--peers", default="", help="trafilatura,readability: need the bench extra")
    options = parser.parse_args(arguments)
    sites = find_sites([name for name in options.sites.split(",") if name])
    if not sites:
        print("No sites found. Set FLONG_SITES.", file=sys.stderr)
        return 2
    peers = [name for name in options.peers.split(",") if name]
    print(f"{'site':<16}" + "".join(f"{f'k = {k}':>8}" for k in SIZES), *peers, sep="  ")
    rows = []
    for site in sites:
        row = [measure(site, size, options.draws, others=options.others) for size in SIZES]
        pages = sample_pages(site, SIZES[-1], 0, others=False)
        row += [measure_peer(site, name, pages) for name in peers]
        rows.append(row)
        print(f"{site.slug:<16}" + "".join(f"{value:>8.3f}" for value in row), flush=True)
    print(f"{'mean':<16}" + "".join(f"{mean(column):>8.3f}" for column in zip(*rows, strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
