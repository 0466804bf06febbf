"""Read-only access to the database, with a time limit per query."""

from collections.abc import Sequence
from typing import TypeVar

from flong.storage import PageRow, Site, Store, UnknownSite

T = TypeVar("T")

QUERY_SECONDS = 20.0
"""Maximum seconds per query."""


class NotThere(Exception):
    """An object is not in the database; str(exc) is a message for the visitor."""


def need(found: T | None, what: str) -> T:
    """Return the object, or raise `NotThere` if it is None.

    >>> need(7, "page 1")
    7
    """
    if found is None:
        raise NotThere(f"There is no {what} in the database.")
    return found


class ReadOnlyDatabase:
    """A store that refuses writes.

    Queries are cancelled after `seconds`, so that visitors do not block each other.
    """

    def __init__(self, store: Store, seconds: float = QUERY_SECONDS) -> None:
        self.store = store
        store.only_read(seconds)

    def site(self, name: str) -> Site:
        """Return the site of this name."""
        try:
            return self.store.sites.find(name)
        except UnknownSite as error:
            raise NotThere(str(error)) from error

    def page(self, page_id: int) -> tuple[Site, PageRow]:
        """Return the site and the row of a page, with its document."""
        line = need(self.store.lists.page(page_id), f"page {page_id}")
        site = self.site(line.site)
        return site, self.pages(site, [page_id])[0]

    def pages(self, site: Site, page_ids: Sequence[int]) -> list[PageRow]:
        """Return pages of a site with their documents, in this order."""
        return list(self.store.pages.rows(site, only=list(page_ids)))
