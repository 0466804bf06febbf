"""Block tree: the visual blocks of a page (Zheng, Song, Wen 2007, definitions 1 to 3)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flong.packing import zstd
from flong.tree import TEXT, Tree

Numbers = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

COLUMNS = tuple(
    "parent depth left top width height font bold italic images links text linked lines table "
    "vertex leaf positioned".split()
)
"""Columns of a block's row, in the order of the page script."""
(
    PARENT, DEPTH, LEFT, TOP, WIDTH, HEIGHT, FONT, BOLD, ITALIC, IMAGES, LINKS, TEXT_LENGTH, LINKED,
    LINES, TABLE, VERTEX, LEAF, POSITIONED,
) = range(len(COLUMNS))  # fmt: skip


@dataclass(frozen=True, eq=False)
class BlockTree:
    """Visible blocks of one page: the page first, parents before children."""

    rows: Numbers
    """One row per block, with the columns of `COLUMNS`.

    `parent` is a row number, -1 for the page. `vertex` is a vertex of the page's tree; for a leaf
    it is a text leaf.
    """

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def from_lists(cls, rows: Sequence[Sequence[float]]) -> "BlockTree":
        """Return blocks from their rows."""
        return cls(np.array(rows, np.float64).reshape(-1, len(COLUMNS)))

    @cached_property
    def parent(self) -> Ints:
        """Return the parent of each block: the smallest block that covers it; -1 for the page."""
        return self.rows[:, PARENT].astype(np.int64)

    @cached_property
    def leaves(self) -> Ints:
        """Return the blocks that are runs of text."""
        return np.flatnonzero(self.rows[:, LEAF] == 1)

    @cached_property
    def inner(self) -> Ints:
        """Return the blocks that contain other blocks."""
        return np.unique(self.parent[1:])

    @cached_property
    def vertex(self) -> Ints:
        """Return the vertex of each block in the page's tree."""
        return self.rows[:, VERTEX].astype(np.int64)


def pack_blocks(blocks: BlockTree) -> bytes:
    """Serialize blocks to a few kilobytes; `unpack_blocks` reads them.

    >>> page = BlockTree.from_lists([[-1, 0, 0, 0, 90, 90, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]])
    >>> unpack_blocks(pack_blocks(page)).rows.tolist() == page.rows.tolist()
    True
    """
    rows = [[float(f"{value:.10g}") for value in row] for row in blocks.rows.T.tolist()]
    whole = [[int(value) if value.is_integer() else value for value in row] for row in rows]
    return zstd.compress(json.dumps(whole, separators=(",", ":")).encode())


def unpack_blocks(data: bytes) -> BlockTree:
    """Deserialize packed blocks."""
    return BlockTree(np.array(json.loads(zstd.decompress(data)), np.float64).T.copy())


def make_blocks(rows: Sequence[Sequence[float]], tree: Tree) -> BlockTree:
    """Build the block tree from the script's rows, dropping runs that are not text leaves.

    An element taken out of the flow belongs to the smallest earlier block that covers it
    (definition 2). All others belong to their parents.

    >>> from flong.tree import build_tree
    >>> page = [-1, 0, 0, 0, 90, 90, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    >>> text = [0, 1, 0, 0, 50, 20, 16, 0, 0, 0, 0, 4, 0, 1, 0, 1, 1, 0]
    >>> blocks = make_blocks([page, text], build_tree("News"))
    >>> blocks.inner.tolist(), blocks.leaves.tolist()
    ([0], [1])
    """
    table = np.array(rows, np.float64).reshape(-1, len(COLUMNS))
    vertex = table[:, VERTEX].astype(np.int64)
    inside = vertex < len(tree)
    fits = (table[:, LEAF] == 0) | (tree.tag[np.where(inside, vertex, 0)] == TEXT)
    kept = inside & fits
    table, renumbered = table[kept], np.cumsum(kept) - 1
    if len(table) and not kept[0]:
        raise ValueError("the first block must be the page")
    parent = table[:, PARENT].astype(np.int64)
    table[1:, PARENT] = renumbered[parent[1:]]
    for block in np.flatnonzero(table[:, POSITIONED]).tolist():
        table[block, PARENT] = _covering(table, block)
    return BlockTree(table)


def _covering(table: Numbers, block: int) -> int:
    """Return the smallest earlier block that covers this one, else its parent."""
    left, top, width, height = table[block, LEFT : HEIGHT + 1].tolist()
    others = table[:block]
    area = others[:, WIDTH] * others[:, HEIGHT]
    covers = (
        (others[:, LEAF] == 0)
        & (others[:, IMAGES] == 0)
        & (others[:, LEFT] <= left)
        & (others[:, TOP] <= top)
        & (others[:, LEFT] + others[:, WIDTH] >= left + width)
        & (others[:, TOP] + others[:, HEIGHT] >= top + height)
        & (area > width * height)
    )
    found = np.flatnonzero(covers)
    if not len(found):
        return int(table[block, PARENT])
    return int(found[np.argmin(area[found])])
