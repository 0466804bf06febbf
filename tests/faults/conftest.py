"""Misbehaving servers, and the real crawl command against them."""

import json
import os
import sqlite3
import subprocess
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.crawler.conftest import PROJECT, Crawl, new_crawl
from tests.faults.serving import FaultServer

__all__ = ["new_crawl"]

QUICK = (
    *("-s", "DOWNLOAD_MAXSIZE=1000000", "-s", "FLONG_EXTRACT=0"),
    *("-s", 'DOWNLOADER_MIDDLEWARES={"tests.faults.bugs.Impatience": 900}'),
)


@dataclass(frozen=True)
class Aftermath:
    """A crawl of a server that misbehaved, after it."""

    server: FaultServer
    """The first, if there were several."""
    crawl: Crawl
    done: subprocess.CompletedProcess
    log: str = ""
    """Lookups and connections, if there was an internet."""

    def failures(self) -> dict[str, str]:
        """Return why URLs gave no page."""
        with closing(sqlite3.connect(self.crawl.path)) as database:
            return dict(database.execute("SELECT url, error FROM pages WHERE outcome = 'failed'"))


def run(crawl: Crawl, *command: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        command,
        cwd=PROJECT,
        env=os.environ | {"FLONG_DATABASE": crawl.database} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def new_server():
    """Return a function that starts a misbehaving server."""
    with ExitStack() as stack:

        def start(context=None):
            server = FaultServer(context)
            stack.callback(server.close)
            return server

        yield start


@pytest.fixture(scope="session")
def visit(new_crawl):
    """Return a function that crawls a server and returns the result."""

    def start(server, *options, crawl=None, environment=None, **arguments):
        crawl = crawl or new_crawl()
        _, _, _, *words = crawl.command(server.url, *QUICK, *options, **arguments)
        done = crawl.scrapy(*words, FLONG_DATABASE=crawl.database, **environment or {})
        return Aftermath(server, crawl, done)

    return start


@pytest.fixture(scope="session")
def travel(new_crawl, tmp_path_factory):
    """Return a function that crawls a site in a simulated internet (names, addresses, servers)."""

    def start(url, names, servers, *options, crawl=None, environment=None, **arguments):
        crawl = crawl or new_crawl()
        world = Path(tmp_path_factory.mktemp("world")) / "world.json"
        routes = {place: server.port for place, server in servers.items()}
        world.write_text(json.dumps({"names": names, "routes": routes}))
        python, flag, _, *rest = crawl.command(url, *QUICK, *options, **arguments)
        command = (python, flag, "tests.faults.internet", str(world), *rest)
        done = run(crawl, *command, **environment or {})
        server = next(iter(servers.values()))
        return Aftermath(server, crawl, done, world.with_suffix(".log").read_text())

    return start
