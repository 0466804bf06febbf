"""Downloads whose head is bounded as their body is, and a short way for pages that are as before.

Twisted limits a line of an answer's head but not the number of lines: a server that never ends
its head would fill the memory until the deadline.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any, NoReturn

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred, succeed
from twisted.web.client import URI, Agent
from twisted.web.http_headers import Headers
from twisted.web.iweb import IResponse

from crawler.loading import without_old_names

with without_old_names():
    from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler, _ScrapyAgent
    from scrapy.utils._download_handlers import wrap_twisted_exceptions

LONGEST_HEAD = 256 * 1024
"""Bytes of an answer before its body."""


class BoundedHandler(HTTP11DownloadHandler):
    """Scrapy's handler; the connection ends when the head of an answer is too long.

    Most answers in a night say only that a page is as before. What Scrapy does around them takes
    longer than Twisted takes to get them, so it is left out.
    """

    lazy = True

    def __init__(self, crawler: Crawler) -> None:
        from twisted.internet import reactor  # noqa: PLC0415 - importing it installs one

        super().__init__(crawler)
        # The next request leaves before the connection of the last one is back in the pool: it
        # would take a new one, and for that the pool would close one that is as good.
        self._pool.maxPersistentPerHost *= 2
        new_factory: Callable[..., Any] = self._pool._factory

        def bounded_factory(*arguments: Any) -> Any:
            factory = new_factory(*arguments)
            build = factory.buildProtocol
            factory.buildProtocol = lambda address: _bounded(build(address))
            return factory

        # There is no public place for it; a test with such a server keeps watch.
        self._pool._factory = bounded_factory  # type: ignore[assignment]
        self._reactor: Any = reactor
        self._agent = _Agent(reactor, self._contextFactory, pool=self._pool)

    async def download_request(self, request: Request) -> Response:
        """Return the answer to a request."""
        conditional = "If-None-Match" in request.headers or "If-Modified-Since" in request.headers
        seconds = request.meta.get("download_timeout")
        if not conditional or not seconds or request.meta.get("proxy") or self._bind_address:
            return await super().download_request(request)
        begun = monotonic()
        asked: Deferred[Any] = self._agent.request(
            b"GET", request.url.encode(), Headers(request.headers)
        )
        # At once, not after a turn of the loop: by then a short answer has lost its connection.
        asked.addCallback(self._go_on, request)
        asked.addTimeout(seconds, self._reactor, _give_up)
        with wrap_twisted_exceptions():
            response: Response = await maybe_deferred_to_future(asked)
        request.meta["download_latency"] = monotonic() - begun
        return response

    def _go_on(self, head: IResponse, request: Request) -> "Response | Deferred[Response]":
        if head.code == 304:
            return Response(request.url, status=304)
        return _Rest(self, head).download_request(request)


def _give_up(_: object, seconds: float) -> NoReturn:
    raise DownloadTimeoutError(f"The answer took longer than {seconds:g} seconds")


class _Agent(Agent):
    """Keeps the way to each host, for which Twisted would take its name to pieces every time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)  # type: ignore[no-untyped-call]
        self._ways: dict[tuple[bytes, bytes, int], Any] = {}

    def _getEndpoint(self, uri: URI) -> Any:
        key = uri.scheme, uri.host, uri.port
        if key not in self._ways:
            self._ways[key] = super()._getEndpoint(uri)  # type: ignore[no-untyped-call]
        return self._ways[key]


class _Rest(_ScrapyAgent):
    """What Scrapy does with an answer from when its head is there."""

    def __init__(self, handler: BoundedHandler, head: IResponse) -> None:
        super().__init__(
            contextFactory=handler._contextFactory,
            maxsize=handler._default_maxsize,
            warnsize=handler._default_warnsize,
            fail_on_dataloss=handler._fail_on_dataloss,
            crawler=handler._crawler,
        )
        self._head = head

    def _get_agent(self, request: Request, timeout: float) -> Any:
        return self

    def request(self, *_: object) -> "Deferred[IResponse]":
        return succeed(self._head)


def _bounded(protocol: Any) -> Any:
    receive, head = protocol.dataReceived, 0

    def count_and_receive(data: bytes) -> None:
        nonlocal head
        receive(data)
        parser = protocol._parser
        head = head + len(data) if parser is not None and parser.state == "HEADER" else 0
        if head > LONGEST_HEAD:
            protocol.transport.abortConnection()

    protocol.dataReceived = count_and_receive
    return protocol
