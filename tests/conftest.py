"""Settings for all tests, and fixtures that many of them use."""

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from flong.storage import Store
from tests import leftovers
from tests.databases import DIALECTS, SqliteFolder, find_postgresql, run_postgresql

ROOT = Path(__file__).parents[1]

OURS = ("FLONG_SITES", "FLONG_WRITE_DOCS", leftovers.MARK)
"""Settings of the tests themselves."""
OF_USER = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE")
"""Variables that change output. pytest loads readline, which sets the first two for children."""
for name in list(os.environ):
    is_setting = name.startswith("FLONG_") and name not in OURS
    # All servers are on loopback, where no proxy reaches them.
    if is_setting or name in OF_USER or name.lower().endswith("_proxy"):
        del os.environ[name]

# Tests of a crawl are about crawling; those of learning say so.
os.environ["FLONG_LEARN"] = "0"

# How fast the machine is proves nothing. Each run has the same examples; `make soak` draws others.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None)
settings.register_profile("random", unhurried, derandomize=False)
settings.register_profile("flong", unhurried, derandomize=True)
settings.load_profile("flong")


LONG = ("stages", "inspector", "flong", "fleet", "faults", "crawler", "workers", "visual", ".")
"""Folders of the files that take longest: they start first, so that no worker ends much later."""


def pytest_configure(config):
    """Let another process end ours when this run is killed; workers of xdist are marked already."""
    if watcher := leftovers.watch():
        config.add_cleanup(watcher.communicate)


def pytest_collection_modifyitems(items):
    """Run the longest tests first."""
    folders = [ROOT / "tests" / name for name in LONG]
    items.sort(key=lambda item: item.path.parent not in folders)


def lacking(what):
    """Skip a test whose requirements this machine lacks."""
    pytest.skip(f"{what} is not on this machine")


NOT_INSTALLABLE = ("FLONG_SITES", "corpus's own scorer", "systemd", "mounted", "full device")
"""Parts of the reasons for which a test may be skipped in CI, where all else is installed."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Let a test that is skipped fail in CI."""
    return not_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Let a file that is skipped fail in CI."""
    return not_skipped((yield))


def not_skipped(report):
    """Return a report that has failed if it is skipped for want of something in CI."""
    if os.environ.get("CI") and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2]
        if not any(part in reason for part in NOT_INSTALLABLE):
            report.outcome, report.longrepr = "failed", f"Skipped in CI: {reason}"
    return report


@pytest.fixture(params=DIALECTS)
def dialect(request):
    """Let a test run on each kind of database."""
    return request.param


@pytest.fixture(scope="session")
def databases(tmp_path_factory):
    """Return a factory of databases by dialect."""
    with ExitStack() as stack:

        @cache
        def of(dialect):
            if dialect == "sqlite":
                return SqliteFolder(tmp_path_factory.mktemp("databases"))
            programs = find_postgresql() or lacking("PostgreSQL or its driver")
            return stack.enter_context(run_postgresql(programs))

        yield of


@pytest.fixture(scope="session")
def empty_database(databases):
    """Return a function that returns the URL of an empty migrated database, to be copied."""

    @cache
    def of(dialect):
        url = databases(dialect).create()
        Store.open(url).close()
        return url

    return of


@pytest.fixture(scope="session")
def new_database(databases, empty_database):
    """Return a function that returns the URL of a new empty, migrated database."""
    return lambda dialect: databases(dialect).copy(empty_database(dialect))


@pytest.fixture(scope="session")
def scrapy(tmp_path_factory):
    """Return a function that runs a `scrapy` command in its own process."""
    folder, numbers = tmp_path_factory.mktemp("commands"), count()
    server = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("commands.py")],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},  # it forks
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def run(*words, **environment):
        number = next(numbers)
        out, err = folder / f"{number}.out", folder / f"{number}.err"
        words = [str(word) for word in words]
        asked = {"number": number, "words": words, "out": str(out), "err": str(err)}
        asked["environment"] = os.environ | environment
        print(json.dumps(asked), file=server.stdin, flush=True)
        # A test that was cut off may have left its answer unread.
        answers = (map(int, line.split()) for line in server.stdout)
        code = next(code for about, code in answers if about == number)
        return subprocess.CompletedProcess(words, code, out.read_text(), err.read_text())

    with server:
        yield run
        server.stdin.close()
