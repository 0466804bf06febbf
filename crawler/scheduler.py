"""Scrapy scheduler that takes its requests from the frontier.

Scrapy's own queues hold a request and a fingerprint for every known URL. Here a URL stays a string
until it is requested. The order is breadth first, whatever the value of `DEPTH_PRIORITY`.
"""

import heapq
from itertools import count
from typing import Protocol, runtime_checkable

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler


@runtime_checkable
class Walker(Protocol):
    """A spider that selects its next page."""

    def next_page(self) -> Request | None:
        """Return the next request, or None if no page is waiting."""

    def has_pages(self) -> bool:
        """Return True if `next_page` would return a request."""


class FrontierScheduler(BaseScheduler):
    """Schedules Scrapy's own requests and sitemaps first, then pages, then retries."""

    walker: Walker

    def __init__(self) -> None:
        self._requests: list[tuple[int, int, Request]] = []
        self._numbers = count()

    def open(self, spider: Spider) -> None:
        """Take the pages from this spider."""
        if not isinstance(spider, Walker):
            raise TypeError(f"the spider {spider.name!r} lacks next_page() or has_pages()")
        self.walker = spider

    def has_pending_requests(self) -> bool:
        """Return True if a request is queued or a page is waiting."""
        return bool(self._requests) or self.walker.has_pages()

    def enqueue_request(self, request: Request) -> bool:
        """Queue a request that is not for a page of the frontier."""
        heapq.heappush(self._requests, (-request.priority, next(self._numbers), request))
        return True

    def next_request(self) -> Request | None:
        """Return the next request, or None."""
        # Retries have a negative priority: they are sent after all pages.
        if self._requests and self._requests[0][0] <= 0:
            return heapq.heappop(self._requests)[2]
        page = self.walker.next_page()
        if page is None and self._requests:
            return heapq.heappop(self._requests)[2]
        return page
