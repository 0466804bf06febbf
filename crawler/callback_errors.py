"""Errors while a response is read: each is a failure of that response, and of nothing else."""

import logging
from collections.abc import Iterable
from typing import Any, Self, cast

from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response

from flong.crawler.spider import SiteSpider
from flong.links import ParsingTimeout

logger = logging.getLogger(__name__)


class CallbackFailures:
    """Lets the spider record a response whose callback raised, as it records one that never came.

    Scrapy would only log it: the page would be neither stored nor failed, and since the frontier
    waits for what became of it, nothing that comes last in a crawl would ever be done.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Look at what the callbacks of this crawler raise."""
        return cls(crawler)

    def process_spider_exception(
        self, response: Response, exception: Exception
    ) -> Iterable[Any] | None:
        """Return what the spider makes of an error; None of one that ends the crawl."""
        if isinstance(exception, CloseSpider):
            return None
        if not isinstance(exception, ParsingTimeout):  # it is a defect: say where
            logger.error("%s cannot be read", response.url, exc_info=exception)
        return cast(SiteSpider, self._crawler.spider).fail_response(response, exception)
