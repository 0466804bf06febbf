"""robots.txt middleware that follows RFC 9309: an unavailable robots.txt forbids everything.

Scrapy's own middleware treats an error page, or no response, as a robots.txt without rules.
"""

import asyncio
from typing import Self, cast
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotConfigured,
    ResponseDataLossError,
    StopDownload,
)
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import ProtegoRobotParser, RobotParser
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.error import ConnectError, ConnectionDone, ConnectionLost

from flong.crawler.outcomes import FetchRefused, describe_error, redirect_target
from flong.crawler.spider import SiteSpider
from flong.links import MOST_HOPS

LARGEST = 500 * 1024
"""Maximum size of a robots.txt in bytes; RFC 9309 requires at least this much."""

_UNREACHABLE = (
    CannotResolveHostError,
    ConnectError,
    ConnectionDone,
    ConnectionLost,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    FetchRefused,
    OSError,
    ResponseDataLossError,
)


def rules_in(status: int, body: bytes) -> bytes | None:
    """Return the rules in a response; None if the robots.txt is unavailable.

    Client errors mean that there are no rules. Server errors and status 429 mean unavailable. An
    incomplete line at the size limit is dropped.

    >>> rules_in(200, b"Disallow: /a"), rules_in(404, b"<p>Disallow: /"), rules_in(503, b"")
    (b'Disallow: /a', b'', None)
    """
    if status >= 500 or status == 429:
        return None
    if not 200 <= status < 300:
        return b""
    return body if len(body) < LARGEST else body[:LARGEST].rpartition(b"\n")[0]


class RobotsMiddleware:
    """Applies the robots.txt of each host, fetched once per crawl before other requests."""

    def __init__(self, crawler: Crawler, agent: str) -> None:
        self._crawler = crawler
        self._agent = agent
        self._rules: dict[str, asyncio.Future[RobotParser]] = {}
        self._received: WeakKeyDictionary[Request, int] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Use the user agent of the settings."""
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        robots = cls(crawler, crawler.settings["ROBOTSTXT_USER_AGENT"])
        crawler.signals.connect(robots.bytes_received, signal=signals.bytes_received)
        return robots

    async def process_request(self, request: Request) -> None:
        """Ignore forbidden requests; refuse the request if the robots.txt is unavailable."""
        if request.meta.get("dont_obey_robotstxt"):
            return
        host = urlparse_cached(request).netloc
        if host not in self._rules:
            self._rules[host] = asyncio.ensure_future(self._fetch(request))
        rules = await self._rules[host]
        if not rules.allowed(request.url, self._agent):
            raise IgnoreRequest("robots.txt does not allow it")

    def bytes_received(self, data: bytes, request: Request) -> None:
        """Stop the download of a robots.txt at the size limit and keep the first part."""
        if "take_first" in request.meta:
            self._received[request] = self._received.get(request, 0) + len(data)
            if self._received[request] >= request.meta["take_first"]:
                raise StopDownload(fail=False)

    async def _fetch(self, request: Request) -> RobotParser:
        try:
            response = await self._ask(request)
        except ValueError:  # redirect to an invalid URL: RFC 9309, 2.3.1.2
            response = Response(request.url, status=404)
        except _UNREACHABLE as error:
            raise FetchRefused(f"robots.txt is unavailable: {describe_error(error)}") from error
        text = rules_in(response.status, response.body)
        if text is None:
            raise FetchRefused(f"robots.txt is unavailable: HTTP status {response.status}")
        rules = ProtegoRobotParser.from_crawler(self._crawler, text)
        await self._crawler.signals.send_catch_log_async(
            signal=signals.robots_parsed, robotparser=rules, request=request
        )
        return rules

    async def _ask(self, request: Request) -> Response:
        """Return the response for the robots.txt of a host.

        Redirects are followed to any host, as RFC 9309 requires. If the site is on an internal
        network, redirects must stay on the site, so that other internal hosts are not reached.
        """
        parts = urlparse_cached(request)
        response = await self._download(f"{parts.scheme}://{parts.netloc}/robots.txt")
        for _ in range(MOST_HOPS):
            target = redirect_target(response)
            if target is None or not target.lower().startswith(("http://", "https://")):
                break
            if self._spider.networks.is_inside and self._spider.scope.canonical(target) is None:
                raise FetchRefused(f"redirects off the site: {target[:200]}")
            response = await self._download(target)
        return response

    @property
    def _spider(self) -> SiteSpider:
        return cast(SiteSpider, self._crawler.spider)

    async def _download(self, url: str) -> Response:
        return await self._crawler.engine.download_async(_robots_request(url))


def _robots_request(url: str) -> Request:
    return Request(
        url,
        callback=NO_CALLBACK,
        meta={"dont_obey_robotstxt": True, "download_maxsize": 0, "take_first": LARGEST},
        priority=1000,
    )
