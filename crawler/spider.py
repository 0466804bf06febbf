"""The spider `site`: crawls one site from its home page down to a maximum depth."""

import logging
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, DontCloseSpider, IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings
from twisted.python.failure import Failure

from flong.article import Article
from flong.crawler import settings as project_settings
from flong.crawler.arguments import CrawlArguments, cookie_header, load_cookies, read_arguments
from flong.crawler.bounds import Bound, Bounds
from flong.crawler.decoding import Decoded, decode
from flong.crawler.frontier import Frontier
from flong.crawler.networks import Networks, is_loopback
from flong.crawler.outcomes import (
    Failed,
    FeedMentions,
    Gone,
    NotHtml,
    Redirected,
    Unchanged,
    build_page,
    describe_error,
    header_text,
    is_conditional,
    redirect_target,
)
from flong.crawler.rendering import blocks_of, browser_settings, render_meta
from flong.crawler.revisit_policy import RevisitPolicy
from flong.crawler.signals import articles_wanted, revisits_loaded, walk_ended
from flong.crawler.sitemaps import MAX_SITEMAP_BYTES, SitemapQueue
from flong.crawler.url_filter import UrlFilter
from flong.links import MOST_HOPS, ShapeBudget, extract_links, is_continued, refusal
from flong.page import Page
from flong.program import VERSION
from flong.urls import Scope, canonical_url, registered_domain

logger = logging.getLogger(__name__)

HTTP_STATUSES = range(100, 600)
"""Valid status codes (RFC 9110)."""
LISTED_DEPTH = 1
"""Depth of a page found only in a sitemap or feed: as if the home page linked to it."""

UNTHROTTLED = 8
"""Maximum number of requests at a time to a server that is not throttled."""

Items = Iterator[Page | Failed | Gone | NotHtml | Redirected | Unchanged | Request]


