import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from flong.storage import (
    InvalidUrl,
    MissingDatabase,
    RunCounts,
    SiteSettings,
    Store,
    UnknownSite,
    site_name,
    tables,
)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.Example.org/news?a=1", "example.org"),
        ("http://example.org:80", "example.org"),
        ("https://example.org:443/", "example.org"),
        ("https://example.org:80/", "example.org:80"),
        ("http://localhost:8000/a", "localhost:8000"),
        ("http://[::1]:8000/", "[::1]:8000"),
        ("https://news.example.org/", "news.example.org"),
        (" https://example.org/ ", "example.org"),
        ("https://www.bücher.example./", "xn--bcher-kva.example"),
    ],
)
def test_a_site_is_named_by_its_host(url, name):
    assert site_name(url) == name


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org",
        "http://",
        "http://a:b/",
        "https://two words",
        "https://<b>.example/",
        "https://me:secret@example.org/",
    ],
)
def test_invalid_site_url_is_refused(url):
    with pytest.raises(InvalidUrl):
        site_name(url)


def test_adding_a_site_twice_gives_the_same_site(store):
    first = store.sites.add("https://www.example.org/", SiteSettings(depth=2, delay=0.5))
    assert store.sites.add("http://example.org/news") == first
    assert store.sites.all() == [first]


def test_later_settings_replace_earlier_ones(store, site):
    settings = SiteSettings(depth=1, render=True, subdomains=True, max_pages=7)
    assert store.sites.add(site.url, settings).settings == settings


@pytest.mark.parametrize(
    "wanted", ["example.org", "www.Example.org", "example.org/", "https://example.org/x"]
)
def test_site_is_found_by_name_and_url(store, site, wanted):
    assert store.sites.find(wanted) == site


@pytest.mark.parametrize("wanted", ["nosuch.org", "", "ftp://example.org", "a b", "http://a:b"])
def test_an_unknown_site_is_named_in_the_error(store, site, wanted):
    with pytest.raises(UnknownSite, match=f"No site '{wanted}' is stored"):
        store.sites.find(wanted)


def test_pausing_can_be_undone(store, site):
    store.sites.set_paused(site, True)
    assert store.sites.find(site.name).paused
    store.sites.set_paused(site, False)
    assert store.sites.find(site.name) == site


def test_removing_a_site_leaves_other_sites_untouched(store, filled_site):
    other = store.sites.add("https://other.org/")
    store.runs.start(other, "crawl")
    store.sites.remove(filled_site)
    assert store.sites.all() == [other]
    with store.reading() as connection:
        left = {
            name: connection.execute(table.select()).all()
            for name, table in tables.metadata.tables.items()
        }
    assert {name for name, rows in left.items() if rows} == {"sites", "runs", "search_version"}
    assert len(left["runs"]) == 1


def test_removing_a_site_frees_disk_space(store, site, run, page):
    noise = Random(1)  # noqa: S311 - only to be hard to compress
    pages = [page(f"{n}", html=f"<p>{noise.randbytes(20_000).hex()}") for n in range(40)]
    store.pages.save(site, run, pages)
    before = disk_space(store)
    store.sites.remove(site)
    store.give_back_space()
    assert disk_space(store) < before / 4


def test_transactions_still_roll_back_after_vacuum(store):
    store.give_back_space()

    def fail():
        with store.transaction():
            store.sites.add("https://other.org/")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert store.sites.all() == []


def disk_space(store):
    """Return how many bytes a database takes."""
    if store.engine.dialect.name == "sqlite":
        file = Path(store.engine.url.database)
        return sum(each.stat().st_size for each in file.parent.glob(f"{file.name}*"))
    with store.reading() as connection:
        return connection.exec_driver_sql("SELECT pg_total_relation_size('pages')").scalar()


def test_missing_database_is_created_only_on_request(tmp_path):
    url = f"sqlite:///{tmp_path / 'none.db'}"
    with pytest.raises(MissingDatabase, match=r"There is no database sqlite:///.*none\.db"):
        Store.open(url, create=False)
    assert not (tmp_path / "none.db").exists()
    Store.open(url).close()
    Store.open(url, create=False).close()


def test_an_empty_database_is_missing(url):
    if url.startswith("sqlite"):
        Path(url.removeprefix("sqlite:///")).write_bytes(b"")
    else:
        with Store.open(url) as store, store.writing() as connection:
            connection.exec_driver_sql("DROP SCHEMA public CASCADE")
            connection.exec_driver_sql("CREATE SCHEMA public")
    with pytest.raises(MissingDatabase, match="is empty"):
        Store.open(url, create=False)


def dead_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_run_records_process_status_and_counts(store, site):
    run = store.runs.start(site, "learn")
    assert (run.kind, run.status, run.pid, run.finished_at) == (
        "learn",
        "running",
        os.getpid(),
        None,
    )
    done = store.runs.finish(run, "done", RunCounts(articles=3), note="fine")
    assert (done.status, done.counts.articles, done.note) == ("done", 3, "fine")
    assert done.finished_at >= done.started_at
    assert store.runs.all(site) == [done]


def test_runs_are_listed_latest_first_by_site(store, site):
    other = store.sites.add("https://other.org/")
    runs = [store.runs.start(each, "crawl") for each in (site, other, site)]
    assert [run.id for run in store.runs.all()] == [run.id for run in reversed(runs)]
    assert [run.id for run in store.runs.all(site)] == [runs[2].id, runs[0].id]
    assert [run.id for run in store.runs.all(limit=1)] == [runs[2].id]


def kill(store, run):
    with store.writing() as connection:
        connection.execute(
            tables.runs.update().where(tables.runs.c.id == run.id).values(pid=dead_process())
        )


def test_a_killed_run_can_be_resumed(store, site, run):
    assert store.runs.unfinished(site, "crawl") is None
    kill(store, run)
    assert store.runs.unfinished(site, "learn") is None
    found = store.runs.unfinished(site, "crawl")
    assert found.id == run.id
    resumed = store.runs.resume(found)
    assert (resumed.id, resumed.pid) == (run.id, os.getpid())
    assert store.runs.unfinished(site, "crawl") is None


def test_new_run_marks_an_earlier_one_as_killed(store, site, run):
    kill(store, run)
    later = store.runs.start(site, "crawl")
    assert [each.status for each in store.runs.all(site)] == ["running", "killed"]
    store.runs.finish(later, "done")
    assert store.runs.unfinished(site, "crawl") is None


def test_counts_of_a_killed_run_are_kept(store, site, run, page):
    store.pages.save(site, run, [page("a"), page("b"), page("c")])
    store.pages.mark_failed(site, run, page("d").url, 500, "HTTP status 500", 1)
    store.runs.finish(run, "done")
    second = store.runs.start(site, "crawl")
    store.pages.save(site, second, [page("a"), page("b", html="<p>other"), page("e")])
    store.pages.mark_gone(site, second, [page("c").url])
    kill(store, second)
    resumed = store.runs.resume(second)
    store.pages.save(site, resumed, [page("a"), page("b", html="<p>other"), page("e")])
    done = store.runs.finish(resumed, "done")
    assert done.counts == RunCounts(new=1, changed=1, unchanged=1, gone=1)
    assert store.runs.all(site)[1].counts == RunCounts(new=3, failed=1)
