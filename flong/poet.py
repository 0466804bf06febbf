"""scrapy-poet add-on: articles of learned sites in any Scrapy project.

With `ADDONS = {"flong.poet.Addon": 500}`, a callback with an argument `article: Article` of
zyte-common-items gets the article that `flong extract` would store. See docs/library.md.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flong.article import Article as FlongArticle
from flong.article import BlockKind, paragraphs_of, to_html
from flong.database import open as open_database
from flong.errors import FlongError
from flong.site import SiteModel, read

try:
    import attrs
    import zyte_common_items
    from scrapy.http import Response, TextResponse
    from scrapy.settings import BaseSettings
    from scrapy.utils.asyncio import is_asyncio_available
    from scrapy.utils.defer import maybe_deferred_to_future
    from scrapy_poet import Addon as ScrapyPoetAddon  # type: ignore[attr-defined]
    from scrapy_poet import PageObjectInputProvider  # type: ignore[attr-defined]
    from twisted.internet.defer import DeferredLock
    from twisted.internet.threads import deferToThread
    from web_poet import PageParams, cached_method, field, handle_urls
    from web_poet.serialization import SerializedLeafData, register_serialization
    from zyte_common_items import Article, ArticleMetadata, Author, Image
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"flong.poet needs {error.name}, which is not installed: pip install 'flong[poet]'"
    ) from None

from flong.crawler import decode, flong_settings

logger = logging.getLogger(__name__)

T = TypeVar("T")

KEPT_SITES = 100
"""Maximum number of models in memory; the oldest is evicted."""
PRIORITY = 100
"""Priority of the rule for any URL; rules of the project have 500."""
PROVIDER_ORDER = 1100
"""Position after scrapy-poet's own providers."""


class Addon:
    """Enables scrapy-poet, and provides `zyte_common_items.Article` by flong."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Add the settings; those of the project have precedence."""
        ScrapyPoetAddon().update_settings(settings)
        settings.setdefault_in_component_priority_dict(
            "SCRAPY_POET_PROVIDERS", KnownSiteProvider, PROVIDER_ORDER
        )
        settings.setdefault("FLONG_DATABASE", flong_settings()["FLONG_DATABASE"], "addon")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class KnownSite:
    """Everything besides the response that the page object needs."""

    url: str
    """URL of the page."""
    seen: datetime
    """Time of the response."""
    model: SiteModel | None
    """Model of its site; None if it was not learned."""

    def read(self, html: str, anchors: Sequence[str]) -> FlongArticle | None:
        """Return the article of the page; read as a single page without a model."""
        try:
            if self.model is not None:
                return self.model.read(self.url, html, anchors=anchors, now=self.seen)
            return read(self.url, html, now=self.seen)
        except FlongError:  # such as a file:// URL
            return None


class KnownSiteProvider(PageObjectInputProvider):
    """Loads the models of sites from `FLONG_DATABASE`, once per host, in a thread."""

    provided_classes = {KnownSite}  # noqa: RUF012 - as scrapy-poet declares it
    name = "flong_known_site"

    def __init__(self, injector: Any) -> None:
        super().__init__(injector)  # type: ignore[no-untyped-call]
        self._database = injector.crawler.settings["FLONG_DATABASE"]
        self._models: dict[str, SiteModel | None] = {}
        self._loading = DeferredLock()

    async def __call__(self, to_provide: set[Any], response: Response) -> list[KnownSite]:
        """Return the model of a response's site."""
        host = urlsplit(response.url).netloc
        known = host in self._models
        model = self._models[host] if known else await self._load(host, response)
        stats = self.injector.crawler.stats
        stats.inc_value("flong/poet/alone" if model is None else "flong/poet/learned")
        return [KnownSite(url=response.url, seen=datetime.now(UTC), model=model)]

    async def _load(self, host: str, response: Response) -> SiteModel | None:
        """Return the model of a host, unless another request has loaded it meanwhile."""
        await maybe_deferred_to_future(self._loading.acquire())
        try:
            if host not in self._models:
                model = await _in_thread(lambda: load_model(self._database, response))
                while len(self._models) >= KEPT_SITES:
                    del self._models[next(iter(self._models))]
                self._models[host] = model
            return self._models[host]
        finally:
            self._loading.release()


def load_model(database: str, response: Response) -> SiteModel | None:
    """Return the model of a response's site, compiled and ready; None if it was not learned.

    The response is read once so that kernels are compiled now. Later that would block all
    downloads.
    """
    model = None
    try:
        with open_database(database) as opened:
            model = opened.site_of(response.url).model()
    except FlongError as error:
        logger.warning(
            "Pages of %s are read one by one, without templates: %s",
            urlsplit(response.url).netloc or response.url,
            error,
        )
    if isinstance(response, TextResponse):
        KnownSite(url=response.url, seen=datetime.now(UTC), model=model).read(response.text, ())
    return model


