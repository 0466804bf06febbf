"""A night of a fleet on generated portals, with kills of workers and of the database.

`python -m benchmarks.fleet [--portals N] [--kills N] [--output FILE]`. Portals run on loopback,
each with its own IP address. The first night runs on SQLite (`flong nightly`), site by site. The
second runs on PostgreSQL with four workers on two simulated machines (`FLONG_HOST`). Workers are
killed by SIGKILL, once all workers of a machine, and the server is restarted. Every site must have
exactly one night, with the same articles, and no process may remain. The output has the figures of
docs/fleet.md; `--output` writes them for `benchmarks.fleet_simulation`.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.serving import AT_ONCE
from flong.demo import Portal, serve
from flong.fleet import queue_round
from flong.states import JobKind, RunKind, RunStatus
from flong.storage import Store
from flong.storage.fleet import Fleet, FleetJob
from tests import leftovers
from tests.databases import find_postgresql, restart_postgresql, run_postgresql

PROJECT = Path(__file__).parents[1]
MACHINES = ("night-1", "night-1", "night-2", "night-2")
"""Machine of each worker."""
JOBS = 1
"""Concurrent jobs of each worker."""
BEAT = 2.0
"""Seconds between two heartbeats."""
NOTHING_JOBS = 300
"""Number of empty jobs that measure the overhead of the queue."""

Articles = dict[tuple[str, str], tuple[str, str]]


def environment(url: str, host: str = "") -> dict[str, str]:
    """Return the environment of a command on a database."""
    settings = {"FLONG_HEARTBEAT_SECONDS": str(BEAT), "FLONG_FLEET_RETRY_SECONDS": "2"}
    return {**os.environ, **settings, "FLONG_DATABASE": url, "FLONG_HOST": host}


class Workers:
    """Four workers that are restarted when killed."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.running = [self._start(host) for host in MACHINES]
        self.kills = 0

    def _start(self, host: str) -> subprocess.Popen[bytes]:
        words = ["fleet", "work", "--drain", "--jobs", str(JOBS), *AT_ONCE]
        return subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "scrapy", *words],
            cwd=PROJECT,
            env=environment(self._url, host),
            stderr=subprocess.DEVNULL,
        )

    def kill(self, *numbers: int) -> None:
        """Kill workers as the kernel does when memory runs out, and start new ones."""
        for number in numbers:
            self.running[number].kill()
            self.running[number].wait()
            self.kills += 1
        for number in numbers:
            self.running[number] = self._start(MACHINES[number])

    def wait(self) -> None:
        """Wait until the queue is empty; restart workers that gave up."""
        for worker in self.running:
            worker.wait()


@contextmanager
def portals(number: int, articles: int) -> Iterator[list[str]]:
    """Serve portals while the block runs; yield their URLs."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                serve(
                    Portal(seed=each, articles=articles),
                    host=f"127.1.{each // 250}.{each % 250 + 1}",
                )
            ).url
            for each in range(number)
        ]


def articles_of(url: str) -> Articles:
    """Return title and body of all articles, by site and URL."""
    with Store.open(url) as store:
        return {
            (site.name, row.article.url): (row.article.title, row.article.body)
            for site in store.sites.all()
            for row in store.articles.all(site)
        }


def one_after_another(urls: Sequence[str], database: str) -> float:
    """Run the nights on SQLite; return the seconds."""
    with Store.open(database) as store:
        for url in urls:
            store.sites.add(url)
    begun = time.monotonic()
    command = [sys.executable, "-m", "scrapy", "nightly", "--json", *AT_ONCE]
    done = subprocess.run(  # noqa: S603 - our own command
        command, cwd=PROJECT, env=environment(database), stdout=subprocess.DEVNULL, check=False
    )
    assert done.returncode in (0, 3)  # noqa: S101 - figures of broken nights are useless
    return time.monotonic() - begun


def disturb(workers: Workers, kills: int, url: str, programs: Path, store: Store) -> float:
    """Kill random workers while there is work, one machine, and the server once."""
    chance = random.Random(20)  # noqa: S311 - no secret
    took = 0.0
    while workers.kills < kills and _unfinished(store):
        time.sleep(chance.uniform(5, 15))
        if workers.kills == kills // 2:
            workers.kill(2, 3)
            begun = time.monotonic()
            restart_postgresql(url, programs)
            took = time.monotonic() - begun
        else:
            workers.kill(chance.randrange(4))
    return took


def _unfinished(store: Store) -> bool:
    return bool(Fleet(store).unfinished_sites(JobKind.NIGHTLY))


def left_behind(url: str) -> list[int]:
    """Return processes that still use the database, such as a crawl without its worker."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"FLONG_DATABASE={url}".encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def share_between(jobs: Sequence[FleetJob]) -> float:
    """Return the fraction of time between two jobs; times are whole seconds."""
    working = between = 0.0
    for worker in {job.worker for job in jobs}:
        of_worker = (job for job in jobs if job.worker == worker)
        spans = sorted((j.started_at, j.finished_at) for j in of_worker if j.started_at)
        working += sum((end - begin).total_seconds() for begin, end in spans if end)
        between += sum(
            (later[0] - end).total_seconds() for (_, end), later in pairwise(spans) if end
        )
    return between / (working + between)


