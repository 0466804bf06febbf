"""Ends of crawls: exit codes, messages, stored runs."""

import signal
import subprocess
import sys

import pytest

from tests.ports import reserved_port


def sentence(done):
    """Return the error message; it must be one line, besides the note on a new database."""
    lines = done.stderr.strip().splitlines()
    (line,) = [line for line in lines if not line.startswith("New database ")]
    return line


@pytest.mark.parametrize(
    ("url", "arguments", "complaint"),
    [
        ("news.example", {}, "write https://news.example"),
        ("https://news.example", {"depth": "deep"}, "depth is 'deep'"),
        ("https://news.example -s FLONG_BATCH=many", {}, "FLONG_BATCH is 'many'"),
    ],
)
def test_wrong_usage_gives_one_line_and_no_database(first_crawl, url, arguments, complaint):
    done = first_crawl.run(*url.split(), **arguments)
    assert done.returncode == 2
    assert complaint in sentence(done)
    assert not first_crawl.path.exists()


def test_a_dead_host_is_a_failure(first_crawl):
    with reserved_port() as port:
        done = first_crawl.run(f"http://127.0.0.1:{port}/")
    assert done.returncode == 1
    created, told = done.stderr.strip().splitlines()
    assert created.startswith("New database")
    assert "the connection was refused" in told
    assert first_crawl.runs()[0].status == "failed"


@pytest.mark.parametrize(
    ("robots", "home", "complaint"),
    [
        ("User-agent: *\nDisallow: /", {}, "robots.txt does not allow it"),
        (
            "",
            {"status": 301, "headers": {"Location": "https://other.example/"}},
            "redirects to another site: https://other.example/",
        ),
    ],
)
def test_unavailable_home_page_is_a_failure(crawl, portal, robots, home, complaint):
    portal.put("/robots.txt", robots, kind="text/plain")
    portal.put("/", "<p>Hello", **home)
    done = crawl.run(portal.url)
    assert done.returncode == 1
    assert complaint in sentence(done)
    assert crawl.runs()[0].status == "failed"


def test_file_that_is_not_a_database_is_reported(crawl, portal):
    crawl.path.write_bytes(b"This is not a database. " * 100)
    done = crawl.run(portal.url)
    assert done.returncode == 1
    assert "cannot be read" in sentence(done)
    assert portal.asked == []


def test_locked_site_is_not_crawled(crawl, portal):
    program = (
        "import sys; from flong.storage import Store\n"
        "with Store.open(sys.argv[1]) as store, store.locks.hold(store.sites.add(sys.argv[2])):\n"
        "    print('locked', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, crawl.database, portal.url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        done = crawl.run(portal.url)
        other.stdin.close()
    assert done.returncode == 1
    assert "has been working on" in sentence(done)
    assert portal.asked == []


def test_redirect_target_becomes_the_home_page(crawl, portal):
    portal.redirect("/", "/en/start")
    portal.page("/en/start", "/en/story")
    portal.page("/en/story", "/")
    assert crawl.run(portal.url).returncode == 0
    assert crawl.paths(portal.url) == {"/en/start", "/en/story"}


def test_crawl_stops_at_max_pages(crawl, portal):
    portal.page("/", *(f"/{n}" for n in range(40)))
    for n in range(40):
        portal.page(f"/{n}")
    assert crawl.run(portal.url, max_pages=7).returncode == 0
    assert len(crawl.rows()) == 7
    assert crawl.runs()[0].status == "done"


def test_second_crawl_keeps_settings_and_reports_changes(crawl, portal):
    portal.page("/", "/1", "/2")
    portal.page("/1", "/deeper")
    portal.page("/2")
    portal.page("/deeper")
    crawl.run(portal.url, depth=1, max_pages=9)
    portal.page("/2", text="Updated.")
    done = crawl.run(portal.url)  # the depth is remembered
    assert "0 new, 1 changed, 2 unchanged, 0 gone, 0 failed" in done.stderr
    assert "/deeper" not in portal.asked


def test_crawl_delay_of_robots_txt_is_kept(crawl, portal):
    portal.put("/robots.txt", "User-agent: *\nCrawl-delay: 0.6", kind="text/plain")
    portal.page("/", "/1", "/2")
    portal.page("/1")
    portal.page("/2")
    crawl.run(portal.url)
    assert len(portal.times) == 5  # robots.txt, home, sitemap, two pages
    # A request may reach the server late, so single gaps may be shorter.
    assert portal.times[-1] - portal.times[0] >= 3 * 0.6


def test_interrupted_crawl_resumes(crawl, portal):
    portal.page("/", *(f"/{n}" for n in range(30)))
    for n in range(30):
        portal.page(f"/{n}", seconds=0.1)
    process = crawl.start(portal.url)
    portal.on_request = lambda number: number == 15 and process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 1
    assert "run the same command to continue" in errors
    portal.on_request = lambda number: None
    assert crawl.run(portal.url).returncode == 0
    assert len(crawl.rows()) == 31
    assert [run.status for run in crawl.runs()] == ["done"]
    assert max(portal.counts()[f"/{n}"] for n in range(30)) == 1
