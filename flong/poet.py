"""flong in anybody's Scrapy project: articles of learned sites as scrapy-poet gives items.

With `ADDONS = {"flong.poet.Addon": 500}` a callback that has an argument `article: Article`, of
zyte-common-items, gets what `flong extract` makes of the page. `docs/library.md` tells how.
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
"""Hosts whose models are in memory; of a broad crawl the earliest are loaded again."""
PRIORITY = 100
"""Of the rule for any URL: rules of the project, which have 500, go before it."""
PROVIDER_ORDER = 1100
"""After scrapy-poet's own providers."""


class Addon:
    """Switches on scrapy-poet and lets flong give `zyte_common_items.Article`."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Add what is needed to the settings; what the project says of it stays."""
        ScrapyPoetAddon().update_settings(settings)
        settings.setdefault_in_component_priority_dict(
            "SCRAPY_POET_PROVIDERS", KnownSiteProvider, PROVIDER_ORDER
        )
        settings.setdefault("FLONG_DATABASE", flong_settings()["FLONG_DATABASE"], "addon")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class KnownSite:
    """What flong knows of a page besides the response: all that its page object needs."""

    url: str
    """URL of the page."""
    seen: datetime
    """When it was received."""
    model: SiteModel | None
    """What was learned about its site; None if nothing was."""

    def read(self, html: str, anchors: Sequence[str]) -> FlongArticle | None:
        """Return the article of the page; read alone if nothing is known of its site."""
        try:
            if self.model is not None:
                return self.model.read(self.url, html, anchors=anchors, now=self.seen)
            return read(self.url, html, now=self.seen)
        except FlongError:  # such as a file:// URL
            return None


class KnownSiteProvider(PageObjectInputProvider):
    """Loads the models of sites from `FLONG_DATABASE`, once for each host, in a thread."""

    provided_classes = {KnownSite}  # noqa: RUF012 - as scrapy-poet declares it
    name = "flong_known_site"

    def __init__(self, injector: Any) -> None:
        super().__init__(injector)  # type: ignore[no-untyped-call]
        self._database = injector.crawler.settings["FLONG_DATABASE"]
        self._models: dict[str, SiteModel | None] = {}
        self._loading = DeferredLock()

    async def __call__(self, to_provide: set[Any], response: Response) -> list[KnownSite]:
        """Return what is known of the site of a response."""
        host = urlsplit(response.url).netloc
        known = host in self._models
        model = self._models[host] if known else await self._load(host, response)
        stats = self.injector.crawler.stats
        stats.inc_value("flong/poet/alone" if model is None else "flong/poet/learned")
        return [KnownSite(url=response.url, seen=datetime.now(UTC), model=model)]

    async def _load(self, host: str, response: Response) -> SiteModel | None:
        """Return the model of a host, loaded unless another request has done so meanwhile."""
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
    """Return what was learned about the site of a response, ready to be used; None if nothing was.

    The response is read once, so that what has to be compiled is: that takes long, and later it
    would hold up all downloads.
    """
    model = None
    try:
        with open_database(database) as opened:
            model = opened.site_of(response.url).model()
    except FlongError as error:
        logger.warning(
            "Pages of %s are read one by one, without their templates: %s",
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
    """An article as flong reads it, for any URL; a page that is none has probability 0.

    `page_params={"anchors": [...]}` of a request are texts of links that lead to the page; those
    that flong has seen are known.
    """

    known_site: KnownSite
    page_params: PageParams  # type: ignore[type-arg]  # scrapy-poet knows it by this name

    @cached_method
    def read(self) -> FlongArticle | None:
        """Return flong's article of the page; None if it is none."""
        kind = self.response.headers.get("Content-Type")
        if not _is_markup(kind or ""):
            return None
        said = self.page_params.get("anchors", ())
        anchors = [said] if isinstance(said, str) else list(said)
        return self.known_site.read(decode(bytes(self.response.body), kind).text, anchors)

    def validate_input(self) -> Article | None:
        """Return an empty item for a page that is no article."""
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
            raise RuntimeError("fields of a page that is no article are never asked for")
        return article

    @field
    def headline(self) -> str | None:
        """Return the title, without the site's name."""
        return self._article.title or None

    @field
    def articleBody(self) -> str | None:
        """Return the text, a line per paragraph."""
        return self._article.body or None

    @field
    def articleBodyHtml(self) -> str | None:
        """Return the text with headings, lists, links and pictures."""
        return to_html(self._article.blocks or paragraphs_of(self._article.body)) or None

    @field
    def datePublished(self) -> str | None:
        """Return when it was published; at midnight if only the day is known."""
        return _iso(self._article.published)

    @field
    def datePublishedRaw(self) -> str | None:
        """Return that as the page writes it."""
        return self._article.published_text

    @field
    def dateModified(self) -> str | None:
        """Return when it was last changed."""
        return _iso(self._article.modified)

    @field
    def dateModifiedRaw(self) -> str | None:
        """Return that as the page writes it."""
        return self._article.modified_text

    @field
    def authors(self) -> list[Author] | None:
        """Return who wrote it."""
        return [Author(name=name, nameRaw=name) for name in self._article.authors] or None

    @field
    def inLanguage(self) -> str | None:
        """Return the code of its language."""
        return self._article.language

    @field
    def mainImage(self) -> Image | None:
        """Return the lead picture."""
        return Image(url=self._article.image) if self._article.image else None

    @field
    def images(self) -> list[Image] | None:
        """Return the lead picture and those within the text."""
        shown = [block.url for block in self._article.blocks if block.kind is BlockKind.IMAGE]
        urls = dict.fromkeys(url for url in (self._article.image, *shown) if url)
        return [Image(url=url) for url in urls] or None

    @field
    def description(self) -> str | None:
        """Return what the page says of it in a sentence or two."""
        return self._article.description

    @field
    def canonicalUrl(self) -> str | None:
        """Return the URL that the page names as its own."""
        return self._article.canonical_url

    @field
    def metadata(self) -> ArticleMetadata:
        """Return how sure it is that this is an article with these fields."""
        return self._metadata(self._article.confidence)


def _is_markup(content_type: str) -> bool:
    """Say whether a response may be a page: what says nothing of itself may.

    >>> _is_markup("text/html; charset=utf-8"), _is_markup(""), _is_markup("application/pdf")
    (True, True, False)
    """
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or kind.startswith("text/") or kind.endswith(("html", "xml"))


def _iso(time: datetime | None) -> str | None:
    return None if time is None else time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _write_known_site(site: KnownSite) -> SerializedLeafData:
    """Return what a fixture of one page needs: of the anchors only those of the page."""
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
