"""The demo portal, crawled, learned and extracted once with the real commands."""

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from demo import Portal, serve
from storage import Store

ROOT = Path(__file__).parents[2]
AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")


@dataclass
class Shell:
    """Runs `scrapy` on one database, as a user does."""

    database: str
    environment: dict[str, str] = field(default_factory=dict)

    def __call__(self, *arguments, check=None):
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", *map(str, arguments)],
            cwd=ROOT,
            env={**os.environ, **self.environment, "FLONG_DATABASE": self.database},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        if check is not None:
            assert done.returncode == check, done.stdout + done.stderr
        return done


@pytest.fixture
def shell(tmp_path):
    """A shell on a database of its own."""
    return Shell(f"sqlite:///{tmp_path / 'flong.db'}")


@pytest.fixture(scope="session")
def make_shell(tmp_path_factory):
    """Return what gives a shell on a new database."""
    return lambda name: Shell(f"sqlite:///{tmp_path_factory.mktemp(name) / 'flong.db'}")


@dataclass
class Harvest:
    """A crawled, learned and extracted portal."""

    portal: Portal
    url: str
    shell: Shell


@pytest.fixture(scope="session")
def harvest(tmp_path_factory):
    """The demo portal after the three commands; tests must not change its database."""
    portal = Portal(articles=60)
    shell = Shell(f"sqlite:///{tmp_path_factory.mktemp('harvest') / 'flong.db'}")
    with serve(portal) as site:
        shell("crawl", "site", "-a", f"url={site.url}", *AT_ONCE, check=0)
    shell("learn", check=0)
    shell("extract", check=0)
    return Harvest(portal, site.url, shell)


@pytest.fixture
def harvested(harvest):
    """The store of the harvest."""
    with Store.open(harvest.shell.database) as store:
        yield store
