"""Visual features of a block: the paper's basic and extended ones, and further ones.

They use no tag names, classes or words, so they do not depend on language or CMS.
"""

from collections.abc import Sequence

import numpy as np

from flong.visual.block_tree import (  # fmt: skip
    BOLD,
    DEPTH,
    FONT,
    HEIGHT,
    IMAGES,
    ITALIC,
    LEAF,
    LEFT,
    LINES,
    LINKED,
    LINKS,
    TABLE,
    TEXT_LENGTH,
    TOP,
    WIDTH,
    BlockTree,
    Ints,
    Numbers,
)

PARAGRAPH, LONG = 20, 150
"""Minimum characters of a paragraph, and of a long one."""

BASIC = tuple(
    "left top depth width height font bold italic images links text paragraphs "
    "italic_paragraphs bold_paragraphs tables".split()
)
"""The paper's 15 basic features."""
EXTENDED = tuple(
    "width_of_parent left_of_parent height_of_parent top_of_parent text_of_parent left_of_page "
    "top_of_page width_of_page height_of_page area_of_page centre_x centre_y".split()
)
"""The paper's features relative to the parent block, and the same relative to the page."""
FURTHER = tuple(
    "linked_share font_of_median font_of_largest text_of_page long_paragraphs style_of_page "
    "column_of_page parent_linked parent_text parent_long grandparent_linked grandparent_text "
    "reading_position text_before long_after "
    "previous_text previous_font previous_linked previous_style "
    "next_text next_font next_linked next_style next_gap".split()
)
"""Features beyond the paper: fractions of the page, ancestors, neighbours in reading order."""
FEATURES = BASIC + EXTENDED + FURTHER
"""All features of a block, in the order of the columns."""

SECOND = tuple(
    "content_score title_score around_1 around_3 around_8 score_before score_after parent_score "
    "parent_found grandparent_found grandparent_share column_found style_found found_before "
    "found_after from_title below_title left_of_title font_of_title from_first from_last "
    "headlines_since".split()
)
"""Second-pass features of a leaf: scores around it, content found nearby, distance to the title."""
PAGE = tuple(
    f"page_{name}"
    for name in (
        "found_share found_of_plain title_best title_next title_margin mean_score found_inside "
        "linked inside_linked best_score found_leaves linked_leaves found_to_next title_linked "
        "title_length title_top title_depth alike alike_linked alike_anywhere large_linked "
        "large_plain large_linked_share repeats repeated_area"
    ).split()
)
"""Features of a page."""


def columns_of(names: Sequence[str]) -> Ints:
    """Return the column numbers of features, in a table of leaves or of pages.

    >>> columns_of(["left", "depth"]).tolist()
    [0, 2]
    """
    known = PAGE if names[0] in PAGE else FEATURES + SECOND
    return np.array([known.index(name) for name in names], np.int64)


def measure(blocks: BlockTree) -> Numbers:
    """Return a row of `FEATURES` for each block of a page.

    >>> page = [-1, 0, 0, 0, 90, 80, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    >>> text = [0, 1, 0, 0, 45, 20, 16, 0, 0, 0, 0, 24, 0, 1, 0, 1, 1, 0]
    >>> table = measure(BlockTree.from_lists([page, text]))
    >>> table.shape == (2, len(FEATURES)), table[1, FEATURES.index("width_of_page")].item()
    (True, 0.5)
    """
    from flong.visual.kernel.loops import sum_up  # noqa: PLC0415 - loads the compiler

    rows, parent = blocks.rows, np.maximum(blocks.parent, 0)
    sums = _own_counts(rows)
    sum_up(blocks.parent, sums)
    images, links, text, linked, paragraphs, italics, bolds, tables, long_ones = sums.T
    left, top, width, height = rows[:, LEFT : HEIGHT + 1].T
    page = rows[0]
    linked_share, text_share = linked / np.maximum(text, 1), text / max(text[0], 1)
    leaves = blocks.leaves
    own = rows[leaves, TEXT_LENGTH]
    median = _weighted_median(rows[leaves, FONT], own)
    grand = parent[parent]
    across, down = max(page[WIDTH], 1), max(page[HEIGHT], 1)
    found = [
        left, top, rows[:, DEPTH], width, height, rows[:, FONT], rows[:, BOLD], rows[:, ITALIC],
        images, links, text, paragraphs, italics, bolds, tables,
        width / np.maximum(width[parent], 1), left - left[parent],
        height / np.maximum(height[parent], 1), top - top[parent],
        text / np.maximum(text[parent], 1),
        left / across, top / down, width / across, height / down, width * height / (across * down),
        np.abs(left + width / 2 - across / 2) / across, np.abs(top + height / 2 - down / 2) / down,
        linked_share, rows[:, FONT] / median,
        rows[:, FONT] / max(rows[leaves, FONT].max(initial=0), 1), text_share, long_ones,
        *_shares(blocks, parent),
        linked_share[parent], text_share[parent], long_ones[parent],
        linked_share[grand], text_share[grand],
        *_neighbours(blocks),
    ]  # fmt: skip
    return np.column_stack(found)


