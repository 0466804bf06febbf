"""Ctrl-C on a real terminal: a one-line message, and the status of the runs."""

import re
import shutil
import sqlite3
from contextlib import closing

import pytest

from flong.demo import Portal, serve
from flong.page import Page
from flong.storage import Store
from tests.stages.conftest import Shell
from tests.terminals import Terminal

ENDLESS = "<p" + "".join(f" a{n}=b" for n in range(400_000)) + ">"
"""A page that takes minutes of CPU time to read: a stage is still running when Ctrl-C is typed."""
GIVEN_UP = {"FLONG_PAGE_SECONDS": "1"}
"""Settings of a stage that is to end nevertheless."""


@pytest.fixture
def copied(harvest, scrapy, tmp_path):
    """A shell on a copy of the harvest, with a page that takes minutes to read."""
    shutil.copy(harvest.shell.database.removeprefix("sqlite:///"), tmp_path / "flong.db")
    shell = Shell(scrapy, f"sqlite:///{tmp_path / 'flong.db'}", GIVEN_UP)
    with Store.open(shell.database) as store:
        (site,) = store.sites.all()
        run = store.runs.start(site, "crawl")
        endless = Page(url=f"{harvest.url}/endless", html=ENDLESS, fetched_at=run.started_at)
        store.pages.save(site, run, [endless])
        store.runs.finish(run, "done")
    return shell


def status(shell, kind):
    """Return how the latest run of a kind stands, as it is stored."""
    with closing(sqlite3.connect(shell.database.removeprefix("sqlite:///"))) as database:
        query = "SELECT status FROM runs WHERE kind = ? ORDER BY id DESC LIMIT 1"
        found = database.execute(query, [kind]).fetchone()
    return found and found[0]


def begun(shell, kind, *words):
    """Return a terminal on which a run of a kind has just begun."""
    terminal = Terminal(*words, FLONG_DATABASE=shell.database, FLONG_PAGE_SECONDS="600")
    terminal.wait_for(lambda: status(shell, kind) == "running")
    return terminal


def assert_stopped(terminal):
    assert terminal.end() == 1, terminal.shown
    assert "Traceback" not in terminal.shown
    assert terminal.shown.count("flong: ") == terminal.shown.count("flong: Interrupted") == 1


@pytest.mark.parametrize(
    ("kind", "words"), [("learn", ("learn",)), ("extract", ("extract", "--all"))]
)
def test_ctrl_c_interrupts_a_stage_cleanly(copied, kind, words):
    terminal = begun(copied, kind, *words)
    terminal.type("\x03")
    assert_stopped(terminal)
    assert status(copied, kind) == "interrupted"
    assert "interrupted" in copied("runs", "--limit", "1", check=0).stdout
    copied(*words, check=0)
    assert status(copied, kind) == "done"


def test_interrupted_night_is_continued_by_the_next(shell):
    with serve(Portal(articles=20)) as site:
        shell("sites", "add", site.url, check=0)
        terminal = begun(shell, "crawl", "nightly", "-s", "DOWNLOAD_DELAY=1")
        terminal.type("\x03")
        assert_stopped(terminal)
        assert (status(shell, "crawl"), status(shell, "nightly")) == ("interrupted",) * 2
        shell("nightly", "-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False", check=0)
    assert (status(shell, "crawl"), status(shell, "nightly")) == ("done", "done")
    kinds = shell("runs", "--json", check=0).stdout
    assert (kinds.count('"crawl"'), kinds.count('"nightly"')) == (1, 1)


def test_run_of_a_dead_process_is_shown_as_killed(copied):
    terminal = begun(copied, "learn", "learn")
    terminal.process.kill()
    terminal.end()
    assert status(copied, "learn") == "running"  # nobody was left to write another word
    for command in (("runs", "--limit", "1"), ("sites",)):
        shown = copied(*command, check=0).stdout
        assert "killed" in shown
        assert "running" not in shown


def test_a_resumed_crawl_counts_the_pages_of_both_parts(shell):
    words = ("-s", "FLONG_FLUSH_SECONDS=0.1", "-s", "FLONG_DEPTH=2")
    with serve(Portal(articles=20)) as site:
        shell("sites", "add", site.url, check=0)
        command = ("crawl", "site", "-a", f"url={site.url}", *words, "-s")
        terminal = begun(shell, "crawl", *command, "DOWNLOAD_DELAY=0.3")
        terminal.wait_for(lambda: re.search(r"[1-9]\d* pages", terminal.shown))
        terminal.type("\x03")
        assert_stopped(terminal)
        assert status(shell, "crawl") == "interrupted"
        terminal = Terminal(*command, "DOWNLOAD_DELAY=0", FLONG_DATABASE=shell.database)
        assert terminal.end() == 0, terminal.shown
    numbers = dict(map(reversed, re.findall(r"(\d+) (new|unchanged)", terminal.shown)))
    assert int(numbers["new"]) + int(numbers["unchanged"]) > 20
