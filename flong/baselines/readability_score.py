"""Readability score: paragraphs give points to their containers.

After the public rules of Arc90's Readability, on the block tree, without class names or language.
"""

import numpy as np
from numpy.typing import NDArray

from flong.baselines.interface import Leaves, Mask
from flong.baselines.word_counts import WordCounts, count_words, leaves_below
from flong.tree import Tree


def readability_score(tree: Tree, ignored: Mask | None = None) -> Leaves:
    """Return the text leaves of the container with the most points.

    >>> from flong.tree import build_tree
    >>> text = "<p>" + "A sentence of the article, with a comma. " * 9 + "</p>"
    >>> tree = build_tree(f"<div>Menu</div><div>{text * 3}</div><div>Imprint</div>")
    >>> len(readability_score(tree))
    3
    """
    counts = count_words(tree, ignored)
    points = _points(tree, counts)
    if not points.any():
        return ()
    best = int(points.argmax())
    return leaves_below(tree, counts, best)


def _points(tree: Tree, counts: WordCounts) -> NDArray[np.float64]:
    """Return the points of each vertex from its paragraphs, reduced by its fraction of links."""
    words, parents = counts.leaf_words, counts.holders
    given = np.where(words >= 5, 1 + np.minimum(words / 20, 3) + words / 15, 0)
    grand = tree.parent[parents]
    above = grand >= 0
    receivers = np.concatenate([parents, grand[above]])
    gifts = np.concatenate([given, given[above] / 2])
    points = np.bincount(receivers, weights=gifts, minlength=len(tree))
    density = np.divide(
        counts.link_words, counts.words, out=np.ones(len(tree)), where=counts.words > 0
    )
    score: NDArray[np.float64] = points * (1 - density)
    return score
