"""Word counts of every vertex, without ignored parts of the page."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from flong.baselines.interface import Leaves, Mask
from flong.tree import TEXT, Tree, remembered, tag_number

_PARAGRAPHS = [
    tag_number(name)
    for name in "p li dd dt td th pre blockquote h1 h2 h3 h4 h5 h6 figcaption".split()
]
_IS_PARAGRAPH = np.zeros(max(_PARAGRAPHS) + 2, dtype=np.bool_)
_IS_PARAGRAPH[_PARAGRAPHS] = True
"""Indexed by tag number; the last entry is for all other tags."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WordCounts:
    """Text leaves that are not ignored, with their words summed over sub-trees."""

    leaves: NDArray[np.intp]
    """The text leaves, in document order."""
    blocks: NDArray[np.intp]
    """Paragraph of each leaf (`paragraph_of`)."""
    holders: NDArray[np.int32]
    """Parent of that paragraph."""
    words: NDArray[np.int64]
    """Words below each vertex."""
    link_words: NDArray[np.int64]
    """Linked words below each vertex."""

    @classmethod
    def of(
        cls, tree: Tree, kept: Mask, words: NDArray[np.int64], link_words: NDArray[np.int64]
    ) -> "WordCounts":
        """Return the counts for the given text leaves."""
        leaves = kept.nonzero()[0]
        blocks = paragraph_of(tree, leaves)
        holders = tree.parent[blocks]
        return cls(
            leaves=leaves, blocks=blocks, holders=holders, words=words, link_words=link_words
        )

    @cached_property
    def leaf_words(self) -> NDArray[np.int64]:
        """Return the number of words of each text leaf."""
        return self.words[self.leaves]

    @cached_property
    def leaf_links(self) -> NDArray[np.int64]:
        """Return the number of linked words of each text leaf."""
        return self.link_words[self.leaves]

    def held(self, values: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return for each vertex the sum of the values of leaves in its child paragraphs."""
        sums: NDArray[np.float64] = np.bincount(
            self.holders, weights=values, minlength=len(self.words)
        ).astype(np.float64, copy=False)
        return sums


def count_words(tree: Tree, ignored: Mask | None = None) -> WordCounts:
    """Return the word counts of a tree without ignored vertices and their descendants.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<p>one two</p><div><p>three <a href=x>four</a></p></div>")
    >>> count_words(tree).words.tolist(), count_words(tree).link_words[0]
    ([4, 2, 2, 2, 2, 2], np.int64(1))
    >>> ignored = tree.tag == tree.tag[3]
    >>> count_words(tree, ignored).words.tolist()
    [2, 2, 2, 0, 0, 0]
    """
    if ignored is None or not np.count_nonzero(ignored):
        words, link_words = tree.words.astype(np.int64), tree.link_words.astype(np.int64)
        return WordCounts.of(tree, tree.tag == TEXT, words, link_words)
    return _count(tree, ignored.tobytes())


@lru_cache(maxsize=1)
def _count(tree: Tree, ignored: bytes) -> WordCounts:
    """Cache the counts of the last page: several methods read it one after the other."""
    kept = (tree.tag == TEXT) & ~below(tree, np.frombuffer(ignored, dtype=np.bool_))
    words, link_words = (sum_below(tree, own * kept) for own in (tree.words, tree.link_words))
    return WordCounts.of(tree, kept, words, link_words)


def below(tree: Tree, chosen: Mask) -> Mask:
    """Return True for each chosen vertex and its descendants."""
    starts = chosen.nonzero()[0]
    change = -np.bincount(starts + tree.size[starts], minlength=len(tree) + 1)
    change[starts] += 1
    inside: Mask = change[:-1].cumsum() > 0
    return inside


def sum_below(tree: Tree, values: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return for each vertex the sum of the values of its sub-tree, including its own."""
    total = np.zeros(len(tree) + 1, dtype=np.int64)
    values.cumsum(out=total[1:])
    sums: NDArray[np.int64] = total[_ends(tree)] - total[:-1]
    return sums


@remembered
def _ends(tree: Tree) -> NDArray[np.int64]:
    """Return the end of each sub-tree."""
    return np.arange(len(tree)) + tree.size


def leaves_below(tree: Tree, counts: WordCounts, vertex: int) -> Leaves:
    """Return the counted leaves of a sub-tree."""
    return tuple(counts.leaves[span_below(tree, counts, vertex)].tolist())


def span_below(tree: Tree, counts: WordCounts, vertex: int) -> slice:
    """Return the range of the counted leaves that belong to a sub-tree."""
    first = counts.leaves.searchsorted(vertex)
    return slice(first, counts.leaves.searchsorted(vertex + int(tree.size[vertex])))


def paragraph_of(tree: Tree, leaves: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each leaf its parent if that is a paragraph (`p`, `li` ...), else the leaf.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<div>bare<p>in a paragraph</p></div>")
    >>> paragraph_of(tree, count_words(tree).leaves).tolist()
    [2, 3]
    """
    parents = tree.parent[leaves]
    tags = np.minimum(tree.tag[parents], len(_IS_PARAGRAPH) - 1)
    return np.where(_IS_PARAGRAPH[tags], parents, leaves)


def direct_words(counts: WordCounts) -> NDArray[np.float64]:
    """Return for each vertex the unlinked words of its child paragraphs."""
    return counts.held(counts.leaf_words - counts.leaf_links)
