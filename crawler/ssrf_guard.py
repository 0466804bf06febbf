"""SSRF guard: refuses connections to addresses outside the networks of the crawl.

Host names are checked at resolution, and the checked address is the one connected to. There is no
second lookup that could return another address. Behind a proxy, the proxy resolves names; the proxy
itself may have any address.
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
    """Resolver that rejects addresses outside the networks of the crawl."""

    def __init__(
        self, reactor: ReactorBase, cache_size: int, timeout: float, networks: Networks
    ) -> None:
        super().__init__(reactor, cache_size, timeout)
        self._networks = networks
        proxies = map(add_http_if_no_scheme, getproxies().values())
        self._proxies = {urlsplit(proxy).hostname for proxy in proxies}
        self.refusals: dict[str, str] = {}
        """Reasons for rejection, by host name."""

    def getHostByName(self, name: str, timeout: Any = ()) -> "Deferred[str]":
        """Return the IP address of a host, or fail with `DNSLookupError` if it is rejected."""
        return super().getHostByName(name, timeout).addCallback(self._check, name)

    def _check(self, address: str, name: str) -> str:
        refusal = self._networks.refusal(name, address)
        if refusal is not None and name not in self._proxies:
            self.refusals[name] = refusal
            raise DNSLookupError(refusal)
        return address


class SsrfGuard:
    """Refuses requests to addresses outside the networks of the crawl, also after redirects."""

    def __init__(self, networks: Networks, resolver: GuardedResolver) -> None:
        self._networks = networks
        self._resolver = resolver

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Guard a crawl by the networks of its spider."""
        from twisted.internet import reactor  # noqa: PLC0415 - importing it installs one

        if not isinstance(crawler.spider, SiteSpider):
            raise TypeError("SsrfGuard works only with the spider `site`")
        size, timeout = (crawler.settings.getint(name) for name in ("DNSCACHE_SIZE", "DNS_TIMEOUT"))
        networks = crawler.spider.networks
        resolver = GuardedResolver(reactor, size, timeout, networks)
        resolver.install_on_reactor()
        return cls(networks, resolver)

    def process_request(self, request: Request) -> None:
        """Refuse a literal IP address outside the networks; names are checked when resolved."""
        host = urlparse_cached(request).hostname or ""
        refusal = self._networks.refusal(host, host) if network_of(host) else None
        if refusal is not None:
            raise FetchRefused(refusal)

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Replace the resolver's error by the reason, which is not retried."""
        refusal = self._resolver.refusals.get(urlparse_cached(request).hostname or "")
        if refusal is not None and isinstance(exception, CannotResolveHostError):
            raise FetchRefused(refusal) from exception
