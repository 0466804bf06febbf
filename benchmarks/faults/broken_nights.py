"""Real sites whose article pages are error pages for a night: no article may be lost.

`python -m benchmarks.faults.broken_nights [SITE ...]`. Night 1 is undisturbed. In each of the next
nights all article pages, or one in five, return an error page with status 200
(`flong.demo.faults`), each page a different one; the last night is good. After each night the
number of unchanged articles of night 1, the exit code and the findings are printed. The exit code
is 1 if an article was lost, replaced or changed.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.redesign import night
from benchmarks.serving import served
from flong.demo import FAULTS, error_page, is_faulty
from flong.storage import Store

SITES = ("malilive", "f1blog")
SHARES = (1.0, 0.2)


def articles(database: str) -> dict[str, tuple[str, str]]:
    """Return title and body of every current article, by URL."""
    with Store.open(database) as store:
        found = (row.article for row in store.articles.all())
        return {article.url: (article.title, article.body) for article in found}


def break_pages(site: CorpusSite, fault: str, share: float) -> int:
    """Replace a fraction of a site's articles by error pages; return their number."""
    headlines = [truth.title for truth in site.truth.values()]
    broken = [path for path in site.truth if is_faulty(path, share)]
    for path in broken:
        page, title = site.page(path).html, site.truth[path].title
        html = error_page(fault, path, page, title, headlines)
        _write(site.folder / "www" / path, html.encode())
    return len(broken)


def _write(path: Path, data: bytes) -> None:
    """Replace a file, which may be a reference copy of the original, with a new time."""
    path.unlink()
    path.write_bytes(data)


def restore(site: CorpusSite, original: CorpusSite) -> None:
    """Restore the pages of a site, with the times of their files."""
    for path in site.truth:
        shutil.copy2(original.folder / "www" / path, site.folder / "www" / path)


def visit(original: CorpusSite, folder: Path) -> bool:
    """Run the nights of a site and print the results; return True if no article was lost."""
    copy = folder / original.slug
    shutil.copytree(original.folder, copy)
    site, database = CorpusSite(copy), f"sqlite:///{folder}/{original.slug}.db"
    is_whole = True
    with served(site) as url:
        with Store.open(database) as store:
            store.sites.add(url)
        night(database)
        before = articles(database)
        print(f"{site.slug}: {len(before)} articles on night 1", flush=True)
        for fault in FAULTS:
            for share in SHARES:
                broken = break_pages(site, fault, share)
                code, report = night(database)
                is_whole &= _compare(f"{fault}, {broken} pages", before, database, code, report)
                restore(site, original)
        code, report = night(database)
        is_whole &= _compare("a good night", before, database, code, report)
    return is_whole


def _compare(
    what: str,
    before: dict[str, tuple[str, str]],
    database: str,
    code: int,
    report: dict[str, list[dict[str, str]]],
) -> bool:
    now = articles(database)
    same = sum(now.get(url) == text for url, text in before.items())
    print(f"  {what}: {same} of {len(before)} as they were, {len(now)} in all, exit code {code}")
    for sentence in (finding["sentence"] for finding in report["findings"]):
        print(f"    {sentence}", flush=True)
    return same == len(before)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faults.broken_nights",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sites", nargs="*", metavar="SITE", help=f"default: {' '.join(SITES)}")
    options = parser.parse_args(arguments)
    sites = {site.slug: site for site in find_sites()}
    if not sites:
        print("There are no sites: set FLONG_SITES.", file=sys.stderr)
        return 2
    os.environ.setdefault("FLONG_REVISIT_DAYS", "0")  # every page every night
    with tempfile.TemporaryDirectory() as folder:
        whole = [visit(sites[slug], Path(folder)) for slug in options.sites or SITES]
    return 0 if all(whole) else 1


if __name__ == "__main__":
    sys.exit(main())
