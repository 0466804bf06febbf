"""A crawl killed without warning and started again ends as one that was never killed."""

import signal
import sqlite3
from contextlib import closing

WIDTH, DEPTH = 5, 3


def furnish(portal):
    """Fill a portal with short cuts, redirects and aliases; return the paths to be stored."""
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


def depths(paths):
    """Return how far each page is from the home page: as far as its path is long, mostly."""
    near = {"/target": 1, "/below": 2, "/0/0/0/0": 2}
    return {path: near.get(path, len(path.strip("/").split("/")) - (path == "/")) for path in paths}


def rows(crawl, portal):
    """Return the stored pages by path."""
    return {url.removeprefix(portal.url): row for url, row in crawl.rows().items()}


def stored_by(crawl):
    """Return how many pages are in the database."""
    with closing(sqlite3.connect(crawl.path)) as connection:
        query = "SELECT count(*) FROM pages WHERE content_hash IS NOT NULL"
        return connection.execute(query).fetchone()[0]


def killed_at(portal, crawl, request, stored=0):
    """Start the crawl; kill it at a given request, once enough pages are stored."""
    process = crawl.start(portal.url, "-s", "FLONG_BATCH=7", "-s", "FLONG_FLUSH_SECONDS=0.2")

    def kill(number):
        if number >= request and stored_by(crawl) >= stored:
            process.send_signal(signal.SIGKILL)

    portal.on_request = kill
    process.communicate()
    portal.on_request = lambda n: None
    return process.returncode


def test_crawl_killed_repeatedly_ends_with_the_same_pages(crawl, portal):
    expected = furnish(portal)
    for request, fewest in ((1, 0), (4, 0), (60, 0), (120, 51)):
        assert killed_at(portal, crawl, request, fewest) == -signal.SIGKILL
        with closing(sqlite3.connect(crawl.path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    stored = crawl.paths(portal.url)
    before = portal.counts()
    assert crawl.run(portal.url).returncode == 0
    asked_again = {path for path in stored if portal.counts()[path] > before[path]}
    assert len(stored) > 50
    assert asked_again == {"/"}
    assert crawl.paths(portal.url) == expected
    assert {path: row.depth for path, row in rows(crawl, portal).items()} == depths(expected)
    (run,) = crawl.runs()
    assert (run.status, run.counts.new, run.counts.unchanged) == ("done", len(expected), 0)
