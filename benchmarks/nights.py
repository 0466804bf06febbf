"""What a night with nothing new costs, against the first one.

`python -m benchmarks.nights [ARTICLES]`. The demo portal on loopback, three nights in turn:
the first, one with nothing new, and one with three new articles, one edited, one gone. Printed
are seconds of CPU of `scrapy nightly` with all its processes, after one warm-up for compilers.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from demo import Portal, serve
from storage import Store

PROJECT = Path(__file__).parents[1]
ENOUGH = 0.1
"""Share of the CPU of the first night that a night with nothing new may take."""


def night(database: str) -> tuple[float, float, dict[str, dict[str, int]]]:
    """Run a night; return seconds of CPU, of the clock, and its report."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    fast = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "scrapy", "nightly", "--json", *fast],
        cwd=PROJECT,
        env={**os.environ, "FLONG_DATABASE": database},
        stdout=subprocess.PIPE,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.monotonic() - begun, json.loads(done.stdout)


def week(portal: Portal, nights: dict[str, Portal]) -> dict[str, float]:
    """Run these nights on a new database, print a line for each, return the CPU of each."""
    used = {}
    with tempfile.TemporaryDirectory() as folder, serve(portal) as site:
        database = f"sqlite:///{folder}/flong.db"
        with Store.open(database) as store:
            store.add_site(site.url)
        for name, served in nights.items():
            site.portal = served
            used[name], clock, report = night(database)
            pages, articles = report["pages"], report["articles"]
            print(f"{name:12} {used[name]:6.1f} s CPU {clock:6.1f} s clock  {pages} {articles}")
    return used


def main(articles: int) -> None:
    """Print the nights, and whether the quiet one is cheap enough."""
    print("warming up")
    small = Portal(articles=20)
    week(small, {"first": small})
    portal = Portal(articles=articles)
    busy = portal.with_changes(new=3, edited=1, removed=1)
    used = week(portal, {"first": portal, "nothing new": portal, "a few new": busy})
    share = used["nothing new"] / used["first"]
    print(f"a night with nothing new takes {share:.1%} of the CPU of the first")
    sys.exit(share > ENOUGH)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 800)
