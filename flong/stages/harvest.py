"""From the pages of a crawl to its articles, before the crawl ends: they become Scrapy items.

Learning takes all of a processor, for seconds or minutes. It is done in a thread, and in processes
of its own where pages are read, so that the engine stays alive.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from flong.article import Article
from flong.crawler import SiteSpider, articles_wanted, lock_settings
from flong.errors import PipelineError
from flong.stages.after_crawl import after_crawl, extract_waiting, take_in
from flong.stages.article_merge import is_same_text
from flong.stages.drift import outgrown
from flong.stages.hints import hint
from flong.stages.learning_settings import LearningSettings, learning_settings
from flong.storage import ArticleChoice, Run, Site, StorageError, Store, UnknownSite
from flong.workers.pool import start_workers


@dataclass(slots=True)
class Harvested:
    """What came of the pages of a crawl."""

    learned: list[str] = field(default_factory=list)
    """Why the site was learned, and what was found, a sentence each; empty if it was not."""
    look: list[str] = field(default_factory=list)
    """What a person should look at, a sentence each."""
    articles: int = 0
    """Articles of the site that there are now."""
    fresh: int = 0
    """Those of them that this crawl brought or changed."""


class Harvest:
    """Gives the spider the articles of its crawl; what there is to say of them, to the command."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._stats = crawler.stats
        self._database = str(settings["FLONG_DATABASE"])
        self._locking = lock_settings(settings)
        self._learning = learning_settings(settings)
        self._learns = settings.getbool("FLONG_LEARN")
        self.harvested: Harvested | None = None
        """What came of it; None if nothing did, or nobody wanted articles."""
        self.error = ""
        """Why not, in a sentence; empty if nothing went wrong."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Wait until a spider wants articles."""
        if not crawler.settings.getbool("FLONG_EXTRACT"):
            raise NotConfigured  # without words, so that nothing is logged
        harvest = cls(crawler)
        crawler.signals.connect(harvest.prepare, signal=signals.spider_opened)
        crawler.signals.connect(harvest.gather, signal=articles_wanted)
        return harvest

    def prepare(self, spider: SiteSpider) -> None:
        """Let a worker load, or compile, during the crawl of a site that will be learned."""
        if self._learns and isinstance(spider, SiteSpider):
            with self._open() as store, suppress(UnknownSite):
                if store.models.version(store.sites.find(spider.arguments.url)):
                    return
            start_workers()

    async def gather(self, spider: SiteSpider) -> Iterator[Article]:
        """Return the articles of a crawl that has ended; none if something went wrong."""
        url, began = spider.arguments.url, datetime.now(UTC).replace(microsecond=0)
        since = None if spider.arguments.items == "all" else began
        try:
            await asyncio.to_thread(self._work, url, began)
        except (StorageError, PipelineError) as error:
            self.error = str(error)
        if self.harvested is None or spider.arguments.items == "pages":
            return iter(())
        return self._articles(url, since)

    def _work(self, url: str, began: datetime) -> None:
        with self._open() as store:
            site = store.sites.find(url)
            crawl = next(run for run in store.runs.all(site) if run.kind == "crawl")
            done = harvest(store, site, crawl, self._learning, learns=self._learns)
            if done is not None:
                done.articles = store.articles.count(site)
                done.fresh = store.articles.count(site, since=began)
                self._stats.set_value("flong/articles", done.articles)
                self._stats.set_value("flong/articles/new", done.fresh)
                self._stats.set_value("flong/learned", len(done.learned))
            self.harvested = done

    def _articles(self, url: str, since: datetime | None) -> Iterator[Article]:
        with self._open() as store:
            sites = (store.sites.find(url),)
            for row in store.articles.chosen(ArticleChoice(sites=sites, extracted_since=since)):
                yield row.article

    def _open(self) -> Store:
        return Store.open(self._database, locking=self._locking)


def harvest(
    store: Store, site: Site, crawl: Run, settings: LearningSettings, *, learns: bool
) -> Harvested | None:
    """Extract what a crawl brought; learn the site first if it is new or was outgrown.

    None if it was never learned and is not to be.
    """
    if not learns and not store.models.version(site):
        return None
    done, seconds = Harvested(), settings.page_seconds

    def learn_again() -> None:
        _learn(store, site, settings, done, "It had been learned by another version")

    if learns:
        intake = take_in(store, site, crawl, learn_again, seconds=seconds)
    else:
        intake = after_crawl(store, site, crawl, seconds=seconds)
    done.look += intake.sentences(site)
    if learns and not done.learned and not intake.walled and not intake.broken:
        is_known = bool(store.models.version(site))
        why = outgrown(store, site) if is_known else "It is new" * bool(store.pages.urls(site))
        if why:
            _learn(store, site, settings, done, why)
            extract_waiting(store, site, seconds=seconds)
            store.articles.forget_misreadings(site, since=crawl, is_same=is_same_text)
    return done


def _learn(store: Store, site: Site, settings: LearningSettings, done: Harvested, why: str) -> None:
    from flong.stages.learning import learn  # noqa: PLC0415 - loads the compiler

    learned = learn(store, site, settings)
    done.learned.append(f"{why}, so {site.name} was learned: {learned.summary}")
    done.look += learned.look
    if not learned.article_patterns:
        found = f"No pattern of articles was found on {site.name}."
        done.look.append(f"{found} {hint(store, site, few_articles=True)}".rstrip())
