"""The first container with at least half of the best direct text."""

from flong.baselines.interface import Leaves, Mask
from flong.baselines.word_counts import count_words, direct_words, leaves_below
from flong.tree import Tree


def first_half(tree: Tree, ignored: Mask | None = None) -> Leaves:
    """Return the text leaves of the first vertex with at least half of the most direct text.

    Direct text means the unlinked words of child paragraphs. Comments and further articles may be
    longer than the article, but they come later.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<div><p>Article, four words</div><div><p>Comment of many more</div>")
    >>> [tree.text_of(leaf) for leaf in first_half(tree)]
    ['Article, four words']
    """
    counts = count_words(tree, ignored)
    direct = direct_words(counts)
    if not direct.any():
        return ()
    return leaves_below(tree, counts, int((direct >= direct.max() / 2).argmax()))
