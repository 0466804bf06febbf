"""Assets of the portal: images, style sheets, feeds, sitemaps, robots.txt."""

import re
from importlib import resources

from flong.demo import feeds, pictures
from flong.demo.prose import PROSE
from flong.demo.responses import XML, Response, page
from flong.demo.visits import Visit

_FEED_SIZE = 20


def picture(_: Visit, found: re.Match[str]) -> Response:
    """Return a story's picture, large or small."""
    if found["type"] == "png":
        return page(pictures.thumbnail(found["key"]), "image/png")
    return page(pictures.picture(found["key"]), "image/svg+xml")


def portrait(_: Visit, found: re.Match[str]) -> Response:
    """Return the portrait of an author."""
    return page(pictures.portrait(found["key"]), "image/svg+xml")


def style(_: Visit, found: re.Match[str]) -> Response:
    """Return a design's style sheet."""
    return page(resources.files("flong.demo").joinpath(found["name"]).read_bytes(), "text/css")


def icon(_: Visit, found: re.Match[str]) -> Response:
    """Return the favicon."""
    return page(pictures.thumbnail("icon"), "image/png")


def feed(visit: Visit, _: re.Match[str]) -> Response:
    """Return the newest stories as a feed."""
    entries = [visit.edition.entry(n) for n in visit.edition.numbers[:_FEED_SIZE]]
    make = {
        "/feed.xml": feeds.rss,
        "/atom.xml": feeds.atom,
        "/sitemap-news.xml": feeds.news_sitemap,
    }
    return page(make[visit.path](entries, visit.origin), XML, visit.edition.today)


def sitemap(visit: Visit, found: re.Match[str]) -> Response | None:
    """Return the sitemap index or one of the sitemaps."""
    if found["lot"]:
        text = feeds.story_sitemap(visit.edition, int(found["lot"]), visit.origin)
    elif visit.path == "/sitemap.xml":
        text = feeds.sitemap_index(visit.edition, visit.origin)
    else:
        text = feeds.page_sitemap(["/", *visit.edition.listings, *PROSE], visit.origin)
    return page(text, XML, visit.edition.today) if text else None


def robots(visit: Visit, _: re.Match[str]) -> Response:
    """Return robots.txt."""
    return page(feeds.robots(visit.origin), "text/plain; charset=utf-8")
