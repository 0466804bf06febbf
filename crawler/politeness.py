"""What the servers ask of a crawler beyond the rules that Scrapy obeys by itself."""

import logging
from typing import Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http.headers import Headers
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached

logger = logging.getLogger(__name__)

_UNWANTED = (b"image/", b"audio/", b"video/", b"font/", b"application/pdf", b"application/zip")


class Politeness:
    """Keeps to a Crawl-delay of robots.txt, and ends downloads that are no pages at once."""

    def __init__(self, crawler: Crawler, longest: float) -> None:
        self._crawler = crawler
        self._longest = longest

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to what the engine receives."""
        polite = cls(crawler, crawler.settings.getfloat("FLONG_MAX_CRAWL_DELAY"))
        crawler.signals.connect(polite.robots_parsed, signal=signals.robots_parsed)
        crawler.signals.connect(polite.headers_received, signal=signals.headers_received)
        return polite

    def robots_parsed(self, robotparser: RobotParser, request: Request) -> None:
        """Wait as long between two requests to a host as its robots.txt asks for."""
        asked = robotparser.crawl_delay(self._crawler.settings["ROBOTSTXT_USER_AGENT"])
        if not asked:
            return
        delay = min(asked, self._longest)
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
