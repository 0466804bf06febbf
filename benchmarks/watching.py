"""What it costs a crawl that somebody watches it: `python -m benchmarks.watching`.

The demo portal is crawled several times by the inspector's own job, in turn unwatched and watched:
a browser's event stream tells once a second how far it is. Printed are seconds of the processor
that the crawl took, those that the inspector took for its looks, and the time on the clock. Exit
code 1 if being watched costs more than it may.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import httpx
import uvicorn

from benchmarks.serving import AT_ONCE
from flong.inspector import Editor, Jobs, create_app
from flong.storage import Store, site_name

ALLOWED = 0.03
"""Share of the crawl's time that its watcher may cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one crawl took."""

    crawl: float
    """Seconds of the processor in the crawl."""
    inspector: float
    """Those in the inspector."""
    clock: float
    """Seconds on the clock."""
    looks: int
    """How often the watcher was told something."""


def crawl(portal: str, folder: Path, *, watched: bool) -> Cost:
    """Crawl a portal into a new database, with or without somebody who watches."""
    url = f"sqlite:///{folder / 'flong.db'}"
    with Store.open(url) as reading, Store.open(url) as writing:
        site = writing.sites.add(portal)
        jobs = Jobs(["-s", f"FLONG_DATABASE={url}", *AT_ONCE])
        app = create_app(reading, editor=Editor(store=writing, jobs=jobs))
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
        thread = Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        own, children, start = time.process_time(), _children(), time.monotonic()
        jobs.submit(site.name, "crawl", [("crawl", "site", "-a", f"url={portal}")])
        looks = _watch(f"{address}/sites/{site.name}/live") if watched else 0
        while not all(job.is_over for job in jobs.of(site.name)):
            time.sleep(0.2)
        cost = Cost(
            crawl=_children() - children,
            inspector=time.process_time() - own,
            clock=time.monotonic() - start,
            looks=looks,
        )
        server.should_exit = True
        thread.join()
        jobs.close()
    return cost


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(url: str) -> int:
    """Follow an event stream to its end; return how many events there were."""
    with httpx.stream("GET", url, timeout=120) as answer:
        return sum(line.startswith("data:") for line in answer.iter_lines())


def main(arguments: Sequence[str] | None = None) -> int:
    """Crawl in turn unwatched and watched, print what it took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.watching", description=__doc__)
    parser.add_argument("--articles", type=int, default=300, help="of the portal (default: 300)")
    parser.add_argument("--turns", type=int, default=3, help="crawls of each kind (default: 3)")
    options = parser.parse_args(arguments)
    command = [sys.executable, "-m", "demo", "--articles", str(options.articles)]
    costs: dict[bool, list[Cost]] = {False: [], True: []}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:  # noqa: S603 - ours
        try:
            portal = demo.stdout.readline().strip() if demo.stdout else ""
            print(f"{site_name(portal)}, {options.articles} articles")
            for turn in range(2 * options.turns):
                with TemporaryDirectory() as folder:
                    watched = bool(turn % 2)
                    cost = crawl(portal, Path(folder), watched=watched)
                costs[watched].append(cost)
                print("watched  " if watched else "unwatched", cost, flush=True)
        finally:
            demo.terminate()
    return _conclude(costs[False], costs[True])


def _conclude(alone: Sequence[Cost], watched: Sequence[Cost]) -> int:
    usual, seen = (statistics.median(cost.crawl for cost in some) for some in (alone, watched))
    looking = statistics.median(
        (two.inspector - one.inspector) / max(two.looks, 1)
        for one, two in zip(alone, watched, strict=True)
    )
    print(f"crawl: {usual:.2f} s of the processor, watched {seen:.2f} s ({seen / usual - 1:+.1%})")
    print(f"a look once a second takes {1000 * looking:.1f} ms: {looking:.1%} of a processor")
    return int(looking > ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
