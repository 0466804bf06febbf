"""CoreEx: the set of nodes with much text and few links.

J. Prasad, A. Paepcke, CoreEx: content extraction from online news articles (CIKM 2008), as
told in Sirsat's survey. A link counts as one word of text, whatever it says. The block tree
knows how many words are linked, not how many links there are: three words are taken for one.
It fails on short news, where a longer and purer block (a legal notice, a comment) scores more.
"""

import numpy as np

from extractors.interface import Leaves, Mask
from extractors.word_counts import count_words, leaves_below
from trees import Tree

_WORDS_PER_LINK = 3


def coreex(
    tree: Tree,
    ignored: Mask | None = None,
    *,
    ratio_weight: float = 0.99,
    text_weight: float = 0.01,
    threshold: float = 0.9,
) -> Leaves:
    """Return the text leaves of the children that CoreEx collects at its best vertex.

    A child enters its parent's set S when the share of unlinked text (childRatio) is above
    the threshold; the parent is scored by the set's ratio and by its share of the page's text.
    Time grows linearly with the page.

    >>> from trees import build_tree
    >>> tree = build_tree("<ul><li><a href=/>Home</a></ul><div><p>News, one.</p><p>Two.</p></div>")
    >>> [tree.text_of(leaf) for leaf in coreex(tree)]
    ['News, one.', 'Two.']
    """
    counts = count_words(tree, ignored)
    plain = counts.words - counts.link_words
    links = (counts.link_words + _WORDS_PER_LINK - 1) // _WORDS_PER_LINK
    text = plain + links
    if not plain[0]:
        return ()
    chosen = plain > threshold * text
    chosen[0] = False
    parents = tree.parent[chosen]
    set_text = np.bincount(parents, weights=text[chosen], minlength=len(tree))
    set_plain = np.bincount(parents, weights=plain[chosen], minlength=len(tree))
    ratio = np.divide(set_plain, set_text, out=np.zeros(len(tree)), where=set_text > 0)
    best = int(np.argmax(ratio_weight * ratio + text_weight * set_text / text[0]))
    nodes = (child for child in tree.children(best) if chosen[child])
    return tuple(leaf for node in nodes for leaf in leaves_below(tree, counts, node))
