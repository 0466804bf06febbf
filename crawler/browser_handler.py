"""Download handler for rendered pages that respects the throttling, with a time limit."""

import asyncio

from playwright.async_api import Page
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Response
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from flong.crawler.throttling import wait_for_turn

PATIENCE = 60.0
"""Seconds beyond DOWNLOAD_TIMEOUT for a rendered page, including the start of the browser.

The browser's own timeout ends with the navigation. A page that reloads itself, or that asks before
it is left, may hang after it.
"""


class BrowserHandler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    """scrapy-playwright's handler; each request waits for its turn, and is given up in the end."""

    def __init__(self, crawler: Crawler, patience: float = PATIENCE) -> None:
        super().__init__(crawler)
        self._throttled = crawler
        self._limit = crawler.settings.getfloat("DOWNLOAD_TIMEOUT") + patience
        self._closing: set[asyncio.Task[None]] = set()

    async def download_request(self, request: Request) -> Response:
        """Return the rendered page, or the plain response if the request needs no browser."""
        await wait_for_turn(self._throttled, request)
        pages: list[Page] = []

        async def remember(page: Page, _: Request) -> None:
            pages.append(page)

        request.meta["playwright_page_init_callback"] = remember
        try:
            async with asyncio.timeout(self._limit):
                response: Response = await super().download_request(request)
        except TimeoutError as error:
            for page in pages:  # closing it may hang as well
                task = asyncio.create_task(page.close())
                self._closing.add(task)
                task.add_done_callback(self._closing.discard)
            raise DownloadTimeoutError(f"{self._limit:g} seconds") from error
        finally:
            request.meta.pop("playwright_page_init_callback", None)
        return response
