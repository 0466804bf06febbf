"""What a page and its site call the page: head titles without the site's name, anchor texts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from flong.patterns.thresholds import THRESHOLDS
from flong.text import fold_text
from flong.tree import Head, stable_hash

_BREAK = re.compile(
    r"\s+[|\u2013\u2014\u00b7\u2022\u00bb\u00ab:~/<>\u2039\u203a-]+\s+|\s*[|\u00bb\u00ab\uff5c]\s*|:\s+"
)
_LONGEST = 1000
"""No title has more characters: what is longer is not searched for the site's name, which takes
time of their square where it is all separators."""


class Anchor(NamedTuple):
    """What others call a page."""

    text: str
    """The words that are clicked on, or the headline that a feed gives."""
    pages: int = 1
    """How many pages say so."""
    source: str = "link"
    """`link`, `feed`, `sitemap` or `news`."""


@dataclass(frozen=True)
class Affixes:
    """What a site puts before and after its headlines in `<title>`."""

    prefixes: frozenset[str] = frozenset()
    """Beginnings up to the headline, separators included."""
    suffixes: frozenset[str] = frozenset()
    """Endings from the separator on."""

    def headline(self, title: str) -> str:
        """Return a title without the longest known beginning and ending.

        >>> Affixes(frozenset(["News: "]), frozenset([" | Site"])).headline("News: Rain | Site")
        'Rain'
        """
        if len(title) > _LONGEST:
            return title.strip()
        if title.endswith(self._endings):  # else separators need not be looked for
            at = next((at for at in _ends(title) if title[at:] in self.suffixes), len(title))
            title = title[:at]
        if title.startswith(self._beginnings):
            for at in reversed(list(_beginnings(title))):
                if title[:at] in self.prefixes:
                    return title[at:].strip()
        return title.strip()

    @cached_property
    def _beginnings(self) -> tuple[str, ...]:
        return tuple(self.prefixes)

    @cached_property
    def _endings(self) -> tuple[str, ...]:
        return tuple(self.suffixes)


def _ends(title: str) -> Iterator[int]:
    yield 0
    for found in _BREAK.finditer(title):
        yield found.start()


def _beginnings(title: str) -> Iterator[int]:
    for found in _BREAK.finditer(title):
        yield found.end()
    yield len(title)


def learn_affixes(titles: Iterable[str]) -> Affixes:
    """Learn what at least a tenth of a site's titles (three at least) begin or end with.

    >>> found = learn_affixes([f"Story {i} - The Site" for i in range(9)])
    >>> found.suffixes, found.headline("More - The Site")
    (frozenset({' - The Site'}), 'More')
    """
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    count = 0
    for title in titles:
        if len(title) > _LONGEST:
            continue
        count += 1
        after.update({title[at:] for at in _ends(title)})
        before.update({title[:at] for at in _beginnings(title)})
    least = max(THRESHOLDS.least_repeats, THRESHOLDS.convention * count)
    return Affixes(
        frozenset(text for text, pages in before.items() if pages >= least and text),
        frozenset(text for text, pages in after.items() if pages >= least and text),
    )


def head_titles(head: Head, affixes: Affixes) -> dict[str, str]:
    """Return what the page calls itself, without the site's name, by its folded wordings.

    >>> head_titles(Head(title="Rain", meta={"og:title": "Rain!"}), Affixes())
    {'rain': 'Rain!'}
    """
    said, meta = head.meta.get, head.meta
    titles = [said("og:title"), said("twitter:title"), said("dc.title")] if meta else []
    found: dict[str, str] = {}
    for title in dict.fromkeys([*titles, head.title]):
        if title:
            headline = affixes.headline(title)
            found.setdefault(fold_text(headline), headline)
    found.pop("", None)
    return found


@dataclass(frozen=True, slots=True)
class PageNames:
    """The names of one page, folded, without what is said of many pages."""

    heads: tuple[str, ...] = ()
    """What the page calls itself."""
    anchors: tuple[str, ...] = ()
    """What others call it."""
    shown: str = ""
    """The best head title as written; empty if the page has none of its own."""
    linked_by: float = 0.0
    """Share of the site's pages that link to it with the same words."""
    linked_as: str = ""
    """Those words."""
    links: int = 0
    """How many pages that are."""

    def by_heads(self, folded: str) -> float:
        """Return from 0 to 1 how like one of the head titles a text is."""
        return max([fuzz.ratio(folded, head) for head in self.heads], default=0.0) / 100

    def by_anchors(self, folded: str) -> float:
        """Return from 0 to 1 how like one of the anchors a text is, or the beginning of one.

        >>> PageNames(anchors=("rain all day read more",)).by_anchors("rain all day")
        0.9
        """
        best = 0.0
        for anchor in self.anchors:
            likeness = fuzz.ratio(folded, anchor) / 100
            if len(folded) >= THRESHOLDS.anchor_beginning and anchor.startswith(folded):
                likeness = max(likeness, THRESHOLDS.same_title)
            best = max(best, likeness)
        return best


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleConventions:
    """How a site names its pages, learned from many of them."""

    pages: int
    """How many pages it was learned from."""
    affixes: Affixes
    """What surrounds the headlines in `<title>`."""
    common_heads: frozenset[str]
    """Folded head titles that name several pages, and so none."""
    common_anchors: frozenset[str]
    """Folded anchor texts that are said of many pages, such as "read more"."""

    def name_page(self, head: Head, anchors: Sequence[Anchor]) -> PageNames:
        """Return what one page is called, by itself and by others."""
        own = head_titles(head, self.affixes)
        heads = tuple([title for title in own if title not in self.common_heads])
        shown = own[heads[0]] if heads else ""
        said: dict[str, None] = {}
        linked_as, links = "", 0
        for anchor in anchors:
            text = fold_text(anchor.text)
            if text and text not in self.common_anchors:
                said[text] = None
            if anchor.pages > links and anchor.source == "link":
                linked_as, links = text, anchor.pages
        linked_by = min(1.0, links / max(self.pages, 1))
        return PageNames(heads, tuple(said), shown, linked_by, linked_as, links)


def learn_conventions(
    heads: Mapping[str, Head], anchors: Mapping[str, Sequence[Anchor]], pages: int = 0
) -> TitleConventions:
    """Learn how a site names its pages from their heads and anchors, both by URL.

    `pages` is the number of pages whose links were read; by default those whose heads are given.
    """
    affixes = learn_affixes(head.title for head in heads.values())
    own: Counter[str] = Counter()
    said: Counter[str] = Counter()
    for url, head in heads.items():
        own.update(head_titles(head, affixes).keys())
        said.update({fold_text(anchor.text) for anchor in anchors.get(url, ())})
    count = len(heads)
    often = max(THRESHOLDS.least_repeats, THRESHOLDS.repeated_text * count)
    return TitleConventions(
        pages=pages or count,
        affixes=affixes,
        common_heads=frozenset(t for t, k in own.items() if k >= often),
        common_anchors=frozenset(t for t, k in said.items() if k >= often),
    )


def hash_headlines(anchors: Iterable[Sequence[Anchor]]) -> NDArray[np.int64]:
    """Return sorted hashes of what others call pages, if it is long enough for a headline.

    >>> len(hash_headlines([[Anchor("Rain in the north"), Anchor("More")], [Anchor("Home")]]))
    1
    """
    texts = {" ".join(anchor.text.split()) for said in anchors for anchor in said}
    long = [text for text in texts if text.count(" ") >= THRESHOLDS.headline_words - 1]
    return np.array(sorted(stable_hash(text.encode()) for text in long), dtype=np.int64)
