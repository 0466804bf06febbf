"""Middlewares of Scrapy for crawls of hostile sites: a defect of ours, and time limits."""

import re

from tests.waiting import HANG_SECONDS

ENDLESS = re.compile(r"/(drip|script)|/endless$|//slow\.")
"""URLs of the test sites that never answer in full."""
SECONDS = 3
"""Time limit of these."""


class Impatience:
    """A downloader middleware: a short time limit only where it must be reached.

    With the same limit for all pages, good ones fail on a busy machine.
    """

    def process_request(self, request):
        seconds = SECONDS if ENDLESS.search(request.url) else HANG_SECONDS
        request.meta["download_timeout"] = seconds
        if "playwright_page_goto_kwargs" in request.meta:
            request.meta["playwright_page_goto_kwargs"]["timeout"] = seconds * 1000


class Bug:
    """A spider middleware that raises an exception for URLs that contain "bug"."""

    async def process_spider_output(self, response, result):
        async for each in result:
            if "/bug" in response.url:
                raise RuntimeError("a defect of ours")
            yield each
