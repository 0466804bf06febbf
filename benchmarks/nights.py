"""Cost of a night without news, compared with the first night.

`python -m benchmarks.nights [ARTICLES]`. The demo portal is served on loopback. The nights are:

- the first night;
- the second night without changes, in which every page is requested;
- a night with three new articles, one edited and one deleted;
- ordinary nights without changes, in which only some of the old articles are requested.

Figures are CPU seconds of `flong nightly` with all its processes, after one warm-up for compilers.
The second night is short, so the median of several runs from the same state counts.
"""

import argparse
import json
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from benchmarks.serving import AT_ONCE
from flong.demo import Portal, serve
from flong.storage import Store

PROJECT = Path(__file__).parents[1]
TIMES_SECOND = 5
"""Number of runs of the second night."""
LATER = range(31, 35)
"""Days after the first night at which ordinary nights are measured."""
TIMES = {
    "pages": ("first_seen", "last_seen", "changed_at"),
    "articles": ("created_at", "changed_at", "extracted_at"),
    "aliases": ("checked_at",),
    "runs": ("started_at", "finished_at"),
    "models": ("created_at",),
}
"""Columns with times."""
ENOUGH = 0.15
"""Maximum CPU time of a night without changes, as a fraction of the first night."""


def night(database: str) -> tuple[float, float, dict[str, dict[str, int]]]:
    """Run a night; return CPU seconds, wall-clock seconds and the report."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environment = {**os.environ, "FLONG_DATABASE": database}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # cron does not set it either
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "scrapy", "nightly", "--json", *AT_ONCE],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.monotonic() - begun, json.loads(done.stdout)


def let_pass(database: str, days: int) -> None:
    """Make everything stored older by a number of days."""
    path = database.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.create_function("earlier", 1, lambda text: text and _earlier(text, days))
        for table, columns in TIMES.items():
            changes = ", ".join(f"{name} = earlier({name})" for name in columns)
            connection.execute(f"UPDATE {table} SET {changes}")  # noqa: S608 - names of ours


def _earlier(text: str, days: int) -> str:
    return f"{datetime.fromisoformat(text) - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"


def week(portal: Portal, nights: dict[str, tuple[int, Portal]]) -> dict[str, float]:
    """Run nights, each some days after the previous one, on a new database.

    Prints a line for each night, and returns its CPU.
    """
    used = {}
    with tempfile.TemporaryDirectory() as folder, serve(portal) as site:
        path, before = Path(folder, "flong.db"), Path(folder, "before.db")
        database = f"sqlite:///{path}"
        with Store.open(database) as store:
            store.sites.add(site.url)
        for name, (days, served) in nights.items():
            let_pass(database, days)
            site.portal = served
            shutil.copy(path, before)
            taken = []
            for _ in range(TIMES_SECOND if name == "second" else 1):
                shutil.copy(before, path)
                site.log.clear()
                cpu, clock, report = night(database)
                taken.append(cpu)
                print(
                    f"{name:16} {cpu:6.2f} s CPU {clock:6.1f} s clock {len(site.log):5} requests"
                    f"  {report['pages']} {report['articles']}",
                    flush=True,
                )
            used[name] = statistics.median(taken)
    return used


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the nights; exit with 1 if a night without changes costs too much."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.nights",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("articles", nargs="?", type=int, default=800, help="default: 800")
    options = parser.parse_args(arguments)
    print("warming up")
    small = Portal(articles=20)
    week(small, {"first": (0, small)})
    portal = Portal(articles=options.articles)
    busy = portal.with_changes(new=3, edited=1, removed=1)
    nights = {"first": (0, portal), "second": (1, portal), "a few new": (1, busy)}
    nights |= {f"day {day}": (days, busy) for day, days in ((30, 28), *((n, 1) for n in LATER))}
    used = week(portal, nights)
    second = used["second"] / used["first"]
    print(f"the second night takes {second:.1%} of the CPU of the first")
    share = sum(used[f"day {day}"] for day in LATER) / len(LATER) / used["first"]
    print(f"an ordinary night with nothing new takes {share:.1%}")
    return int(max(second, share) > ENOUGH)


if __name__ == "__main__":
    sys.exit(main())
