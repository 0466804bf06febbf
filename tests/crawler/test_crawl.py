import gzip
import sqlite3
import threading
from contextlib import closing
from types import SimpleNamespace

import pytest

from flong.storage import Store
from tests.waiting import HANG_SECONDS

RSS = """<rss version="2.0"><channel><item><title>From the feed</title>
<link>PORTAL/fed?utm_source=rss</link><pubDate>Fri, 01 May 2026 12:00:00 GMT</pubDate></item>
</channel></rss>"""
INDEX = """<sitemapindex><sitemap><loc>PORTAL/maps/index.xml</loc></sitemap>
<sitemap><loc>PORTAL/maps/news.xml.gz</loc></sitemap></sitemapindex>"""
NEWS = """<urlset xmlns="s" xmlns:n="n"><url><loc>{url}/mapped</loc>
<n:news><n:title>From the map</n:title></n:news></url></urlset>"""


def furnish(portal):
    """Lay out a portal with everything that a crawl meets."""
    furnish_feeds(portal)
    furnish_pages(portal)
    furnish_detours(portal)


def furnish_feeds(portal):
    portal.put(
        "/robots.txt",
        "User-agent: *\nDisallow: /private/\nSitemap: PORTAL/maps/index.xml\n",
        kind="text/plain",
    )
    portal.put("/maps/index.xml", INDEX, kind="application/xml")  # it contains itself
    news = gzip.compress(NEWS.format(url=portal.url).encode())
    portal.put("/maps/news.xml.gz", news, kind="application/gzip")
    portal.put("/rss", RSS, kind="application/rss+xml")
    portal.page("/fed", "/below-fed")
    portal.page("/below-fed")
    portal.page("/mapped")


def furnish_pages(portal):
    portal.page(
        "/",
        *(
            "/1",
            "/1?utm_source=home#top",
            "/moved",
            "/stub",
            "/circle",
            "/self",
            "/hop/0",
            "/away",
            "/alias",
        ),
        *(
            "/dead-alias",
            "/listing/page/2/",
            "/private/x",
            "/404",
            "/500",
            "/picture",
            "/photo.jpg",
        ),
        *("/latin", "/1?replytocom=3", "http://elsewhere.example/", "mailto:a@b.org", "/to-print"),
        head="<link rel=alternate type=application/rss+xml href=/rss>",
    )
    portal.page("/1", "/2", "/", headers={"ETag": '"one"', "Last-Modified": "yesterday"})
    portal.page("/2", "/3")
    portal.page("/3", "/4")
    portal.page("/4")
    portal.page("/private/x")
    portal.put("/500", "sorry", status=500)
    portal.put("/picture", b"\x89PNG" * 100_000, kind="image/png")
    portal.put("/latin", "<title>Z\xfcrich</title>".encode("latin-1"), kind="text/html")


def furnish_detours(portal):
    portal.redirect("/moved", "/target", status=302)
    portal.page("/target", "/below-target")
    portal.page("/below-target")
    portal.page("/stub", head="<meta http-equiv=refresh content='0; url=/stubbed'>")
    portal.page("/stubbed")
    portal.redirect("/circle", "PORTAL/circle2")
    portal.redirect("/circle2", "/circle")
    portal.redirect("/self", "/self")
    for n in range(20):
        portal.redirect(f"/hop/{n}", f"/hop/{n + 1}")
    portal.redirect("/away", "http://elsewhere.example/")
    portal.page("/alias", "/below-alias", head="<link rel=canonical href='/original'>")
    portal.page("/original", head="<link rel=canonical href='/original'>")
    portal.page("/below-alias")
    portal.page("/dead-alias", head="<link rel=canonical href='/nowhere'>")
    portal.page("/listing/page/2/", head="<link rel=canonical href='/listing/'>")
    portal.redirect("/to-print", "/1/print/")


@pytest.fixture(scope="module")
def crawled(new_portal, new_crawl):
    """One crawl of that portal, looked at by all tests below."""
    portal, crawl = new_portal(), new_crawl()
    furnish(portal)
    done = crawl.run(portal.url, "-s", "FLONG_CONTACT=https://contact.example")
    return SimpleNamespace(portal=portal, crawl=crawl, done=done)


def test_crawl_succeeds_and_reports_counts(crawled):
    assert crawled.done.returncode == 0, crawled.done.stderr
    assert "15 new, 0 changed, 0 unchanged" in crawled.done.stderr
    assert "Traceback" not in crawled.done.stderr


