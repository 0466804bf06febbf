"""The search index, queries and clippings in the database; used by `flong.search`."""

from flong.storage.search.clippings import Clippings
from flong.storage.search.index import SearchIndex
from flong.storage.search.reader import (
    Copy,
    Hits,
    Result,
    Search,
    SearchResults,
    SearchSettings,
    Story,
    search_feed,
)
from flong.storage.tables import Clipping

__all__ = [
    "Clipping",
    "Clippings",
    "Copy",
    "Hits",
    "Result",
    "Search",
    "SearchIndex",
    "SearchResults",
    "SearchSettings",
    "Story",
    "search_feed",
]