def _own_counts(rows: Numbers) -> Numbers:
    """Return the counts of each block itself, without the blocks inside it."""
    lines = (rows[:, LINES] == 1) & (rows[:, LEAF] == 1)
    paragraph = lines & (rows[:, TEXT_LENGTH] >= PARAGRAPH)
    return np.column_stack(
        [
            rows[:, IMAGES],
            rows[:, LINKS],
            rows[:, TEXT_LENGTH],
            rows[:, LINKED],
            paragraph,
            paragraph & (rows[:, ITALIC] == 1),
            paragraph & (rows[:, BOLD] == 1),
            rows[:, TABLE],
            lines & (rows[:, TEXT_LENGTH] >= LONG),
        ]
    ).astype(np.float64)


def _weighted_median(values: Numbers, weights: Numbers) -> float:
    """Return the weighted median; 1 for no values."""
    if not len(values):
        return 1.0
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    return float(max(values[order][np.searchsorted(sums, sums[-1] / 2)], 1))


def _shares(blocks: BlockTree, parent: Ints) -> list[Numbers]:
    """Return the fraction of the page's text in each block's style, and in its column."""
    rows, leaves = blocks.rows, blocks.leaves
    text = np.zeros(len(rows))
    text[leaves] = rows[leaves, TEXT_LENGTH]
    total = max(text.sum(), 1)
    shares = []
    for key in (
        rows[:, FONT] * 4 + rows[:, BOLD] * 2 + rows[:, ITALIC],
        rows[parent, LEFT] * 10_000 + rows[parent, WIDTH],
    ):
        _, group = np.unique(key, return_inverse=True)
        shares.append((np.bincount(group, text) / total)[group])
    return shares


def _neighbours(blocks: BlockTree) -> list[Numbers]:
    """Return the reading position and neighbours of each leaf; zeros for other blocks."""
    rows, leaves = blocks.rows, blocks.leaves
    found = np.zeros((12, len(rows)))
    if not len(leaves):
        return list(found)
    text, font = rows[leaves, TEXT_LENGTH], rows[leaves, FONT]
    linked = rows[leaves, LINKED] / np.maximum(text, 1)
    style = font * 2 + rows[leaves, BOLD]
    long = (text >= LONG) & (linked < 0.5)
    plain = np.where(linked < 0.5, text, 0)
    found[0, leaves] = np.arange(len(leaves)) / len(leaves)
    found[1, leaves] = (np.cumsum(plain) - plain) / max(plain.sum(), 1)
    found[2, leaves] = long.sum() - np.cumsum(long)
    for at, shift in ((3, 1), (7, -1)):
        other = np.clip(np.arange(len(leaves)) - shift, 0, len(leaves) - 1)
        values = (text[other], font[other] / font, linked[other], style[other] == style)
        for offset, value in enumerate(values):
            found[at + offset, leaves] = value
    following = np.minimum(np.arange(len(leaves)) + 1, len(leaves) - 1)
    bottom = rows[leaves, TOP] + rows[leaves, HEIGHT]
    found[11, leaves] = rows[leaves[following], TOP] - bottom
    return list(found)
