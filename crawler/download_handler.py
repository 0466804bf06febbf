"""Downloads at the pace that servers ask for, whose head is bounded as their body is.

Twisted limits a line of a response's head but not the number of lines: a server that never ends
its head would fill the memory until the deadline.
"""

from collections.abc import Callable
from typing import Any

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.http import Response

from flong.crawler.throttling import wait_for_turn

MAX_HEAD_BYTES = 256 * 1024
"""Bytes of a response before its body."""


class BoundedHandler(HTTP11DownloadHandler):
    """Scrapy's handler; the connection ends when the head of a response is too long."""

    lazy = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._throttled = crawler
        new_factory: Callable[..., Any] = self._pool._factory

        def bounded_factory(*arguments: Any) -> Any:
            factory = new_factory(*arguments)
            build = factory.buildProtocol
            factory.buildProtocol = lambda address: _bounded(build(address))
            return factory

        # Neither Scrapy nor Twisted has a public place for it: the handler makes its own agents,
        # and the pool its own protocols. A test with such a server keeps watch.
        self._pool._factory = bounded_factory  # type: ignore[assignment]

    async def download_request(self, request: Request) -> Response:
        """Return the response to a request, sent when it is its turn."""
        await wait_for_turn(self._throttled, request)
        return await super().download_request(request)


def _bounded(protocol: Any) -> Any:
    receive, head = protocol.dataReceived, 0

    def count_and_receive(data: bytes) -> None:
        nonlocal head
        receive(data)
        parser = protocol._parser
        head = head + len(data) if parser is not None and parser.state == "HEADER" else 0
        if head > MAX_HEAD_BYTES:
            protocol.transport.abortConnection()

    protocol.dataReceived = count_and_receive
    return protocol
