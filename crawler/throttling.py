"""What the servers ask of a crawler beyond the rules that Scrapy obeys by itself."""

import asyncio
import logging
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Response
from scrapy.http.headers import Headers
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached

logger = logging.getLogger(__name__)

MOST_PAUSES = 10
"""Pauses without a page in between after which a crawl stops, to be gone on with later."""

_UNWANTED = (b"image/", b"audio/", b"video/", b"font/", b"application/pdf", b"application/zip")
_BUSY = (429, 503)


def retry_after_seconds(retry_after: str, now: datetime) -> float:
    """Return how long the value of a Retry-After asks to wait: seconds or a date; else 0.

    >>> retry_after_seconds("120", datetime.now(UTC))
    120.0
    >>> now = datetime(2026, 5, 1, 12, tzinfo=UTC)
    >>> retry_after_seconds("Fri, 01 May 2026 12:00:30 GMT", now), retry_after_seconds("soon", now)
    (30.0, 0.0)
    """
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        when = parsedate_to_datetime(text)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - now).total_seconds())
    except (ValueError, OverflowError):
        return 0.0


async def wait_for_turn(crawler: Crawler, request: Request) -> None:
    """Return when a crawler may send a request; download handlers call it last of all.

    What waits for its turn anywhere else would have passed by when a server asks for a pause.
    """
    throttling = crawler.get_extension(Throttling)
    if throttling is not None:
        await throttling.wait_for_turn(request)


class Throttling:
    """Keeps to Crawl-delay and Retry-After, and ends downloads that are no pages at once."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._longest_delay = crawler.settings.getfloat("FLONG_MAX_CRAWL_DELAY")
        self._longest_pause = crawler.settings.getfloat("FLONG_MAX_RETRY_AFTER")
        self._pauses = 0
        self._delays: dict[str, float] = {}
        """Crawl-delays in seconds, by host."""
        self._paused_until: dict[str, float] = {}
        """When a host that was busy is asked again, on the monotonic clock."""
        self._next_turn: dict[str, float] = {}
        """When the next request to a host may be sent, on the monotonic clock."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to what the engine receives."""
        polite = cls(crawler)
        crawler.signals.connect(polite.robots_parsed, signal=signals.robots_parsed)
        crawler.signals.connect(polite.headers_received, signal=signals.headers_received)
        crawler.signals.connect(polite.response_downloaded, signal=signals.response_downloaded)
        return polite

    def robots_parsed(self, robotparser: RobotParser, request: Request) -> None:
        """Wait as long between two requests to a host as its robots.txt asks for."""
        asked = robotparser.crawl_delay(self._crawler.settings["ROBOTSTXT_USER_AGENT"])
        if not asked:
            return
        host = urlparse_cached(request).hostname or ""
        delay = self._delays[host] = min(asked, self._longest_delay)
        self._hold(host, delay)
        logger.info("robots.txt asks for %g s between requests; waiting %g s", asked, delay)

    def headers_received(self, headers: Headers) -> None:
        """Do not load a picture, a film or the like that came instead of a page."""
        kind = headers.get("Content-Type") or b""
        if kind.lower().startswith(_UNWANTED):
            raise StopDownload(fail=False)

    def response_downloaded(self, response: Response, request: Request) -> None:
        """Ask nothing more of a busy server until the time that it names."""
        value = response.headers.get("Retry-After") if response.status in _BUSY else None
        if response.status < 400:
            self._pauses = 0
        if value is not None:
            asked = retry_after_seconds(value.decode("latin-1"), datetime.now(UTC))
            self._pause(request, min(asked, self._longest_pause))

    def _pause(self, request: Request, seconds: float) -> None:
        host = urlparse_cached(request).hostname or ""
        now = time.monotonic()
        if self._paused_until.get(host, 0.0) <= now:  # one pause, however many responses ask for it
            self._count_pause(host, seconds)
        self._paused_until[host] = max(self._paused_until.get(host, 0.0), now + seconds)
        self._hold(host, seconds)

    def _hold(self, host: str, seconds: float) -> None:
        """Send nothing to a host for so long."""
        self._next_turn[host] = max(self._next_turn.get(host, 0.0), time.monotonic() + seconds)

    async def wait_for_turn(self, request: Request) -> None:
        """Return when a request may be sent; to a host with a Crawl-delay one after the other."""
        host = urlparse_cached(request).hostname or ""
        while (left := self._next_turn.get(host, 0.0) - time.monotonic()) > 0:
            await asyncio.sleep(left)
        if host in self._delays:
            self._hold(host, self._delays[host])

    def _count_pause(self, host: str, seconds: float) -> None:
        self._pauses += 1
        logger.info("%s asks to come back later; waiting %g s", host, seconds)
        if self._pauses == MOST_PAUSES:
            logger.warning("%s is busy for too long: the crawl stops", host)
            closing = self._crawler.engine.close_spider_async(reason="busy")
            self._closing = asyncio.ensure_future(closing)
