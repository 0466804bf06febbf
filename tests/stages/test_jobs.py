"""The number of processes changes the time that a stage takes, and nothing else."""

import shutil

from sqlalchemy import select

from flong.stages.extraction import extract
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.storage import Store, tables
from flong.workers import pool

OF_PROCESSES = ("runs", "locks")
"""Tables about processes instead of results."""


def stored_with(jobs, database, folder):
    """Learn and extract a copy of a database with some processes; return its rows by table."""
    copy = shutil.copy(database.removeprefix("sqlite:///"), folder / f"{jobs}.db")
    with Store.open(f"sqlite:///{copy}") as store:
        (site,) = store.sites.all()
        learn(store, site, LearningSettings(jobs=jobs))
        extract(store, site, everything=True, jobs=jobs)
        with store.reading() as connection:
            return {
                name: sorted(
                    map(repr, connection.execute(select(*(c for c in table.c if not is_time(c)))))
                )
                for name, table in tables.metadata.tables.items()
                if name not in OF_PROCESSES
            }


def is_time(column):
    return column.name.endswith(("_at", "_seen"))


def test_two_processes_learn_and_extract_the_same_as_one(harvest, tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "SHARED", pool.TOGETHER)  # else one process has it all
    one = stored_with(1, harvest.shell.database, tmp_path)
    two = stored_with(2, harvest.shell.database, tmp_path)
    assert {name for name, rows in one.items() if rows} >= {"models", "patterns", "articles"}
    assert [name for name in one if one[name] != two[name]] == []
