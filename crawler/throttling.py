"""Pauses that servers request (Crawl-delay, 429, 503), in addition to Scrapy's AutoThrottle."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
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

from flong.crawler.outcomes import FetchRefused
from flong.crawler.spider import SiteSpider

logger = logging.getLogger(__name__)

FIRST_PAUSE = 30.0
"""Seconds of the first pause of a busy host that sends no Retry-After."""

_UNWANTED = (b"image/", b"audio/", b"video/", b"font/", b"application/pdf", b"application/zip")
_BUSY = (429, 503)


def retry_after_seconds(retry_after: str, now: datetime) -> float:
    """Return the seconds to wait for a Retry-After value (seconds or a date); 0 if invalid.

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
    """Wait until the request may be sent; called last by the download handlers.

    Requests that waited earlier in the chain would miss a pause that starts later.
    """
    throttling = crawler.get_extension(Throttling)
    if throttling is not None:
        await throttling.wait_for_turn(request)


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness:
    """Limits of the pauses between requests."""

    longest_delay: float
    """Maximum Crawl-delay in seconds; longer ones are shortened to it."""
    longest_pause: float
    """Maximum pause in seconds; a host that needs a longer one is left until the next crawl."""
    first_pause: float = FIRST_PAUSE
    """FIRST_PAUSE, or 0 if requests are not throttled."""


class Throttling:
    """Respects Crawl-delay and Retry-After, and stops downloads of content that is not a page.

    A response with status 429 or 503 starts a pause. Each further pause of the host without a page
    in between is at least twice as long.
    """

    def __init__(
        self,
        politeness: Politeness,
        agent: str,
        leave: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._politeness, self._agent, self._leave = politeness, agent, leave
        self._clock, self._sleep = clock, sleep
        self._delays: dict[str, float] = {}
        """Crawl-delay in seconds, by host."""
        self._pauses: dict[str, float] = {}
        """Seconds of the last pause of a busy host."""
        self._paused_until: dict[str, float] = {}
        """End of the current pause of a busy host, by the clock."""
        self._next_turn: dict[str, float] = {}
        """Earliest time for the next request to a host, by the clock."""
        self._left: set[str] = set()
        """Hosts whose pause is too long to wait for."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read the settings, and connect to the signals of the engine."""

        def leave(host: str) -> None:
            if isinstance(crawler.spider, SiteSpider):
                crawler.spider.leave(host)

        settings = crawler.settings
        politeness = Politeness(
            longest_delay=settings.getfloat("FLONG_MAX_CRAWL_DELAY"),
            longest_pause=settings.getfloat("FLONG_MAX_RETRY_AFTER"),
            first_pause=FIRST_PAUSE if settings.getfloat("DOWNLOAD_DELAY") else 0.0,
        )
        polite = cls(politeness, settings["ROBOTSTXT_USER_AGENT"], leave)
        crawler.signals.connect(polite.robots_parsed, signal=signals.robots_parsed)
        crawler.signals.connect(polite.headers_received, signal=signals.headers_received)
        crawler.signals.connect(polite.response_downloaded, signal=signals.response_downloaded)
        return polite

    def robots_parsed(self, robotparser: RobotParser, request: Request) -> None:
        """Record the Crawl-delay of a host."""
        asked = robotparser.crawl_delay(self._agent)
        if not asked:
            return
        host = urlparse_cached(request).hostname or ""
        delay = self._delays[host] = min(asked, self._politeness.longest_delay)
        self._hold(host, delay)
        logger.info("robots.txt sets a Crawl-delay of %g s; waiting %g s", asked, delay)

    def headers_received(self, headers: Headers) -> None:
        """Stop downloads of images, videos and other content that is not a page."""
        kind = headers.get("Content-Type") or b""
        if kind.lower().startswith(_UNWANTED):
            raise StopDownload(fail=False)

    def response_downloaded(self, response: Response, request: Request) -> None:
        """Pause requests to a busy host; end them if the pause is too long."""
        host = urlparse_cached(request).hostname or ""
        if response.status in _BUSY:
            header = (response.headers.get("Retry-After") or b"").decode("latin-1")
            self._pause(host, retry_after_seconds(header, datetime.now(UTC)))
        elif response.status < 400:
            self._pauses.pop(host, None)

    def _pause(self, host: str, asked: float) -> None:
        now = self._clock()
        if self._paused_until.get(host, 0.0) <= now:  # else a second response for the same pause
            least = 2 * self._pauses.get(host, 0.0) or (not asked) * self._politeness.first_pause
            asked = self._pauses[host] = max(asked, least)
            logger.info("%s is busy; waiting %g s", host, asked)
        self._paused_until[host] = max(self._paused_until.get(host, 0.0), now + asked)
        self._hold(host, asked)
        if asked > self._politeness.longest_pause:
            self._left.add(host)
            self._leave(host)

    def _hold(self, host: str, seconds: float) -> None:
        """Send no request to a host for a number of seconds."""
        self._next_turn[host] = max(self._next_turn.get(host, 0.0), self._clock() + seconds)

    async def wait_for_turn(self, request: Request) -> None:
        """Wait until the request may be sent; a Crawl-delay spaces the requests to its host.

        Raises `FetchRefused` if the host needs a pause that is too long to wait for.
        """
        host = urlparse_cached(request).hostname or ""
        while (left := self._next_turn.get(host, 0.0) - self._clock()) > 0:
            if host in self._left:
                raise FetchRefused(f"the host is busy for the next {left:.0f} s")
            await self._sleep(left)
        if host in self._delays:
            self._hold(host, self._delays[host])