def queue_cost(store: Store, url: str) -> float:
    """Return the seconds that the queue needs for an empty job."""
    urls = [f"http://127.2.{n // 250}.{n % 250 + 1}/" for n in range(NOTHING_JOBS)]
    sites = [store.sites.add(url) for url in urls]
    queue_round(store, JobKind.EXTRACT, sites, 0)
    for site in sites:
        store.runs.finish(store.runs.start(site, RunKind.EXTRACT), RunStatus.DONE)
    words = [sys.executable, "-m", "scrapy", "fleet", "work", "--jobs", "1"]
    with subprocess.Popen(words, cwd=PROJECT, env=environment(url)) as worker:  # noqa: S603 - ours
        left = Fleet(store).unfinished_sites
        while len(left(JobKind.EXTRACT)) == NOTHING_JOBS:
            time.sleep(0.02)
        begun, waiting = time.monotonic(), len(left(JobKind.EXTRACT))
        while left(JobKind.EXTRACT):
            time.sleep(0.02)
        took = time.monotonic() - begun
        worker.send_signal(signal.SIGTERM)
    return took / waiting


def run(number: int, articles: int, kills: int) -> dict[str, Any]:
    """Run both ways, compare, and return the figures."""
    programs = find_postgresql()
    assert programs is not None, "PostgreSQL is not on this machine"  # noqa: S101
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        server = stack.enter_context(run_postgresql(programs))
        urls = stack.enter_context(portals(number, articles))
        alone = f"sqlite:///{folder}/flong.db"
        seconds_alone = one_after_another(urls, alone)
        print(f"one after another: {seconds_alone:.0f} s", flush=True)
        url = server.create()
        store = stack.enter_context(Store.open(url))
        for each in urls:
            store.sites.add(each)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.monotonic()
        queue_round(store, JobKind.NIGHTLY, store.sites.all(), 0)
        workers = Workers(url)
        restarting = disturb(workers, kills, url, programs, store) if kills else 0.0
        workers.wait()
        seconds = time.monotonic() - begun
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        jobs = Fleet(store).jobs(_latest(store))
        nights = [
            [run.status for run in store.runs.all(site) if run.kind == "nightly"]
            for site in store.sites.all()
        ]
        return {
            "portals": number,
            "workers": len(MACHINES),
            "kills": workers.kills,
            "restart_seconds": round(restarting, 1),
            "seconds_one_after_another": round(seconds_alone, 1),
            "seconds": round(seconds, 1),
            "cpu_seconds": round(
                after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            ),
            "memory_megabytes": after.ru_maxrss // 1024,
            "states": sorted({job.state.value for job in jobs}),
            "every_site_one_night": nights == [[RunStatus.DONE]] * number,
            "same_articles": articles_of(url) == articles_of(alone),
            "articles": len(articles_of(url)),
            "left_behind": len(left_behind(url)),
            "job_seconds": [
                (job.finished_at - job.started_at).total_seconds()
                for job in jobs
                if job.started_at and job.finished_at
            ],
            "share_between_jobs": round(share_between(jobs), 4),
            "queue_seconds_per_job": round(queue_cost(store, url), 4),
        }


def _latest(store: Store) -> Any:
    return Fleet(store).latest_round(JobKind.NIGHTLY)


def main() -> int:
    """Run and print; exit with 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portals", type=int, default=12)
    parser.add_argument("--articles", type=int, default=10)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    leftovers.watch()
    figures = run(options.portals, options.articles, options.kills)
    print(json.dumps(figures, indent=2))
    if options.output:
        options.output.write_text(json.dumps(figures), encoding="utf-8")
    kept = figures["every_site_one_night"] and figures["same_articles"]
    return 0 if kept and not figures["left_behind"] else 1


if __name__ == "__main__":
    sys.exit(main())
