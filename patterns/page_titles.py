"""Titles of a page: head titles without the site's name, and anchor texts."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

from flong.page import Anchor
from flong.patterns.thresholds import THRESHOLDS
from flong.text import fold_text
from flong.tree import Head, stable_hash

_BREAK = re.compile(
    r"\s+[|\u2013\u2014\u00b7\u2022\u00bb\u00ab:~/<>\u2039\u203a-]+\s+|\s*[|\u00bb\u00ab\uff5c]\s*|:\s+"
)
_NEWS_SOURCES = ("feed", "news")
"""Sources of anchor texts that announce news."""
_LONGEST = 1000
"""Maximum characters of a title. Longer ones are not searched for the site's name, which takes
quadratic time where they consist of separators."""


@dataclass(frozen=True)
class Affixes:
    """Prefixes and suffixes that a site puts around its headlines in `<title>`."""

    prefixes: frozenset[str] = frozenset()
    """Texts up to the headline, separators included."""
    suffixes: frozenset[str] = frozenset()
    """Texts from the separator on."""

    def headline(self, title: str) -> str:
        """Return a title without the longest known prefix and suffix.

        >>> Affixes(frozenset(["News: "]), frozenset([" | Site"])).headline("News: Rain | Site")
        'Rain'
        """
        if len(title) > _LONGEST:
            return title.strip()
        if title.endswith(self._endings):  # cheaper than a search for separators
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
    """Learn the prefixes and suffixes that enough titles of a site share (`convention`).

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
    least = THRESHOLDS.shared_by(THRESHOLDS.convention, count)
    return Affixes(
        frozenset(text for text, pages in before.items() if pages >= least and text),
        frozenset(text for text, pages in after.items() if pages >= least and text),
    )


_SEPARATORS = (" > ", " \u00bb ", " \u203a ", " / ", " :: ", " | ")
"""Separators of breadcrumbs."""


@dataclass(frozen=True, slots=True)
class Breadcrumbs:
    """Breadcrumbs in front of the titles of a template, on the same line."""

    separator: str = ""
    """Text between them, or an empty string."""
    depths: tuple[tuple[str, int], ...] = ()
    """First breadcrumbs, each with the number of breadcrumbs of its lines."""

    def headline(self, line: str) -> str:
        """Return a line without its breadcrumbs.

        >>> Breadcrumbs(" > ", (("News", 2),)).headline("News > 1 May 2020 > Rain:")
        'Rain'
        """
        text = " ".join(line.split())
        parts = text.split(self.separator) if self.separator else [text]
        depth = dict(self.depths).get(parts[0], 0)
        if not 0 < depth < len(parts):
            return text
        return self.separator.join(parts[depth:]).rstrip(" :")


def learn_breadcrumbs(lines: Sequence[str]) -> Breadcrumbs:
    """Learn the breadcrumbs that most titles of a template have in front of them.

    Most lines must share their first breadcrumb with several others. The lines of a section usually
    have equally many.

    >>> learn_breadcrumbs([f"News > {day} May 2020 > Story {day}" for day in range(1, 9)])
    Breadcrumbs(separator=' > ', depths=(('News', 2),))
    >>> learn_breadcrumbs([f"Town {n} > Village {n}" for n in range(9)])
    Breadcrumbs(separator='', depths=())
    """
    most = max(THRESHOLDS.least_repeats, THRESHOLDS.constant_pages * len(lines))
    for separator in _SEPARATORS:
        sections: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for line in lines:
            first, *others = " ".join(line.split()).split(separator)
            if others:
                sections[first][len(others)] += 1
        shared = {
            name: depths
            for name, depths in sections.items()
            if depths.total() >= THRESHOLDS.least_repeats
        }
        if sum(depths.total() for depths in shared.values()) >= most:
            usual = (
                (name, max(depths, key=lambda n: (depths[n], n))) for name, depths in shared.items()
            )
            return Breadcrumbs(separator, tuple(sorted(usual)))
    return Breadcrumbs()


def head_titles(head: Head, affixes: Affixes) -> dict[str, str]:
    """Return the titles in a head without the site's name, by their folded text.

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
    """Titles and anchor texts of one page, folded, without those of many pages."""

    heads: tuple[str, ...] = ()
    """Head titles."""
    anchors: tuple[str, ...] = ()
    """Anchor texts."""
    shown: str = ""
    """The best head title as written; empty without one."""
    linked_by: float = 0.0
    """Fraction of the site's pages that link here with the same words."""
    linked_as: str = ""
    """These words."""
    links: int = 0
    """Number of these pages."""
    announced: bool = False
    """It is in a feed or a news sitemap."""

    def by_heads(self, folded: str) -> float:
        """Return the similarity of a text to the nearest head title, from 0 to 1."""
        return max([fuzz.ratio(folded, head) for head in self.heads], default=0.0) / 100

    def by_anchors(self, folded: str) -> float:
        """Return the similarity of a text to the nearest anchor text or its beginning, from 0 to 1.

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
    """Conventions of a site's titles, learned from many pages."""

    pages: int
    """Number of pages that they were learned from."""
    affixes: Affixes
    """Texts around headlines in `<title>`."""
    common_heads: frozenset[str]
    """Folded head titles that several pages share."""
    common_anchors: frozenset[str]
    """Folded anchor texts of several pages, such as "read more"."""

    def name_page(self, head: Head, anchors: Sequence[Anchor]) -> PageNames:
        """Return titles and anchor texts of one page."""
        own = head_titles(head, self.affixes)
        heads = tuple([title for title in own if title not in self.common_heads])
        shown = own[heads[0]] if heads else ""
        said: dict[str, None] = {}
        linked_as, links, announced = "", 0, False
        for anchor in anchors:
            announced = announced or anchor.source in _NEWS_SOURCES
            text = fold_text(anchor.text)
            if text and text not in self.common_anchors:
                said[text] = None
            if anchor.pages > links and anchor.source == "link":
                linked_as, links = text, anchor.pages
        linked_by = min(1.0, links / max(self.pages, 1))
        return PageNames(heads, tuple(said), shown, linked_by, linked_as, links, announced)


def learn_conventions(
    heads: Mapping[str, Head], anchors: Mapping[str, Sequence[Anchor]], pages: int = 0
) -> TitleConventions:
    """Learn the conventions of a site from heads and anchors of its pages, both by URL.

    `pages` is the number of pages whose links were read; by default that of the heads.
    """
    affixes = learn_affixes(head.title for head in heads.values())
    own: Counter[str] = Counter()
    said: Counter[str] = Counter()
    for url, head in heads.items():
        own.update(head_titles(head, affixes).keys())
        said.update({fold_text(anchor.text) for anchor in anchors.get(url, ())})
    count = len(heads)
    often = THRESHOLDS.shared_by(THRESHOLDS.repeated_text, count)
    return TitleConventions(
        pages=pages or count,
        affixes=affixes,
        common_heads=frozenset(t for t, k in own.items() if k >= often),
        common_anchors=frozenset(t for t, k in said.items() if k >= often),
    )


def hash_headlines(anchors: Iterable[Sequence[Anchor]]) -> NDArray[np.int64]:
    """Return sorted hashes of anchor texts that are long enough for a headline.

    >>> len(hash_headlines([[Anchor("Rain in the north"), Anchor("More")], [Anchor("Home")]]))
    1
    """
    texts = {" ".join(anchor.text.split()) for said in anchors for anchor in said}
    long = [text for text in texts if text.count(" ") >= THRESHOLDS.headline_words - 1]
    return np.array(sorted(stable_hash(text.encode()) for text in long), dtype=np.int64)
