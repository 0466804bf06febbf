"""How much one crawl may take: pages, URLs, bytes, time."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from scrapy.settings import BaseSettings

SPARE = 10
"""URLs that wait for each page that may still come: many lead to no page."""
FEW = 100
"""URLs that may wait in any case."""


class Bound(StrEnum):
    """What a crawl can come to the end of; also the reason with which it is closed."""

    PAGES = "max_pages"
    URLS = "max_urls"
    MEGABYTES = "max_megabytes"
    MINUTES = "max_minutes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The bounds of one crawl."""

    pages: int
    """Pages that are stored, or found to be unchanged."""
    urls: int
    """URLs that are kept in mind."""
    megabytes: float
    """Bodies of responses, unpacked."""
    minutes: float
    """Time from its beginning."""
    is_asked_for: bool = False
    """Whether the number of pages was given for this crawl: then nobody wonders at it."""

    @classmethod
    def of(cls, settings: BaseSettings, max_pages: int | None) -> Self:
        """Return what the settings say, and the number of pages that was asked for if it was."""
        return cls(
            pages=max_pages or settings.getint("FLONG_MAX_PAGES"),
            urls=settings.getint("FLONG_MAX_URLS"),
            megabytes=settings.getfloat("FLONG_MAX_MEGABYTES"),
            minutes=settings.getfloat("FLONG_MAX_MINUTES"),
            is_asked_for=max_pages is not None,
        )

    def has_room(self, kept: int, waiting: int, stored: int) -> bool:
        """Tell whether one more URL is taken, by how many are kept in mind, wait, are stored."""
        return kept < self.urls and waiting < FEW + SPARE * max(0, self.pages - stored)

    def sentence(self, reached: Bound) -> str:
        """Return what is said when a bound is reached.

        >>> Bounds(pages=9, urls=99, megabytes=5, minutes=1).sentence(Bound.MEGABYTES)
        'The crawl ended after 5 MB (FLONG_MAX_MEGABYTES): not all of the site was asked for.'
        """
        if reached == Bound.URLS:
            return (
                f"The site has more URLs than one crawl keeps in mind ({self.urls}, FLONG_MAX_URLS;"
                f" {SPARE} for each page that may still come): some were left out."
            )
        most = {
            Bound.PAGES: f"at {self.pages} pages",
            Bound.MEGABYTES: f"after {self.megabytes:g} MB",
            Bound.MINUTES: f"after {self.minutes:g} minutes",
        }
        given = reached == Bound.PAGES and self.is_asked_for
        name = reached if given else f"FLONG_{reached.upper()}"
        return f"The crawl ended {most[reached]} ({name}): not all of the site was asked for."
