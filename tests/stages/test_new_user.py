"""First steps of a new user: dead sites, small sites, removing a site, progress bars."""

import json
import shutil
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from flong.console import progress_bar, told
from tests.faults.serving import FaultServer, page, respond
from tests.stages.conftest import AT_ONCE, Shell
from tests.terminals import Terminal


def rows_of(shell, query):
    with closing(sqlite3.connect(shell.database.removeprefix("sqlite:///"))) as database:
        return database.execute(query).fetchall()


@pytest.fixture
def copied(harvest, scrapy, tmp_path):
    """A shell on a copy of the harvest."""
    shutil.copy(harvest.shell.database.removeprefix("sqlite:///"), tmp_path / "flong.db")
    return Shell(scrapy, f"sqlite:///{tmp_path / 'flong.db'}")


@pytest.fixture
def server():
    """A server of a few pages."""
    server = FaultServer()
    yield server
    server.close()


# One dead site


@pytest.mark.parametrize("command", ["learn", "extract"])
def test_dead_site_is_named_and_does_not_stop_others(copied, command):
    copied("sites", "add", "https://a-dead-one.example", "https://zero.example", check=0)
    done = copied(command, check=3)
    assert " of them of articles" in done.stdout or " pages are articles" in done.stdout
    complaints = [line for line in done.stderr.splitlines() if line.startswith("flong: ")]
    assert [line.split()[1] for line in complaints] == ["a-dead-one.example", "zero.example"]


def test_dead_site_without_others_is_a_failure(shell):
    shell("sites", "add", "https://dead.example", check=0)
    assert "dead.example has no stored page" in shell("learn", check=1).stderr


# Other methods


@pytest.mark.parametrize("method", ["nowonweb", "paper"])
def test_other_methods_never_change_stored_articles(copied, tmp_path, method):
    everything = (
        "SELECT * FROM articles ORDER BY page_id",
        "SELECT * FROM matches",
        "SELECT * FROM runs",
    )
    before = [rows_of(copied, query) for query in everything]
    file = tmp_path / "found.jsonl"
    copied("extract", "--method", method, "--output", file, check=0)
    found = [json.loads(line) for line in file.read_text().splitlines()]
    assert {row["method"] for row in found} == {method}
    printed = copied("extract", "--method", method, "--output", "-", check=0).stdout
    assert [json.loads(line)["url"] for line in printed.splitlines()] == [r["url"] for r in found]
    assert [rows_of(copied, query) for query in everything] == before


def test_published_patterns_are_stored_separately(copied):
    everything = ("SELECT * FROM patterns", "SELECT * FROM runs")
    before = [rows_of(copied, query) for query in everything]
    written = copied("learn", "--as-published", "--output", "-", check=0).stdout
    assert "pattern 1:" in written
    assert "+" in {line.strip() for line in written.splitlines()}
    assert [rows_of(copied, query) for query in everything] == before
    texts = [text for (text,) in rows_of(copied, "SELECT text FROM published_patterns")]
    assert texts
    assert all(text in written for text in texts)
    listed = copied("patterns", "--as-published", "--json").stdout.splitlines()
    assert [json.loads(row)["pattern"] for row in listed] == list(range(1, len(texts) + 1))
    assert copied("patterns", "--as-published", "--show", "1").stdout == texts[0]
    refused = copied("patterns", "--as-published", "--show", "9999", check=1).stderr
    assert "no pattern 9999" in refused


# Removing


def test_removing_a_site_needs_confirmation(copied, harvest):
    assert "--yes" in copied("sites", "remove", harvest.url, check=2).stderr
    assert rows_of(copied, "SELECT count(*) FROM sites") == [(1,)]


@pytest.mark.parametrize(("key", "left", "code"), [("n", 1, 1), ("y", 0, 0)])
def test_terminal_user_confirms_removing_a_site(copied, harvest, key, left, code):
    terminal = Terminal("sites", "remove", harvest.url, FLONG_DATABASE=copied.database)
    terminal.wait_for(lambda: "[y/N]" in terminal.shown)
    terminal.type(f"{key}\n")
    assert terminal.end() == code, terminal.shown
    assert "pages and" in terminal.shown
    assert rows_of(copied, "SELECT count(*) FROM sites") == [(left,)]


