"""How fast the inspector answers on a large database: `python -m benchmarks.inspecting`.

A made-up site of 200 templates and 20,000 pages is stored, learned and extracted as any site
is; then every view is asked for over HTTP. Exit code 1 if one takes longer than it may.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread

import httpx
import uvicorn

from flong.inspector import create_app, warm_up
from flong.page import Link, Page
from flong.stages.exports import FORMATS
from flong.stages.extraction import extract
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.states import RunStatus
from flong.storage import Store

HOME = "https://large.example/"
ALLOWED = 0.3
"""Seconds that a view may take on the server."""

REPEATS = 7
BATCH = 200
WORDS = "river council storm bridge ferry market night harbour vote school train museum".split()
TAGS = "div section article aside main ul ol table figure header footer nav form dl".split()
INNER = {"ul": "li", "ol": "li", "table": "tr", "dl": "dd"}


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a view took."""

    view: str
    """Its name."""
    cold: float
    """Seconds of the first request."""
    warm: float
    """Median seconds of those that followed."""
    kilobytes: float
    """Size of the answer."""


def skeleton(template: int) -> tuple[str, str]:
    """Return what stands before and after the story in one template: a tree of its own."""
    random = Random(template)  # noqa: S311 - a test page is no secret

    def block(depth: int) -> str:
        tag = random.choice(TAGS)
        inner = INNER.get(tag, random.choice(["div", "p", "section", "h3"]))
        children = "".join(
            block(depth - 1)
            if depth and random.random() < 0.6
            else f"<{inner}>{template}</{inner}>"
            for _ in range(random.randint(1, 4))
        )
        return f'<{tag} class="t{template} b{random.randint(0, 9)}">{children}</{tag}>'

    return "".join(block(4) for _ in range(5)), "".join(block(4) for _ in range(5))


def make_pages(pages: int, templates: int) -> Iterator[Page]:
    """Yield the pages of the site, each template in turn."""
    frames = [skeleton(template) for template in range(templates)]
    random = Random(1)  # noqa: S311 - likewise
    when = datetime(2026, 5, 1, tzinfo=UTC)
    for number in range(pages):
        template = number % templates
        title = f"{' '.join(random.choices(WORDS, k=6)).capitalize()} {number}"
        text = "".join(f"<p>{' '.join(random.choices(WORDS, k=60))}.</p>" for _ in range(8))
        date = "<time datetime='2026-04-01'>1 April</time>"
        story = f"<h1>{title}</h1>{date}<div class=body>{text}</div>"
        before, after = frames[template]
        middle = f"<article class=story{template}>{story}</article>"
        html = f"<title>{title}</title><body>{before}{middle}{after}"
        links = tuple(Link(f"{HOME}{other}", title) for other in random.sample(range(pages), 5))
        url = HOME if not number else f"{HOME}{number}"
        yield Page(
            url=url, html=html, fetched_at=when, depth=min(number, 1 + number % 3), links=links
        )


def fill(url: str, pages: int, templates: int) -> None:
    """Store, learn and extract the site."""
    with Store.open(url) as store:
        site = store.sites.add(HOME)
        run = store.runs.start(site, "crawl")
        batch: list[Page] = []
        for page in make_pages(pages, templates):
            batch.append(page)
            if len(batch) == BATCH:
                store.pages.save(site, run, batch)
                batch = []
        store.pages.save(site, run, batch)
        store.runs.finish(run, RunStatus.DONE)
        print(learn(store, site, LearningSettings()).summary)
        print(extract(store, site).summary)


@contextmanager
def serving(url: str) -> Iterator[httpx.Client]:
    """Serve the inspector of a database; give something to ask it with."""
    with Store.open(url) as store:
        app = create_app(store, writers=FORMATS)
        warm_up(app)
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
        thread = Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            yield client
        server.should_exit = True
        thread.join()


def views(client: httpx.Client) -> dict[str, str]:
    """Return a URL for each view, among the largest of its kind."""
    site = client.get("/sites/large.example.json").json()
    cluster = site["clusters"][0]["id"]
    member = client.get(f"/clusters/{cluster}.json").json()["members"][0]
    article = client.get("/articles.json").json()["articles"][0]["page"]
    return {
        "night": "/night",
        "night, one site": "/night?site=large.example",
        "search": "/search?q=harbour+vote",
        "search, filtered": "/search?q=the&site=large.example&limit=60",
        "article": f"/articles/{article}",
        "versions": f"/articles/{article}/versions",
        "story": f"/articles/{article}/story",
        "sites": "/sites",
        "site": "/sites/large.example",
        "cluster": f"/clusters/{cluster}",
        "pattern": f"/patterns/{member['pattern']}",
        "page": f"/pages/{member['page']}",
        "frame": f"/pages/{member['page']}/frame",
        "articles": "/articles",
        "articles, latest": "/articles?order=latest&site=large.example",
        "articles, found": "/articles?q=harbour+vote",
        "articles, last part": "/articles?page=400",
        "pages": "/pages",
        "pages, filtered": "/pages?verdict=article&depth=2&fit=strict",
    }


def clock(client: httpx.Client, address: str) -> tuple[float, httpx.Response]:
    """Return how many seconds an answer took, and the answer."""
    start = time.perf_counter()
    answer = client.get(address)
    return time.perf_counter() - start, answer.raise_for_status()


def measure(url: str) -> list[Timing]:
    """Return how long each view takes, the first time and then."""
    with serving(url) as client:
        addresses = views(client)
    with serving(url) as client:  # anew, so that nothing is kept
        client.get("/openapi.json")
        timings = []
        for name, address in addresses.items():
            cold, answer = clock(client, address)
            later = [clock(client, address)[0] for _ in range(REPEATS)]
            size = len(answer.content) / 1024
            timings.append(Timing(name, cold, statistics.median(later), size))
    return timings


def main() -> None:
    """Fill a database unless one is given, measure, print a table."""
    parser = argparse.ArgumentParser(description="How fast the inspector answers.")
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--templates", type=int, default=200)
    parser.add_argument("--database", type=Path, help="a file to keep, or to use again")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = asked.database or Path(folder) / "flong.db"
        url = f"sqlite:///{path}"
        if not path.exists():
            fill(url, asked.pages, asked.templates)
        timings = measure(url)
    print(f"{'view':22}{'first ms':>10}{'then ms':>10}{'KB':>8}")
    for timing in timings:
        print(
            f"{timing.view:22}{1000 * timing.cold:10.0f}{1000 * timing.warm:10.0f}"
            f"{timing.kilobytes:8.0f}"
        )
    sys.exit(any(timing.warm > ALLOWED for timing in timings))


if __name__ == "__main__":
    main()
