"""Download handler that throttles requests and bounds the head of a response.

Twisted limits the length of a header line but not the number of lines. A server that never ends its
head would fill the memory until the request times out.
"""

import re
from collections.abc import Callable
from typing import Any

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from scrapy.http import Response

from flong.crawler.throttling import wait_for_turn

MAX_HEAD_BYTES = 256 * 1024
"""Maximum size of the head of a response."""
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_LONGEST_END = 4
_INTERIM = re.compile(rb"HTTP/[\d.]+ 1\d\d")
"""Status line of a response such as 103 Early Hints, which another one follows."""


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

        # No documented API of Scrapy or Twisted bounds a response head: the handler creates its own
        # agents, the pool its own protocols. tests/faults/test_hostile_site.py holds this.
        self._pool._factory = bounded_factory  # type: ignore[assignment]

    async def download_request(self, request: Request) -> Response:
        """Return the response to a request, sent when it is its turn."""
        await wait_for_turn(self._throttled, request)
        return await super().download_request(request)


def _bounded(protocol: Any) -> Any:
    """Return the connection, which aborts when the head of a response exceeds MAX_HEAD_BYTES."""
    send, receive = protocol.request, protocol.dataReceived
    head = bytearray()
    is_complete = True

    def send_and_reset(request: Any) -> Any:
        nonlocal is_complete
        head.clear()
        is_complete = False
        return send(request)

    def count_and_receive(data: bytes) -> None:
        nonlocal is_complete
        receive(data)
        if is_complete:
            return
        head.extend(data)
        unseen = max(0, len(head) - len(data) - _LONGEST_END)
        while not is_complete and (end := _END_OF_HEAD.search(head, unseen)):
            is_complete = not _INTERIM.match(head)
            del head[: end.end()]
            unseen = 0
        if not is_complete and len(head) > MAX_HEAD_BYTES:
            protocol.transport.abortConnection()

    protocol.request, protocol.dataReceived = send_and_reset, count_and_receive
    return protocol
