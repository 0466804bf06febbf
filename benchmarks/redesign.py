"""Real sites redesigned overnight: their articles in the template of another real site.

`python -m benchmarks.redesign [SITE:OTHER ...]`. On night 1 a site is as it is. On night 2 its
article pages are those of the other site, with its own titles, texts, dates and links in them;
night 3 is as night 2. Printed is, after each night, what share of the articles is stored and
correct (title equal, body F1 at least 0.9), the exit code, what was reported, and how many
articles that were correct are so no longer.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpus import PROJECT, CorpusSite, find_sites
from benchmarks.dressing import dress, wardrobe
from benchmarks.scoring import body_f1
from benchmarks.serving import AT_ONCE, served
from flong.storage import Store
from flong.text import fold_text

PAIRS = ("malilive:opstime", "opstime:noventaminutos", "noventaminutos:malilive")
RIGHT = 0.9


def night(database: str) -> tuple[int, dict[str, list[str]]]:
    """Run a night; return its exit code and its report."""
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "scrapy", "nightly", "--json", *AT_ONCE],
        cwd=PROJECT,
        env={**os.environ, "FLONG_DATABASE": database},
        stdout=subprocess.PIPE,
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


def correct(site: CorpusSite, url: str, database: str) -> set[str]:
    """Return the articles that are stored and right, by path."""
    right = set()
    with Store.open(database) as store:
        for row in store.articles.all():
            address = row.article.url.replace(url.rstrip("/"), f"http://{site.hosts[0]}")
            path = site.resolve(address)
            truth = site.truth.get(path or "")
            if path is not None and truth is not None:
                same = fold_text(truth.title) == fold_text(row.article.title)
                if same and body_f1(truth.body, row.article.body) >= RIGHT:
                    right.add(path)
    return right


def redesign(site: CorpusSite, other: CorpusSite) -> int:
    """Put the articles of a site into the pages of another one; return how many."""
    clothes = wardrobe(other)
    if not clothes:
        raise ValueError(f"no page of {other.slug} can be filled with another article")
    pages = [path for path in site.paths if path in site.truth]
    for at, path in enumerate(pages):
        html = dress(site.truth[path], site.page(path).html, path, clothes[at % len(clothes)])
        (site.folder / "www" / path).write_bytes(html)
    return len(pages)


def compare(original: CorpusSite, other: CorpusSite, folder: Path) -> None:
    """Visit a site before and after it was redesigned, and print what became of it."""
    copy = folder / original.slug
    shutil.copytree(original.folder, copy)
    site = CorpusSite(copy)
    database = f"sqlite:///{folder}/{site.slug}.db"
    print(f"{site.slug} in the clothes of {other.slug}", flush=True)
    with served(site) as url:
        with Store.open(database) as store:
            store.sites.add(url)
        right: set[str] = set()
        for number in (1, 2, 3):
            if number == 2:
                print(f"  {redesign(site, other)} pages redesigned")
            code, report = night(database)
            now = correct(site, url, database)
            print(
                f"  night {number}: exit code {code}, {len(now)} of {len(site.truth)} correct "
                f"({len(now) / len(site.truth):.1%}), {len(right - now)} no longer"
            )
            for sentence in (*report["look"], *report["drifted"], *report["done"]):
                print(f"    {sentence}", flush=True)
            right = now


def main(pairs: Sequence[str]) -> int:
    """Print a paragraph for each pair of sites."""
    sites = {site.slug: site for site in find_sites()}
    if not sites:
        print("There are no sites: set FLONG_SITES.", file=sys.stderr)
        return 2
    for pair in pairs:
        one, other = (sites[name] for name in pair.split(":"))
        with tempfile.TemporaryDirectory() as folder:
            compare(one, other, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or PAIRS))
