"""Opening, migrating, refusing, and surviving."""

import os
import re
import sqlite3
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, make_url
from sqlalchemy.exc import IntegrityError

from flong.decision import Decision
from flong.states import Fit, RunStatus, Verdict
from flong.storage import (
    BusyDatabase,
    NewerDatabase,
    StorageError,
    Store,
    UnreadableDatabase,
    engine,
    tables,
)

VIEWS = {
    "v_site_summary", "v_cluster_summary", "v_pattern_health", "v_article",
    "v_template_era", "v_announced", "v_coverage", "v_wildcard",
}  # fmt: skip


def config_for(connection):
    config = Config()
    config.set_main_option("script_location", str(engine.MIGRATIONS))
    config.attributes["connection"] = connection
    return config


@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
def test_migrations_create_the_declared_tables(store):
    with store.writing() as connection:
        command.check(config_for(connection))


def test_head_is_the_latest_migration():
    config = Config()
    config.set_main_option("script_location", str(engine.MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == engine.HEAD


def test_alembic_command_finds_the_same_migrations():
    config = Config(toml_file="pyproject.toml")
    assert ScriptDirectory.from_config(config).get_current_head() == engine.HEAD


def test_migrations_can_be_reverted_and_reapplied(store):
    for target, names in (("base", set()), ("head", set(tables.metadata.tables))):
        with store.writing() as connection:
            config = config_for(connection)
            (command.downgrade if target == "base" else command.upgrade)(config, target)
            inspector = inspect(connection)
            found = {name for name in inspector.get_table_names() if name != "alembic_version"}
            assert {name for name in found if not name.startswith(tables.FULL_TEXT)} == names
            assert bool(names) == any(name.startswith(tables.FULL_TEXT) for name in found)
            assert set(inspector.get_view_names()) == (VIEWS if names else set())


@pytest.mark.parametrize(
    ("table", "column"),
    [("pages", "outcome"), ("runs", "status"), ("matches", "verdict"), ("matches", "fit")],
)
def test_unknown_state_is_refused_by_the_database(store, filled_site, table, column):
    with pytest.raises(IntegrityError, match=rf"ck_{table}_{column}"), store.writing() as writer:
        writer.exec_driver_sql(f"UPDATE {table} SET {column} = 'odd'")  # noqa: S608 - both are ours
    assert len(list(store.pages.rows(filled_site))) == 50


@pytest.mark.parametrize("revision", ["0001", "0002", "0003"])
def test_older_database_is_migrated_when_opened(url, revision):
    with Store.open(url) as store, store.writing() as connection:
        command.downgrade(config_for(connection), revision)
    with Store.open(url) as store:
        assert store.sites.all() == []
        assert list(store.articles.all()) == []


OLD_OUTCOMES = {
    ("gone", "It says that nothing is there, with a status that says the opposite."): "soft_404",
    ("gone", "HTTP status 503"): "gone",
    ("gone", None): "gone",
    ("failed", "HTTP status 503"): "failed",
    ("failed", "It showed the same text as many other pages: a wall, an error or a login."): (
        "walled"
    ),
    (
        "failed",
        "It showed something else in the place of its article, as many other pages did.",
    ): "broken",
}


def test_migration_turns_old_sentences_into_states(url, page):
    with Store.open(url) as store:
        site = store.sites.add("https://www.example.org/")
        run = store.runs.start(site, "crawl")
        store.pages.save(site, run, [page(f"{n}") for n, _ in enumerate(OLD_OUTCOMES)])
        rows = [
            Decision(page_id=row.id, content_hash="x", model_version=1, verdict=verdict, fit=fit)
            for row, verdict, fit in zip(store.pages.rows(site), Verdict, Fit, strict=False)
        ]
        store.extractions.save(site, run, rows)
        store.runs.finish(run, RunStatus.INTERRUPTED)
        with store.writing() as connection:
            command.downgrade(config_for(connection), "0011")
            for n, (outcome, error) in enumerate(OLD_OUTCOMES):
                known = tables.pages.c.url == page(f"{n}").url
                change = tables.pages.update().where(known)
                connection.execute(change.values(outcome=outcome, error=error))
    with Store.open(url) as store:
        assert [row.outcome for row in store.pages.rows(site)] == [*OLD_OUTCOMES.values()]
        assert [row.verdict for row in store.extractions.of(site)] == [*Verdict][: len(rows)]
        assert [row.fit for row in store.extractions.of(site)] == [*Fit][: len(rows)]
        assert store.runs.all(site)[0].status is RunStatus.INTERRUPTED
        [summary] = store.overview.view("v_site_summary", [site])
        assert (summary["gone"], summary["failed"]) == (3, 3)


@pytest.mark.parametrize(
    "change", ["runs SET status = 'over'", "matches SET verdict = 'no'", "matches SET fit = 'odd'"]
)
def test_invalid_state_is_refused_by_a_check_constraint(store, filled_site, change):
    with pytest.raises(IntegrityError), store.writing() as connection:
        connection.exec_driver_sql(f"UPDATE {change}")


def test_current_database_opens_without_loading_alembic(url):
    program = f"import sys; from flong.storage import Store; Store.open({url!r}).close()"
    check = "; sys.exit('alembic' in sys.modules or 'sqlalchemy.orm' in sys.modules)"
    Store.open(url).close()
    subprocess.run([sys.executable, "-c", program + check], check=True)


def test_newer_database_is_refused(url):
    with Store.open(url) as store, store.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NewerDatabase, match=r"newer version of flong \(schema 9999"):
        Store.open(url)


@pytest.mark.parametrize("change", ["SET version_num = ''", "SET version_num = 'x'", None])
def test_a_database_without_a_schema_version_is_refused(url, change):
    with Store.open(url) as store, store.writing() as connection:
        statement = f"UPDATE alembic_version {change}" if change else "DELETE FROM alembic_version"
        connection.exec_driver_sql(statement)
    with pytest.raises(UnreadableDatabase, match="has no schema version"):
        Store.open(url)


def test_new_database_is_readable_only_by_its_owner(tmp_path):
    with Store.open(f"sqlite:///{tmp_path / 'flong.db'}") as store:
        store.sites.add("https://example.org/")
        rights = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert rights == dict.fromkeys(("flong.db", "flong.db-wal", "flong.db-shm"), 0o600)


@pytest.fixture
def read_only():
    """Return a folder, and a function that makes it read-only for this process.

    Root can write everywhere, so it becomes another user for the rest of the test.
    """
    user = os.geteuid()
    with TemporaryDirectory() as name:

        def protect():
            for path in [*Path(name).iterdir(), Path(name)]:
                path.chmod(0o555)
            os.seteuid(user or 65534)

        yield Path(name), protect
        os.seteuid(user)
        Path(name).chmod(0o755)


def test_database_on_read_only_storage_can_be_read(read_only):
    folder, protect = read_only
    url = f"sqlite:///{folder / 'flong.db'}"
    with Store.open(url) as store:
        store.sites.add("https://example.org/")
    protect()
    with Store.open(url) as store:
        assert [site.name for site in store.sites.all()] == ["example.org"]
        with pytest.raises(UnreadableDatabase, match="cannot be written"):
            store.sites.add("https://example.com/")
    assert [path.name for path in folder.iterdir()] == ["flong.db"]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql+psycopg://user:se@cret@127.0.0.1:1/flong",
        "postgresql+nosuch://127.0.0.1/flong?password=se@cret",
        "postgresql+psycopg://127.0.0.1:1/flong?password=cret",
    ],
)
def test_no_part_of_a_password_is_in_messages(address):
    pytest.importorskip("psycopg")
    with pytest.raises(UnreadableDatabase) as caught:
        Store.open(address)
    assert not {"se", "cret"} & set(re.findall(r"\w+", str(caught.value)))


