"""Which sitemaps and feeds of a site are read, and how much is taken of them."""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urljoin

from scrapy.http import Response
from scrapy.robotstxt import ProtegoRobotParser, RobotParser
from scrapy.utils.gz import gzip_magic_number

from crawler.addresses import Scope
from crawler.feeds import Listing, read_listing
from crawler.fetches import location
from crawler.unpacking import unpack

logger = logging.getLogger(__name__)

LARGEST_LISTING = 50 * 1024 * 1024
"""Size of a sitemap or feed, unpacked, up to which it is read: what sitemaps.org allows."""


class Listings:
    """The sitemaps and feeds of one crawl: each once, `most` at most, `pages` from all of them.

    >>> listings = Listings(most=2, pages=100)
    >>> scope = Scope.of("http://a.org/")
    >>> list(listings.admit(["http://a.org/1", "http://b.org/", "http://a.org/1"], scope))
    ['http://a.org/1']
    """

    def __init__(self, most: int, pages: int) -> None:
        self._most = most
        self._pages_left = pages
        self._admitted: set[str] = set()
        self._in_robots: list[str] = []
        self.open = 0
        """Sitemaps and feeds that were asked for and not answered yet."""

    def note_robots(self, robotparser: RobotParser) -> None:
        """Remember the sitemaps that a robots.txt names."""
        if isinstance(robotparser, ProtegoRobotParser):
            self._in_robots.extend(robotparser.rp.sitemaps)

    def first(self, scope: Scope, feeds: Sequence[str]) -> list[str]:
        """Return where to begin: the home page's feeds, and sitemaps."""
        sitemaps = self._in_robots or [urljoin(scope.home, "/sitemap.xml")]
        return [*(feed for feed in feeds if "/comments/" not in feed), *sitemaps]

    def admit(self, urls: Iterable[str], scope: Scope) -> Iterator[str]:
        """Yield those of the addresses that are to be read."""
        for address in urls:
            url = scope.canonical(address)
            if url and url not in self._admitted and len(self._admitted) < self._most:
                self._admitted.add(url)
                self.open += 1
                yield url

    async def read(self, response: Response, scope: Scope) -> Listing:
        """Return what an answer lists; a redirect lists the address to which it leads."""
        target = location(response)
        if target is not None:
            return Listing(sitemaps=(target,))
        if response.status != 200 or self._pages_left <= 0:
            return Listing()
        # A large sitemap takes seconds: not in the engine's thread.
        listing = await asyncio.to_thread(_unpacked, response, scope, self._pages_left)
        self._pages_left -= len(listing.mentions)
        logger.info("%s lists %d pages", response.url, len(listing.mentions))
        return listing


def _unpacked(response: Response, scope: Scope, limit: int) -> Listing:
    body = response.body
    if gzip_magic_number(response):
        body = unpack(body, ["gzip"], LARGEST_LISTING, partly=True)
    return read_listing(body, response.url, scope, limit)
