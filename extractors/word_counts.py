"""The text of a page that a method may look at, counted for every vertex."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from extractors.interface import Leaves, Mask
from trees import TEXT, Tree, tag_number

_PARAGRAPHS = [
    tag_number(name)
    for name in "p li dd dt td th pre blockquote h1 h2 h3 h4 h5 h6 figcaption".split()
]
_IS_PARAGRAPH = np.zeros(max(_PARAGRAPHS) + 2, dtype=np.bool_)
_IS_PARAGRAPH[_PARAGRAPHS] = True
"""By number of the tag; the last stands for all others."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WordCounts:
    """Text leaves that are not ignored, and their words summed over sub-trees."""

    leaves: NDArray[np.intp]
    """The text leaves, in document order."""
    blocks: NDArray[np.intp]
    """The paragraph that stands for each (`paragraph_of`)."""
    words: NDArray[np.int64]
    """Words below each vertex."""
    link_words: NDArray[np.int64]
    """Those of them that lie inside links."""


def count_words(tree: Tree, ignored: Mask | None = None) -> WordCounts:
    """Return what is to be read in a tree when some vertices, and all below them, are not there.

    >>> from trees import build_tree
    >>> tree = build_tree("<p>one two</p><div><p>three <a href=x>four</a></p></div>")
    >>> count_words(tree).words.tolist(), count_words(tree).link_words[0]
    ([4, 2, 2, 2, 2, 2], np.int64(1))
    >>> ignored = tree.tag == tree.tag[3]
    >>> count_words(tree, ignored).words.tolist()
    [2, 2, 2, 0, 0, 0]
    """
    if ignored is None or not np.count_nonzero(ignored):
        leaves = np.flatnonzero(tree.tag == TEXT)
        return WordCounts(
            leaves=leaves,
            blocks=paragraph_of(tree, leaves),
            words=tree.words.astype(np.int64),
            link_words=tree.link_words.astype(np.int64),
        )
    return _count(tree, ignored.tobytes())


@lru_cache(maxsize=1)
def _count(tree: Tree, ignored: bytes) -> WordCounts:
    """Count once for all methods that are asked about a page, one after the other."""
    kept = (tree.tag == TEXT) & ~below(tree, np.frombuffer(ignored, dtype=np.bool_))
    leaves = np.flatnonzero(kept)
    return WordCounts(
        leaves=leaves,
        blocks=paragraph_of(tree, leaves),
        words=sum_below(tree, np.where(kept, tree.words, 0)),
        link_words=sum_below(tree, np.where(kept, tree.link_words, 0)),
    )


def below(tree: Tree, chosen: Mask) -> Mask:
    """Return which vertices are chosen or lie below one that is."""
    starts = np.flatnonzero(chosen)
    change = np.zeros(len(tree) + 1, dtype=np.int64)
    np.add.at(change, starts, 1)
    np.add.at(change, starts + tree.size[starts], -1)
    return np.cumsum(change[:-1]) > 0


def sum_below(tree: Tree, values: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return for each vertex the sum of the values of its sub-tree, itself included."""
    total = np.zeros(len(tree) + 1, dtype=np.int64)
    np.cumsum(values, out=total[1:])
    sums: NDArray[np.int64] = total[np.arange(len(tree)) + tree.size] - total[:-1]
    return sums


def leaves_below(tree: Tree, counts: WordCounts, vertex: int) -> Leaves:
    """Return the counted leaves that lie in one sub-tree."""
    first = counts.leaves.searchsorted(vertex)
    end = counts.leaves.searchsorted(vertex + int(tree.size[vertex]))
    return tuple(counts.leaves[first:end].tolist())


def paragraph_of(tree: Tree, leaves: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each leaf the block that stands for it among others: `p`, `li` ..., else itself.

    >>> from trees import build_tree
    >>> tree = build_tree("<div>bare<p>in a paragraph</p></div>")
    >>> paragraph_of(tree, count_words(tree).leaves).tolist()
    [2, 3]
    """
    parents = tree.parent[leaves]
    tags = np.minimum(tree.tag[parents], len(_IS_PARAGRAPH) - 1)
    return np.where(_IS_PARAGRAPH[tags], parents, leaves)


def direct_words(tree: Tree, counts: WordCounts) -> NDArray[np.int64]:
    """Return for each vertex the unlinked words of the paragraphs that are its children."""
    holders = tree.parent[counts.blocks]
    plain = (counts.words - counts.link_words)[counts.leaves]
    direct = np.zeros(len(tree), dtype=np.int64)
    np.add.at(direct, holders, plain)
    return direct
