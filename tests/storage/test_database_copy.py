import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select, text

from flong.search import parse_query
from flong.storage import DifferentCopy, OccupiedDatabase, Store, copy_database, tables
from flong.storage.database_copy import MADE_ANEW, OF_PROCESSES
from flong.storage.search import Clippings, Search, SearchSettings
from tests.databases import DIALECTS
from tests.storage.conftest import NOON
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=DIALECTS)
def target(request, databases):
    databases = databases(request.param)
    url = databases.create()
    with Store.open(url) as opened:
        yield opened
    databases.drop(url)


@pytest.fixture
def copied(store, filled_site, target):
    Clippings(store).save("rain", "rain", ())
    store.marks.set([row.page_id for row in store.articles.all()], "starred")
    return copy_database(store, target)


def everything(store):
    """Return all rows that are copied, by table."""
    copied = set(tables.metadata.tables) - MADE_ANEW - OF_PROCESSES
    with store.reading() as connection:
        return {
            name: sorted(map(repr, connection.execute(select(tables.metadata.tables[name]))))
            for name in copied
        }


def test_copy_contains_every_row_of_every_table(store, copied, target):
    before = everything(store)
    assert before == everything(target)
    assert {each.name: each.rows for each in copied} == {k: len(v) for k, v in before.items()}
    empty = {each.name for each in copied if not each.rows and "fleet" not in each.name}
    assert empty <= {
        "aliases", "article_pages", "article_versions", "corrections", "dictionaries",
        "muted_findings", "page_blocks", "pattern_nights", "reports",
    }  # fmt: skip


def test_copy_of_a_copy_equals_the_original(copied, target, databases, dialect):
    with Store.open(databases(dialect).create()) as back:
        assert copy_database(target, back) == copied


def test_copy_has_the_same_pages_and_search_results(copied, target, store):
    site = target.sites.find("example.org")
    pages = [(row.url, row.html) for row in target.pages.rows(site)]
    assert pages == [(row.url, row.html) for row in store.pages.rows(site)]
    assert [hit.page_id for hit in hits(target)] == [hit.page_id for hit in hits(store)] != []


def hits(store):
    return Search(store).hits(parse_query("zero", NOON.date()), SearchSettings()).best


def test_rows_added_to_the_copy_get_new_ids(copied, target, page):
    other = target.sites.add("https://other.example/")
    run = target.runs.start(other, "crawl")
    target.pages.save(other, run, [page("new")])
    assert len(target.sites.all()) == 2


def test_killed_copy_leaves_nothing_and_can_be_repeated(url, store, filled_site, databases):
    server = databases("postgresql")
    copy = server.create()
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    with Store.open(copy) as target:
        with target.engine.connect() as blocker:
            # The copy has written sites and pages when it waits here.
            blocker.execute(text("LOCK TABLE articles IN SHARE MODE"))
            command = [sys.executable, "-m", "scrapy", "database", "copy", url, copy]
            with subprocess.Popen(command, cwd=ROOT) as process:
                with target.engine.connect() as watcher:
                    wait_until(lambda: watcher.execute(waiting).scalar(), process)
                process.kill()
        assert target.sites.all() == []
        copy_database(store, target)
        assert everything(target) == everything(store)
    server.drop(copy)


def test_copying_into_a_database_with_sites_is_refused(store, filled_site, target):
    target.sites.add("https://other.example/")
    with pytest.raises(OccupiedDatabase, match=r"There are sites in the database .*into a new one"):
        copy_database(store, target)
    assert [site.name for site in target.sites.all()] == ["other.example"]


TRIGGERS = {
    "sqlite": "CREATE TRIGGER change AFTER INSERT ON sites BEGIN UPDATE sites SET depth = 9; END",
    "postgresql": """
        CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN new.depth = 9; RETURN new; END';
        CREATE TRIGGER change BEFORE INSERT ON sites FOR EACH ROW EXECUTE FUNCTION change()
    """,
}


def test_copy_that_differs_is_rolled_back(store, filled_site, target):
    with target.writing() as connection:
        connection.exec_driver_sql(TRIGGERS[connection.dialect.name])
    with pytest.raises(DifferentCopy, match="The table sites of the copy differs"):
        copy_database(store, target)
    assert target.sites.all() == []
