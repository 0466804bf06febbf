"""Fixtures: a fleet on its own PostgreSQL server."""

import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from flong.storage import Store
from flong.storage.fleet import Fleet

ROOT = Path(__file__).parents[2]
QUICK = {
    "FLONG_HEARTBEAT_SECONDS": "4",  # a worker that is silent for three counts as dead
    "FLONG_FLEET_HOURS": "0",
    "FLONG_FLEET_RETRY_SECONDS": "1",
    "DOWNLOAD_DELAY": "0",
}


@dataclass
class Machines:
    """Starts workers on one database."""

    url: str
    settings: dict

    @contextmanager
    def worker(self, host, *words, **settings):
        """Run a worker; kill it at the end of the block."""
        command = [sys.executable, "-m", "scrapy", "fleet", "work", *words]
        named = {"FLONG_DATABASE": self.url, "FLONG_HOST": host, **self.settings, **settings}
        with subprocess.Popen(
            command, cwd=ROOT, env=os.environ | named, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def states(self, store):
        """Return the state of each job of the latest round, by site."""
        found = Fleet(store).latest_round()
        return {job.site: job.state.value for job in Fleet(store).jobs(found)}


@pytest.fixture
def machines(databases, new_database):
    url = new_database("postgresql")
    yield Machines(url, {**QUICK})
    databases("postgresql").drop(url)


@pytest.fixture
def store(machines):
    with Store.open(machines.url) as opened:
        yield opened
