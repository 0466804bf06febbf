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
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response
from scrapy.http.headers import Headers
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached

logger = logging.getLogger(__name__)

MOST_PAUSES = 10
"""Pauses without a page in between after which a crawl stops, to be gone on with later."""

_UNWANTED = (b"image/", b"audio/", b"video/", b"font/", b"application/pdf", b"application/zip")
_BUSY = (429, 503)


def seconds_asked(retry_after: str, now: datetime) -> float:
    """Return how long the value of a Retry-After asks to wait: seconds or a date; else 0.

    >>> seconds_asked("120", datetime.now(UTC))
    120.0
    >>> now = datetime(2026, 5, 1, 12, tzinfo=UTC)
    >>> seconds_asked("Fri, 01 May 2026 12:00:30 GMT", now), seconds_asked("soon", now)
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


class Politeness:
    """Keeps to Crawl-delay and Retry-After, and ends downloads that are no pages at once."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._longest_delay = crawler.settings.getfloat("FLONG_MAX_CRAWL_DELAY")
        self._longest_pause = crawler.settings.getfloat("FLONG_MAX_RETRY_AFTER")
        self._pauses = 0

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
        delay = min(asked, self._longest_delay)
        downloader = self._crawler.engine.downloader
        slot = downloader.slots.get(urlparse_cached(request).hostname or "")
        if slot is not None:
            # Exactly this pace: no random shortening, one request at a time.
            slot.delay, slot.jitter = max(slot.delay, delay), 0.0
        throttle = self._crawler.get_extension(AutoThrottle)
        if throttle is not None:
            throttle.mindelay = max(throttle.mindelay, delay)
            throttle.maxdelay = max(throttle.maxdelay, delay)
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
            asked = seconds_asked(value.decode("latin-1"), datetime.now(UTC))
            self._pause(request, min(asked, self._longest_pause))

    def _pause(self, request: Request, seconds: float) -> None:
        host = urlparse_cached(request).hostname or ""
        slot = self._crawler.engine.downloader.slots.get(host)
        now = time.monotonic()
        if slot is None or slot.lastseen >= now + seconds:
            return
        if slot.lastseen <= now:  # answers to what was asked before the pause do not count
            self._count_pause(host, seconds)
        # The downloader sends nothing until the slot's delay has passed since then.
        slot.lastseen, slot.delay = now + seconds, max(slot.delay, 0.001)

    def _count_pause(self, host: str, seconds: float) -> None:
        self._pauses += 1
        logger.info("%s asks to come back later; waiting %g s", host, seconds)
        if self._pauses == MOST_PAUSES:
            logger.warning("%s is busy for too long: the crawl stops", host)
            closing = self._crawler.engine.close_spider_async(reason="busy")
            self._closing = asyncio.ensure_future(closing)
