"""Callback errors: an exception while parsing a response fails only that response."""

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
    """Records an exception in a callback as a failed request.

    Scrapy would only log it. The frontier would wait for the outcome forever, and the crawl's last
    steps would never run.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Handle the exceptions of this crawler's callbacks."""
        return cls(crawler)

    def process_spider_exception(
        self, response: Response, exception: Exception
    ) -> Iterable[Any] | None:
        """Return the spider's items for a failed callback; None if the spider is to be closed."""
        if isinstance(exception, CloseSpider):
            return None
        if not isinstance(exception, ParsingTimeout):  # a bug: log where
            logger.error("%s cannot be read", response.url, exc_info=exception)
        return cast(SiteSpider, self._crawler.spider).fail_response(response, exception)
