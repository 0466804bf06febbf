"""V-Wrapper: find the title and content leaves of a page (Figure 4, and step 2)."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from flong.visual.block_tree import BOLD, FONT, LEFT, TEXT_LENGTH, BlockTree, Ints, Mask, Numbers
from flong.visual.boosting import BoostedTrees
from flong.visual.features import measure
from flong.visual.labels import CONTENT, TITLE
from flong.visual.second_look import describe_page, look_again

BOX = 0.85
"""Minimum fraction of the predicted text in the block that bounds the result."""
STORY, SAME_LEFT = 200, 30
"""Minimum characters before another headline, and maximum pixels between their left edges.

A later line in the title's type and position starts the next article. Measured: 45 pages of two of
19 sites, all correct.
"""
WIDE = -0.1
"""Minimum score of further content leaves inside that block."""


@dataclass(frozen=True, slots=True, eq=False)
class VisualAnswer:
    """Leaves chosen by a wrapper, by position."""

    titles: Ints
    """Title leaves; `VWrapper` gives at most one."""
    content: Ints
    """Content leaves, in reading order."""


class Wrapper(Protocol):
    """Labels the leaves of any page, independent of its site."""

    def read(self, blocks: BlockTree) -> VisualAnswer:
        """Return title and content; both empty if the page is not an article."""


def candidates(blocks: BlockTree, positive: Mask) -> Ints:
    """Return the leaves reachable from the page through positive inner blocks.

    Figure 4 of the paper: the walk ends at a negative block.

    >>> row = [0, 1, 0, 0, 9, 9, 16, 0, 0, 0, 0, 9, 0, 1, 0]
    >>> page, box = [-1, *row[1:], 0, 0, 0], [*row, 1, 0, 0]
    >>> blocks = BlockTree.from_lists([page, box, [1, *row[1:], 2, 1, 0], [*row, 3, 1, 0]])
    >>> candidates(blocks, np.array([True, False, False, False])).tolist()
    [3]
    """
    reached = positive.tolist()
    for block, parent in enumerate(blocks.parent.tolist()):
        if block and not reached[parent]:
            reached[block] = False
    return blocks.leaves[[reached[parent] for parent in blocks.parent[blocks.leaves].tolist()]]


def inner_scores(model: BoostedTrees, blocks: BlockTree, table: Numbers) -> Numbers:
    """Return the score of each inner block; leaves get the minimum."""
    scores = np.full(len(blocks), -1.0)
    scores[blocks.inner] = model.score(table[blocks.inner])
    return scores


@dataclass(frozen=True, eq=False, kw_only=True)
class PublishedWrapper:
    """The wrapper as published: one classifier for inner blocks, a three-class one for leaves."""

    inner: BoostedTrees
    """Step 1: does a block contain news?"""
    leaf: BoostedTrees
    """Step 2: others, content or title."""

    def read(self, blocks: BlockTree) -> VisualAnswer:
        """Return the leaves labelled title and content."""
        table = measure(blocks)
        leaves = candidates(blocks, inner_scores(self.inner, blocks, table) > 0)
        labels = np.argmax(self.leaf.points(table[leaves]), axis=1)
        return VisualAnswer(leaves[labels == TITLE], leaves[labels == CONTENT])


@dataclass(frozen=True, eq=False, kw_only=True)
class LeafScorers:
    """Step 2: two classifiers of leaves."""

    content: BoostedTrees
    """Is a leaf content?"""
    title: BoostedTrees
    """Is a leaf the title?"""

    def scores(self, table: Numbers) -> tuple[Numbers, Numbers]:
        """Return content and title scores from -1 to 1 for each leaf."""
        return self.content.score(table), self.title.score(table)


@dataclass(frozen=True, eq=False, kw_only=True)
class VWrapper:
    """The wrapper extended for today's deep documents."""

    inner: BoostedTrees
    """Step 1: does a block contain news?"""
    inner_cut: float
    """Minimum score of blocks in step 1.

    Chosen so that nearly all training leaves pass: errors accumulate along the path.
    """
    content: BoostedTrees
    """Step 2: is a leaf content?"""
    title: BoostedTrees
    """Step 2: is a leaf the title?"""
    second_content: BoostedTrees
    """Second pass: is a leaf content, given the scores around it?"""
    second_title: BoostedTrees
    """Second pass: is a leaf the title?"""
    page: BoostedTrees
    """Is the page an article, given the scores of its leaves?"""
    page_cut: float
    """Minimum page score; nearly all training articles have it."""

    def read(self, blocks: BlockTree) -> VisualAnswer:
        """Return the best title, and the content inside the bounding block."""
        none = np.zeros(0, np.int64)
        if not len(blocks.leaves):
            return VisualAnswer(none, none)
        table, leaves = measure(blocks), blocks.leaves
        first = LeafScorers(content=self.content, title=self.title).scores(table[leaves])
        if self.page.score(describe_page(blocks, *first))[0] < self.page_cut:
            return VisualAnswer(none, none)
        again = np.hstack([table[leaves], look_again(blocks, *first)])
        scorers = LeafScorers(content=self.second_content, title=self.second_title)
        content, title = scorers.scores(again)
        reached = candidates(blocks, inner_scores(self.inner, blocks, table) > self.inner_cut)
        content = np.where(np.isin(leaves, reached), content, -1)
        at = int(np.argmax(title))
        content[next_headline(blocks, at, content) :] = -1
        best, chosen = leaves[[at]], leaves[content > 0]
        if not len(chosen):
            return VisualAnswer(none, none)
        wide = leaves[(content > WIDE) & in_box(blocks, chosen)[leaves]]
        return VisualAnswer(best, wide[wide != best[0]])


