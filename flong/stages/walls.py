"""Walls: one text in place of many pages, such as a consent form with status 200."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from flong.document import Document
from flong.stages.stored_pages import results
from flong.states import Outcome
from flong.storage import PageRow, Run, Site, Store
from flong.workers.pool import PAGE_SECONDS

FEWEST = 5
"""Minimum number of pages of a wall."""
SHARE = 0.3
"""Minimum fraction of tonight's changed pages that show a wall."""
ALIKE = 0.9
"""Minimum Jaccard index of the words of two equal texts."""
LOOKED_BACK = 10
"""Maximum number of pages of a wall whose earlier texts are compared."""
KEY = 4

Hashes = NDArray[np.uint32]


@dataclass(slots=True)
class DuplicatePages:
    """Pages with the same text."""

    words: Hashes
    """Sorted hashes of the words of the first page; sets would take more memory."""
    pages: list[int]
    """Page ids."""


def same_texts(texts: Iterator[tuple[int, frozenset[str]]]) -> list[DuplicatePages]:
    """Return groups of pages with nearly the same text, the largest first.

    Only pages with the same smallest hashes of words are compared.
    """
    groups: dict[bytes, list[DuplicatePages]] = {}
    for page_id, words in texts:
        hashes = np.array([crc32(word.encode()) for word in words], dtype=np.uint32)
        hashes.sort()
        near = groups.setdefault(hashes[:KEY].tobytes(), [])
        for group in near:
            if _alike(group.words, hashes):
                group.pages.append(page_id)
                break
        else:
            near.append(DuplicatePages(hashes, [page_id]))
    return sorted((g for each in groups.values() for g in each), key=lambda g: -len(g.pages))


def _alike(one: Hashes, other: Hashes) -> bool:
    shared = np.intersect1d(one, other).size
    return bool(shared >= ALIKE * (one.size + other.size - shared))


def find_wall(store: Store, site: Site, crawl: Run, seconds: float = PAGE_SECONDS) -> list[int]:
    """Return the pages that a crawl found replaced by one text; nothing if there is no wall.

    Many pages that were different must have become the same. On a new site the home page must be
    the same as many others, because some sites have many nearly empty pages.
    """
    fetched = store.runs.fetched(crawl)
    if len(fetched) < FEWEST:
        return []
    homes: set[int] = set()
    changed = {page_id for page_id, outcome in fetched.items() if outcome == Outcome.CHANGED}
    rows = store.pages.sound_rows(site, only=list(fetched))
    for group in same_texts(_texts(_stored(rows, homes), seconds)):
        replaced = [page_id for page_id in group.pages if page_id in changed]
        enough = len(replaced) >= max(FEWEST, SHARE * len(changed))
        if enough and _were_different(store, replaced, seconds):
            return group.pages
        many = len(group.pages) >= max(FEWEST, SHARE * len(fetched))
        if many and not homes.isdisjoint(group.pages):
            return group.pages
    return []


def _stored(rows: Iterator[PageRow], homes: set[int]) -> Iterator[tuple[int, bytes]]:
    """Yield ids and documents; add home pages to `homes`."""
    for row in rows:
        if row.depth == 0:
            homes.add(row.id)
        yield row.id, row.data


def _were_different(store: Store, page_ids: Sequence[int], seconds: float) -> bool:
    """Return True if most of the examined pages had different texts before."""
    looked_at = page_ids[:LOOKED_BACK]
    before = (
        (page_id, versions[-1].html.encode())
        for page_id in looked_at
        if (versions := store.pages.versions(page_id))
    )
    return len(same_texts(_texts(before, seconds))) >= len(looked_at) / 2


def _texts(
    pages: Iterator[tuple[int, bytes]], seconds: float
) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield page ids with the words of the pages."""
    documents = (
        Document(page_id=page_id, content_hash="", url=f"page {page_id}", data=data)
        for page_id, data in pages
    )
    for document, words in results(documents, Document.words, seconds):
        yield document.page_id, words
