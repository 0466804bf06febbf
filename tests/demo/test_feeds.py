from urllib.robotparser import RobotFileParser

import pytest
from lxml import etree

from flong.demo import Portal

PORTAL = Portal(seed=3, articles=120)
ORIGIN = "http://127.0.0.1:81"
NEWEST = [truth.title for truth in PORTAL.truth()][:20]


def parse(path):
    response = PORTAL.get(path, {"Host": "127.0.0.1:81"})
    assert response.status == 200
    return etree.fromstring(response.body)


def paths(texts):
    assert all(text.startswith(ORIGIN) for text in texts)
    return [text.removeprefix(ORIGIN).partition("?")[0] for text in texts]


@pytest.mark.parametrize(
    ("path", "titles", "links"),
    [
        ("/feed.xml", "//item/title/text()", "//item/link/text()"),
        ("/atom.xml", "//a:entry/a:title/text()", "//a:entry/a:link/@href"),
        ("/sitemap-news.xml", "//n:title/text()", "//s:loc/text()"),
    ],
)
def test_feeds_name_the_newest_stories(path, titles, links):
    names = {
        "a": "http://www.w3.org/2005/Atom",
        "n": "http://www.google.com/schemas/sitemap-news/0.9",
        "s": "http://www.sitemaps.org/schemas/sitemap/0.9",
    }
    feed = parse(path)
    assert feed.xpath(titles, namespaces=names) == NEWEST
    found = paths(feed.xpath(links, namespaces=names))
    assert found == [truth.path for truth in PORTAL.truth()][:20]


def test_sitemaps_lead_to_all_articles_and_to_pages_that_exist():
    locations = paths(parse("/sitemap.xml").xpath("//*[local-name()='loc']/text()"))
    found = [
        path
        for location in locations
        for path in paths(parse(location).xpath("//*[local-name()='loc']/text()"))
    ]
    assert {truth.path for truth in PORTAL.truth()} <= set(found)
    assert all(PORTAL.get(path).status == 200 for path in found)


def test_robots_disallows_the_search_but_no_article():
    robots = RobotFileParser()
    robots.parse(PORTAL.get("/robots.txt").text.splitlines())
    assert not robots.can_fetch("flong", "/search?q=tram")
    assert not robots.can_fetch("flong", "/account/login")
    assert all(robots.can_fetch("flong", truth.path) for truth in PORTAL.truth())
    assert robots.crawl_delay("flong") is None
    assert robots.site_maps() == ["http://courier.example/sitemap.xml"]


@pytest.mark.parametrize(
    ("path", "kind", "start"),
    [
        ("/pictures/7-0.svg", "image/svg+xml", b"<svg"),
        ("/pictures/7-0.png", "image/png", b"\x89PNG"),
        ("/portraits/ada-quillfeather.svg", "image/svg+xml", b"<svg"),
        ("/favicon.png", "image/png", b"\x89PNG"),
        ("/style/tabloid.css", "text/css", b":root"),
    ],
)
def test_assets_match_their_content_type(path, kind, start):
    response = PORTAL.get(path)
    assert response.header("Content-Type") == kind
    assert response.body.startswith(start)
    if kind == "image/svg+xml":
        etree.fromstring(response.body)
