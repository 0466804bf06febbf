"""URL filter of a crawl: a folder plus the `include` and `exclude` patterns."""

import re
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlFilter:
    """Selects the URLs to request; the home page is always requested.

    A home page below a path limits the crawl to that folder.

    >>> sport = UrlFilter.of("https://a.example/sport/", exclude="/live/")
    >>> paths = ("/sport/1", "/sport/live/", "/city/")
    >>> [sport.admits(f"https://a.example{path}") for path in paths]
    [True, False, False]
    """

    below: str = "/"
    """Path of the folder, ending in a slash."""
    include: str = ""
    """Regular expression that URLs must match; empty for all."""
    exclude: str = ""
    """Regular expression that URLs must not match; empty for none."""

    @classmethod
    def of(cls, home: str, include: str = "", exclude: str = "") -> Self:
        """Return the filter for a home page; a path that ends in a slash is a folder."""
        path = urlsplit(home).path
        below = path if path.endswith("/") else "/"
        return cls(below=below, include=include, exclude=exclude)

    def moved_to(self, home: str) -> Self:
        """Return the filter after a redirect of the home page."""
        if self.below == "/":  # the whole site
            return self
        return replace(self, below=f"{urlsplit(home).path.rstrip('/')}/")

    def admits(self, url: str) -> bool:
        """Return True if the URL passes the filter."""
        path = urlsplit(url).path
        if not path.startswith(self.below) and path != self.below[:-1]:
            return False
        if self.exclude and re.search(self.exclude, url):
            return False
        return not self.include or re.search(self.include, url) is not None
