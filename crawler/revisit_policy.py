"""Revisit policy: select the stored pages of a site that are due for a new request."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zlib import crc32

from flong.crawler.outcomes import HEADER_ENCODING
from flong.storage import Alias, KnownPage

PATIENCE = 0.25
"""Maximum interval between two requests for an article, as a fraction of its time without changes.
"""
ALIAS_PATIENCE = 4
"""Factor by which the interval of an alias (a redirect) is longer than that of an article."""
NIGHT = timedelta(hours=18)
"""Minimum time between two nightly crawls. Pages due within it are due every night."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """Database lookups needed during a crawl; the default finds nothing."""

    links_of: Callable[[str], Sequence[str]] = lambda url: ()
    """Return the links of a stored page."""
    is_stored: Callable[[str], bool] = lambda url: False
    """Return True if this run, or an earlier attempt at it, has stored the page."""


class RevisitPolicy:
    """The stored pages and aliases of one site, and the times at which each is due.

    Listings and other pages that are not articles are due every night. An article is due the night
    after it was found; after that, the interval grows with its time without changes, up to
    `longest`. Aliases wait longer by a factor of `ALIAS_PATIENCE`. `lookup` gives access to the
    pages stored by this run.

    >>> day = timedelta(days=1)
    >>> now = datetime(2026, 5, 31)
    >>> old = KnownPage(url="a", depth=1, etag='"1"', last_modified=None, is_gone=False,
    ...     is_article=True, last_seen=now - day, changed_at=now - 30 * day,
    ...     settled_at=now - 30 * day)
    >>> revisits = RevisitPolicy([old], now=now, longest=7 * day)
    >>> revisits.is_due("a"), revisits.headers("a"), list(revisits.pages())
    (False, {'If-None-Match': b'"1"'}, [])
    """

    def __init__(
        self,
        pages: Iterable[KnownPage],
        aliases: Iterable[Alias] = (),
        *,
        now: datetime,
        longest: timedelta,
        lookup: Lookup | None = None,
    ) -> None:
        self._pages = {page.url: page for page in pages}
        self._aliases = {alias.url: alias for alias in aliases if alias.url not in self._pages}
        self._now = now
        self._longest = longest
        self._unchanged: set[str] = set()
        self._lookup = lookup or Lookup()

    def __contains__(self, url: str) -> bool:
        return url in self._pages

    def headers(self, url: str) -> Mapping[str, bytes]:
        """Return the conditional request headers of a page; empty if it has no validators."""
        page = self._pages.get(url)
        if page is None:
            return {}
        validators = {"If-None-Match": page.etag, "If-Modified-Since": page.last_modified}
        # Scrapy encodes text as UTF-8, which would change the bytes of a validator.
        sent = {
            name: (value or "").encode(HEADER_ENCODING, "ignore")
            for name, value in validators.items()
        }
        return {name: value for name, value in sent.items() if value}

    def is_stored(self, url: str) -> bool:
        """Return True if this run, or an earlier attempt at it, has stored the page."""
        return self._lookup.is_stored(url)

    def note_unchanged(self, url: str) -> None:
        """Remember that a page is unchanged, so its stored links are current."""
        self._unchanged.add(url)

    def links(self, url: str) -> Sequence[str] | None:
        """Return the stored links of a URL that needs no request; None for all other URLs."""
        known = url in self._unchanged or self.is_stored(url) or not self.is_due(url)
        return self._lookup.links_of(url) if known else None

    def target(self, url: str) -> str | None:
        """Return the target of an alias that is not due; None for all other URLs."""
        return self._aliases[url].target if self.is_alias(url) else None

    def is_alias(self, url: str) -> bool:
        """Return True for an alias that is not due, so it is not requested tonight."""
        alias = self._aliases.get(url)
        return alias is not None and not self._is_alias_due(alias)

    def _is_alias_due(self, alias: Alias) -> bool:
        patience = self._longest * ALIAS_PATIENCE * _spread(alias.url)
        if self._has_not_been(alias.checked_at) or self._now - alias.checked_at + NIGHT >= patience:
            return True
        if alias.target is None:
            return False
        page = self._pages.get(alias.target)
        if page is None:
            return alias.target not in self._aliases
        return page.is_gone or (alias.is_page and not page.is_article)

    def is_due(self, url: str) -> bool:
        """Return True if the URL is to be requested tonight."""
        alias = self._aliases.get(url)
        if alias is not None:
            return self._is_alias_due(alias)
        page = self._pages.get(url)
        if page is None or not page.is_article or page.is_gone:
            return True
        if page.last_seen - page.changed_at < NIGHT or self._has_not_been(page.last_seen):
            return True
        steady = page.last_seen - page.settled_at
        patience = min(steady * PATIENCE, self._longest) * _spread(url)
        return self._now - page.last_seen + NIGHT >= patience

    def _has_not_been(self, time: datetime) -> bool:
        """Return True for a time in the future, recorded while the clock was wrong."""
        return time > self._now + NIGHT

    def pages(self) -> Iterator[tuple[str, int]]:
        """Yield URL and depth of all due pages that existed at the last visit."""
        for url, page in self._pages.items():
            if not page.is_gone and self.is_due(url):
                yield url, page.depth


def _spread(url: str) -> float:
    """Return a factor from 0.5 to 1 derived from the URL's checksum.

    Pages found in the same night are then due in different ones.
    """
    return 0.5 + crc32(url.encode()) / 2**33
