"""What holds for all tests, and the commands that many of them run."""

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

from tests.databases import DIALECTS, SqliteFolder, find_postgresql, run_postgresql

ROOT = Path(__file__).parents[1]

# Tests of a crawl are about crawling; those of learning say so.
os.environ.setdefault("FLONG_LEARN", "0")

# How fast the machine is proves nothing.
settings.register_profile("flong", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("flong")


LONGEST_FIRST = ("stages", "inspector", "flong", "fleet", "faults", "crawler")
"""Folders whose files take the longest: no worker is to be left alone with one of them."""


def pytest_collection_modifyitems(items):
    """Begin with what takes long."""
    folders = [ROOT / "tests" / name for name in LONGEST_FIRST]
    items.sort(key=lambda item: item.path.parent not in folders)


def lacking(what):
    """Skip a test for which this machine lacks something; one that is to run all tests does not."""
    complain = pytest.fail if os.environ.get("CI") else pytest.skip
    complain(f"{what} is not on this machine")


@pytest.fixture(params=DIALECTS)
def dialect(request):
    """Let a test run on each kind of database."""
    return request.param


@pytest.fixture(scope="session")
def databases(tmp_path_factory):
    """Return what makes, copies and drops databases of a dialect."""
    with ExitStack() as stack:

        @cache
        def of(dialect):
            if dialect == "sqlite":
                return SqliteFolder(tmp_path_factory.mktemp("databases"))
            programs = find_postgresql() or lacking("PostgreSQL or its driver")
            return stack.enter_context(run_postgresql(programs))

        yield of


@pytest.fixture(scope="session")
def scrapy(tmp_path_factory):
    """Return what runs a `scrapy` command in a process of its own, with some environment."""
    folder, numbers = tmp_path_factory.mktemp("commands"), count()
    server = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("commands.py")],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
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
