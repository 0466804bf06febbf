"""Hands the frontier's URLs to Scrapy's engine, one request at a time.

Scrapy's own queues hold a request for every URL known and remember a fingerprint of each;
here a URL is a string until its turn comes. Breadth first whatever `DEPTH_PRIORITY` says.
"""

import heapq
from itertools import count
from typing import Protocol, runtime_checkable

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler


@runtime_checkable
class Walker(Protocol):
    """A spider that knows where to go next."""

    def next_page(self) -> Request | None:
        """Return the next page to ask for; None when there is none at the moment."""

    def has_pages(self) -> bool:
        """Say whether `next_page` has something to give."""


class FrontierScheduler(BaseScheduler):
    """Requests made by Scrapy itself or for sitemaps first, then pages, then what is retried."""

    walker: Walker

    def __init__(self) -> None:
        self._requests: list[tuple[int, int, Request]] = []
        self._numbers = count()

    def open(self, spider: Spider) -> None:
        """Take the pages from this spider."""
        if not isinstance(spider, Walker):
            raise TypeError(f"the spider {spider.name!r} does not say where to go next")
        self.walker = spider

    def has_pending_requests(self) -> bool:
        """Say whether anything is left to ask for."""
        return bool(self._requests) or self.walker.has_pages()

    def enqueue_request(self, request: Request) -> bool:
        """Keep a request that does not come from the walk."""
        heapq.heappush(self._requests, (-request.priority, next(self._numbers), request))
        return True

    def next_request(self) -> Request | None:
        """Return what to ask for next."""
        # A retry has a negative priority: it waits until the pages are done.
        if self._requests and self._requests[0][0] <= 0:
            return heapq.heappop(self._requests)[2]
        page = self.walker.next_page()
        if page is None and self._requests:
            return heapq.heappop(self._requests)[2]
        return page
