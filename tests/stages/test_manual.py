"""The commands of docs/manual.md."""

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace


def count(database, table):
    with closing(sqlite3.connect(database)) as opened:
        return opened.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608


def test_a_backup_is_written_once_and_replaced_on_request(harvest, tmp_path):
    shell, file = harvest.shell, tmp_path / "copy.db"
    assert "integrity check passed." in shell("backup", file, check=0).stdout
    again = shell("backup", file, check=1)
    assert again.stderr == f"flong: {file} already exists. Add --replace to overwrite it.\n"
    shell("backup", file, "--replace", check=0)
    assert count(file, "articles") == count(shell.database.removeprefix("sqlite:///"), "articles")


def test_dry_run_reports_sizes_and_deletes_nothing(harvest):
    done = harvest.shell("prune", "--dry-run", "--days", "0", "--json", check=0)
    (row,) = map(json.loads, done.stdout.splitlines())
    assert row["pages"] > 60
    assert row["page_mb"] > 0
    assert re.search(r"The database takes [1-9][\d.]* MB; 0\.\d MB of documents can", done.stderr)


def test_pruning_keeps_every_article(harvest, tmp_path):
    shell = replace(harvest.shell, database=f"sqlite:///{tmp_path / 'copy.db'}")
    harvest.shell("backup", tmp_path / "copy.db", check=0)
    before = shell("articles", "--json", "--limit", "1000", check=0).stdout
    done = shell("prune", "--days", "0", check=0)
    assert "No article was touched." in done.stderr
    assert shell("articles", "--json", "--limit", "1000", check=0).stdout == before


def test_bad_input_gives_a_one_line_error(shell, harvest, tmp_path):
    assert "There is no database" in shell("backup", tmp_path / "a.db", check=2).stderr
    assert "There is no database" in shell("prune", check=2).stderr
    assert "'x' is not a number of days" in harvest.shell("prune", "--days", "x", check=2).stderr
    assert "No site 'none'" in harvest.shell("prune", "none", check=2).stderr
