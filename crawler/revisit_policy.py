"""What is known of a site's pages from earlier crawls, and which of them to ask for again."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zlib import crc32

from flong.crawler.outcomes import HEADER_ENCODING
from flong.storage import Alias, KnownPage

PATIENCE = 0.25
"""Share of the time for which an article has not changed that may pass until it is asked for."""
ALIAS_PATIENCE = 4
"""How much longer than an article a URL rests that only leads to another one."""
NIGHT = timedelta(hours=18)
"""Shortest time between two nights; what is due sooner is due every night."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """What can be asked of the database while a crawl is under way; by default it is empty."""

    links_of: Callable[[str], Sequence[str]] = lambda url: ()
    """Returns the links of a page that is stored."""
    is_stored: Callable[[str], bool] = lambda url: False
    """Tells whether this crawl, or an earlier attempt at it, has stored a page."""


class RevisitPolicy:
    """The stored pages of one site, as tonight's crawl sees them.

    An article is asked for again in the night after it was found. Then one that is a month old,
    and was not seen to change, is asked for once a week, one of last week every other night;
    pages that are no articles, listings above all, every night.
    `longest` bounds the time between two requests for a page. `lookup` knows what this run
    stores. A URL that only leads to
    another one rests longer, and so does another URL of an article.

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
        """Return what makes a request conditional, as the server sent it; nothing if not known."""
        page = self._pages.get(url)
        if page is None:
            return {}
        validators = {"If-None-Match": page.etag, "If-Modified-Since": page.last_modified}
        # Scrapy would send text as UTF-8, and no server knows its validator again in that.
        sent = {
            name: (value or "").encode(HEADER_ENCODING, "ignore")
            for name, value in validators.items()
        }
        return {name: value for name, value in sent.items() if value}

    def is_stored(self, url: str) -> bool:
        """Tell whether this crawl, or an earlier attempt at it, has stored a page."""
        return self._lookup.is_stored(url)

    def note_unchanged(self, url: str) -> None:
        """Remember that a page is unchanged: its stored links are those of tonight."""
        self._unchanged.add(url)

    def links(self, url: str) -> Sequence[str] | None:
        """Return the links of a URL that need not be asked for (again); None of any other."""
        known = url in self._unchanged or self.is_stored(url) or not self.is_due(url)
        return self._lookup.links_of(url) if known else None

    def target(self, url: str) -> str | None:
        """Return where a URL leads that is not asked for tonight; None for any other."""
        return self._aliases[url].target if self.is_alias(url) else None

    def is_alias(self, url: str) -> bool:
        """Tell whether no page is expected at a URL, so that it is not asked for tonight."""
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
        """Tell whether a URL is to be asked for tonight."""
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
        """Tell whether a time is still to come: the clock was ahead once, and nothing is known."""
        return time > self._now + NIGHT

    def pages(self) -> Iterator[tuple[str, int]]:
        """Yield the URLs, with their depth, of all that is due and was there last time."""
        for url, page in self._pages.items():
            if not page.is_gone and self.is_due(url):
                yield url, page.depth


def _spread(url: str) -> float:
    """Return a number from 0.5 to 1, another for each URL.

    What became known in the same night shall not all be due in the same one again.
    """
    return 0.5 + crc32(url.encode()) / 2**33
