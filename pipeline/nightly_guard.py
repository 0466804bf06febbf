"""Walls: one text in the place of many pages, served as if all were well."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from items import words
from storage import Decision, Figures, Run, Site, Store

FEWEST = 5
"""Pages with the same text that make a wall."""
SHARE = 0.3
"""Share of the pages changed tonight from which on it is one."""
ALIKE = 0.9
"""Jaccard index of their words from which on two texts are the same."""
LOOKED_BACK = 10
"""Pages of a wall whose earlier content is compared."""
KEY = 4

_DIGITS = re.compile(r"\d")


@dataclass(slots=True)
class Lookalikes:
    """Pages that say the same."""

    words: frozenset[str]
    """Those of the first of them."""
    pages: list[int]
    """Their numbers."""


def visible_words(html: str) -> frozenset[str]:
    """Return the words that a reader sees on a page, without numbers.

    >>> sorted(visible_words("<title>Wall</title><script>x</script><p>Accept 27 <b>cookies"))
    ['accept', 'cookies', 'wall']
    """
    from trees import build_tree  # noqa: PLC0415 - a quiet night needs no trees

    tree = build_tree(html)
    found = words(f"{tree.head.title} {tree.text.decode()}")
    return frozenset(word for word in found if not _DIGITS.search(word))


def same_texts(texts: Iterator[tuple[int, frozenset[str]]]) -> list[Lookalikes]:
    """Return groups of pages that say nearly the same, the largest first.

    Pages meet if the least hashes of their words are the same, so that not all pairs are
    compared.
    """
    groups: dict[tuple[int, ...], list[Lookalikes]] = {}
    for number, found in texts:
        key = tuple(sorted(crc32(word.encode()) for word in found)[:KEY])
        near = groups.setdefault(key, [])
        for group in near:
            if _alike(group.words, found):
                group.pages.append(number)
                break
        else:
            near.append(Lookalikes(found, [number]))
    return sorted((g for each in groups.values() for g in each), key=lambda g: -len(g.pages))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)


def find_wall(store: Store, site: Site, crawl: Run) -> list[int]:
    """Return the pages that a crawl found replaced by one and the same text; none if all is well.

    Many pages that were different must have become the same, or, of a site that is new, the
    home page must be like many others: some sites have many pages that are nearly empty.
    """
    fetched = store.fetched_in(crawl)
    if len(fetched) < FEWEST:
        return []
    home = None
    texts: list[tuple[int, frozenset[str]]] = []
    for row in store.page_rows(site, only=list(fetched)):
        texts.append((row.id, visible_words(row.html)))
        home = row.id if row.depth == 0 else home
    changed = {number for number, outcome in fetched.items() if outcome == "changed"}
    for group in same_texts(iter(texts)):
        replaced = [number for number in group.pages if number in changed]
        enough = len(replaced) >= max(FEWEST, SHARE * len(changed))
        if enough and _were_different(store, replaced):
            return group.pages
        if home in group.pages and len(group.pages) >= max(FEWEST, SHARE * len(fetched)):
            return group.pages
    return []


def _were_different(store: Store, numbers: Sequence[int]) -> bool:
    """Tell whether most of the pages, as far as looked at, said different things before."""
    looked_at = numbers[:LOOKED_BACK]
    before = (
        (number, visible_words(versions[-1].html))
        for number in looked_at
        if (versions := store.versions_of(number))
    )
    return len(same_texts(before)) >= len(looked_at) / 2


def find_cut(decisions: Sequence[Decision], past: Sequence[Figures]) -> tuple[int, list[int]]:
    """Return how many articles are shown only in part tonight, and which new ones must be so.

    Nothing unless that befell a good share of the articles that changed: then a new article of
    less than half the usual length is taken to be cut off too.
    """
    known = [each for each in decisions if each.title is not None and not each.is_new]
    cut = [each for each in known if each.is_kept and "a part" in each.reason]
    if len(cut) < max(3, SHARE * len([each for each in known if each.before_pattern_id])):
        return 0, []
    usual = max((each.words or 0.0 for each in past if each.articles), default=0.0)
    fresh = [each for each in decisions if each.title is not None and each.is_new]
    return len(cut), [each.page_id for each in fresh if each.words < usual / 2]
