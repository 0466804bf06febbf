"""The patterns of the paper itself (Reis 2004, sections 4.2 to 4.4), for comparison.

One pattern a cluster, whatever is lost; wildcards promoted as printed and merged across up to three
vertices; of the patterns that accept a page the cheapest; labels page by page (`reis_labels`).
Where the paper leaves it open: of equally cheap patterns that of the larger cluster; labels are
tags and texts, without classes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import NamedTuple

import numpy as np

from flong.article import Article, Provenance
from flong.patterns.compose import compose
from flong.patterns.labels import text_of_leaves
from flong.patterns.match import Match, fit, page_side
from flong.patterns.pattern import Pattern, pattern_of
from flong.text import words
from flong.tree import TEXT, SitePage, Tree, build_tree

BRIDGE = 3
"""Wildcards with at most so many other vertices between them are made one."""
METHOD = "paper"
"""How its articles are marked."""


@dataclass(frozen=True, slots=True, eq=False)
class PublishedPatterns:
    """The patterns of a site, that of the largest cluster first."""

    patterns: tuple[Pattern, ...]

    def match(self, tree: Tree) -> Match | None:
        """Return how the cheapest pattern that accepts a page fits; None if none accepts it."""
        bare = _bare(tree)
        side = page_side(bare)
        matches = (fit(pattern, bare, side) for pattern in self.patterns)
        return min(filter(None, matches), key=lambda found: found.cost, default=None)

    def read(self, page: SitePage) -> Article | None:
        """Return the article of a page; None if no pattern or no passage is one's."""
        tree = raw_tree(page)
        found = self.match(tree)
        labelled = label_by_paper(found) if found is not None else None
        if labelled is None:
            return None
        title, body = labelled
        return Article(
            url=page.url,
            title=" ".join(text_of_leaves(tree, title.leaves).split()) if title else "",
            body=text_of_leaves(tree, body.leaves),
            method=METHOD,
            provenance=tuple(
                Provenance(field=field, source=f"wildcard {passage.vertex}")
                for field, passage in (("title", title), ("body", body))
                if passage is not None
            ),
        )


def learn_as_published(
    trees: Sequence[Tree], clusters: Sequence[Sequence[int]], *, bridge: int = BRIDGE
) -> PublishedPatterns:
    """Return the pattern of each cluster of raw trees, given by position.

    >>> pages = [build_tree(f"<h1>On {w}</h1><p>{f'{w} ' * 101}</p>", raw=True) for w in "ab"]
    >>> learned = learn_as_published(pages, [[0, 1]])
    >>> learned.read(SitePage(url="http://a.org/", tree=pages[0])).title
    'On a'
    """
    composed = partial(compose, bridge=bridge, as_published=True)
    bare = [pattern_of(_bare(tree)) for tree in trees]
    return PublishedPatterns(
        tuple(reduce(composed, [bare[page] for page in cluster]) for cluster in clusters)
    )


def raw_tree(page: SitePage) -> Tree:
    """Return the tree of the document itself, in which nothing is folded."""
    return build_tree(page.tree.source.data.decode(errors="replace"), raw=True)


def _bare(tree: Tree) -> Tree:
    """Return a tree without classes."""
    none = np.zeros(0, np.int64)
    return replace(tree, class_start=np.zeros(len(tree) + 1, np.int32), class_hash=none)


LEAST_BODY = 100
"""A body has more words."""

MOST_TITLE = 20
"""A title has at most so many words."""


class Passage(NamedTuple):
    """What one wildcard takes out of a page."""

    vertex: int
    """The wildcard's position in the pattern."""
    leaves: tuple[int, ...]
    """Text leaves of the page."""
    words: int
    """Their words."""


def passages(found: Match) -> list[Passage]:
    """Return the passages of a match, in order; wildcards that take no text have none."""
    tree, taken = found.tree, []
    for wildcard in found.pattern.wildcards:
        start, stop = int(found.start[wildcard]), int(found.stop[wildcard])
        if start < 0:
            continue
        leaves = np.flatnonzero(tree.tag[start:stop] == TEXT) + start
        if len(leaves):
            count = int(tree.words[leaves].sum())
            taken.append(Passage(wildcard, tuple(leaves.tolist()), count))
    return taken


def label_by_paper(found: Match) -> tuple[Passage | None, Passage] | None:
    """Return title and body of a page; None if no passage is long enough to be a body.

    >>> from flong.patterns.compose import compose
    >>> from flong.patterns.match import match
    >>> from flong.patterns.pattern import pattern_of
    >>> from flong.tree import build_tree
    >>> pages = [build_tree(f"<h1>On {w}</h1><i>by me</i><p>{f'{w} ' * 101}</p>") for w in "ab"]
    >>> found = match(compose(*map(pattern_of, pages)), pages[0])
    >>> title, body = label_by_paper(found)
    >>> pages[0].text_of(title.leaves[0]), body.words
    ('On a', 101)
    """
    all_passages = passages(found)
    longest = max(all_passages, key=lambda passage: passage.words, default=None)
    if longest is None or longest.words <= LEAST_BODY:
        return None
    own = _terms(found, longest)
    titles = [
        (len(own & _terms(found, passage)) / (longest.vertex - passage.vertex), passage)
        for passage in all_passages
        if passage.vertex < longest.vertex and 1 <= passage.words <= MOST_TITLE
    ]
    best = max(titles, key=lambda pair: pair[0], default=None)
    return (best[1] if best is not None and best[0] > 0 else None), longest


def _terms(found: Match, passage: Passage) -> set[str]:
    return {word for leaf in passage.leaves for word in words(found.tree.text_of(leaf))}
