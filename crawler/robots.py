"""robots.txt as RFC 9309 asks: what cannot be had because of the server forbids everything.

Scrapy's own middleware takes an error page, or no response at all, as a robots.txt without rules.
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
"""Bytes of a robots.txt that are read, as RFC 9309 asks for at least."""

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
    """Return the rules that a response gives; None if it is no response that counts.

    A client error says that there are no rules; a server error, or that we ask too often,
    says nothing. A line that is cut at the end of what is read is left out.

    >>> rules_in(200, b"Disallow: /a"), rules_in(404, b"<p>Disallow: /"), rules_in(503, b"")
    (b'Disallow: /a', b'', None)
    """
    if status >= 500 or status == 429:
        return None
    if not 200 <= status < 300:
        return b""
    return body if len(body) < LARGEST else body[:LARGEST].rpartition(b"\n")[0]


class RobotsMiddleware:
    """Keeps to the robots.txt of each host, fetched once in a crawl before anything else."""

    def __init__(self, crawler: Crawler, agent: str) -> None:
        self._crawler = crawler
        self._agent = agent
        self._rules: dict[str, asyncio.Future[RobotParser]] = {}
        self._received: WeakKeyDictionary[Request, int] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Obey as the one whom the settings name."""
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        robots = cls(crawler, crawler.settings["ROBOTSTXT_USER_AGENT"])
        crawler.signals.connect(robots.bytes_received, signal=signals.bytes_received)
        return robots

    async def process_request(self, request: Request) -> None:
        """Ignore what a robots.txt forbids; refuse what it might forbid if it could be had."""
        if request.meta.get("dont_obey_robotstxt"):
            return
        host = urlparse_cached(request).netloc
        if host not in self._rules:
            self._rules[host] = asyncio.ensure_future(self._fetch(request))
        rules = await self._rules[host]
        if not rules.allowed(request.url, self._agent):
            raise IgnoreRequest("robots.txt does not allow it")

    def bytes_received(self, data: bytes, request: Request) -> None:
        """End the download of a robots.txt that is too long; what has come is enough."""
        if "take_first" in request.meta:
            self._received[request] = self._received.get(request, 0) + len(data)
            if self._received[request] >= request.meta["take_first"]:
                raise StopDownload(fail=False)

    async def _fetch(self, request: Request) -> RobotParser:
        try:
            response = await self._ask(request)
        except ValueError:  # a redirect that leads nowhere: RFC 9309, 2.3.1.2
            response = Response(request.url, status=404)
        except _UNREACHABLE as error:
            raise FetchRefused(f"robots.txt cannot be had: {describe_error(error)}") from error
        text = rules_in(response.status, response.body)
        if text is None:
            raise FetchRefused(f"robots.txt cannot be had: HTTP status {response.status}")
        rules = ProtegoRobotParser.from_crawler(self._crawler, text)
        await self._crawler.signals.send_catch_log_async(
            signal=signals.robots_parsed, robotparser=rules, request=request
        )
        return rules

    async def _ask(self, request: Request) -> Response:
        """Return the response for the robots.txt of a host.

        Redirects are followed anywhere, as RFC 9309 asks; if the site is not public, only within
        the site: what else is on its network is none of its business.
        """
        parts = urlparse_cached(request)
        response = await self._download(f"{parts.scheme}://{parts.netloc}/robots.txt")
        for _ in range(MOST_HOPS):
            target = redirect_target(response)
            if target is None or not target.lower().startswith(("http://", "https://")):
                break
            if self._spider.networks.is_inside and self._spider.scope.canonical(target) is None:
                raise FetchRefused(f"it leads off the site: {target[:200]}")
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
