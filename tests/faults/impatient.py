"""A browser handler whose time limit ends before the browser's own."""

from flong.crawler.browser_handler import BrowserHandler

TIMEOUT = 600.0
"""DOWNLOAD_TIMEOUT of a crawl with this handler."""
LIMIT = 20.0
"""Seconds for a page, with the start of the browser."""


class ImpatientHandler(BrowserHandler):
    def __init__(self, crawler):
        super().__init__(crawler, patience=LIMIT - TIMEOUT)
