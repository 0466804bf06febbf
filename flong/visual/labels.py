"""Label the leaves of a page as title or content, given its article."""

import numpy as np
from numpy.typing import NDArray

from flong.text import fold_text
from flong.tree import Tree
from flong.visual.block_tree import FONT, BlockTree

OTHERS, CONTENT, TITLE = range(3)
"""The paper's labels of leaves."""

Labels = NDArray[np.int64]

SURE = 4
"""Minimum words of a leaf that counts as content by itself; shorter ones need content around them.
"""


def label_leaves(tree: Tree, blocks: BlockTree, title: str, body: str) -> Labels:
    """Return the label of each leaf of `blocks.leaves`, given the article of the page.

    Leaves whose text occurs in the body are content. Of the leaves with the title's text, the one
    in the largest type is the title. For a page without an article, title and body are empty.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<h1>Rain</h1><p>It rained all day in town.</p><p>Home</p>")
    >>> row = [0, 1, 0, 0, 9, 9, 16, 0, 0, 0, 0, 9, 0, 1, 0]
    >>> page = [-1, *row[1:], 0, 0, 0]
    >>> blocks = BlockTree.from_lists([page, *([*row, leaf, 1, 0] for leaf in (2, 4, 6))])
    >>> label_leaves(tree, blocks, "Rain", "It rained all day in town.").tolist()
    [2, 1, 0]
    """
    texts = [fold_text(tree.text_of(int(vertex))) for vertex in blocks.vertex[blocks.leaves]]
    whole = f" {fold_text(body)} "
    within = np.array([bool(text) and f" {text} " in whole for text in texts], bool)
    sure = np.flatnonzero(within & np.array([text.count(" ") >= SURE - 1 for text in texts], bool))
    labels = np.full(len(texts), OTHERS, np.int64)
    if len(sure):
        labels[sure[0] : sure[-1] + 1][within[sure[0] : sure[-1] + 1]] = CONTENT
    folded = fold_text(title)
    titles = [at for at, text in enumerate(texts) if folded and text == folded]
    if titles:
        fonts = blocks.rows[blocks.leaves[titles], FONT]
        labels[titles[int(np.argmax(fonts))]] = TITLE
    return labels


def positive_blocks(blocks: BlockTree, labels: Labels) -> NDArray[np.bool_]:
    """Return True for each block that contains title or content (theorem 1).

    >>> row = [0, 1, 0, 0, 9, 9, 16, 0, 0, 0, 0, 9, 0, 1, 0]
    >>> blocks = BlockTree.from_lists([[-1, *row[1:], 0, 0, 0], [*row, 1, 1, 0]])
    >>> positive_blocks(blocks, np.array([CONTENT])).tolist()
    [True, True]
    """
    positive = np.zeros(len(blocks), bool)
    positive[blocks.leaves[labels != OTHERS]] = True
    parent = blocks.parent.tolist()
    for block in range(len(parent) - 1, 0, -1):
        if positive[block]:
            positive[parent[block]] = True
    return positive
