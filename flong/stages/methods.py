"""All methods beside the learned site, by name: those that read trees, and those that look."""

from collections.abc import Sequence

from flong.article import Article
from flong.as_published import METHODS
from flong.tree import SitePage
from flong.visual import WRAPPERS, unpack_blocks
from flong.visual.browser import Browser
from flong.visual.stored_pages import load_wrapper, read_article

METHOD_NAMES = (*sorted(METHODS), *WRAPPERS)
"""What `--method` takes."""


def read_first(
    method: str, pages: Sequence[SitePage], html: str, chromium: str, taken: bytes | None = None
) -> Article | None:
    """Return what a method finds on the first of some pages of a site, whose HTML this is.

    `taken` are the blocks that were taken of it while crawling; without them it is laid out.
    """
    if method in METHODS:
        return METHODS[method](pages)[0]
    wrapper, page = load_wrapper(method).wrapper, pages[0]
    if taken is not None:
        return read_article(wrapper, page, unpack_blocks(taken), method)
    with Browser(chromium) as browser:
        return read_article(wrapper, page, browser.blocks(page.url, html, page.tree), method)
