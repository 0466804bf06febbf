"""A Scrapy extension that yields the articles of a crawl as items before the crawl ends.

Learning takes a core for seconds or minutes. It runs in a thread, and pages are read in worker
processes, so that Scrapy's engine stays responsive.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from flong.article import Article
from flong.crawler import SiteSpider, articles_wanted, lock_settings
from flong.errors import PipelineError
from flong.findings import Finding
from flong.stages.after_crawl import after_crawl, was_learned
from flong.stages.learning_settings import learning_settings
from flong.states import RunKind
from flong.storage import ArticleChoice, Run, StorageError, Store, UnknownSite
from flong.workers.pool import start_workers


class ArticleItems:
    """Runs `after_crawl` when all pages are stored, and returns the articles to the spider."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._stats = crawler.stats
        self._database = str(settings["FLONG_DATABASE"])
        self._locking = lock_settings(settings)
        self._learning = learning_settings(settings)
        self._learns = settings.getbool("FLONG_LEARN")
        self._crawl: Run | None = None
        self.findings: list[Finding] = []
        """Findings of `after_crawl`."""
        self.articles = 0
        """Number of articles of the site; 0 after an error, or if the site was not learned."""
        self.fresh = 0
        """Number of articles that are new or changed in this crawl."""
        self.error = ""
        """Error message; empty without an error."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect to the signals of a crawl that extracts articles."""
        if not crawler.settings.getbool("FLONG_EXTRACT"):
            raise NotConfigured  # without a message, so that nothing is logged
        items = cls(crawler)
        crawler.signals.connect(items.prepare, signal=signals.spider_opened)
        crawler.signals.connect(items.gather, signal=articles_wanted)
        return items

    @property
    def is_extracted(self) -> bool:
        """True if the pages of the crawl were extracted."""
        return self._crawl is not None

    def prepare(self, spider: SiteSpider) -> None:
        """Start a worker during the crawl of a site that will be learned: loading takes seconds."""
        if self._learns and isinstance(spider, SiteSpider):
            with self._open() as store, suppress(UnknownSite):
                if store.templates.model_version(store.sites.find(spider.arguments.url)):
                    return
            start_workers()

    async def gather(self, spider: SiteSpider) -> Iterator[Article]:
        """Return the articles of a finished crawl; nothing after an error."""
        url = spider.arguments.url
        try:
            await asyncio.to_thread(self._work, url)
        except (StorageError, PipelineError) as error:
            self.error = str(error)
        if self._crawl is None or spider.arguments.items == "pages":
            return iter(())
        return self._articles(url, None if spider.arguments.items == "all" else self._crawl)

    def _work(self, url: str) -> None:
        with self._open() as store:
            site = store.sites.find(url)
            if not self._learns and not store.templates.model_version(site):
                return
            crawl = next(run for run in store.runs.all(site) if run.kind is RunKind.CRAWL)
            self.findings = after_crawl(store, site, crawl, self._learning, learns=self._learns)
            self.articles = store.articles.count(site)
            self.fresh = store.articles.count(site, extracted_after=crawl)
            self._crawl = crawl
        self._stats.set_value("flong/articles", self.articles)
        self._stats.set_value("flong/articles/new", self.fresh)
        self._stats.set_value("flong/learned", int(was_learned(self.findings)))

    def _articles(self, url: str, after: Run | None) -> Iterator[Article]:
        with self._open() as store:
            sites = (store.sites.find(url),)
            for row in store.articles.chosen(ArticleChoice(sites=sites, extracted_after=after)):
                yield row.article

    def _open(self) -> Store:
        return Store.open(self._database, locking=self._locking)
