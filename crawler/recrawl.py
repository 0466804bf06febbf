"""What is known of a site's pages from earlier crawls, and which of them to ask for again."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from storage import KnownPage

PATIENCE = 0.25
"""Share of the time for which an article has not changed that may pass until it is asked for."""
NIGHT = timedelta(hours=18)
"""Shortest time between two nights; what is due sooner is due every night."""


class Recrawl:
    """The stored pages of one site, as tonight's crawl sees them.

    An article that has not changed for a month is asked for once a week, one of last week
    every other night; pages that are no articles, listings above all, every night.
    `longest` bounds the time between two requests for a page.

    >>> day = timedelta(days=1)
    >>> now = datetime(2026, 5, 31)
    >>> old = KnownPage(url="a", depth=1, etag='"1"', last_modified=None, is_gone=False,
    ...     is_article=True, last_seen=now - day, changed_at=now - 30 * day)
    >>> recrawl = Recrawl([old], now=now, longest=7 * day)
    >>> recrawl.is_due("a"), recrawl.headers("a"), list(recrawl.pages())
    (False, {'If-None-Match': '"1"'}, [])
    """

    def __init__(self, pages: Iterable[KnownPage], *, now: datetime, longest: timedelta) -> None:
        self._pages = {page.url: page for page in pages}
        self._now = now
        self._longest = longest

    def __contains__(self, url: str) -> bool:
        return url in self._pages

    def headers(self, url: str) -> Mapping[str, str]:
        """Return what makes a request conditional; nothing for a page that is not known."""
        page = self._pages.get(url)
        if page is None:
            return {}
        validators = {"If-None-Match": page.etag, "If-Modified-Since": page.last_modified}
        return {name: value for name, value in validators.items() if value}

    def is_due(self, url: str) -> bool:
        """Tell whether a page is to be asked for tonight."""
        page = self._pages.get(url)
        if page is None or not page.is_article or page.is_gone:
            return True
        steady = page.last_seen - page.changed_at
        return self._now - page.last_seen + NIGHT >= min(steady * PATIENCE, self._longest)

    def pages(self) -> Iterator[tuple[str, int]]:
        """Yield the addresses, with their depth, of all that is due and was there last time."""
        for url, page in self._pages.items():
            if not page.is_gone and self.is_due(url):
                yield url, page.depth
