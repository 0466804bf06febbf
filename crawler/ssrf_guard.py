"""Keeps connections to where a crawl may go.

Names are looked at when they are resolved, and the IP address that was looked at is the one that
is connected to: there is no second lookup that could say something else. Behind a proxy it is
the proxy that resolves names; it may itself be anywhere.
"""

from typing import Any, Self
from urllib.parse import urlsplit
from urllib.request import getproxies

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError
from scrapy.resolver import CachingThreadedResolver
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.url import add_http_if_no_scheme
from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred
from twisted.internet.error import DNSLookupError

from flong.crawler.networks import Networks, network_of
from flong.crawler.outcomes import FetchRefused
from flong.crawler.spider import SiteSpider


class GuardedResolver(CachingThreadedResolver):
    """Finds the IP address of a host, and withholds one that is not to be connected to."""

    def __init__(
        self, reactor: ReactorBase, cache_size: int, timeout: float, networks: Networks
    ) -> None:
        super().__init__(reactor, cache_size, timeout)
        self._networks = networks
        proxies = map(add_http_if_no_scheme, getproxies().values())
        self._proxies = {urlsplit(proxy).hostname for proxy in proxies}
        self.refusals: dict[str, str] = {}
        """Why hosts were withheld, by their name."""

    def getHostByName(self, name: str, timeout: Any = ()) -> "Deferred[str]":
        """Return the IP address of a host; `DNSLookupError` if there is none for us."""
        return super().getHostByName(name, timeout).addCallback(self._check, name)

    def _check(self, address: str, name: str) -> str:
        refusal = self._networks.refusal(name, address)
        if refusal is not None and name not in self._proxies:
            self.refusals[name] = refusal
            raise DNSLookupError(refusal)
        return address


class SsrfGuard:
    """Refuses requests to IP addresses outside the networks of the crawl, at each redirect anew."""

    def __init__(self, networks: Networks, resolver: GuardedResolver) -> None:
        self._networks = networks
        self._resolver = resolver

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Guard a crawl by where its home page is."""
        from twisted.internet import reactor  # noqa: PLC0415 - importing it installs one

        if not isinstance(crawler.spider, SiteSpider):
            raise TypeError("only the spider `site` has a home page")
        size, timeout = (crawler.settings.getint(name) for name in ("DNSCACHE_SIZE", "DNS_TIMEOUT"))
        networks = crawler.spider.networks
        resolver = GuardedResolver(reactor, size, timeout, networks)
        resolver.install_on_reactor()
        return cls(networks, resolver)

    def process_request(self, request: Request) -> None:
        """Refuse an IP address that is not to be connected to; names are resolved first."""
        host = urlparse_cached(request).hostname or ""
        refusal = self._networks.refusal(host, host) if network_of(host) else None
        if refusal is not None:
            raise FetchRefused(refusal)

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Say why a host has no IP address for us, and do not try again."""
        refusal = self._resolver.refusals.get(urlparse_cached(request).hostname or "")
        if refusal is not None and isinstance(exception, CannotResolveHostError):
            raise FetchRefused(refusal) from exception
