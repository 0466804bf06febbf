"""Queries and names in docs/database.md."""

import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from sqlalchemy import make_url

DOCUMENT = (Path(__file__).parents[2] / "docs" / "database.md").read_text(encoding="utf-8")
SHELL = shutil.which("sqlite3")
QUESTIONS = re.findall(r"^### (\d+\. .+?)\n+```sql\n(.+?)```", DOCUMENT, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="session")
def path(inspectors):
    return make_url(inspectors("sqlite").database).database


@pytest.fixture(scope="session")
def connection(path):
    opened = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    yield opened
    opened.close()


def test_questions_are_numbered():
    numbers = [int(heading.partition(".")[0]) for heading, _ in QUESTIONS]
    assert numbers == list(range(1, len(QUESTIONS) + 1))


@pytest.mark.parametrize(("heading", "query"), QUESTIONS, ids=[name for name, _ in QUESTIONS])
def test_each_query_has_rows(connection, heading, query):
    found = connection.execute(query)
    rows = found.fetchall()
    assert rows, heading
    names = [column[0] for column in found.description]
    assert len(set(names)) == len(names) >= 3


@pytest.mark.skipif(SHELL is None, reason="no sqlite3 on this machine")
@pytest.mark.parametrize(("heading", "query"), QUESTIONS, ids=[name for name, _ in QUESTIONS])
def test_each_query_runs_in_the_shell(path, heading, query):
    done = subprocess.run(
        [SHELL, "-readonly", path], input=query, capture_output=True, text=True, check=False
    )
    assert done.stderr == "", heading
    assert done.stdout


def documented(heading):
    part = DOCUMENT.split(f"## {heading}")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \|(.*)\|$", part, re.MULTILINE)


def stored(connection, kind):
    query = "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%'"
    names = {name for (name,) in connection.execute(query, [kind])} - {"alembic_version"}
    return {name for name in names if not name.startswith("search_index_")}  # FTS5's own


def test_every_table_and_view_is_documented(connection):
    assert {name for name, _ in documented("The tables")} == stored(connection, "table")
    assert {name for name, _ in documented("Views")} == stored(connection, "view")


def test_every_documented_column_exists(connection):
    for view, rest in documented("Views"):
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({view})")}
        assert set(re.findall(r"`(\w+)`", rest)) <= columns, view


def test_title_is_explained_by_its_wildcard(connection):
    query = next(query for heading, query in QUESTIONS if heading.startswith("6"))
    fields = {row[0]: row for row in connection.execute(query)}
    assert {"title", "body"} <= fields.keys()
