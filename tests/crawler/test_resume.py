"""A crawl killed without warning and started again ends as one that was never killed."""

import signal
import sqlite3
from contextlib import closing

WIDTH, DEPTH = 5, 3


def furnish(portal):
    """Lay out a portal with short cuts, redirects and aliases; return what should be stored."""
    stored = set()
    frontier = ["/"]
    for _ in range(DEPTH + 1):
        below = []
        for path in frontier:
            children = [f"{path.rstrip('/')}/{n}" for n in range(WIDTH)]
            portal.page(path, *children, "/", "/moved", "/alias", "/404", seconds=0.003)
            stored.add(path)
            below += children
        frontier = below
    portal.redirect("/moved", "/target")
    portal.page("/target", "/0/0/0/0")
    portal.page("/alias", "/below", head="<link rel=canonical href='/0'>")
    portal.page("/below")
    portal.page("/0/0/0/0")
    return stored | {"/target", "/below", "/0/0/0/0"}


def killed_at(portal, crawl, request):
    """Start the crawl and kill it when the portal is asked for the so-many-th time."""
    process = crawl.start(portal.url, "-s", "FLONG_BATCH=7", "-s", "FLONG_FLUSH_SECONDS=0.2")
    portal.on_request = lambda n: n >= request and process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    portal.on_request = lambda n: None
    return process.returncode


def test_a_crawl_killed_again_and_again_ends_as_one_that_was_not(crawl, portal):
    expected = furnish(portal)
    for request in (1, 4, 60, 120):
        assert killed_at(portal, crawl, request) == -signal.SIGKILL
        with closing(sqlite3.connect(crawl.path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    stored = crawl.paths(portal.url)
    before = portal.counts()
    assert crawl.run(portal.url).returncode == 0
    asked_again = {path for path in stored if portal.counts()[path] > before[path]}
    assert len(stored) > 10
    assert asked_again == {"/"}
    assert crawl.paths(portal.url) == expected
    (run,) = crawl.runs()
    assert (run.status, run.counts.new, run.counts.unchanged) == ("done", len(expected), 0)
