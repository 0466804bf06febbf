import os
import socket
import subprocess
import sys
import time

import pytest

from storage import (
    InvalidAddress,
    LockedSite,
    RunCounts,
    SiteSettings,
    UnknownSite,
    site_name,
    tables,
)
from storage.columns import now
from storage.processes import process_is_alive


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


@pytest.mark.parametrize("url", ["", "example.org", "ftp://example.org", "http://", "http://a:b/"])
def test_what_is_no_address_of_a_site_is_refused(url):
    with pytest.raises(InvalidAddress):
        site_name(url)


def test_adding_a_site_twice_gives_the_same_site(store):
    first = store.add_site("https://www.example.org/", SiteSettings(depth=2, delay=0.5))
    assert store.add_site("http://example.org/news") == first
    assert store.sites() == [first]


def test_settings_given_later_replace_the_first(store, site):
    settings = SiteSettings(depth=1, render=True, subdomains=True, max_pages=7)
    assert store.add_site(site.url, settings).settings == settings


@pytest.mark.parametrize(
    "wanted", ["example.org", "www.Example.org", "example.org/", "https://example.org/x"]
)
def test_a_site_is_found_by_name_and_by_address(store, site, wanted):
    assert store.find_site(wanted) == site


@pytest.mark.parametrize("wanted", ["nosuch.org", "", "ftp://example.org", "a b", "http://a:b"])
def test_an_unknown_site_is_named_in_the_error(store, site, wanted):
    with pytest.raises(UnknownSite, match=f"No site '{wanted}' is stored"):
        store.find_site(wanted)


def test_pausing_can_be_undone(store, site):
    store.set_paused(site, True)
    assert store.find_site(site.name).paused
    store.set_paused(site, False)
    assert store.find_site(site.name) == site


def test_removing_a_site_removes_everything_of_it_and_nothing_else(store, filled_site):
    other = store.add_site("https://other.org/")
    store.start_run(other, "crawl")
    store.remove_site(filled_site)
    assert store.sites() == [other]
    with store.reading() as connection:
        left = {
            name: connection.execute(table.select()).all()
            for name, table in tables.metadata.tables.items()
        }
    assert {name for name, rows in left.items() if rows} == {"sites", "runs"}
    assert len(left["runs"]) == 1


def test_a_locked_site_cannot_be_locked_again(store, site):
    with store.lock_site(site), pytest.raises(LockedSite, match=rf"Process {os.getpid()} on"):
        store._take_lock(site)
    with store.lock_site(site):
        pass


def dead_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_process_whose_parent_does_not_ask_for_it_is_dead(store, site):
    ended = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert ended.stdout is not None
    ended.stdout.read()
    host = socket.gethostname()
    for _ in range(1000):
        if not process_is_alive(ended.pid, host, now()):
            break
        time.sleep(0.01)
    assert not process_is_alive(ended.pid, host, now())
    ended.communicate()


def test_a_lock_older_than_its_process_is_taken_over(store, site):
    store._take_lock(site)
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE locks SET taken_at = '2020-01-01T00:00:00Z'")
    store._take_lock(site)


def test_the_lock_of_a_dead_process_is_taken_over(store, site):
    store._take_lock(site)
    with store.writing() as connection:
        connection.execute(tables.locks.update().values(pid=dead_process()))
    with store.lock_site(site):
        pass


def test_a_lock_on_another_host_holds_for_a_day(store, site):
    store._take_lock(site)
    change = tables.locks.update()
    with store.writing() as connection:
        connection.execute(change.values(pid=dead_process(), host="elsewhere"))
    with pytest.raises(LockedSite, match="on elsewhere"):
        store._take_lock(site)
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE locks SET taken_at = '2020-01-01T00:00:00Z'")
    store._take_lock(site)


def test_a_run_records_who_did_what(store, site):
    run = store.start_run(site, "learn")
    assert (run.kind, run.status, run.pid, run.finished_at) == (
        "learn",
        "running",
        os.getpid(),
        None,
    )
    done = store.finish_run(run, "done", RunCounts(articles=3), note="fine")
    assert (done.status, done.counts.articles, done.note) == ("done", 3, "fine")
    assert done.finished_at >= done.started_at
    assert store.runs(site) == [done]


def test_runs_come_latest_first_and_of_one_site_only(store, site):
    other = store.add_site("https://other.org/")
    runs = [store.start_run(each, "crawl") for each in (site, other, site)]
    assert [run.id for run in store.runs()] == [run.id for run in reversed(runs)]
    assert [run.id for run in store.runs(site)] == [runs[2].id, runs[0].id]
    assert [run.id for run in store.runs(limit=1)] == [runs[2].id]


def kill(store, run):
    with store.writing() as connection:
        connection.execute(
            tables.runs.update().where(tables.runs.c.id == run.id).values(pid=dead_process())
        )


def test_a_killed_run_can_be_resumed(store, site, run):
    assert store.unfinished_run(site, "crawl") is None
    kill(store, run)
    assert store.unfinished_run(site, "learn") is None
    found = store.unfinished_run(site, "crawl")
    assert found.id == run.id
    resumed = store.resume_run(found)
    assert (resumed.id, resumed.pid) == (run.id, os.getpid())
    assert store.unfinished_run(site, "crawl") is None


def test_a_killed_run_is_given_up_when_another_one_starts(store, site, run):
    kill(store, run)
    later = store.start_run(site, "crawl")
    assert [each.status for each in store.runs(site)] == ["running", "killed"]
    store.finish_run(later, "done")
    assert store.unfinished_run(site, "crawl") is None


def test_the_counts_of_a_run_survive_a_kill(store, site, run, page):
    store.save_pages(site, run, [page("a"), page("b"), page("c")])
    store.mark_failed(site, run, page("d").url, 500, "HTTP status 500", 1)
    store.finish_run(run, "done")
    second = store.start_run(site, "crawl")
    store.save_pages(site, second, [page("a"), page("b", html="<p>other"), page("e")])
    store.mark_gone(site, second, [page("c").url])
    kill(store, second)
    resumed = store.resume_run(second)
    store.save_pages(site, resumed, [page("a"), page("b", html="<p>other"), page("e")])
    done = store.finish_run(resumed, "done")
    assert done.counts == RunCounts(new=1, changed=1, unchanged=1, gone=1)
    assert store.runs(site)[1].counts == RunCounts(new=3, failed=1)
