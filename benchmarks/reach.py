"""How many articles of real sites a crawl to depth 3 stores.

`python -m benchmarks.reach [SITE ...]`. Each site is served on loopback and crawled with the
project's own command; what was stored is compared with the articles that its notes say can be
reached by links.
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.corpus import PROJECT, Site, find_sites
from benchmarks.serving import served
from storage import Store

_REACHABLE = re.compile(r"depth 3: (\d+) of (\d+)")
AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")


def crawl(url: str, database: str, *options: str) -> None:
    """Crawl a site into a database, without waiting between requests."""
    command = [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"url={url}", *AT_ONCE]
    settings = ["-s", f"FLONG_DATABASE={database}", "--loglevel", "ERROR"]
    subprocess.run([*command, *settings, *options], cwd=PROJECT, check=True)  # noqa: S603 - ours


def reach(site: Site, folder: Path) -> dict[str, str | int]:
    """Crawl one site; return its row of the table."""
    database = f"sqlite:///{folder / site.slug}.db"
    begun = time.perf_counter()
    with served(site) as url:
        crawl(url, database)
    seconds = time.perf_counter() - begun
    with Store.open(database) as store:
        stored = store.urls(store.sites()[0])
    host = site.hosts[0]
    paths = {site.resolve(address.replace(url.rstrip("/"), f"http://{host}")) for address in stored}
    notes = (site.folder / "SITE.md").read_text()
    match = _REACHABLE.search(notes)
    return {
        "site": site.slug,
        "pages": len(stored),
        "articles": len(paths & set(site.truth)),
        "reachable": int(match[1]) if match else 0,
        "seconds": round(seconds),
    }


def main() -> int:
    """Print the table; fail if a site gives fewer articles than can be reached."""
    sites = find_sites(sys.argv[1:])
    if not sites:
        print("There are no sites: set FLONG_SITES.", file=sys.stderr)
        return 2
    short = 0
    print(f"{'site':16}{'pages':>8}{'articles':>10}{'reachable':>11}{'seconds':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for site in sites:
            row = reach(site, Path(folder))
            short += int(row["articles"]) < int(row["reachable"])
            widths = zip(row.values(), (16, 8, 10, 11, 9), strict=True)
            print("".join(f"{v:<{w}}" if isinstance(v, str) else f"{v:>{w}}" for v, w in widths))
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
