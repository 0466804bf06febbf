"""The spider `site`: a portal from its home page to a depth, each page once."""

import logging
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Self

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
from flong.crawler.networks import Networks
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
"""What RFC 9110 allows."""
LISTED_DEPTH = 1
"""Depth of a page that only a sitemap or feed names: as if the home page linked to it."""

Items = Iterator[Page | Failed | Gone | NotHtml | Redirected | Unchanged | Request]


class SiteSpider(Spider):
    """Walks over one site and yields its pages, what feeds say of them, and what failed.

    Pages are found by links from the home page, which counts as depth 0; what sitemaps and
    feeds list counts as depth 1. The identity of a page is its canonical URL. A redirect
    and a page's own `rel=canonical` lead to another URL at the same depth, which is asked
    for like any other; a page that names another URL as its own is kept only if nothing
    can be had there.
    """

    name = "site"

    def __init__(self, arguments: CrawlArguments, settings: BaseSettings) -> None:
        super().__init__()
        self.arguments = arguments
        self.depth = settings.getint("FLONG_DEPTH") if arguments.depth is None else arguments.depth
        """Links from the home page that are followed."""
        self.scope = Scope.of(arguments.url, subdomains=bool(arguments.subdomains))
        self.networks = Networks(self.scope.home, intranet=bool(settings.getint("FLONG_INTRANET")))
        """Where the crawl may connect to."""
        self._filter = UrlFilter.of(
            self.scope.home, arguments.include or "", arguments.exclude or ""
        )
        self._cookies = load_cookies(arguments.cookies) if arguments.cookies else None
        self._budget = ShapeBudget(settings.getint("FLONG_TRAP_BUDGET"))
        self.bounds = Bounds.of(settings, arguments.max_pages)
        """How much the crawl may take."""
        self.frontier = Frontier(
            self.depth,
            self._stored_links,
            self._admits,
            lambda url: None if url == self.scope.home else self.revisits.target(url),
            lambda kept, waiting: self.bounds.has_room(kept, waiting, self.stored),
        )
        self.revisits = RevisitPolicy((), now=datetime.now(UTC), longest=timedelta())
        """What earlier crawls, and earlier attempts at this one, have stored."""
        self.stored = 0
        """Number of pages yielded, and stored by earlier attempts."""
        self.trouble = ""
        """Why there is nothing, or not all, in a few words."""
        self._received = 0
        self._seconds = settings.getfloat("FLONG_READ_SECONDS")
        self._yielded: set[str] = set()
        self._failed: set[str] = set()
        self._aliases: dict[str, list[Page]] = {}  # by the URL that they give as theirs
        self._redirects: dict[str, str] = {}
        self._hops: dict[str, int] = {}
        self._begun = self._remembered = False
        self._is_late = self._has_left_out = self._has_harvested = False
        self._sitemaps = SitemapQueue(
            most=settings.getint("FLONG_SITEMAPS"), pages=settings.getint("FLONG_LISTED_PAGES")
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Read the arguments of `flong crawl site`; raise `BadArgument` if one is wrong."""
        arguments = read_arguments(kwargs)
        settings = crawler.settings
        _complete(settings)  # here: before that, runners set again what the command line says
        if arguments.delay is not None:
            settings.set("DOWNLOAD_DELAY", arguments.delay, priority="spider")
        spider = super().from_crawler(crawler, arguments, settings)
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
        """Tell those who are crawled who it is and whom to ask."""
        contact = settings.get("FLONG_CONTACT")
        agent = f"flong/{VERSION} (+{contact})" if contact else f"flong/{VERSION}"
        settings.set("USER_AGENT", agent, priority="spider")

    async def start(self) -> AsyncIterator[Any]:
        """Begin at the home page."""
        self.frontier.reach(self.scope.home, 0)
        if self.stored:
            logger.info("Going on with %d pages stored before", self.stored)
        return
        yield

    def go_on_from(self, revisits: RevisitPolicy, stored: int) -> None:
        """Take what earlier crawls, and earlier attempts at this one, have stored."""
        self.revisits, self.stored = revisits, stored

    def give_up(self, reason: str) -> None:
        """Note why there is nothing, or not all."""
        self.trouble = reason

    def _weigh(self, response: Response) -> None:
        self._received += len(response.body)

    @property
    def _is_sated(self) -> bool:
        """Whether more was received than one crawl may."""
        return self._received > self.bounds.megabytes * 1e6

    def run_late(self) -> None:
        """Ask for nothing more: the time is up."""
        self._is_late = True

    @property
    def _bound(self) -> Bound | None:
        """What the crawl has come to the end of; nothing more is asked for then."""
        if self.stored >= self.bounds.pages:
            return Bound.PAGES
        if self._is_sated:
            return Bound.MEGABYTES
        return Bound.MINUTES if self._is_late else None

    def reached(self, reason: str) -> list[Bound]:
        """Return the bounds that a crawl came to which was closed for a reason."""
        if reason == Bound.PAGES:  # perhaps it was just as many
            more = self.frontier.is_overflown or not self.frontier.is_idle or self._has_left_out
            return [Bound.PAGES] * more
        found = [bound for bound in Bound if bound == reason]
        return found or [Bound.URLS] * self.frontier.is_overflown

    # The walk, as the scheduler sees it

    def has_pages(self) -> bool:
        """Say whether there is a page to ask for."""
        return self._bound is None and (bool(len(self.frontier)) or self._has_forgotten())

    def next_page(self) -> Request | None:
        """Return the request for the nearest page not asked for yet."""
        if self._bound is not None:  # what is on its way ends the crawl
            return None
        if self._has_forgotten():
            # Nothing links to these any more: they may be gone, or only old.
            self._remembered = True
            for left, depth in self.revisits.pages():
                if left not in self.frontier:
                    self.frontier.reach(left, depth)
        url = self.frontier.next()
        return None if url is None else self._page_request(url, url)

    def _has_forgotten(self) -> bool:
        """Say whether the walk is over, and stored pages that it did not meet are left."""
        over = self._begun and self.frontier.is_idle and not self._sitemaps.open
        return over and not self._remembered

    def _page_request(self, url: str, asked: str, hops: int = 0) -> Request:
        # A browser knows nothing of what is stored; and the home page shows its feeds.
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
        """Tell whether a URL that is new is asked for."""
        is_wanted = url == self.scope.home or self._filter.admits(url)
        return is_wanted and self._budget.admits(url)

    def _stored_links(self, url: str) -> Sequence[str] | None:
        # The home page is always asked for: it shows that the site is there, and its feeds.
        return None if url == self.scope.home else self.revisits.links(url)

    # Responses

    def parse_page(self, response: Response, asked: str, hops: int) -> Items:
        """Yield the page behind a response, or what became of it."""
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
        """Yield what became of a request without a response."""
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
        """Yield what became of a response that could not be read."""
        request = response.request
        asked = request.cb_kwargs.get("asked") if request else None
        if asked is not None:
            yield from self._fail(asked, describe_error(error), response.status)
        else:  # a sitemap or feed, which can be done without
            self._sitemaps.done()
            yield from self._request_feeds(())

    def _fail(self, asked: str, reason: str, status: int = 0) -> Items:
        # Anything can stand in a status line, also numbers that no database takes.
        status = status if status in HTTP_STATUSES else 0
        yield Failed(url=asked, reason=reason, status=status, depth=self.frontier.depth(asked))
        yield from self._skip(asked, reason)

    def _skip(self, asked: str, reason: str) -> Items:
        """Go on without the page at a URL."""
        self.frontier.arrived(asked)
        self._failed.add(asked)
        if not self._begun or asked == self.scope.home:
            self.trouble = reason
        yield from self._release(asked)

    def _moved(self, asked: str, target: str, hops: int) -> Items:
        """Go to where a URL leads, at the same depth."""
        hops = max(hops, self._hops.get(asked, 0)) + 1
        url = self.scope.canonical(target)
        if hops > MOST_HOPS or self._redirects.get(url or "") == asked:
            yield from self._fail(asked, "redirects for ever")
        elif not self._begun:
            yield from self._move_home(asked, target, hops)
        elif url is None:
            yield from self._fail(asked, f"leads off the site: {target[:200]}")
        elif url == asked:
            yield self._page_request(target, asked, hops)
        elif refusal(url) is not None:
            yield from self._fail(asked, f"leads to what is not crawled: {url[:200]}")
        else:
            self._hops[url], self._redirects[asked] = hops, url
            self.frontier.arrived(asked, moved_to=url)
            yield Redirected(url=asked, target=url)
            yield from self._release(asked)

    def _move_home(self, asked: str, target: str, hops: int) -> Items:
        """Take the URL to which the home page leads as the home page."""
        home = canonical_url(target)
        if home is None or registered_domain(home) != registered_domain(asked):
            yield from self._fail(asked, f"leads to another site: {target[:200]}")
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
        if self.arguments.render:  # the browser has read it, and says what it made of it
            return Decoded(response.encoding, response.text)
        return decode(response.body, header_text(response, "Content-Type"))

    def _keep_known(self, asked: str) -> Items:
        """Go on from a stored page that is unchanged."""
        self.revisits.note_unchanged(asked)
        self.frontier.arrived(asked)
        self._aliases.pop(asked, None)
        if self._is_wanted(asked):
            yield Unchanged(url=asked, depth=self.frontier.depth(asked))

    def _declared_canonical(self, asked: str, canonical: str | None) -> str | None:
        """Return the URL that a page gives as its own if it is to be believed."""
        if canonical is None or canonical in (asked, self.scope.home) or asked == self.scope.home:
            return None
        if is_continued(asked, canonical):
            return None
        # What others name as their URL is not passed on: there is no circle.
        if asked in self._aliases or canonical in self._failed or canonical in self._redirects:
            return None
        if self.revisits.is_alias(canonical):
            return None
        return canonical if refusal(canonical) is None else None

    def _release(self, asked: str) -> Items:
        """Keep the pages that named a URL as their own at which there is no page."""
        for page in self._aliases.pop(asked, ()):
            yield from self._keep(page)

    def _keep(self, page: Page) -> Items:
        if self._is_wanted(page.url):
            yield page

    def _is_wanted(self, url: str) -> bool:
        """Count a page, and say whether it is to be kept: once, and while there is room."""
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
        """Ask for the articles once all pages are stored; then let the crawl end, and say why."""
        if self._wants_articles and not self.trouble and not self._has_harvested:
            self._has_harvested = True
            # What is yielded comes from callbacks, and a callback needs a response.
            request = Request("data:,", self.parse_articles, meta={"dont_obey_robotstxt": True})
            self.crawler.engine.crawl(request)
            raise DontCloseSpider
        if self._bound is not None:
            raise CloseSpider(self._bound)

    @property
    def _wants_articles(self) -> bool:
        return self.arguments.learn is not False and self.settings.getbool("FLONG_EXTRACT")

    async def parse_articles(self, response: Response) -> AsyncIterator[Article]:
        """Yield the articles that others find on the pages of this crawl."""
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
        """Ask for the next sitemap or feed if none is under way: each may take much memory."""
        self._sitemaps.admit(urls, self.scope)
        url = self._sitemaps.next() if self._bound is None else None
        if url is not None:
            meta = {"download_maxsize": MAX_SITEMAP_BYTES}
            yield Request(url, self.parse_feed_response, errback=self.skip_feed, meta=meta)

    async def parse_feed_response(self, response: Response) -> AsyncIterator[Any]:
        """Yield what a sitemap or feed says, and go to the pages and sitemaps it lists."""
        feed = await self._sitemaps.read(response, self.scope)
        self.frontier.reach_all((each.url for each in feed.mentions), LISTED_DEPTH)
        yield FeedMentions(mentions=feed.mentions)
        self._sitemaps.done()
        for request in self._request_feeds(feed.sitemaps):
            yield request

    def skip_feed(self, failure: Failure) -> Iterator[Request]:
        """Go on without a sitemap or feed that cannot be had."""
        logger.debug("No sitemap or feed: %s", failure.value)
        self._sitemaps.done()
        yield from self._request_feeds(())


def _complete(settings: BaseSettings) -> None:
    """Let flong's settings hold where the project has none, and its components beside others.

    So no guard is lost to a `-s EXTENSIONS=...`, and the spider runs in other projects.
    """
    project = SETTINGS_PRIORITIES["project"]
    for name, value in vars(project_settings).items():
        priority = settings.getpriority(name) or 0
        if name.isupper() and isinstance(value, dict):
            # One above what the command line said: a crawl sets that once more.
            both = value | settings.getdict(name)
            settings.set(name, both, priority=max(priority, project) + 1)
        elif name.isupper() and priority < project:
            settings.set(name, value, priority=project)
