"""Limits of one crawl: each is enforced, and reported when reached."""

import json
import subprocess
import sys
from itertools import pairwise

import pytest
from scrapy.settings import Settings

from flong.crawler import CrawlArguments, SiteSpider
from flong.crawler.frontier import Frontier
from flong.crawler.settings import FLONG_SETTINGS
from flong.storage import Store
from tests.crawler.conftest import PROJECT

SMALL_PAGES = 60


@pytest.fixture
def wide(portal):
    portal.page("/", *(f"/{n}" for n in range(SMALL_PAGES)))
    for n in range(SMALL_PAGES):
        portal.page(f"/{n}", text="x" * 2000)
    return portal


@pytest.mark.parametrize(
    ("option", "sentence", "pages"),
    [
        ("FLONG_MAX_PAGES=7", "The crawl ended at 7 pages (FLONG_MAX_PAGES)", range(7, 8)),
        ("FLONG_MAX_MEGABYTES=0.04", "The crawl ended after 0.04 MB", range(15, 50)),
        ("FLONG_MAX_URLS=20", "more URLs than one crawl follows (20,", range(20, 21)),
    ],
)
def test_reached_limit_ends_the_crawl_and_is_reported(crawl, wide, option, sentence, pages):
    done = crawl.run(wide.url, "-s", option)
    assert done.returncode == 3, done.stderr
    assert sentence in done.stderr
    run = crawl.runs()[0]
    assert (run.status, sentence in run.note) == ("done", True)
    assert len(crawl.rows()) in pages


def test_crawl_ends_at_its_time_limit(crawl, portal):
    portal.page("/", "/slow")
    portal.page("/slow", *(f"/slow/{n}" for n in range(50)), seconds=0.1)
    for n in range(50):
        portal.page(f"/slow/{n}", seconds=0.5)
    done = crawl.run(portal.url, "-s", "FLONG_MAX_MINUTES=0.0001", "-s", "FLONG_FLUSH_SECONDS=0.2")
    assert done.returncode == 3, done.stderr
    assert "The crawl ended after 0.0001 minutes (FLONG_MAX_MINUTES)" in done.stderr
    assert crawl.runs()[0].status == "done"
    assert len(crawl.rows()) < 50


def test_requested_page_limit_needs_no_attention(crawl, wide):
    done = crawl.run(wide.url, max_pages=7)
    assert done.returncode == 0
    assert "The crawl ended at 7 pages (max_pages)" in done.stderr
    assert "ended at 7 pages" in crawl.runs()[0].note


def test_site_of_exactly_max_pages_is_complete(crawl, portal):
    portal.page("/", "/1")
    portal.page("/1")
    done = crawl.run(portal.url, "-s", "FLONG_MAX_PAGES=2")
    assert done.returncode == 0, done.stderr
    assert not crawl.runs()[0].note


def test_max_pages_bounds_the_frontier():
    settings = Settings({setting.name: setting.default for setting in FLONG_SETTINGS})
    spider = SiteSpider(CrawlArguments(url="https://news.example/", max_pages=7), settings)
    spider.frontier.reach_all((f"https://news.example/{n}" for n in range(9000)), 1)
    assert len(spider.frontier) == 170
    assert spider.frontier.known == 170


def test_url_dropped_at_the_limit_can_be_added_later():
    walk = Frontier(max_depth=1, has_room=lambda kept, waiting: waiting < 2)
    walk.reach_all(["a", "b", "c"], 1)
    assert (len(walk), walk.is_overflown) == (2, True)
    walk.next()
    walk.reach("c", 1)
    assert "c" in walk


def test_sitemaps_are_fetched_one_after_the_other(crawl, portal):
    maps = [f"/map{n}.xml" for n in range(4)]
    lines = "".join(f"Sitemap: {portal.url}{path}\n" for path in maps)
    portal.put("/robots.txt", lines, kind="text/plain")
    portal.page("/")
    for n, path in enumerate(maps):
        body = f"<urlset><url><loc>PORTAL/mapped{n}</loc></url></urlset>"
        portal.put(path, body, kind="text/xml", seconds=0.3)
        portal.page(f"/mapped{n}")
    assert crawl.run(portal.url).returncode == 0
    assert {f"/mapped{n}" for n in range(4)} <= crawl.paths(portal.url)
    asked = [portal.times[portal.asked.index(path)] for path in maps]
    assert all(later - sooner >= 0.3 for sooner, later in pairwise(asked))


READ = """
import re, sys
from pathlib import Path
from flong.urls import Scope
from flong.crawler.feeds import parse_feed

def peak():  # that of getrusage begins with the peak of the parent
    return int(re.search("VmHWM:[^0-9]*([0-9]+)", Path("/proc/self/status").read_text())[1])

xml = Path(sys.argv[1]).read_bytes()
before = peak()
found = parse_feed(xml, "http://a.org/s.xml", Scope.of("http://a.org/"), 1000)
assert len(found.mentions) == 1000
print(peak() - before)
"""


def test_large_sitemap_needs_little_memory(tmp_path):
    entry = "<url><loc>http://a.org/%06d</loc><lastmod>2026-05-01</lastmod><changefreq/></url>"
    path = tmp_path / "sitemap.xml"
    path.write_text("<urlset>" + "".join(entry % n for n in range(50_000)) + "</urlset>")
    command = [sys.executable, "-c", READ, path]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 3 * path.stat().st_size // 1024, done.stdout


def test_night_reports_a_reached_limit(crawl, wide):
    with Store.open(crawl.database) as store:
        store.sites.add(wide.url)
    night = ("nightly", "-s", "FLONG_MAX_PAGES=7", "--json")
    done = crawl.scrapy(*night, FLONG_DATABASE=crawl.database)
    assert done.returncode == 3
    [report] = map(json.loads, done.stdout.splitlines())
    [detail] = [each["detail"] for each in report["findings"] if each["kind"] == "crawl_bounded"]
    assert "The crawl ended at 7 pages (FLONG_MAX_PAGES)" in detail
    assert report["pages"]["new"] == 7
