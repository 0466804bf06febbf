"""All methods beside the learned site, by name: those that read trees, and those that look."""

from collections.abc import Sequence

from items import Article
from learned import METHODS
from pipeline.browser import Browser
from pipeline.visual_wrapper import WRAPPERS, load_wrapper, read_article
from trees import SitePage

METHOD_NAMES = (*sorted(METHODS), *WRAPPERS)
"""What `--method` takes."""


def read_first(method: str, pages: Sequence[SitePage], html: str, chromium: str) -> Article | None:
    """Return what a method finds on the first of some pages of a site, whose HTML this is."""
    if method in METHODS:
        return METHODS[method](pages)[0]
    wrapper, page = load_wrapper(method).wrapper, pages[0]
    with Browser(chromium) as browser:
        return read_article(wrapper, page, browser.blocks(page.url, html, page.tree), method)
