"""From one page that is as before straight to the next one: most answers of a night are such."""

import logging
from typing import Self, cast

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from crawler.spider import SiteSpider

logger = logging.getLogger(__name__)


class StraightOn:
    """Puts the next request in the place of an answer that a known page is as before.

    That way Scrapy has nothing to pass on to the spider, which would take it as long as to ask.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Look at the answers to this crawler."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the next request, or the answer if the spider has to see it."""
        spider = cast(SiteSpider, self._crawler.spider)
        asked = request.cb_kwargs.get("asked", "")
        # The spider ends the crawl at a number of pages, and knows when nothing is left to ask for.
        must_see = spider.arguments.max_pages is not None or not len(spider.frontier)
        if response.status != 304 or asked not in spider.recrawl or must_see:
            return response
        spider.keep_known(asked)
        logger.debug("%s is as before", asked)
        return spider.next_page() or response