def test_file_that_is_not_a_database_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary, " * 100)
    with pytest.raises(UnreadableDatabase, match=r"cannot be read: file is not a database"):
        Store.open(f"sqlite:///{path}")
    assert path.read_text() == "Dear diary, " * 100


def test_database_in_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(UnreadableDatabase, match="unable to open"):
        Store.open(f"sqlite:///{tmp_path}/no/such/folder/flong.db")


def test_a_database_of_another_program_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(UnreadableDatabase, match="belongs to another program"):
        Store.open(f"sqlite:///{tmp_path}/other.db")


@pytest.mark.parametrize("address", ["flong.db", "nosuch://x", "postgresql+nosuch://x"])
def test_invalid_database_url_is_refused(address):
    with pytest.raises(UnreadableDatabase, match="not usable"):
        Store.open(address)


def test_unreachable_server_is_reported():
    pytest.importorskip("psycopg")
    with pytest.raises(UnreadableDatabase, match=r"cannot be read: connection .* failed") as caught:
        Store.open("postgresql://user:secret@127.0.0.1:1/flong")
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


OPENER = """
    import sys
    from flong.storage import Store

    sys.stdin.readline()
    with Store.open(sys.argv[1]) as store:
        store.sites.add(sys.argv[2])
"""


def test_processes_can_create_the_same_database_concurrently(tmp_path):
    url = f"sqlite:///{tmp_path}/new.db"
    path = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    program = textwrap.dedent(OPENER)
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, url, f"https://site-{number}.org/"],
            stdin=subprocess.PIPE,
            env=path,
        )
        for number in range(4)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    for process in started:
        process.communicate()
    assert [process.returncode for process in started] == [0, 0, 0, 0]
    with Store.open(url) as store:
        assert len(store.sites.all()) == 4