def test_removing_a_site_shrinks_the_database(copied, harvest):
    file = Path(copied.database.removeprefix("sqlite:///"))
    before = file.stat().st_size
    copied("sites", "remove", harvest.url, "--yes", check=0)
    assert file.stat().st_size < before / 2
    assert not Path(f"{file}-wal").exists()


# Gone pages


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("outcome = 'gone'", "The page is gone: the server reports that it does not exist. "),
        (
            "outcome = 'failed', status = 404, error = 'HTTP status 404'",
            "The page is gone: HTTP status 404. ",
        ),
        (
            "outcome = 'failed', status = 500, error = 'HTTP status 500'",
            "The page could not be fetched: HTTP status 500. ",
        ),
    ],
)
def test_explain_first_reports_that_a_page_is_gone(copied, change, words):
    file = copied.database.removeprefix("sqlite:///")
    ((url,),) = rows_of(copied, "SELECT url FROM pages JOIN articles ON page_id = pages.id LIMIT 1")
    with closing(sqlite3.connect(file)) as database, database:
        query = f"UPDATE pages SET {change} WHERE url = ?"  # noqa: S608 - from the table above
        database.execute(query, [url])
    said = copied("explain", url, check=0).stdout.splitlines()
    assert said[1].startswith(words + "The explanation is of the page stored on ")
    assert json.loads(copied("explain", url, "--json", check=0).stdout)["outcome"] in change


def test_explain_reports_a_page_that_was_never_stored(shell, server):
    server.routes["/"] = page("/nowhere")
    server.routes["/nowhere"] = respond("<h1>Sorry</h1>", status=404)
    shell("crawl", "site", "-a", f"url={server.url}", *AT_ONCE, check=0)
    said = shell("explain", f"{server.url}/nowhere", check=0).stdout
    assert said.splitlines()[1:] == ["The page is gone: HTTP status 404. Nothing of it is stored."]


# Hints


SHELL = "<title>App</title><div id=root></div><script src=/app.js></script>"
STORY = f"<h1>Rain</h1><p>{' '.join(f'word{chr(n)}' for n in range(97, 123))} and more of the same."


@pytest.mark.parametrize(
    ("routes", "hint"),
    [
        ({"/": SHELL}, "-a render=1"),
        ({"/": ""}, "hardly any text. Check its URL."),
        (
            {"/": f"{STORY}<a href=/1>1</a><a href=/2>2</a>", "/1": STORY, "/2": STORY},
            "only 3 stored pages, too few to learn",
        ),
    ],
)
def test_unusable_site_gives_a_hint(shell, server, routes, hint):
    server.routes |= {
        path: respond(f"<title>At {path}</title>{html}") for path, html in routes.items()
    }
    done = shell("crawl", "site", "-a", f"url={server.url}", *AT_ONCE, check=0)
    assert hint in done.stderr
    assert hint in shell("learn").stderr


def test_normal_site_gives_no_hint(harvest, copied):
    assert "render" not in copied("learn", check=0).stderr


# Bars


def test_learning_shows_progress_of_every_step(copied):
    terminal = Terminal("learn", FLONG_DATABASE=copied.database)
    assert terminal.end() == 0, terminal.shown
    steps = ("pages", "patterns", "labels", "articles", "storing")
    places = [terminal.shown.find(f": {step}") for step in steps]
    assert -1 not in places, terminal.shown
    assert all(one < other for one, other in pairwise(places))


def test_extraction_progress_shows_the_page_count(copied):
    ((pages,),) = rows_of(copied, "SELECT count(*) FROM pages WHERE content_hash IS NOT NULL")
    terminal = Terminal("extract", "--all", FLONG_DATABASE=copied.database)
    assert terminal.end() == 0, terminal.shown
    assert f"0/{pages}" in terminal.shown


def test_pipe_gets_no_progress_bar(capsys):
    with progress_bar("Reading") as tell:
        assert list(told("ab", tell, "letters", 2)) == ["a", "b"]
    assert capsys.readouterr() == ("", "")