def test_exactly_the_pages_of_the_site_are_stored(crawled):
    assert crawled.crawl.paths(crawled.portal.url) == {
        *("/", "/1", "/2", "/3", "/target", "/below-target", "/stubbed", "/original"),
        *("/below-alias", "/dead-alias", "/listing/page/2/", "/latin"),
        *("/fed", "/below-fed", "/mapped"),
    }


def test_depth_counts_links_from_the_home_page(crawled):
    depths = {
        url.removeprefix(crawled.portal.url): r.depth for url, r in crawled.crawl.rows().items()
    }
    assert [depths[path] for path in ("/", "/1", "/2", "/3")] == [0, 1, 2, 3]
    assert [depths[path] for path in ("/target", "/below-target")] == [1, 2]
    assert [depths[path] for path in ("/fed", "/below-fed", "/mapped")] == [1, 2, 1]


def test_each_page_is_requested_once(crawled):
    twice = {path for path, times in crawled.portal.counts().items() if times > 1}
    assert twice == {"/500", "/self"}  # tried again; hoped for a different response


@pytest.mark.parametrize(
    "path", ["/private/x", "/photo.jpg", "/4", "/1?replytocom=3", "/1/print/", "/1?utm_source=home"]
)
def test_unwanted_urls_are_not_requested(crawled, path):
    assert path not in crawled.portal.asked


def test_page_is_stored_as_served(crawled):
    row = crawled.crawl.rows()[f"{crawled.portal.url}/1"]
    assert (row.status, row.etag, row.last_modified) == (200, '"one"', "yesterday")
    assert "<title>/1</title>" in row.html
    assert [(link.url, link.text) for link in row.links] == [
        (f"{crawled.portal.url}/2", "To /2"),
        (f"{crawled.portal.url}/", "To /"),
    ]


def test_a_page_without_a_declared_encoding_is_decoded(crawled):
    assert "Zürich" in crawled.crawl.rows()[f"{crawled.portal.url}/latin"].html


def test_failures_are_recorded_with_their_reason(crawled):
    path = crawled.crawl.database.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT url, status, error FROM pages WHERE outcome = 'failed'")
        failed = {url.removeprefix(crawled.portal.url): (status, e) for url, status, e in rows}
    assert failed == {
        "/404": (404, "HTTP status 404"),
        "/500": (500, "HTTP status 500"),
        "/nowhere": (404, "HTTP status 404"),
        "/away": (0, "redirects off the site: http://elsewhere.example/"),
        "/circle2": (0, "endless redirect"),
        "/self": (0, "endless redirect"),
        "/hop/10": (0, "endless redirect"),
        "/to-print": (0, f"redirects to a URL that is not crawled: {crawled.portal.url}/1/print/"),
    }


def test_feed_and_sitemap_titles_are_stored(crawled):
    with Store.open(crawled.crawl.database) as store:
        said = {
            (anchor.url, anchor.source, anchor.text)
            for anchor in store.links.anchors(store.sites.all()[0])
        }
    assert (f"{crawled.portal.url}/fed", "feed", "From the feed") in said
    assert (f"{crawled.portal.url}/mapped", "news", "From the map") in said


def test_user_agent_contains_the_contact(crawled):
    agents = {headers["User-Agent"] for headers in crawled.portal.headers}
    assert agents == {"flong/0.1.0 (+https://contact.example)"}


def test_crawl_run_is_recorded(crawled):
    (run,) = crawled.crawl.runs()
    assert (run.kind, run.status, run.counts.new, run.counts.failed) == ("crawl", "done", 15, 8)


def test_shorter_path_found_late_repeats_no_request(crawl, portal):
    far_page_asked = threading.Event()

    def hold(number):
        path = portal.asked[number - 1]
        if path == "/slow":
            far_page_asked.wait(HANG_SECONDS)
        elif path in ("/far", "/old"):
            far_page_asked.set()

    portal.page("/", "/slow", "/fast")
    portal.page("/slow", "/far", "/old", seconds=0.2)
    portal.page("/fast", "/middle")
    portal.page("/middle", "/far", "/old")
    portal.page("/far", "/below")
    portal.page("/below")
    portal.redirect("/old", "/new")
    portal.page("/new", "/news")
    portal.page("/news")
    portal.on_request = hold
    assert crawl.run(portal.url).returncode == 0
    assert set(portal.counts().values()) == {1}
    depths = {url.removeprefix(portal.url): row.depth for url, row in crawl.rows().items()}
    assert [depths[path] for path in ("/far", "/below", "/new", "/news")] == [2, 3, 2, 3]
