"""Queue of the sitemaps and feeds of a site."""

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
"""Maximum decompressed size of a sitemap or feed, as in the sitemaps.org protocol."""


class SitemapQueue:
    """Sitemaps and feeds of one crawl: at most `most`, with at most `pages` pages in total.

    They are read one at a time to limit memory.

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
        """Remember the sitemaps named in a robots.txt."""
        if isinstance(robotparser, ProtegoRobotParser):
            self._in_robots.extend(robotparser.rp.sitemaps)

    def first(self, scope: Scope, feeds: Sequence[str]) -> list[str]:
        """Return the first URLs to read: the feeds of the home page, then sitemaps."""
        sitemaps = self._in_robots or [urljoin(scope.home, "/sitemap.xml")]
        return [*(feed for feed in feeds if "/comments/" not in feed), *sitemaps]

    @property
    def open(self) -> int:
        """Number of sitemaps and feeds that are waiting or being read."""
        return len(self._waiting) + self._is_reading

    def admit(self, urls: Iterable[str], scope: Scope) -> None:
        """Add the URLs that belong to the site and are new, up to the limit."""
        for found in urls:
            url = scope.canonical(found)
            if url and url not in self._admitted and len(self._admitted) < self._most:
                self._admitted.add(url)
                self._waiting.append(url)

    def next(self) -> str | None:
        """Return the next URL to read; None if the queue is empty or one is being read."""
        if self._is_reading or not self._waiting:
            return None
        self._is_reading = True
        return self._waiting.popleft()

    def done(self) -> None:
        """Note that the current sitemap was read or failed."""
        self._is_reading = False

    async def read(self, response: Response, scope: Scope) -> ParsedFeed:
        """Return the pages listed in a response; a redirect counts as a sitemap with one entry."""
        target = redirect_target(response)
        if target is not None:
            return ParsedFeed(sitemaps=(target,))
        if response.status != 200 or self._pages_left <= 0:
            return ParsedFeed()
        # Parsing a large sitemap takes seconds and would block the event loop.
        feed = await asyncio.to_thread(_parse_body, response, scope, self._pages_left)
        self._pages_left -= len(feed.mentions)
        logger.info("%s lists %d pages", response.url, len(feed.mentions))
        return feed


def _parse_body(response: Response, scope: Scope, limit: int) -> ParsedFeed:
    body = response.body
    if gzip_magic_number(response):
        body = decompress(body, ["gzip"], MAX_SITEMAP_BYTES, partly=True)
    return parse_feed(body, response.url, scope, limit)