def test_threads_may_share_a_store(store, site, run, page):
    def save(number):
        for step in range(10):
            store.pages.save(
                site, run, [page(f"{number}-{step}"), page("shared", html=f"<p>{step}")]
            )

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(save, range(4)))
    assert len(store.pages.urls(site)) == 41


def test_storage_errors_are_one_line(tmp_path):
    with pytest.raises(StorageError) as caught:
        Store.open(f"sqlite:///{tmp_path}/no/flong.db")
    assert "\n" not in str(caught.value)


def test_a_damaged_page_is_reported(store, site, run, page):
    store.pages.save(site, run, [page()])
    with store.writing() as connection:
        connection.execute(tables.pages.update().values(html=b"\x28\xb5\x2f\xfd garbage"))
    (row,) = store.pages.rows(site)
    with pytest.raises(UnreadableDatabase, match="damaged"):
        _ = row.html


def test_a_locked_database_is_reported(empty_database, databases):
    url = databases("sqlite").copy(empty_database("sqlite"))
    other = sqlite3.connect(make_url(url).database, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with Store.open(f"{url}?timeout=0.01") as store:
        with pytest.raises(BusyDatabase, match="locked by another process"):
            store.sites.add("https://example.org/")
        other.execute("ROLLBACK")
        assert store.sites.add("https://example.org/").name == "example.org"
    other.close()


def test_lock_held_by_another_connection_is_reported(empty_database, databases):
    url = databases("postgresql").copy(empty_database("postgresql"))
    lock = "SET LOCAL lock_timeout = 20; LOCK TABLE sites"
    with Store.open(url) as store, Store.open(url) as other, other.writing() as first:
        first.exec_driver_sql(lock)
        with pytest.raises(BusyDatabase, match="lock timeout"), store.writing() as second:
            second.exec_driver_sql(lock)
    databases("postgresql").drop(url)


def test_failure_rolls_back_the_whole_transaction(store, site, run, page):
    class Stop(Exception):
        pass

    def fail():
        with store.transaction():
            store.pages.save(site, run, [page("a")])
            assert store.pages.urls(site) == [page("a").url]
            store.pages.save(site, run, [page("b")])
            raise Stop

    with pytest.raises(Stop):
        fail()
    assert store.pages.urls(site) == []


def test_readers_see_only_committed_data(store, site, run, page, url):
    with Store.open(url) as reader, store.transaction():
        store.pages.save(site, run, [page("a")])
        assert reader.pages.urls(site) == []
    assert store.pages.urls(site) == [page("a").url]


WRITER = """
    import sys
    from datetime import UTC, datetime
    from flong.page import Page
    from flong.storage import Store

    with Store.open(sys.argv[1]) as store:
        site = store.sites.add("https://example.org/")
        run = store.runs.start(site, "crawl")
        for number in range(10**6):
            page = Page(url=f"https://example.org/{number}", html=f"<p>{number}" * 500,
                        fetched_at=datetime.now(UTC))
            store.pages.save(site, run, [page, page])
            print(number, flush=True)
"""


def killed_writer(url):
    """Return the id of a killed process, and the last page that it reported as stored."""
    command = [sys.executable, "-c", textwrap.dedent(WRITER), url]
    path = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=path) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(60)]
        writer.kill()
        said += writer.stdout.readlines()
    return writer.pid, int(said[-1])


def test_killed_writer_loses_no_committed_page(url):
    pid, last = killed_writer(url)
    promised = last + 1
    with Store.open(url) as store:
        site = store.sites.find("example.org")
        assert len(store.pages.urls(site)) in (promised, promised + 1)
        assert [row.html for row in store.pages.rows(site)] == [
            f"<p>{number}" * 500 for number in range(len(store.pages.urls(site)))
        ]
        unfinished = store.runs.unfinished(site, "crawl")
        assert unfinished is not None
        assert unfinished.pid == pid
        if store.engine.dialect.name == "sqlite":
            with store.reading() as connection:
                check = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
            assert check == "ok"


def test_sqlite_tables_are_strict_with_wal_and_foreign_keys(empty_database):
    with Store.open(empty_database("sqlite")) as store, store.reading() as connection:

        def ask(question):
            return connection.exec_driver_sql(question).all()

        made = ask("SELECT sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%CONSTRAINT%'")
        lax = [sql for (sql,) in made if "STRICT" not in sql and "alembic" not in sql]
        assert not lax
        assert ask("PRAGMA journal_mode") == [("wal",)]
        assert ask("PRAGMA foreign_keys") == [(1,)]
        assert ask("PRAGMA synchronous") == [(1,)]
        assert ask("PRAGMA foreign_key_check") == []


def test_blob_columns_come_last():
    for table in tables.metadata.tables.values():
        kinds = [type(column.type).__name__ == "LargeBinary" for column in table.c]
        assert kinds == sorted(kinds), table.name
