"""CoreEx: the set of nodes with much text and few links.

J. Prasad, A. Paepcke, CoreEx: content extraction from online news articles (CIKM 2008), after
Sirsat's survey. A link counts as one word of text, regardless of its length. Known failure: on
short news, a longer block with fewer links (a legal notice, a comment) has a higher score.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flong.baselines.interface import Leaves, Mask
from flong.baselines.word_counts import WordCounts, below, count_words, sum_below
from flong.tree import Tree

_WORDS_PER_LINK = 3
_RATIO_WEIGHT, _TEXT_WEIGHT, _THRESHOLD = 0.99, 0.01, 0.9

Counts = NDArray[np.int64]


def coreex(  # noqa: PLR0913 - the paper's three numbers
    tree: Tree,
    ignored: Mask | None = None,
    *,
    ratio_weight: float = _RATIO_WEIGHT,
    text_weight: float = _TEXT_WEIGHT,
    threshold: float = _THRESHOLD,
    counts_links: bool = False,
) -> Leaves:
    """Return the text leaves of the children that CoreEx collects at its best vertex.

    A child enters its parent's set S when the share of unlinked text (childRatio) is above
    the threshold; the parent is scored by the set's ratio and by its share of the page's text.
    `counts_links` counts links as published; the baseline that votes counts three linked words as
    one link. Time grows linearly with the page.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<ul><li><a href=/>Home</a></ul><div><p>News, one.</p><p>Two.</p></div>")
    >>> [tree.text_of(leaf) for leaf in coreex(tree)]
    ['News, one.', 'Two.']
    """
    counts = count_words(tree, ignored)
    plain = counts.words - counts.link_words
    text = plain + (_links(tree, ignored) if counts_links else _guessed_links(counts))
    if not plain[0]:
        return ()
    chosen = plain > threshold * text
    chosen[0] = False
    sets = _sets(tree, chosen, plain, text)
    best = int((ratio_weight * sets.ratio + text_weight * sets.text / text[0]).argmax())
    nodes = np.array([child for child in tree.children(best) if chosen[child]], np.intp)
    leaves = counts.leaves
    firsts, ends = leaves.searchsorted(nodes), leaves.searchsorted(nodes + tree.size[nodes])
    spans = zip(firsts.tolist(), ends.tolist(), strict=True)
    return tuple(leaf for first, end in spans for leaf in leaves[first:end].tolist())


def text_share(tree: Tree) -> float:
    """Return CoreEx's ratio of the whole page: unlinked words as a fraction of words and links.

    Index pages have a low ratio.

    >>> from flong.tree import build_tree
    >>> text_share(build_tree("<p>One two three <a href=/>four five</a></p>"))
    0.75
    """
    plain = int(tree.words[0] - tree.link_words[0])
    return plain / max(plain + int(tree.links.sum()), 1)


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """The set S of each vertex."""

    text: NDArray[np.float64]
    ratio: NDArray[np.float64]


def _sets(tree: Tree, chosen: Mask, plain: Counts, text: Counts) -> _Sets:
    parents = tree.parent[chosen]
    set_text = np.bincount(parents, weights=text[chosen], minlength=len(tree))
    set_plain = np.bincount(parents, weights=plain[chosen], minlength=len(tree))
    ratio = np.divide(set_plain, set_text, out=np.zeros(len(tree)), where=set_text > 0)
    return _Sets(set_text.astype(np.float64, copy=False), ratio)


def _links(tree: Tree, ignored: Mask | None) -> Counts:
    """Return the number of links in each sub-tree."""
    own = tree.links if ignored is None else np.where(below(tree, ignored), 0, tree.links)
    return sum_below(tree, own)


def _guessed_links(counts: WordCounts) -> Counts:
    """Return the number of links in each sub-tree, if each has three words."""
    return (counts.link_words + _WORDS_PER_LINK - 1) // _WORDS_PER_LINK
