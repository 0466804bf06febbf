"""Which pages of a site a crawl is about: those below a path, and what patterns say."""

import re
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlFilter:
    """Tells which URLs are asked for; the home page always is.

    >>> sport = UrlFilter.of("https://a.example/sport/", exclude="/live/")
    >>> paths = ("/sport/1", "/sport/live/", "/city/")
    >>> [sport.admits(f"https://a.example{path}") for path in paths]
    [True, False, False]
    """

    below: str = "/"
    """The folder in which they are; it ends in a slash."""
    include: str = ""
    """Regular expression that is found in each of them; empty for any."""
    exclude: str = ""
    """Regular expression that is found in none of them; empty for none."""

    @classmethod
    def of(cls, home: str, include: str = "", exclude: str = "") -> Self:
        """Return the filter of a home page: one whose path ends in a slash stands for a folder."""
        path = urlsplit(home).path
        below = path if path.endswith("/") else "/"
        return cls(below=below, include=include, exclude=exclude)

    def moved_to(self, home: str) -> Self:
        """Return the filter for a home page to which the one that was given leads."""
        if self.below == "/":  # a whole site, wherever its home page is
            return self
        return replace(self, below=f"{urlsplit(home).path.rstrip('/')}/")

    def admits(self, url: str) -> bool:
        """Tell whether a URL is asked for."""
        path = urlsplit(url).path
        if not path.startswith(self.below) and path != self.below[:-1]:
            return False
        if self.exclude and re.search(self.exclude, url):
            return False
        return not self.include or re.search(self.include, url) is not None
