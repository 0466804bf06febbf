"""ECON: climb from the longest paragraph as long as punctuation is gained.

Y. Guo et al., ECON: an approach to extract content from web news page (APWeb 2010), after
Sirsat's survey. Known failure: on short news it starts at a longer text elsewhere.
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
"""First bytes of these marks, which are rare in Latin and Cyrillic text."""


def econ(tree: Tree, ignored: Mask | None = None) -> Leaves:
    """Return the text leaves below ECON's summary node that are not noise.

    Joint-para: sibling texts form one text-para; a text-para without punctuation is noise. From
    the longest text-para ECON climbs until a parent adds no punctuation (node-punc-num). Parents
    that add no text are skipped. Time grows linearly with the page.

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
    """Return the highest ancestor below a parent that adds text but no punctuation."""
    for parent in tree.ancestors(vertex):
        if marks[parent] == marks[vertex] and words[parent] > words[vertex]:
            break
        vertex = parent
    return vertex


def _count_marks(tree: Tree, leaves: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the number of full stops and commas of each leaf."""
    data = np.frombuffer(tree.text, dtype=np.uint8)
    found = ((data == ord(".")) | (data == ord(","))).nonzero()[0]
    if not tree.text.isascii() and any(lead in tree.text for lead in _LEADS):
        others = [match.start() for match in _MARKS.finditer(tree.text)]
        found = np.sort(np.concatenate([found, np.array(others, dtype=np.intp)]))
    count: NDArray[np.int64] = found.searchsorted(tree.end[leaves])
    count -= found.searchsorted(tree.start[leaves])
    return count
