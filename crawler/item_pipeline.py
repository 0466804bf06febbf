"""Item pipeline that writes pages to the database in batches, in a background thread."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Self, TypeVar, cast

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, DropItem
from scrapy.utils.asyncio import create_looping_call
from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred

from flong.crawler.bounds import Bound
from flong.crawler.outcomes import Failed, FeedMentions, Gone, NotHtml, Redirected, Unchanged
from flong.crawler.revisit_policy import Lookup, RevisitPolicy
from flong.crawler.settings import lock_settings
from flong.crawler.signals import revisits_loaded, walk_ended
from flong.crawler.spider import SiteSpider
from flong.page import Mention, Page
from flong.states import RunKind, RunStatus
from flong.storage import Alias, Run, Site, SiteSettings, StorageError, Store, UnknownSite

logger = logging.getLogger(__name__)

T = TypeVar("T")

BATCH_BYTES = 8_000_000
"""Maximum size of the pages in one batch, in bytes of HTML."""
LIGHT = 0.1
"""Weight of an unchanged page in a batch, relative to a new one: it needs few writes."""
MOST_BATCHES = 3
"""Maximum number of batches being written before the crawl waits."""
Item = Page | FeedMentions | Failed | Gone | Unchanged | Redirected | NotHtml
REPORT_SECONDS = 30
"""Seconds between two progress lines in the log."""


@dataclass(slots=True)
class Batch:
    """Items written in one transaction."""

    pages: list[Page] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    failures: list[Failed] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)
    size: int = 0
    """Size of the pages in bytes."""
    weight: float = 0
    """Fill level, limited by `FLONG_BATCH`."""

    def urls(self) -> list[str]:
        """Return the URLs of new and unchanged pages."""
        return [*self.unchanged, *(page.url for page in self.pages)]

    def add(self, item: Item) -> None:
        """Add one item."""
        self.weight += LIGHT if isinstance(item, Unchanged) else 1
        match item:
            case Page():
                self.pages.append(item)
                self.size += len(item.html)
            case FeedMentions():
                self.mentions += item.mentions
            case Failed():
                self.failures.append(item)
            case Unchanged():
                self.unchanged.append(item.url)
            case Gone():
                self.gone.append(item.url)
            case Redirected(url=url, target=target, is_page=is_page):
                self.aliases.append(_alias(url, target, is_page))
            case NotHtml(url=url):
                self.aliases.append(_alias(url, None))


def _alias(url: str, target: str | None, is_page: bool = False) -> Alias:
    return Alias(url=url, target=target, is_page=is_page, checked_at=datetime.now(UTC))


class StoragePipeline:
    """Stores the spider's items in order, in its own thread.

    Each crawl is a run. An interrupted run is resumed: pages that it has stored are not requested
    again, and the spider follows their stored links.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._database = str(settings["FLONG_DATABASE"])
        self._locking = lock_settings(settings)
        self._most = settings.getint("FLONG_BATCH")
        self._night = settings.getint("FLONG_NIGHT") or None
        self._resumable = timedelta(hours=settings.getfloat("FLONG_RESUME_HOURS"))
        self._longest = timedelta(days=settings.getfloat("FLONG_REVISIT_DAYS"))
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="storage")
        self._clock = create_looping_call(self._tick)
        self._seconds = settings.getfloat("FLONG_FLUSH_SECONDS")
        self._begun = self._reported = time.monotonic()
        self._closing: asyncio.Future[None] | None = None
        self._open = ExitStack()
        self._batch = Batch()
        self._writing: set[asyncio.Future[None]] = set()
        self._seen: set[str] = set()
        self._is_broken = False  # a batch could not be written
        self._has_ended = False
        self._is_closed = False
        self._store: Store
        self._site: Site
        self._run: Run
        self._revisits: RevisitPolicy
        self._links: dict[str, list[str]]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect to the signals of the crawler."""
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.end_run, signal=walk_ended)
        crawler.signals.connect(pipeline.finish, signal=signals.spider_closed)
        return pipeline

    @property
    def _spider(self) -> SiteSpider:
        return cast(SiteSpider, self._crawler.spider)

    async def open_spider(self) -> None:
        """Open the database, lock the site, and start or resume a run."""
        from twisted.internet import reactor  # noqa: PLC0415 - importing it installs one

        # Scrapy may stop while the spider is being opened, and then does not close it.
        at_its_end = cast(ReactorBase, reactor).addSystemEventTrigger
        at_its_end("before", "shutdown", self._abandon)
        try:
            stored = await self._in_thread(self._begin)
        except StorageError as error:
            self._spider.give_up(str(error))
            raise CloseSpider("storage") from error
        self._crawler.signals.send_catch_log(
            revisits_loaded, revisits=self._revisits, stored=stored
        )
        self._clock.start(self._seconds, now=False)

    def _begin(self) -> int:
        """Start or resume the run; return its number of stored pages."""
        self._store = self._open.enter_context(Store.open(self._database, locking=self._locking))
        self._site = self._register()
        self._open.enter_context(self._store.locks.hold(self._site))
        known = self._store.pages.known_pages(self._site)
        self._links = self._store.links.known_links(self._site)
        aliases = self._store.links.aliases(self._site)
        self._revisits = RevisitPolicy(
            known,
            aliases,
            now=datetime.now(UTC),
            longest=self._longest,
            lookup=Lookup(links_of=self._known_links, is_stored=lambda url: url in self._seen),
        )
        run = self._store.runs.unfinished(self._site, RunKind.CRAWL)
        if run is None or datetime.now(UTC) - run.started_at > self._resumable:
            self._run = self._store.runs.start(self._site, RunKind.CRAWL, night_id=self._night)
            return 0
        self._run = self._store.runs.resume(run, night_id=self._night)
        self._seen = set(self._store.runs.urls(self._run))
        counts = self._store.runs.count(self._run)
        return counts.new + counts.changed + counts.unchanged

    def _register(self) -> Site:
        """Add the site, or update its settings with the arguments given, except `max_pages`."""
        given = self._spider.arguments
        try:
            known = self._store.sites.find(given.url).settings
        except UnknownSite:
            known = SiteSettings(depth=self._spider.depth)
        settings = SiteSettings(
            depth=known.depth if given.depth is None else given.depth,
            delay=known.delay if given.delay is None else given.delay,
            render=known.render if given.render is None else given.render,
            subdomains=known.subdomains if given.subdomains is None else given.subdomains,
            max_pages=known.max_pages,
            include=known.include if given.include is None else given.include or None,
            exclude=known.exclude if given.exclude is None else given.exclude or None,
            cookies=known.cookies if given.cookies is None else given.cookies or None,
            visual=known.visual if given.visual is None else given.visual,
        )
        return self._store.sites.add(given.url, settings)

    def _known_links(self, url: str) -> Sequence[str]:
        links: Sequence[str] | None = self._links.get(url)
        if links is None and url not in self._seen:
            return ()
        if links is None:
            links = [link.url for link in self._store.links.links_at(self._site, url)]
        return links

    async def process_item(self, item: object) -> object:
        """Store the item; wait only if too many batches are being written.

        Other pipelines and feeds get articles, and pages only with `items=pages`.
        """
        if not isinstance(item, Item):
            return item
        self._take(item)
        if len(self._writing) >= MOST_BATCHES:
            await asyncio.wait(self._writing, return_when=asyncio.FIRST_COMPLETED)
        if self._spider.arguments.items != "pages":
            raise DropItem("It is stored.", log_level="DEBUG")
        return item

    def _take(self, item: Item) -> None:
        self._batch.add(item)
        if self._batch.weight >= self._most or self._batch.size >= BATCH_BYTES:
            self._flush()

    def _tick(self) -> None:
        self._flush()
        if time.monotonic() - self._begun > 60 * self._spider.bounds.minutes:
            self._spider.run_late()
        if time.monotonic() - self._reported >= REPORT_SECONDS:
            self._reported = time.monotonic()
            spider = self._spider
            logger.info("%d pages; %d URLs to go", spider.stored, len(spider.frontier))

    def _flush(self) -> None:
        if self._batch.weight:
            batch, self._batch = self._batch, Batch()
            future = self._in_thread(
                lambda: self._store.retry_while_busy(lambda: self._write(batch))
            )
            self._writing.add(future)
            future.add_done_callback(self._written)
            future.add_done_callback(lambda done: self._spider.frontier.stored(batch.urls()))

    def _write(self, batch: Batch) -> None:
        """Write a batch (idempotent). After a failed batch, nothing is written."""
        if self._is_broken:
            return
        if batch.pages:
            self._store.pages.save(self._site, self._run, batch.pages)
            for page in batch.pages:
                self._links.pop(page.url, None)
        if batch.mentions:
            self._store.links.save_mentions(self._site, batch.mentions)
        for failed in batch.failures:
            self._store.pages.mark_failed(
                self._site,
                self._run,
                failed.url,
                status=failed.status,
                error=failed.reason,
                depth=failed.depth,
            )
        if batch.unchanged:
            self._store.pages.mark_unchanged(self._site, self._run, batch.unchanged)
        if batch.gone:
            self._store.pages.mark_gone(self._site, self._run, batch.gone)
        if batch.aliases:
            self._store.links.save_aliases(self._site, self._run, batch.aliases)
        self._seen.update(batch.urls())

    def _written(self, future: asyncio.Future[None]) -> None:
        self._writing.discard(future)
        error = future.exception()
        if error is not None and not self._is_broken:
            self._is_broken = True
            self._spider.give_up(str(error))
            logger.error("The crawl stops: %s", error, exc_info=not isinstance(error, StorageError))
            self._close_for("storage")

    def _close_for(self, reason: str) -> None:
        """Close the spider, once."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(
                self._crawler.engine.close_spider_async(reason=reason)
            )

    async def close_spider(self) -> None:
        """Write the remaining items."""
        if self._clock.running:
            self._clock.stop()
        self._flush()
        if self._writing:
            await asyncio.wait(self._writing)

    async def end_run(self, reason: str) -> None:
        """Write the remaining items and end the run, before the articles are extracted."""
        await self.close_spider()
        try:
            if not self._is_broken:
                await self._in_thread(lambda: self._end(reason))
                self._has_ended = True
        except StorageError as error:
            self._spider.give_up(str(error))

    async def finish(self, reason: str) -> None:
        """End the run; a run that was stopped can be resumed."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            await self._in_thread(lambda: self._settle(reason))
        except StorageError as error:
            self._spider.give_up(str(error))
        finally:
            await self._in_thread(self._close)
            self._thread.shutdown(wait=False)

    def _abandon(self) -> Deferred[None]:
        """End the run if the reactor stops before the spider was closed."""
        return Deferred.fromFuture(asyncio.ensure_future(self.finish("shutdown")))

    def _settle(self, reason: str) -> None:
        """End or leave the run if it was started; runs in the thread that starts it."""
        if not hasattr(self, "_run") or self._has_ended:
            return
        if reason in ("finished", *Bound):
            self._end(reason)
        else:
            self._leave()

    def _end(self, reason: str) -> None:
        spider = self._spider
        reached = map(spider.bounds.sentence, spider.reached(reason))
        status = RunStatus.FAILED if spider.trouble else RunStatus.DONE
        self._store.links.save_depths(self._site, spider.frontier.depths)
        note = spider.trouble or " ".join(reached)
        run = self._store.runs.finish(self._run, status, note=note)
        for name in ("new", "changed", "unchanged", "gone", "failed"):
            self._crawler.stats.set_value(f"flong/{name}", getattr(run.counts, name))

    def _leave(self) -> None:
        self._store.runs.leave(self._run, RunStatus.INTERRUPTED, self._spider.trouble)

    def _close(self) -> None:
        try:
            self._open.close()
        except StorageError as error:  # the lock of a dead process expires
            self._spider.give_up(self._spider.trouble or str(error))

    def _in_thread(self, work: Callable[[], T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._thread, work)
