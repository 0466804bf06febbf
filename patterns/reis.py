"""Patterns and labels as printed (Reis et al. 2004, sections 4.2 to 4.4), for comparison.

Each cluster has one pattern. Wildcards are promoted as printed and merged across up to three
vertices. Among the patterns that accept a page, the cheapest one wins. Labels are chosen page by
page. The paper leaves three points open. Here equally cheap patterns are ranked by cluster size,
labels of vertices are tags and texts without classes, and `promote` counts the plain vertices
between two wildcards with their descendants.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from flong.article import Article, Provenance
from flong.patterns.compose import NOTHING, Item, compose, several
from flong.patterns.labels import text_of_leaves
from flong.patterns.match import Match, fit, page_side
from flong.patterns.pattern import KLEENE, OPTION, PLAIN, PLUS, Pattern, pattern_of
from flong.text import words
from flong.tree import TEXT, SitePage, Tree, build_tree

BRIDGE = 3
"""Maximum number of plain vertices between two wildcards that are merged."""
METHOD = "paper"
"""Method name of its articles."""


@dataclass(frozen=True, slots=True, eq=False)
class PublishedPatterns:
    """Patterns of a site, ordered by size of their clusters, largest first."""

    patterns: tuple[Pattern, ...]

    def match(self, tree: Tree) -> Match | None:
        """Return the match of the cheapest pattern that accepts a page, or None."""
        bare = _bare(tree)
        side = page_side(bare)
        matches = (fit(pattern, bare, side) for pattern in self.patterns)
        return min(filter(None, matches), key=lambda found: found.cost, default=None)

    def read(self, page: SitePage) -> Article | None:
        """Return the article of a page; None without an accepting pattern or a long passage."""
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
    composed = partial(compose, promote=partial(promote, bridge=bridge))
    bare = [pattern_of(_bare(tree)) for tree in trees]
    return PublishedPatterns(
        tuple(reduce(composed, [bare[page] for page in cluster]) for cluster in clusters)
    )


def promote(items: Sequence[Item], bridge: int = BRIDGE) -> list[Item]:
    """Merge wildcards among siblings as printed (section 4.2).

    A wildcard and the `?` after it become `+` or `*`. Wildcards with at most `bridge` plain
    vertices between them become one `+`, together with these vertices and their descendants.

    >>> [item.kind for item in promote([Item(k, 0, 0) for k in (OPTION, PLUS, OPTION)])]
    [3, 2]
    >>> [item.kind for item in promote([Item(k, 0, 0) for k in (OPTION, PLAIN, OPTION)])]
    [2]
    """
    promoted: list[Item] = []
    for wild, run in groupby(_bridged(items, bridge), key=lambda item: item.kind != PLAIN):
        group = list(run)
        if not wild:
            promoted += group
        elif _BRIDGE in group:
            promoted.append(several(optional=False))
        else:
            promoted += _with_options(group)
    return promoted


_BRIDGE = Item(PLUS, NOTHING, NOTHING, 0)
"""Stands for plain vertices between two wildcards."""


def _with_options(wildcards: Sequence[Item]) -> list[Item]:
    """Return neighbouring wildcards, each merged with the `?` after it."""
    promoted: list[Item] = []
    for item in wildcards:
        if promoted and item.kind == OPTION:
            promoted[-1] = several(optional=promoted[-1].kind in (OPTION, KLEENE))
        else:
            promoted.append(item)
    return promoted


def _bridged(items: Sequence[Item], bridge: int) -> list[Item]:
    """Replace the items between two wildcards that have at most `bridge` plain vertices."""
    wild = [at for at, item in enumerate(items) if item.kind != PLAIN]
    result = list(items)
    for before, after in pairwise(wild):
        if 0 < sum(item.plain for item in items[before + 1 : after]) <= bridge:
            result[before + 1 : after] = [_BRIDGE] * (after - before - 1)
    return result


def raw_tree(page: SitePage) -> Tree:
    """Return the tree of the document itself, with nothing folded or collapsed."""
    return build_tree(page.tree.source.data.decode(errors="replace"), raw=True)


def _bare(tree: Tree) -> Tree:
    """Return a tree without classes."""
    none = np.zeros(0, np.int64)
    return replace(tree, class_start=np.zeros(len(tree) + 1, np.int32), class_hash=none)


LEAST_BODY = 100
"""Number of words that a body must exceed."""

MOST_TITLE = 20
"""Maximum number of words of a title."""


class Passage(NamedTuple):
    """The text that one wildcard takes from a page."""

    vertex: int
    """Position of the wildcard in the pattern."""
    leaves: tuple[int, ...]
    """Text leaves of the page."""
    words: int
    """Number of words."""


def passages(found: Match) -> list[Passage]:
    """Return the passages of a match, in order, for each wildcard that takes text."""
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
    """Return title and body of a page, or None if no passage is long enough for a body.

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
