"""The demo portal, crawled, learned and extracted once with the real commands."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

import pytest

from flong.demo import Portal, serve
from flong.storage import Store
from tests.ports import reserved_port

AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")


@dataclass
class Shell:
    """Runs `scrapy` on one database, as a user does."""

    scrapy: Callable
    database: str
    environment: dict[str, str] = field(default_factory=dict)

    def __call__(self, *arguments, check=None):
        done = self.scrapy(*arguments, FLONG_DATABASE=self.database, **self.environment)
        if check is not None:
            assert done.returncode == check, done.stdout + done.stderr
        return done


@pytest.fixture
def shell(scrapy, tmp_path):
    """A shell on a database of its own."""
    return Shell(scrapy, f"sqlite:///{tmp_path / 'flong.db'}")


@pytest.fixture(scope="session")
def make_shell(scrapy, databases):
    """Return a factory of shells on a new database of a dialect."""
    return lambda dialect: Shell(scrapy, databases(dialect).create())


@dataclass
class Harvest:
    """A crawled, learned and extracted portal."""

    portal: Portal
    url: str
    shell: Shell


@pytest.fixture(scope="session")
def harvests(make_shell):
    """Return a factory of copies of the harvest, by dialect."""

    with reserved_port() as port:  # until the end, so that a test can serve the site again

        @cache
        def of(dialect):
            portal, shell = Portal(articles=60), make_shell(dialect)
            if dialect != "sqlite":
                harvest = of("sqlite")
                shell("database", "copy", harvest.shell.database, shell.database, check=0)
                return replace(harvest, shell=shell)
            with serve(portal, port) as site:
                shell("crawl", "site", "-a", f"url={site.url}", *AT_ONCE, check=0)
            shell("learn", check=0)
            shell("extract", check=0)
            return Harvest(portal, site.url, shell)

        yield of


@pytest.fixture(scope="session")
def harvest(harvests):
    """The demo portal after the three commands; tests must not change its database."""
    return harvests("sqlite")


@pytest.fixture
def copied_harvest(harvests, databases, dialect):
    """A copy of a learned portal's database that may be changed."""
    url = databases(dialect).copy(harvests(dialect).shell.database)
    with Store.open(url) as store:
        yield store
    databases(dialect).drop(url)


@pytest.fixture
def harvested(harvest):
    """The store of the harvest."""
    with Store.open(harvest.shell.database) as store:
        yield store