async def _in_thread(work: Callable[[], T]) -> T:
    if is_asyncio_available():
        return await asyncio.to_thread(work)
    return await deferToThread(work)


@handle_urls("", priority=PRIORITY)
@attrs.define(kw_only=True)
class ArticlePage(zyte_common_items.ArticlePage):
    """Page object for any URL; probability 0 if the page is not an article.

    Texts of links to the page can be given as `page_params={"anchors": [...]}` of the request.
    Those of the learned pages are known.
    """

    known_site: KnownSite
    page_params: PageParams  # type: ignore[type-arg]  # scrapy-poet matches this name

    @cached_method
    def read(self) -> FlongArticle | None:
        """Return the page's article, or None if the page is not an article."""
        kind = self.response.headers.get("Content-Type")
        if not _is_markup(kind or ""):
            return None
        said = self.page_params.get("anchors", ())
        anchors = [said] if isinstance(said, str) else list(said)
        return self.known_site.read(decode(bytes(self.response.body), kind).text, anchors)

    def validate_input(self) -> Article | None:
        """Return an empty item if the page is not an article."""
        return self.no_item_found() if self.read() is None else None

    def no_item_found(self) -> Article:
        """Return an empty item with probability 0."""
        return Article(url=str(self.response.url), metadata=self._metadata(probability=0.0))

    def _metadata(self, probability: float) -> ArticleMetadata:
        return ArticleMetadata(dateDownloaded=_iso(self.known_site.seen), probability=probability)

    @property
    def _article(self) -> FlongArticle:
        article = self.read()
        if article is None:
            raise RuntimeError("fields of a page that is not an article are never read")
        return article

    @field
    def headline(self) -> str | None:
        """Return the title without the site's name."""
        return self._article.title or None

    @field
    def articleBody(self) -> str | None:
        """Return the text, one line per paragraph."""
        return self._article.body or None

    @field
    def articleBodyHtml(self) -> str | None:
        """Return the text with headings, lists, links and pictures."""
        return to_html(self._article.blocks or paragraphs_of(self._article.body)) or None

    @field
    def datePublished(self) -> str | None:
        """Return the time of publication; midnight if only the day is known."""
        return _iso(self._article.published)

    @field
    def datePublishedRaw(self) -> str | None:
        """Return the date of publication as written."""
        return self._article.published_text

    @field
    def dateModified(self) -> str | None:
        """Return the time of the last change."""
        return _iso(self._article.modified)

    @field
    def dateModifiedRaw(self) -> str | None:
        """Return the date of the last change as written."""
        return self._article.modified_text

    @field
    def authors(self) -> list[Author] | None:
        """Return the authors."""
        return [Author(name=name, nameRaw=name) for name in self._article.authors] or None

    @field
    def inLanguage(self) -> str | None:
        """Return the language code."""
        return self._article.language

    @field
    def mainImage(self) -> Image | None:
        """Return the lead image."""
        return Image(url=self._article.image) if self._article.image else None

    @field
    def images(self) -> list[Image] | None:
        """Return the lead image and the pictures in the text."""
        shown = [block.url for block in self._article.blocks if block.kind is BlockKind.IMAGE]
        urls = dict.fromkeys(url for url in (self._article.image, *shown) if url)
        return [Image(url=url) for url in urls] or None

    @field
    def description(self) -> str | None:
        """Return the summary by the site."""
        return self._article.description

    @field
    def canonicalUrl(self) -> str | None:
        """Return the canonical URL in the page."""
        return self._article.canonical_url

    @field
    def metadata(self) -> ArticleMetadata:
        """Return the confidence in the article, and the time of the response."""
        return self._metadata(self._article.confidence)


def _is_markup(content_type: str) -> bool:
    """Return True if a response may be a page; one without a type may be.

    >>> _is_markup("text/html; charset=utf-8"), _is_markup(""), _is_markup("application/pdf")
    (True, True, False)
    """
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or kind.startswith("text/") or kind.endswith(("html", "xml"))


def _iso(time: datetime | None) -> str | None:
    return None if time is None else time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _write_known_site(site: KnownSite) -> SerializedLeafData:
    """Return the data for a fixture of one page, with the anchors of that page only."""
    files = {"url.txt": site.url.encode(), "seen.txt": site.seen.isoformat().encode()}
    if site.model is not None:
        own = site.model.scope.canonical(site.url) or ""
        anchors = {own: site.model.anchors[own]} if own in site.model.anchors else {}
        files["model.json"] = replace(site.model, anchors=anchors).to_json().encode()
    return files


def _read_known_site(cls: type[KnownSite], files: SerializedLeafData) -> KnownSite:
    model = files.get("model.json")
    return cls(
        url=files["url.txt"].decode(),
        seen=datetime.fromisoformat(files["seen.txt"].decode()),
        model=None if model is None else SiteModel.from_json(model.decode()),
    )


register_serialization(_write_known_site, _read_known_site)
