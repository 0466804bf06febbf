"""Registry of all methods other than flong's own: tree-based ones and the V-Wrapper."""

from collections.abc import Iterator, Sequence

from flong.article import Article
from flong.stages.methods import METHODS, articles_by
from flong.storage import ArticleRow, Site, Store
from flong.tree import SitePage
from flong.visual.block_tree import unpack_blocks
from flong.visual.browser import Browser
from flong.visual.model_json import WRAPPERS
from flong.visual.stored_pages import articles_by_wrapper, load_wrappers, read_article

METHOD_NAMES = (*sorted(METHODS), *WRAPPERS)
"""Values of `--method`."""


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
    """Return the article that a method finds on the first page, whose HTML is given.

    `taken` are its blocks from the crawl; without them the page is laid out.
    """
    if method in METHODS:
        return METHODS[method](pages)[0]
    wrapper, page = load_wrappers(method)[taken is not None], pages[0]
    if taken is not None:
        return read_article(wrapper, page, unpack_blocks(taken), method)
    with Browser(chromium) as browser:
        return read_article(wrapper, page, browser.blocks(page.url, html, page.tree), method)
