"""Limits of one crawl: pages, URLs, bytes, time."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from scrapy.settings import BaseSettings

SPARE = 10
"""Maximum number of waiting URLs per page that may still be stored: many lead to no page."""
FEW = 100
"""Number of waiting URLs that is always allowed."""


class Bound(StrEnum):
    """A limit of a crawl; also the reason for closing the spider."""

    PAGES = "max_pages"
    URLS = "max_urls"
    MEGABYTES = "max_megabytes"
    MINUTES = "max_minutes"
    PAUSE = "max_retry_after"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The limits of one crawl."""

    pages: int
    """Maximum number of pages stored or found unchanged."""
    urls: int
    """Maximum number of known URLs."""
    megabytes: float
    """Maximum size of all response bodies, decompressed."""
    minutes: float
    """Maximum duration."""
    is_asked_for: bool = False
    """True if `max_pages` was given for this crawl, so reaching it is expected."""

    @classmethod
    def of(cls, settings: BaseSettings, max_pages: int | None) -> Self:
        """Return the limits in the settings; `max_pages` overrides the number of pages."""
        return cls(
            pages=max_pages or settings.getint("FLONG_MAX_PAGES"),
            urls=settings.getint("FLONG_MAX_URLS"),
            megabytes=settings.getfloat("FLONG_MAX_MEGABYTES"),
            minutes=settings.getfloat("FLONG_MAX_MINUTES"),
            is_asked_for=max_pages is not None,
        )

    def has_room(self, kept: int, waiting: int, stored: int) -> bool:
        """Return True if one more URL may be added to the frontier."""
        return kept < self.urls and waiting < FEW + SPARE * max(0, self.pages - stored)

    def sentence(self, reached: Bound) -> str:
        """Return the message for a reached limit.

        >>> Bounds(pages=9, urls=99, megabytes=5, minutes=1).sentence(Bound.MEGABYTES)
        'The crawl ended after 5 MB (FLONG_MAX_MEGABYTES): the site is incomplete.'
        """
        if reached == Bound.URLS:
            return (
                f"The site has more URLs than one crawl follows ({self.urls}, FLONG_MAX_URLS;"
                f" {SPARE} per page still allowed): some were skipped."
            )
        most = {
            Bound.PAGES: f"at {self.pages} pages",
            Bound.MEGABYTES: f"after {self.megabytes:g} MB",
            Bound.MINUTES: f"after {self.minutes:g} minutes",
            Bound.PAUSE: "because the server is busy and needs a longer pause",
        }
        given = reached == Bound.PAGES and self.is_asked_for
        name = reached if given else f"FLONG_{reached.upper()}"
        return f"The crawl ended {most[reached]} ({name}): the site is incomplete."