def next_headline(blocks: BlockTree, title: int, content: Numbers) -> int:
    """Return the first later leaf that looks like the title; else the number of leaves.

    Some sites print the next articles below a story. `title` is a position among the leaves.
    """
    leaves, rows = blocks.leaves, blocks.rows
    style = 2 * rows[leaves, FONT] + rows[leaves, BOLD]
    is_after = np.arange(len(leaves)) > title
    found = np.cumsum(rows[leaves, TEXT_LENGTH] * ((content > 0) & is_after))
    left = rows[leaves, LEFT]
    again = (
        is_after
        & (style == style[title])
        & (np.abs(left - left[title]) <= SAME_LEFT)
        & (rows[leaves, FONT] > np.median(rows[leaves, FONT]))
        & (found >= STORY)
    )
    return int(np.argmax(again)) if again.any() else len(leaves)


def in_box(blocks: BlockTree, chosen: Ints) -> Mask:
    """Return True for each block in the smallest one that contains `BOX` of the chosen text.

    >>> row = [0, 1, 0, 0, 9, 9, 16, 0, 0, 0, 0, 9, 0, 1, 0]
    >>> page, box = [-1, *row[1:], 0, 0, 0], [*row, 1, 0, 0]
    >>> blocks = BlockTree.from_lists([page, box, [1, *row[1:], 2, 1, 0], [*row, 3, 1, 0]])
    >>> in_box(blocks, np.array([2])).tolist()
    [False, False, True, False]
    """
    held = np.zeros(len(blocks))
    held[chosen] = blocks.rows[chosen, TEXT_LENGTH]
    whole, parent = held.sum(), blocks.parent.tolist()
    for block in range(len(parent) - 1, 0, -1):
        held[parent[block]] += held[block]
    box = int(np.flatnonzero(held >= BOX * whole)[-1])
    inside = np.zeros(len(blocks), bool)
    inside[box] = True
    for block in range(box + 1, len(parent)):
        inside[block] = inside[parent[block]]
    return inside


def path_scores(blocks: BlockTree, scores: Numbers) -> Numbers:
    """Return the lowest score among each leaf's ancestors."""
    lowest = scores.copy()
    for block, parent in enumerate(blocks.parent.tolist()):
        if block:
            around = lowest[parent]
            lowest[block] = min(scores[block], around) if scores[block] > -1 else around
    return lowest[blocks.leaves]
