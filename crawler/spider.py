"""The spider `site`: a portal from its home page to a depth, each page once."""

import logging
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.settings import BaseSettings
from twisted.python.failure import Failure

from crawler.addresses import Scope, canonical_url, registered_domain
from crawler.arguments import CrawlArguments, read_arguments
from crawler.fetches import Elsewhere, Failed, Gone, Listed, Unchanged, location, meaning, page_of
from crawler.frontier import Frontier
from crawler.links import MOST_HOPS, ShapeBudget, is_continued, refusal
from crawler.listings import LARGEST_LISTING, Listings
from crawler.networks import Networks
from crawler.reading import read_page
from crawler.recrawl import Recrawl
from crawler.rendering import browser_settings, render_meta
from items import Page

logger = logging.getLogger(__name__)

LISTED_DEPTH = 1
"""Depth of a page that only a sitemap or feed names: as if the home page linked to it."""

Items = Iterator[Page | Failed | Gone | Elsewhere | Request]


class SiteSpider(Spider):
    """Walks over one site and yields its pages, what feeds say of them, and what failed.

    Pages are found by links from the home page, which counts as depth 0; what sitemaps and
    feeds list counts as depth 1. The identity of a page is its canonical address. A redirect
    and a page's own `rel=canonical` lead to another address at the same depth, which is asked
    for like any other; a page that names another address as its own is kept only if nothing
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
        self.frontier = Frontier(
            self.depth,
            self._stored_links,
            ShapeBudget(settings.getint("FLONG_TRAP_BUDGET")).admits,
            lambda url: None if url == self.scope.home else self.recrawl.target(url),
        )
        self.recrawl = Recrawl((), now=datetime.now(UTC), longest=timedelta())
        """What earlier crawls, and earlier attempts at this one, have stored."""
        self.stored = 0
        """Number of pages yielded, and stored by earlier attempts."""
        self.trouble = ""
        """Why there is nothing, or not all, in a few words."""
        self._most = arguments.max_pages or float("inf")
        self._yielded: set[str] = set()
        self._failed: set[str] = set()
        self._aliases: dict[str, list[Page]] = {}  # by the address that they give as theirs
        self._redirects: dict[str, str] = {}
        self._hops: dict[str, int] = {}
        self._begun = self._remembered = False
        self._listings = Listings(
            most=settings.getint("FLONG_SITEMAPS"), pages=settings.getint("FLONG_LISTED_PAGES")
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Read the arguments of `scrapy crawl site`; raise `BadArgument` if one is wrong."""
        arguments = read_arguments(kwargs)
        settings = crawler.settings
        if arguments.delay is not None:
            settings.set("DOWNLOAD_DELAY", arguments.delay, priority="spider")
        spider = cls(arguments, settings)
        if arguments.render:
            browser = browser_settings(settings.get("FLONG_CHROMIUM"), spider.networks)
            settings.setdict(browser, priority="spider")
        spider._set_crawler(crawler)
        crawler.signals.connect(spider._listings.note_robots, signal=signals.robots_parsed)
        return spider

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Tell those who are crawled who it is and whom to ask."""
        contact = settings.get("FLONG_CONTACT")
        agent = f"flong/0.1 (+{contact})" if contact else "flong/0.1"
        settings.set("USER_AGENT", agent, priority="spider")

    async def start(self) -> AsyncIterator[Any]:
        """Begin at the home page."""
        self.frontier.reach(self.scope.home, 0)
        if self.stored:
            logger.info("Going on with %d pages stored before", self.stored)
        return
        yield

    # The walk, as the scheduler sees it

    def has_pages(self) -> bool:
        """Say whether there is a page to ask for."""
        return bool(len(self.frontier)) or self._has_forgotten()

    def next_page(self) -> Request | None:
        """Return the request for the nearest page not asked for yet."""
        if self._has_forgotten():
            # Nothing links to these any more: they may be gone, or only old.
            self._remembered = True
            for left, depth in self.recrawl.pages():
                if left not in self.frontier:
                    self.frontier.reach(left, depth)
        url = self.frontier.next()
        return None if url is None else self._page_request(url, url)

    def _has_forgotten(self) -> bool:
        """Say whether the walk is over, and stored pages that it did not meet are left."""
        over = self._begun and self.frontier.is_idle and not self._listings.open
        return over and not self._remembered

    def _page_request(self, url: str, asked: str, hops: int = 0) -> Request:
        # A browser knows nothing of what is stored; and the home page shows its feeds.
        whole = self.arguments.render or asked == self.scope.home
        return Request(
            url,
            callback=self.parse_page,
            errback=self.fail_page,
            headers={} if whole else dict(self.recrawl.headers(asked)),
            cb_kwargs={"asked": asked, "hops": hops},
            meta=render_meta() if self.arguments.render else None,
            dont_filter=True,
        )

    def _stored_links(self, url: str) -> Sequence[str] | None:
        # The home page is always asked for: it shows that the site is there, and its feeds.
        return None if url == self.scope.home else self.recrawl.links(url)

    # Answers

    def parse_page(self, response: Response, asked: str, hops: int) -> Items:
        """Yield the page behind an answer, or what became of it."""
        target = location(response)
        if target is not None:
            yield from self._moved(asked, target, hops)
        elif response.status == 304 and asked in self.recrawl:
            self.keep_known(asked)
        elif response.status in (404, 410) and asked in self.recrawl:
            yield Gone(url=asked)
            yield from self._skip(asked, "it is gone")
        elif response.status not in (200, 203):
            yield from self._fail(asked, f"HTTP status {response.status}", response.status)
        elif not isinstance(response, HtmlResponse):
            yield Elsewhere(url=asked)
            yield from self._skip(asked, "it is not HTML")
        elif self.scope.canonical(response.url) != asked:  # a browser followed a redirect
            yield from self._moved(asked, response.url, hops)
        else:
            yield from self._read(response, asked, hops)
        if self.stored >= self._most:
            raise CloseSpider("max_pages")

    def fail_page(self, failure: Failure) -> Items:
        """Yield what became of a request without an answer."""
        asked = failure.request.cb_kwargs["asked"]  # type: ignore[attr-defined]
        if isinstance(failure.value, IgnoreRequest):
            yield from self._skip(asked, "robots.txt does not allow it")
        else:
            yield from self._fail(asked, meaning(failure.value))

    def _fail(self, asked: str, reason: str, status: int = 0) -> Items:
        yield Failed(url=asked, reason=reason, status=status, depth=self.frontier.depth(asked))
        yield from self._skip(asked, reason)

    def _skip(self, asked: str, reason: str) -> Items:
        """Go on without the page at an address."""
        self.frontier.arrived(asked)
        self._failed.add(asked)
        if not self._begun:
            self.trouble = reason
        yield from self._release(asked)

    def _moved(self, asked: str, target: str, hops: int) -> Items:
        """Go to where an address leads, at the same depth."""
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
            yield Elsewhere(url=asked, target=url)
            yield from self._release(asked)

    def _move_home(self, asked: str, target: str, hops: int) -> Items:
        """Take the address to which the home page leads as the home page."""
        home = canonical_url(target)
        if home is None or registered_domain(home) != registered_domain(asked):
            yield from self._fail(asked, f"leads to another site: {target[:200]}")
        elif home == asked:
            yield self._page_request(target, asked, hops)
        else:
            self.scope = Scope.of(home, subdomains=bool(self.arguments.subdomains))
            self._hops[home], self._redirects[asked] = hops, home
            self.frontier.arrived(asked, moved_to=home)

    def _read(self, response: HtmlResponse, asked: str, hops: int) -> Items:
        reading = read_page(response.text, response.url, self.scope)
        if reading.refresh is not None:
            yield from self._moved(asked, reading.refresh or "elsewhere", hops)
            return
        if not self._begun:
            self._begun = True
            yield from self._ask_listings(self._listings.first(self.scope, reading.feeds))
        links = [link.url for link in reading.links]
        other = self._other_address(asked, reading.canonical)
        self.frontier.arrived(asked, links, moved_to=other)
        page = page_of(response, asked, self.frontier.depth(asked), reading.links)
        if other is None or other not in self.frontier:
            yield from self._keep(page)
        else:
            yield Elsewhere(url=asked, target=other, is_page=True)
            if other not in self._yielded and self._stored_links(other) is None:
                self._aliases.setdefault(other, []).append(page)
        self._aliases.pop(asked, None)

    def keep_known(self, asked: str) -> None:
        """Go on from a stored page that is as before."""
        self.recrawl.note_unchanged(asked)
        self.frontier.arrived(asked)
        self._aliases.pop(asked, None)
        if self._is_wanted(asked):
            self.recrawl.keep(Unchanged(url=asked, depth=self.frontier.depth(asked)))

    def _other_address(self, asked: str, canonical: str | None) -> str | None:
        """Return the address that a page gives as its own if it is to be believed."""
        if canonical is None or canonical in (asked, self.scope.home) or asked == self.scope.home:
            return None
        if is_continued(asked, canonical):
            return None
        # What others name as their address is not passed on: there is no circle.
        if asked in self._aliases or canonical in self._failed or canonical in self._redirects:
            return None
        if self.recrawl.is_alias(canonical):
            return None
        return canonical if refusal(canonical) is None else None

    def _release(self, asked: str) -> Items:
        """Keep the pages that named an address as their own at which there is no page."""
        for page in self._aliases.pop(asked, ()):
            yield from self._keep(page)

    def _keep(self, page: Page) -> Items:
        if self._is_wanted(page.url):
            yield page

    def _is_wanted(self, url: str) -> bool:
        """Count a page, and say whether it is to be kept: once, and while there is room."""
        if url in self._yielded or self.stored >= self._most:
            return False
        self.stored += not self.recrawl.is_stored(url)
        self._yielded.add(url)
        return True

    # Sitemaps and feeds

    def _ask_listings(self, urls: Iterable[str]) -> Iterator[Request]:
        for url in self._listings.admit(urls, self.scope):
            meta = {"download_maxsize": LARGEST_LISTING}
            yield Request(url, self.parse_listing, errback=self.skip_listing, meta=meta)

    async def parse_listing(self, response: Response) -> AsyncIterator[Any]:
        """Yield what a sitemap or feed says, and go to the pages and sitemaps it lists."""
        listing = await self._listings.read(response, self.scope)
        self.frontier.reach_all((each.url for each in listing.mentions), LISTED_DEPTH)
        yield Listed(mentions=listing.mentions)
        for request in self._ask_listings(listing.sitemaps):
            yield request
        self._listings.open -= 1

    def skip_listing(self, failure: Failure) -> None:
        """Go on without a sitemap or feed that cannot be had."""
        self._listings.open -= 1
        logger.debug("No listing: %s", failure.value)
