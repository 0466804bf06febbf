"""Real sites from URL to articles, with the real commands.

`python -m benchmarks.reach [SITE ...]`. Each site is served on loopback, crawled to depth 3,
learned and extracted. The table has the number of stored articles, the number reachable by links,
and the quality over all stored pages. Copies and further pages of a story count as pages, because
the truth has a row for each. Unlike in `benchmarks.quality`, no page is held out.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpus import PROJECT, CorpusSite, find_sites
from benchmarks.scoring import ArticleFigures, FoundArticle, mean, score
from benchmarks.serving import AT_ONCE, served
from flong.storage import ArticleChoice, Store

_REACHABLE = re.compile(r"depth 3: (\d+) of (\d+)")


def scrapy(database: str, *words: str) -> None:
    """Run a command on a database, without waiting between requests."""
    settings = ("-s", f"FLONG_DATABASE={database}", "--loglevel", "ERROR", *AT_ONCE)
    command = [sys.executable, "-m", "scrapy", *words, *settings]
    subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - ours


def reach(site: CorpusSite, folder: Path) -> tuple[bool, ArticleFigures]:
    """Process one site and print a line; return True if articles are missing."""
    database = f"sqlite:///{folder / site.slug}.db"
    begun = time.perf_counter()
    with served(site) as url:
        scrapy(database, "crawl", "site", "-a", f"url={url}")
    seconds = time.perf_counter() - begun
    scrapy(database, "learn")
    scrapy(database, "extract")

    def path_of(address: str) -> str | None:
        return site.resolve(address.replace(url.rstrip("/"), f"http://{site.hosts[0]}"))

    with Store.open(database) as store:
        stored = store.pages.urls(store.sites.all()[0])
        found = {path: None for address in stored if (path := path_of(address))} | {
            path: FoundArticle(row.article.title, row.article.body)
            for row in store.articles.chosen(ArticleChoice(every_page=True))
            if (path := path_of(row.article.url))
        }
    figures, _ = score(site.truth, found, site.other, site.captions)
    match = _REACHABLE.search((site.folder / "SITE.md").read_text())
    reachable = int(match[1]) if match else 0
    print(
        f"{site.slug:16}{len(stored):8}{figures.pages:10}{reachable:11}{seconds:9.0f}"
        f"{_shares(figures)}",
        flush=True,
    )
    return figures.pages < reachable, figures


def _shares(figures: ArticleFigures) -> str:
    names = ("correct", "body_f1", "title", "precision", "recall")
    return "".join(f"{getattr(figures, name):11.3f}" for name in names)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; fail if a site gives fewer articles than can be reached."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.reach",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sites", nargs="*", metavar="SITE", help="default: all")
    sites = find_sites(parser.parse_args(arguments).sites)
    if not sites:
        print("There are no sites: set FLONG_SITES.", file=sys.stderr)
        return 2
    names = ("pages", "articles", "reachable", "seconds")
    shares = ("correct", "body F1", "title", "precision", "recall")
    widths = zip(names, (8, 10, 11, 9), strict=True)
    heads = [f"{name:>{width}}" for name, width in widths] + [f"{name:>11}" for name in shares]
    print(f"{'site':16}{''.join(heads)}")
    with tempfile.TemporaryDirectory() as folder:
        rows = [reach(site, Path(folder)) for site in sites]
    print(f"{'mean':54}{_shares(mean([figures for _, figures in rows]))}")
    return int(any(short for short, _ in rows))


if __name__ == "__main__":
    sys.exit(main())
