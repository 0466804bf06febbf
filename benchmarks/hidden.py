"""Real sites on two nights: half of the articles are hidden on the first, shown on the second.

`python -m benchmarks.hidden [SITE ...]`. Printed is, for the articles that were hidden, how many
the second night found and what share of them is correct (title equal, body F1 at least 0.9),
beside the same share for a site that was visited in one go.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.corpus import PROJECT, CorpusSite, find_sites
from benchmarks.scoring import body_f1
from benchmarks.serving import AT_ONCE, served
from flong.storage import Store
from flong.text import fold_text

SMALL = ("malilive", "noventaminutos", "opstime")
RIGHT = 0.9


def night(database: str) -> None:
    """Run a night."""
    subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "scrapy", "nightly", *AT_ONCE],
        cwd=PROJECT,
        env={**os.environ, "FLONG_DATABASE": database},
        stdout=subprocess.DEVNULL,
        check=False,
    )


def correct(site: CorpusSite, url: str, database: str, paths: Collection[str]) -> tuple[int, int]:
    """Return how many of these articles are stored, and how many of them are right."""
    found = right = 0
    with Store.open(database) as store:
        for row in store.articles.all():
            address = row.article.url.replace(url.rstrip("/"), f"http://{site.hosts[0]}")
            path = site.resolve(address)
            if path is not None and path in paths:
                truth = site.truth[path]
                same = fold_text(truth.title) == fold_text(row.article.title)
                found += 1
                right += same and body_f1(truth.body, row.article.body) >= RIGHT
    return found, right


@contextmanager
def hidden(site: CorpusSite, paths: Collection[str]) -> Iterator[None]:
    """Take files of a site away while the block runs."""
    for path in paths:
        (site.folder / "www" / path).rename(site.folder / "www" / f"{path}.hidden")
    yield
    for path in paths:
        (site.folder / "www" / f"{path}.hidden").rename(site.folder / "www" / path)


def compare(original: CorpusSite, folder: Path) -> None:
    """Visit a site in two nights and in one, and print a line."""
    copy = folder / original.slug
    shutil.copytree(original.folder, copy)
    site = CorpusSite(copy)
    later = [path for path in site.paths if path in site.truth][::2]
    databases = {name: f"sqlite:///{folder}/{site.slug}-{name}.db" for name in ("two", "one")}
    with served(site) as url:
        for database in databases.values():
            with Store.open(database) as store:
                store.sites.add(url)
        with hidden(site, later):
            night(databases["two"])
            early = correct(site, url, databases["two"], later)[0]
        for database in databases.values():
            night(database)
        two, one = (correct(site, url, database, later) for database in databases.values())
    print(
        f"{site.slug:16} hidden {len(later):4}, found on night 1: {early}, on night 2: {two[0]} "
        f"({two[1]} correct); in one go: {one[0]} ({one[1]} correct)",
        flush=True,
    )


def main() -> int:
    """Print a line for each site."""
    sites = find_sites(sys.argv[1:] or SMALL)
    if not sites:
        print("There are no sites: set FLONG_SITES.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        for site in sites:
            compare(site, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
