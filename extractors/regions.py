"""TSReC: a page as a sequence of tags with region codes.

Y. Li, X. Meng, Q. Li, L. Wang, Hybrid method for automated news content extraction from the web
(WISE 2006), section 4. An element of the sequence is a tag that breaks the text flow, with its
own text; these are the element vertices of the block tree.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractors.evidence import sum_below
from trees import TEXT, Tree

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TagSequence:
    """The elements of a page in document order, each with its region code."""

    vertex: NDArray[np.intp]
    """Vertices of the tree."""
    begin: Codes
    """RC_b: the count of tags, opening and closing, when the element opens; 0 for the root."""
    end: Codes
    """RC_e: the count when it closes."""
    parent: Codes
    """RC_p: begin of the parent; 0 for the root."""
    level: Codes
    """RC_l: number of ancestors."""
    content: NDArray[np.uint64]
    """A number that two elements share if name and own text are the same."""

    def __len__(self) -> int:
        return len(self.vertex)

    def is_ancestor(self, one: int, other: int) -> bool:
        """Return whether one element encloses another, by their region codes alone.

        >>> from trees import build_tree
        >>> sequence = tag_sequence(build_tree("<div><p>One</p></div><p>Two</p>"))
        >>> sequence.is_ancestor(1, 2), sequence.is_ancestor(1, 3)
        (True, False)
        """
        return bool(self.begin[one] < self.begin[other] and self.end[other] < self.end[one])


def tag_sequence(tree: Tree) -> TagSequence:
    """Return the TSReC of a page, in one pass over its vertices.

    Figure 3 of the paper swaps level and parent in line 12; here level counts levels.

    >>> from trees import build_tree
    >>> codes = tag_sequence(build_tree("<div><p>One</p><p>Two</p></div>"))
    >>> np.stack([codes.begin, codes.end, codes.parent, codes.level], axis=1).tolist()
    [[0, 7, 0, 0], [1, 6, 0, 1], [2, 3, 1, 2], [4, 5, 1, 2]]
    """
    is_element = tree.tag != TEXT
    elements = np.flatnonzero(is_element)
    level = _levels(tree)[elements]
    # Of the elements before the k-th, all have opened and all but its ancestors have closed.
    begin = 2 * np.arange(len(elements)) - level
    position = np.cumsum(is_element) - 1
    return TagSequence(
        vertex=elements,
        begin=begin,
        end=begin + 2 * sum_below(tree, is_element)[elements] - 1,
        parent=np.where(level > 0, begin[position[tree.parent[elements]]], 0),
        level=level,
        content=_contents(tree)[elements],
    )


def _levels(tree: Tree) -> Codes:
    """Return the number of ancestors of each vertex."""
    first = np.arange(len(tree))
    change = np.bincount(first + 1, minlength=len(tree) + 1)
    change -= np.bincount(first + tree.size, minlength=len(tree) + 1)
    return np.cumsum(change)[:-1]


def _contents(tree: Tree) -> NDArray[np.uint64]:
    """Return for each vertex a number made of its tag and of the text leaves right below it."""
    leaves = np.flatnonzero(tree.tag == TEXT)
    content = tree.tag.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    np.add.at(content, tree.parent[leaves], tree.text_hash[leaves].astype(np.uint64))
    return content
