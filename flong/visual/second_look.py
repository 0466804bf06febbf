"""Second-pass features: computed from the first-pass scores of a page's leaves.

A leaf is scored again with the scores of its neighbours. A page is scored with those of its leaves.
"""

import numpy as np

from flong.visual.block_tree import (
    BOLD,
    FONT,
    HEIGHT,
    LEFT,
    LINKED,
    TEXT_LENGTH,
    TOP,
    WIDTH,
    BlockTree,
    Numbers,
)

_AROUND = (1, 3, 8)
_SAME_LEFT = 30
_LINE, _HEADLINE = 10, 15
"""Minimum characters of a line, and of a headline."""
_LARGE = 1.1
"""Minimum ratio of large type to the median leaf's."""
_MANY = 4
"""Minimum blocks of equal column that form a list."""


def look_again(blocks: BlockTree, content: Numbers, title: Numbers) -> Numbers:
    """Return a row of `SECOND` for each leaf, from the first scores of the leaves.

    >>> row = [0, 1, 0, 0, 9, 9, 16, 0, 0, 0, 0, 9, 0, 1, 0]
    >>> blocks = BlockTree.from_lists([[-1, *row[1:], 0, 0, 0], [*row, 1, 1, 0]])
    >>> look_again(blocks, np.array([0.5]), np.array([-0.5])).shape
    (1, 22)
    """
    leaves, rows, parent = blocks.leaves, blocks.rows, blocks.parent
    text = rows[leaves, TEXT_LENGTH]
    found, at = text * (content > 0), np.arange(len(leaves))
    whole = max(found.sum(), 1)
    inside, around = parent[leaves], np.maximum(parent[parent[leaves]], 0)
    found_in, text_in = (np.bincount(inside, each, len(rows)) for each in (found, text))
    found_around, text_around = (np.bincount(around, each, len(rows)) for each in (found, text))
    scores_in = np.bincount(inside, text * content, len(rows))
    best = int(np.argmax(title))
    chosen = np.flatnonzero(content > 0)
    first, last = (chosen[0], chosen[-1]) if len(chosen) else (len(leaves), -1)
    left, font, top = rows[leaves, LEFT], rows[leaves, FONT], rows[leaves, TOP]
    style = 2 * font + rows[leaves, BOLD]
    as_title = (style == style[best]) & (np.abs(left - left[best]) <= _SAME_LEFT) & (at > best)
    before = np.cumsum(found)
    columns = [
        content, title, *_means_around(content, text),
        np.append(-1, content[:-1]), np.append(content[1:], -1),
        (scores_in / np.maximum(text_in, 1))[inside], found_in[inside] / whole,
        found_around[around] / whole, (found_around / np.maximum(text_around, 1))[around],
        _share(np.round(left / 10), found) / whole, _share(style, found) / whole,
        (before - found) / whole, 1 - before / whole,
        at - best, (top - top[best]) / max(rows[0, HEIGHT], 1), left - left[best],
        font / max(font[best], 1), at - first, at - last, np.cumsum(as_title),
    ]  # fmt: skip
    return np.column_stack(columns)


def _means_around(scores: Numbers, text: Numbers) -> list[Numbers]:
    """Return the mean scores of the leaves before and after each leaf, weighted by text length."""
    sums = np.append(0, np.cumsum(scores * text))
    lengths = np.append(0, np.cumsum(text))
    at = np.arange(len(scores))
    means = []
    for reach in _AROUND:
        low, high = np.maximum(at - reach, 0), np.minimum(at + reach + 1, len(at))
        means.append((sums[high] - sums[low]) / np.maximum(lengths[high] - lengths[low], 1))
    return means


def _share(key: Numbers, found: Numbers) -> Numbers:
    """Return the amount found in leaves with the same key."""
    _, group = np.unique(key, return_inverse=True)
    return np.bincount(group, found)[group].astype(np.float64)


def describe_page(blocks: BlockTree, content: Numbers, title: Numbers) -> Numbers:
    """Return a row of `PAGE`, from the first scores of the leaves (at least one).

    >>> row = [0, 1, 0, 0, 9, 9, 16, 0, 0, 0, 0, 9, 0, 1, 0]
    >>> blocks = BlockTree.from_lists([[-1, *row[1:], 0, 0, 0], [*row, 1, 1, 0]])
    >>> describe_page(blocks, np.array([0.5]), np.array([-0.5])).shape
    (1, 25)
    """
    rows = blocks.rows[blocks.leaves]
    text, linked = rows[:, TEXT_LENGTH], rows[:, LINKED]
    is_found, whole = content > 0, max(float(text.sum()), 1)
    found = text * is_found
    best, following = np.sort(np.append(title, [-1, -1]))[::-1][:2]
    chosen = np.flatnonzero(is_found)
    first, last = (int(chosen[0]), int(chosen[-1])) if len(chosen) else (len(rows), -1)
    inside = max(float(text[first : last + 1].sum()), 1)
    values = [
        found.sum() / whole, found.sum() / max(whole - linked.sum(), 1),
        best, following, best - following,
        float((content * found).sum()) / max(found.sum(), 1), found.sum() / inside,
        linked.sum() / whole, linked[first : last + 1].sum() / inside, content.max(),
        is_found.mean(), ((linked > text / 2) & (text >= _HEADLINE)).mean(),
        *_headlines(rows, found, int(np.argmax(title)), blocks.rows[0, HEIGHT]),
        *_repeats(blocks),
    ]  # fmt: skip
    return np.array([values], np.float64)


def _headlines(rows: Numbers, found: Numbers, title: int, height: float) -> list[float]:
    """Return features of the best title, and counts of leaves in the same or larger type."""
    text, font = rows[:, TEXT_LENGTH], rows[:, FONT]
    is_linked = rows[:, LINKED] > text / 2
    style = 2 * font + rows[:, BOLD]
    anywhere = (style == style[title]) & (text >= _LINE)
    alike = anywhere & (np.abs(rows[:, LEFT] - rows[title, LEFT]) <= _SAME_LEFT)
    large = (font > _LARGE * np.median(font)) & (text >= _HEADLINE)
    later = np.flatnonzero(alike & (np.arange(len(rows)) > title))
    end = int(later[0]) if len(later) else len(rows)
    return [
        found[title:end].sum() / max(found.sum(), 1), float(is_linked[title]), text[title],
        rows[title, TOP] / max(height, 1), rows[title, TOP],
        alike.sum(), (alike & is_linked).sum() / max(alike.sum(), 1), anywhere.sum(),
        (large & is_linked).sum(), (large & ~is_linked).sum(),
        (large & is_linked).sum() / max(large.sum(), 1),
    ]  # fmt: skip


def _repeats(blocks: BlockTree) -> list[float]:
    """Return the largest number of blocks in one column of one parent, and their area."""
    inner, rows = blocks.inner, blocks.rows
    key = blocks.parent[inner] * 1e9 + rows[inner, LEFT] * 1e4 + rows[inner, WIDTH]
    _, group = np.unique(key, return_inverse=True)
    count = np.bincount(group)
    area = np.bincount(group, rows[inner, HEIGHT] * rows[inner, WIDTH])
    page = max(rows[0, HEIGHT] * rows[0, WIDTH], 1)
    return [count.max(initial=0), np.where(count >= _MANY, area / page, 0).max(initial=0)]