class SiteSpider(Spider):
    """Crawls one site and yields its pages, the entries of its feeds, and failures.

    The home page has depth 0; pages listed in sitemaps and feeds have depth 1. A page is identified
    by its canonical URL. Redirects and `rel=canonical` lead to another URL at the same depth, which
    is requested too. A page that declares another canonical URL is kept only if that URL has no
    page.
    """

    name = "site"

    def __init__(self, arguments: CrawlArguments, settings: BaseSettings) -> None:
        super().__init__()
        self.arguments = arguments
        self.depth = settings.getint("FLONG_DEPTH") if arguments.depth is None else arguments.depth
        """Maximum number of links from the home page."""
        self.scope = Scope.of(arguments.url, subdomains=bool(arguments.subdomains))
        self.networks = Networks(self.scope.home, intranet=bool(settings.getint("FLONG_INTRANET")))
        """Networks that the crawl may connect to."""
        self._filter = UrlFilter.of(
            self.scope.home, arguments.include or "", arguments.exclude or ""
        )
        self._cookies = load_cookies(arguments.cookies) if arguments.cookies else None
        self._budget = ShapeBudget(settings.getint("FLONG_TRAP_BUDGET"))
        self.bounds = Bounds.of(settings, arguments.max_pages)
        """Limits of the crawl."""
        self.frontier = Frontier(
            self.depth,
            self._stored_links,
            self._admits,
            lambda url: None if url == self.scope.home else self.revisits.target(url),
            lambda kept, waiting: self.bounds.has_room(kept, waiting, self.stored),
        )
        self.revisits = RevisitPolicy((), now=datetime.now(UTC), longest=timedelta())
        """Pages stored by earlier crawls and earlier attempts at this one."""
        self.stored = 0
        """Number of pages yielded, plus those stored by earlier attempts."""
        self.trouble = ""
        """Reason for a failed or incomplete crawl, as a short phrase."""
        self._received = 0
        self._seconds = settings.getfloat("FLONG_READ_SECONDS")
        self._yielded: set[str] = set()
        self._failed: set[str] = set()
        self._aliases: dict[str, list[Page]] = {}  # by the canonical URL that they declare
        self._redirects: dict[str, str] = {}
        self._hops: dict[str, int] = {}
        self._begun = self._remembered = False
        self._has_left_out = self._has_harvested = False
        self._stopped_by: Bound | None = None
        self._sitemaps = SitemapQueue(
            most=settings.getint("FLONG_SITEMAPS"), pages=settings.getint("FLONG_LISTED_PAGES")
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Parse the arguments of `flong crawl site`; raise `BadArgument` if one is invalid."""
        arguments = read_arguments(kwargs)
        settings = crawler.settings
        _complete(settings)  # not earlier: runners apply the command line's settings again
        spider = super().from_crawler(crawler, arguments, settings)
        _throttle(settings, arguments.delay, spider.scope.home)
        if arguments.render:
            browser = browser_settings(
                settings.get("FLONG_CHROMIUM"), spider.networks, visual=bool(arguments.visual)
            )
            settings.setdict(browser, priority="spider")
        crawler.signals.connect(spider.go_on_from, signal=revisits_loaded)
        crawler.signals.connect(spider._sitemaps.note_robots, signal=signals.robots_parsed)
        crawler.signals.connect(spider._weigh, signal=signals.response_received)
        crawler.signals.connect(spider._rest, signal=signals.spider_idle)
        return spider

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Set the user agent with the configured contact; a mail address is sent as From, too."""
        contact = settings.get("FLONG_CONTACT")
        agent = f"flong/{VERSION} (+{contact})" if contact else f"flong/{VERSION}"
        settings.set("USER_AGENT", agent, priority="spider")
        if contact and "@" in contact and "://" not in contact:
            headers = settings.getdict("DEFAULT_REQUEST_HEADERS") | {"From": contact}
            settings.set("DEFAULT_REQUEST_HEADERS", headers, priority="spider")

    async def start(self) -> AsyncIterator[Any]:
        """Start at the home page."""
        self.frontier.reach(self.scope.home, 0)
        if self.stored:
            logger.info("Resuming with %d stored pages", self.stored)
        return
        yield

    def go_on_from(self, revisits: RevisitPolicy, stored: int) -> None:
        """Use the pages stored by earlier crawls and earlier attempts at this one."""
        self.revisits, self.stored = revisits, stored

    def give_up(self, reason: str) -> None:
        """Record the reason for a failed or incomplete crawl."""
        self.trouble = reason

    def _weigh(self, response: Response) -> None:
        self._received += len(response.body)

    @property
    def _is_sated(self) -> bool:
        """True if the crawl has received its maximum number of bytes."""
        return self._received > self.bounds.megabytes * 1e6

    def run_late(self) -> None:
        """Stop sending requests: the maximum duration is reached."""
        self._stopped_by = Bound.MINUTES

    def leave(self, host: str) -> None:
        """Stop sending requests if the host of the home page is too busy."""
        if host == urlsplit(self.scope.home).hostname:
            self._stopped_by = Bound.PAUSE

    @property
    def _bound(self) -> Bound | None:
        """The limit that was reached, if any; no more requests are sent then."""
        if self.stored >= self.bounds.pages:
            return Bound.PAGES
        if self._is_sated:
            return Bound.MEGABYTES
        return self._stopped_by

    def reached(self, reason: str) -> list[Bound]:
        """Return the limits reached by a crawl that was closed for `reason`."""
        if reason == Bound.PAGES:  # the site may have exactly this number
            more = self.frontier.is_overflown or not self.frontier.is_idle or self._has_left_out
            return [Bound.PAGES] * more
        found = [bound for bound in Bound if bound == reason]
        return found or [Bound.URLS] * self.frontier.is_overflown

    # Scheduler interface

    def has_pages(self) -> bool:
        """Return True if a page is waiting to be requested."""
        return self._bound is None and (bool(len(self.frontier)) or self._has_forgotten())

    def next_page(self) -> Request | None:
        """Return the request for the nearest page that is waiting."""
        if self._bound is not None:  # outstanding responses end the crawl
            return None
        if self._has_forgotten():
            # No page links to these now: they may be gone, or only old.
            self._remembered = True
            for left, depth in self.revisits.pages():
                if left not in self.frontier:
                    self.frontier.reach(left, depth)
        url = self.frontier.next()
        return None if url is None else self._page_request(url, url)

    def _has_forgotten(self) -> bool:
        """Return True if the frontier is empty and stored pages not found in this crawl are due."""
        over = self._begun and self.frontier.is_idle and not self._sitemaps.open
        return over and not self._remembered

    def _page_request(self, url: str, asked: str, hops: int = 0) -> Request:
        # A browser has no cache to validate, and the feeds are read from the home page's HTML.
        whole = self.arguments.render or asked == self.scope.home
        headers = {} if whole else dict(self.revisits.headers(asked))
        if self._cookies is not None:
            headers |= cookie_header(self._cookies, url)
        return Request(
            url,
            callback=self.parse_page,
            errback=self.fail_page,
            headers=headers,
            cb_kwargs={"asked": asked, "hops": hops},
            meta=render_meta(visual=bool(self.arguments.visual)) if self.arguments.render else None,
            dont_filter=True,
        )

    def _admits(self, url: str) -> bool:
        """Return True if a new URL is to be requested."""
        is_wanted = url == self.scope.home or self._filter.admits(url)
        return is_wanted and self._budget.admits(url)

    def _stored_links(self, url: str) -> Sequence[str] | None:
        # The home page is always requested: it proves that the site is up and lists its feeds.
        return None if url == self.scope.home else self.revisits.links(url)

    # Responses

    def parse_page(self, response: Response, asked: str, hops: int) -> Items:
        """Yield the page in a response, or its outcome."""
        target = redirect_target(response)
        if target is not None:
            yield from self._moved(asked, target, hops)
        elif response.status == 304 and asked in self.revisits and is_conditional(response.request):
            yield from self._keep_known(asked)
        elif response.status in (404, 410) and asked in self.revisits:
            yield Gone(url=asked)
            yield from self._skip(asked, "it is gone")
        elif response.status not in (200, 203):
            yield from self._fail(asked, f"HTTP status {response.status}"[:200], response.status)
        elif not isinstance(response, HtmlResponse):
            yield NotHtml(url=asked)
            yield from self._skip(asked, "it is not HTML")
        elif self.scope.canonical(response.url) != asked:  # a browser followed a redirect
            yield from self._moved(asked, response.url, hops)
        else:
            yield from self._read(response, asked, hops)

    def fail_page(self, failure: Failure) -> Items:
        """Yield the outcome of a request without a response."""
        asked = failure.request.cb_kwargs["asked"]  # type: ignore[attr-defined]
        if isinstance(failure.value, IgnoreRequest):
            reason = "robots.txt does not allow it"
            if asked in self.revisits:
                yield from self._fail(asked, reason)
            else:
                yield from self._skip(asked, reason)
        else:
            yield from self._fail(asked, describe_error(failure.value))

    def fail_response(self, response: Response, error: Exception) -> Items:
        """Yield the outcome of a response whose parsing failed."""
        request = response.request
        asked = request.cb_kwargs.get("asked") if request else None
        if asked is not None:
            yield from self._fail(asked, describe_error(error), response.status)
        else:  # a sitemap or feed: optional
            self._sitemaps.done()
            yield from self._request_feeds(())

    def _fail(self, asked: str, reason: str, status: int = 0) -> Items:
        # Servers send invalid status codes, some too large for the database.
        status = status if status in HTTP_STATUSES else 0
        yield Failed(url=asked, reason=reason, status=status, depth=self.frontier.depth(asked))
        yield from self._skip(asked, reason)

    def _skip(self, asked: str, reason: str) -> Items:
        """Continue without the page at a URL."""
        self.frontier.arrived(asked)
        self._failed.add(asked)
        if not self._begun or asked == self.scope.home:
            self.trouble = reason
        yield from self._release(asked)

    def _moved(self, asked: str, target: str, hops: int) -> Items:
        """Follow a redirect to a URL at the same depth."""
        hops = max(hops, self._hops.get(asked, 0)) + 1
        url = self.scope.canonical(target)
        if hops > MOST_HOPS or self._redirects.get(url or "") == asked:
            yield from self._fail(asked, "endless redirect")
        elif not self._begun:
            yield from self._move_home(asked, target, hops)
        elif url is None:
            yield from self._fail(asked, f"redirects off the site: {target[:200]}")
        elif url == asked:
            yield self._page_request(target, asked, hops)
        elif refusal(url) is not None:
            yield from self._fail(asked, f"redirects to a URL that is not crawled: {url[:200]}")
        else:
            self._hops[url], self._redirects[asked] = hops, url
            self.frontier.arrived(asked, moved_to=url)
            yield Redirected(url=asked, target=url)
            yield from self._release(asked)

    def _move_home(self, asked: str, target: str, hops: int) -> Items:
        """Make the target of the home page's redirect the new home page."""
        home = canonical_url(target)
        if home is None or registered_domain(home) != registered_domain(asked):
            yield from self._fail(asked, f"redirects to another site: {target[:200]}")
        elif home == asked:
            yield self._page_request(target, asked, hops)
        else:
            self.scope = Scope.of(home, subdomains=bool(self.arguments.subdomains))
            self._filter = self._filter.moved_to(home)
            self._hops[home], self._redirects[asked] = hops, home
            self.frontier.arrived(asked, moved_to=home)

    def _read(self, response: HtmlResponse, asked: str, hops: int) -> Items:
        decoded = self._decoded(response)
        found = extract_links(decoded.text, response.url, self.scope, seconds=self._seconds)
        if found.refresh is not None:
            yield from self._moved(asked, found.refresh or "elsewhere", hops)
            return
        if not self._begun:
            self._begun = True
            yield from self._request_feeds(self._sitemaps.first(self.scope, found.feeds))
        links = [link.url for link in found.links]
        other = self._declared_canonical(asked, found.canonical)
        self.frontier.arrived(asked, links, moved_to=other)
        page = build_page(response, decoded, asked, self.frontier.depth(asked), found.links)
        page = replace(page, blocks=blocks_of(response)) if self.arguments.visual else page
        if other is None or other not in self.frontier:
            yield from self._keep(page)
        else:
            yield Redirected(url=asked, target=other, is_page=True)
            if other not in self._yielded and self._stored_links(other) is None:
                self._aliases.setdefault(other, []).append(page)
        self._aliases.pop(asked, None)

    def _decoded(self, response: HtmlResponse) -> Decoded:
        if self.arguments.render:  # already decoded by the browser
            return Decoded(response.encoding, response.text)
        return decode(response.body, header_text(response, "Content-Type"))

    def _keep_known(self, asked: str) -> Items:
        """Follow the stored links of an unchanged page."""
        self.revisits.note_unchanged(asked)
        self.frontier.arrived(asked)
        self._aliases.pop(asked, None)
        if self._is_wanted(asked):
            yield Unchanged(url=asked, depth=self.frontier.depth(asked))

    def _declared_canonical(self, asked: str, canonical: str | None) -> str | None:
        """Return the canonical URL that a page declares if it can be trusted, else None."""
        if canonical is None or canonical in (asked, self.scope.home) or asked == self.scope.home:
            return None
        if is_continued(asked, canonical):
            return None
        # A canonical URL is not followed twice, which prevents loops.
        if asked in self._aliases or canonical in self._failed or canonical in self._redirects:
            return None
        if self.revisits.is_alias(canonical):
            return None
        return canonical if refusal(canonical) is None else None

    def _release(self, asked: str) -> Items:
        """Keep the pages whose declared canonical URL has no page."""
        for page in self._aliases.pop(asked, ()):
            yield from self._keep(page)

    def _keep(self, page: Page) -> Items:
        if self._is_wanted(page.url):
            yield page

    def _is_wanted(self, url: str) -> bool:
        """Count a page; return True if it is new in this crawl and within the limit."""
        if url in self._yielded:
            return False
        if self.stored >= self.bounds.pages:
            self._has_left_out = True
            return False
        self.stored += not self.revisits.is_stored(url)
        self._yielded.add(url)
        return True

    # Articles

    def _rest(self) -> None:
        """Request the articles once all pages are stored; then close the spider with its reason."""
        if self._wants_articles and not self.trouble and not self._has_harvested:
            self._has_harvested = True
            # Scrapy takes items from callbacks only, and a callback needs a response.
            request = Request("data:,", self.parse_articles, meta={"dont_obey_robotstxt": True})
            self.crawler.engine.crawl(request)
            raise DontCloseSpider
        if self._bound is not None:
            raise CloseSpider(self._bound)

    @property
    def _wants_articles(self) -> bool:
        return self.arguments.learn is not False and self.settings.getbool("FLONG_EXTRACT")

    async def parse_articles(self, response: Response) -> AsyncIterator[Article]:
        """Yield the articles extracted from the pages of this crawl."""
        send = self.crawler.signals.send_catch_log_async
        await send(walk_ended, reason=self._bound or "finished")
        if self.trouble:
            return
        for _, found in await send(articles_wanted, spider=self):
            if not isinstance(found, BaseException):
                for article in found or ():
                    yield article

    # Sitemaps and feeds

    def _request_feeds(self, urls: Iterable[str]) -> Iterator[Request]:
        """Request the next sitemap or feed unless one is being read: each may need much memory."""
        self._sitemaps.admit(urls, self.scope)
        url = self._sitemaps.next() if self._bound is None else None
        if url is not None:
            meta = {"download_maxsize": MAX_SITEMAP_BYTES}
            yield Request(url, self.parse_feed_response, errback=self.skip_feed, meta=meta)

    async def parse_feed_response(self, response: Response) -> AsyncIterator[Any]:
        """Yield the entries of a sitemap or feed, and follow its pages and nested sitemaps."""
        feed = await self._sitemaps.read(response, self.scope)
        self.frontier.reach_all((each.url for each in feed.mentions), LISTED_DEPTH)
        yield FeedMentions(mentions=feed.mentions)
        self._sitemaps.done()
        for request in self._request_feeds(feed.sitemaps):
            yield request

    def skip_feed(self, failure: Failure) -> Iterator[Request]:
        """Continue without a sitemap or feed that failed."""
        logger.debug("Sitemap or feed failed: %s", failure.value)
        self._sitemaps.done()
        yield from self._request_feeds(())


def _complete(settings: BaseSettings) -> None:
    """Fill in flong's settings where the project has none, and merge its components with others.

    This keeps the guards active with `-s EXTENSIONS=...` and lets the spider run in other projects.
    """
    project = SETTINGS_PRIORITIES["project"]
    for name, value in vars(project_settings).items():
        priority = settings.getpriority(name) or 0
        if name.isupper() and isinstance(value, dict):
            # One above the command line's priority, because a crawl sets those again.
            both = value | settings.getdict(name)
            settings.set(name, both, priority=max(priority, project) + 1)
        elif name.isupper() and priority < project:
            settings.set(name, value, priority=project)


def _throttle(settings: BaseSettings, delay: float | None, home: str) -> None:
    """Set the delay of the site. Without a delay, and on this machine, do not throttle."""
    is_local = is_loopback(urlsplit(home).hostname or "")
    if delay is not None or is_local:
        settings.set("DOWNLOAD_DELAY", delay or 0.0, priority="spider")
    if is_local or not settings.getfloat("DOWNLOAD_DELAY"):
        settings.set("AUTOTHROTTLE_ENABLED", False, priority="spider")
        settings.set("CONCURRENT_REQUESTS_PER_DOMAIN", UNTHROTTLED, priority="spider")
