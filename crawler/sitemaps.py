"""Which sitemaps and feeds of a site are read, and how much is taken of them."""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Sequence
from urllib.parse import urljoin

from scrapy.http import Response
from scrapy.robotstxt import ProtegoRobotParser, RobotParser
from scrapy.utils.gz import gzip_magic_number

from flong.crawler.decompression import decompress
from flong.crawler.feeds import ParsedFeed, parse_feed
from flong.crawler.outcomes import redirect_target
from flong.urls import Scope

logger = logging.getLogger(__name__)

MAX_SITEMAP_BYTES = 50 * 1024 * 1024
"""Size of a sitemap or feed, decompressed, up to which it is read: what sitemaps.org allows."""


class SitemapQueue:
    """The sitemaps and feeds of one crawl: each once, `most` at most, `pages` from all of them.

    They are read one after the other, so that only one is in memory.

    >>> queue = SitemapQueue(most=2, pages=100)
    >>> scope = Scope.of("http://a.org/")
    >>> queue.admit(["http://a.org/1", "http://b.org/", "http://a.org/1"], scope)
    >>> queue.next(), queue.next()
    ('http://a.org/1', None)
    >>> queue.done()
    >>> queue.next(), queue.open
    (None, 0)
    """

    def __init__(self, most: int, pages: int) -> None:
        self._most = most
        self._pages_left = pages
        self._admitted: set[str] = set()
        self._in_robots: list[str] = []
        self._waiting: deque[str] = deque()
        self._is_reading = False

    def note_robots(self, robotparser: RobotParser) -> None:
        """Remember the sitemaps that a robots.txt names."""
        if isinstance(robotparser, ProtegoRobotParser):
            self._in_robots.extend(robotparser.rp.sitemaps)

    def first(self, scope: Scope, feeds: Sequence[str]) -> list[str]:
        """Return where to begin: the home page's feeds, and sitemaps."""
        sitemaps = self._in_robots or [urljoin(scope.home, "/sitemap.xml")]
        return [*(feed for feed in feeds if "/comments/" not in feed), *sitemaps]

    @property
    def open(self) -> int:
        """Sitemaps and feeds that are still to be read, or being read."""
        return len(self._waiting) + self._is_reading

    def admit(self, urls: Iterable[str], scope: Scope) -> None:
        """Take those of the URLs that are to be read."""
        for found in urls:
            url = scope.canonical(found)
            if url and url not in self._admitted and len(self._admitted) < self._most:
                self._admitted.add(url)
                self._waiting.append(url)

    def next(self) -> str | None:
        """Return the next one to read; None if there is none, or one is being read."""
        if self._is_reading or not self._waiting:
            return None
        self._is_reading = True
        return self._waiting.popleft()

    def done(self) -> None:
        """Note that the one that was given out has been read, or cannot be had."""
        self._is_reading = False

    async def read(self, response: Response, scope: Scope) -> ParsedFeed:
        """Return what a response lists; a redirect lists the URL to which it leads."""
        target = redirect_target(response)
        if target is not None:
            return ParsedFeed(sitemaps=(target,))
        if response.status != 200 or self._pages_left <= 0:
            return ParsedFeed()
        # A large sitemap takes seconds: not in the engine's thread.
        feed = await asyncio.to_thread(_parse_body, response, scope, self._pages_left)
        self._pages_left -= len(feed.mentions)
        logger.info("%s lists %d pages", response.url, len(feed.mentions))
        return feed


def _parse_body(response: Response, scope: Scope, limit: int) -> ParsedFeed:
    body = response.body
    if gzip_magic_number(response):
        body = decompress(body, ["gzip"], MAX_SITEMAP_BYTES, partly=True)
    return parse_feed(body, response.url, scope, limit)
