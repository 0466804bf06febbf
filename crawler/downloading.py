"""Downloads whose head is bounded as their body is.

Twisted limits a line of an answer's head but not the number of lines: a server that never ends
its head would fill the memory until the deadline.
"""

from collections.abc import Callable
from typing import Any

from scrapy.crawler import Crawler

from crawler.loading import without_old_names

with without_old_names():
    from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler

LONGEST_HEAD = 256 * 1024
"""Bytes of an answer before its body."""


class BoundedHandler(HTTP11DownloadHandler):
    """Scrapy's handler; the connection ends when the head of an answer is too long."""

    lazy = True

    def __init__(self, crawler: Crawler) -> None:
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
