"""ECON: from the longest paragraph upwards for as long as punctuation is gained.

Y. Guo et al., ECON: an approach to extract content from web news page (APWeb 2010), as told
in Sirsat's survey. It fails on short news: a longer text elsewhere is where it starts.
"""

import re

import numpy as np
from numpy.typing import NDArray

from flong.baselines.interface import Leaves, Mask
from flong.baselines.word_counts import count_words, span_below, sum_below
from flong.tree import Tree

_MARKS = re.compile("\u3002|\u3001|\uff0c|\uff0e|\uff61|\uff64|\u060c|\u06d4|\u0964".encode())
"""Full stops and commas of Chinese and Japanese (full and half width), Arabic, Devanagari."""
_LEADS = b"\xe3", b"\xef", b"\xd8", b"\xdb", b"\xe0"
"""The bytes that they begin with; texts in Latin or Cyrillic letters have hardly one of them."""


def econ(tree: Tree, ignored: Mask | None = None) -> Leaves:
    """Return the text leaves below ECON's summary node that are not noise.

    Joint-para: pieces of text that are brothers make one text-para; without punctuation it is
    noise. From the longest text-para ECON climbs until a parent adds no punctuation
    (node-punc-num); a parent that wraps nothing else at all is the same node in other clothes.
    Time grows linearly with the page.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<div><p>One, then.<p>Two.<ul><li>Share</ul></div><p>Imprint</p>")
    >>> [tree.text_of(leaf) for leaf in econ(tree)]
    ['One, then.', 'Two.']
    """
    counts = count_words(tree, ignored)
    leaves = counts.leaves
    marks = np.zeros(len(tree), dtype=np.int64)
    marks[leaves] = own_marks = _count_marks(tree, leaves)
    para_marks = counts.held(own_marks)
    para_words = counts.held(counts.leaf_words)
    para_words[para_marks == 0] = 0
    if not para_words.any():
        return ()
    summary = _climb(tree, counts.words, sum_below(tree, marks), int(para_words.argmax()))
    wrapped = span_below(tree, counts, summary)
    own = para_marks[counts.holders[wrapped]] > 0
    return tuple(leaves[wrapped][own].tolist())


def _climb(tree: Tree, words: NDArray[np.int64], marks: NDArray[np.int64], vertex: int) -> int:
    """Return the last vertex on the way to the root before a parent adds text but no marks."""
    for parent in tree.ancestors(vertex):
        if marks[parent] == marks[vertex] and words[parent] > words[vertex]:
            break
        vertex = parent
    return vertex


def _count_marks(tree: Tree, leaves: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return how many full stops and commas each leaf has."""
    data = np.frombuffer(tree.text, dtype=np.uint8)
    found = ((data == ord(".")) | (data == ord(","))).nonzero()[0]
    if not tree.text.isascii() and any(lead in tree.text for lead in _LEADS):
        others = [match.start() for match in _MARKS.finditer(tree.text)]
        found = np.sort(np.concatenate([found, np.array(others, dtype=np.intp)]))
    count: NDArray[np.int64] = found.searchsorted(tree.end[leaves])
    count -= found.searchsorted(tree.start[leaves])
    return count
