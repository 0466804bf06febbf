"""Download handler for rendered pages that respects the throttling."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from flong.crawler.throttling import wait_for_turn


class BrowserHandler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    """scrapy-playwright's handler; each request waits for its turn."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._throttled = crawler

    async def download_request(self, request: Request) -> Response:
        """Return the rendered page, or the plain response if the request needs no browser."""
        await wait_for_turn(self._throttled, request)
        response: Response = await super().download_request(request)
        return response
