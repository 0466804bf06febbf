"""From the URL of a site to its articles, with one command."""

import json
import sqlite3
from contextlib import closing

import pytest

from flong.demo import Portal, serve
from flong.storage.columns import now
from tests.faults.serving import FaultServer, page
from tests.stages.conftest import AT_ONCE, Shell
from tests.waiting import wait_until

STORIES = 30
SEEN = "tests.stages.their_pipeline.Seen"


@pytest.fixture
def shell(scrapy, tmp_path):
    """A shell whose crawls learn, as they do by default."""
    return Shell(scrapy, f"sqlite:///{tmp_path / 'flong.db'}", {"FLONG_LEARN": "1"})


def crawl(shell, site, *more, check=0):
    return shell("crawl", "site", "-a", f"url={site.url}", *AT_ONCE, *more, check=check)


def rows(shell, query):
    with closing(sqlite3.connect(shell.database.removeprefix("sqlite:///"))) as database:
        return database.execute(query).fetchall()


def feed(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def assert_summary(lines):
    assert len(lines) < 20  # one screen
    assert max(map(len, lines[:5])) <= 80
    labels = [line.split()[0] for line in lines[1:5]]
    assert labels == ["pages", "published", "sections", "templates"]
    assert lines[-3] == "Next:"
    assert lines[-2].startswith("  scrapy articles 127.0.0.1:")
    assert lines[-1].startswith("  scrapy export 127.0.0.1:")


def assert_same_table(crawled, exported):
    first, second = (path.read_text().splitlines() for path in (crawled, exported))
    assert first[0] == second[0] == "url,title,published,authors,section,body"
    assert sorted(first) == sorted(second)


def test_a_crawl_ends_with_articles(shell, tmp_path):
    portal = Portal(articles=STORIES)
    theirs = ("-s", f"SEEN={tmp_path / 'seen'}", "-s", f'ITEM_PIPELINES={{"{SEEN}": 300}}')
    with serve(portal) as site:
        done = crawl(shell, site, "-O", tmp_path / "a.jsonl", "-O", tmp_path / "a.csv", *theirs)
        shell("export", "--output", tmp_path / "b.csv", check=0)
        first = feed(tmp_path / "a.jsonl")
        again = crawl(shell, site, "-O", tmp_path / "b.jsonl")
        crawl(shell, site, "-O", tmp_path / "c.jsonl", "-a", "items=all")
        later = portal.with_changes(new=2)
        site.portal = later
        crawl(shell, site, "-O", tmp_path / "d.jsonl")
    # All articles, and nothing else, come as items.
    assert {row["title"] for row in first} >= {each.title for each in portal.truth()}
    assert set((tmp_path / "seen").read_text().split()) == {"Article"}
    (number,) = rows(shell, "SELECT count(*) FROM articles WHERE extracted_at IS NOT NULL")
    assert len(first) <= number[0]
    assert all(row["published"].endswith("+00:00") for row in first if row["published"])
    assert "was learned for the first time" in done.stderr
    assert f"{len(first)} articles, {len(first)} of them from this crawl" in done.stderr
    assert_summary(done.stderr[done.stderr.index(f"{len(first)} articles") :].splitlines())
    assert_same_table(tmp_path / "a.csv", tmp_path / "b.csv")
    # A second crawl learns nothing, and has nothing new.
    assert "was learned" not in again.stderr
    assert feed(tmp_path / "b.jsonl") == []
    assert rows(shell, "SELECT count(*) FROM runs WHERE kind = 'learn'") == [(1,)]
    assert {row["url"] for row in feed(tmp_path / "c.jsonl")} == {row["url"] for row in first}
    # A third one has what is new.
    new = {each.title for each in later.truth()} - {each.title for each in portal.truth()}
    assert new <= {row["title"] for row in feed(tmp_path / "d.jsonl")}
    assert rows(shell, "SELECT DISTINCT status FROM runs") == [("done",)]


def test_crawl_without_learning_gives_pages(shell, tmp_path):
    with serve(Portal(articles=5)) as site:
        options = ("-a", "learn=0", "-a", "items=pages", "-a", "max_pages=9")
        crawl(shell, site, "-O", tmp_path / "pages.jsonl", *options)
    assert sum("html" in row for row in feed(tmp_path / "pages.jsonl")) == 9
    assert rows(shell, "SELECT DISTINCT kind FROM runs") == [("crawl",)]


def test_crawl_that_reaches_a_limit_still_gives_articles(shell, tmp_path):
    with serve(Portal(articles=STORIES)) as site:
        done = crawl(shell, site, "-a", "max_pages=40", "-O", tmp_path / "articles.jsonl")
    assert "The crawl ended at 40 pages (max_pages)" in done.stderr
    assert len(feed(tmp_path / "articles.jsonl")) >= 10
    assert rows(shell, "SELECT count(*) FROM pages WHERE content_hash IS NOT NULL") == [(40,)]


def test_site_that_has_grown_is_relearned(shell):
    portal = Portal(articles=STORIES)
    with serve(portal) as site:
        crawl(shell, site)
        [(learned,)] = rows(shell, "SELECT created_at FROM models")
        wait_until(lambda: f"{now():%Y-%m-%dT%H:%M:%SZ}" > learned)  # times are to the second
        site.portal = portal.with_changes(new=40)
        done = crawl(shell, site)
    assert "was last learned, so it was learned again" in done.stderr
    assert rows(shell, "SELECT count(*) FROM runs WHERE kind = 'learn'") == [(2,)]


def test_night_learns_only_once(shell):
    with serve(Portal(articles=STORIES)) as site:
        shell("sites", "add", site.url, check=0)
        shell("nightly", "-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False", check=0)
    assert rows(shell, "SELECT count(*) FROM runs WHERE kind = 'learn'") == [(1,)]


def test_invalid_url_creates_no_database(shell, tmp_path):
    before = sorted(tmp_path.rglob("*.db"))
    done = shell("sites", "add", "good.example", "two words", check=2)
    assert "'two words' is not a host name such as news.example" in done.stderr
    assert sorted(tmp_path.rglob("*.db")) == before == []


def test_site_without_articles_needs_attention(shell, tmp_path):
    server = FaultServer()
    server.routes["/"] = page("/a", "/b")
    server.routes["/a"] = server.routes["/b"] = page("/")
    done = crawl(shell, server, "-O", tmp_path / "none.jsonl", check=3)
    server.close()
    assert "No pattern of articles was found" in done.stderr
    assert feed(tmp_path / "none.jsonl") == []


def test_dead_site_is_not_learned(shell):
    done = shell("crawl", "site", "-a", "url=http://127.0.0.1:1/", *AT_ONCE, check=1)
    assert "could not be crawled" in done.stderr
    assert rows(shell, "SELECT DISTINCT kind FROM runs") == [("crawl",)]


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("items=everything", "items is 'everything': it must be one of new, all, pages."),
        ("learn=maybe", "learn is 'maybe': it must be 1 or 0."),
    ],
)
def test_wrong_argument_is_named(shell, argument, sentence):
    done = shell("crawl", "site", "-a", "url=http://a.example", "-a", argument, check=2)
    assert sentence in done.stderr
