"""The database as visitors see it: nothing is written, and nobody is kept waiting."""

from collections.abc import Sequence
from typing import TypeVar

from flong.storage import PageRow, Site, Store, UnknownSite

T = TypeVar("T")

LONGEST = 20.0
"""Seconds that the database has for one question."""


class NotThere(Exception):
    """What was asked for is not in the database; says so in a sentence."""


def need(found: T | None, what: str) -> T:
    """Return what was found, or raise that there is no such thing.

    >>> need(7, "page 1")
    7
    """
    if found is None:
        raise NotThere(f"There is no {what} in the database.")
    return found


class ReadOnlyDatabase:
    """A store that is only read: whoever tries to write gets an error from the database.

    So does a question that takes longer than `seconds`: visitors must not keep each other waiting.
    """

    def __init__(self, store: Store, seconds: float = LONGEST) -> None:
        self.store = store
        store.only_read(seconds)

    def site(self, name: str) -> Site:
        """Return the site of this name."""
        try:
            return self.store.sites.find(name)
        except UnknownSite as error:
            raise NotThere(str(error)) from error

    def page(self, page_id: int) -> tuple[Site, PageRow]:
        """Return a stored page with its document, and its site."""
        line = need(self.store.lists.page(page_id), f"page {page_id}")
        site = self.site(line.site)
        return site, self.pages(site, [page_id])[0]

    def pages(self, site: Site, page_ids: Sequence[int]) -> list[PageRow]:
        """Return some pages of a site with their documents, in this order."""
        return list(self.store.pages.rows(site, only=list(page_ids)))
