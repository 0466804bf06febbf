"""All methods other than flong's own, by name: those that read trees, and the V-Wrapper."""

from collections.abc import Iterator, Sequence

from flong.article import Article
from flong.stages.extraction import articles_by
from flong.stages.published import METHODS
from flong.storage import ArticleRow, Site, Store
from flong.tree import SitePage
from flong.visual.block_tree import unpack_blocks
from flong.visual.browser import Browser
from flong.visual.model_json import WRAPPERS
from flong.visual.stored_pages import articles_by_wrapper, load_wrapper, read_article

METHOD_NAMES = (*sorted(METHODS), *WRAPPERS)
"""What `--method` takes."""


def articles_by_method(
    store: Store, site: Site, method: str, *, chromium: str, seconds: float
) -> Iterator[ArticleRow]:
    """Yield the articles that a method finds on the stored pages of a site."""
    if method in METHODS:
        yield from articles_by(store, site, method, seconds=seconds)
        return
    with Browser(chromium) as browser:
        yield from articles_by_wrapper(store, site, method, browser, seconds)


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
