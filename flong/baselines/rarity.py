"""Cross-page rarity: text that other pages of the site also contain is not the article."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flong.baselines.interface import Baseline, Leaves, Mask
from flong.baselines.word_counts import count_words, leaves_below
from flong.tree import TEXT, Tree


def common_texts(trees: Sequence[Tree], *, share: float = 0.1, pages: int = 3) -> NDArray[np.int64]:
    """Return the hashes of texts found on at least `pages` pages and on this share of all pages.

    The share protects articles that a few listings repeat in full.

    >>> from flong.tree import build_tree
    >>> trees = [build_tree(f"<p>Menu<p>Text {number}") for number in range(3)]
    >>> common_texts(trees).tolist() == [int(trees[0].text_hash[2])]
    True
    """
    seen = [np.unique(tree.text_hash[tree.tag == TEXT]) for tree in trees]
    texts, counts = np.unique(np.concatenate([np.zeros(0, np.int64), *seen]), return_counts=True)
    return texts[counts >= max(pages, share * len(trees))]


def repeated(tree: Tree, common: NDArray[np.int64]) -> Mask:
    """Return True for each text leaf with a common text."""
    found: Mask = (tree.tag == TEXT) & np.isin(tree.text_hash, common)
    return found


def rarity(trees: Sequence[Tree], *, share: float = 0.6) -> Baseline:
    """Return a baseline that ignores texts common to the pages of the site.

    It descends from the root while one child contains this share of the page's rare, unlinked
    words, and returns the rare text of the last vertex.

    >>> from flong.tree import build_tree
    >>> trees = [build_tree(f"<p>Menu here<div><p>Text {number}</div>") for number in range(3)]
    >>> [trees[1].text_of(leaf) for leaf in rarity(trees)(trees[1])]
    ['Text 1']
    """
    return partial(_rare_text, common=common_texts(trees), share=share)


def _rare_text(
    tree: Tree, ignored: Mask | None = None, *, common: NDArray[np.int64], share: float
) -> Leaves:
    """Return the rare text of the lowest vertex that contains most of it."""
    unseen = repeated(tree, common)
    counts = count_words(tree, unseen if ignored is None else unseen | ignored)
    plain = counts.words - counts.link_words
    if not plain[0]:
        return ()
    # Vertices with more than half of all words lie on one path, so the last one is the lowest.
    lowest = int(np.flatnonzero(plain >= share * plain[0])[-1])
    return leaves_below(tree, counts, lowest)
