"""How inline elements set the words of text leaves.

The tree folds inline elements into the text around them. Here they are found again in the source,
and the words between them written as JSON, as an article's structure has them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trees.tags import DROPPED, FIRST_UNKNOWN, MEDIA, NUMBERS, RAW, VOID
from trees.tree import Tree

_ROOM, _ROOM_EACH = 512, 8
"""Room for the runs and elements of one leaf, and for gaps; of those for each leaf so many more.
What is beyond is unclear."""
_PASSED = 4
"""A page is passed over so many times at most, however its elements are nested."""
_SPAN_BYTES = 16
"""What is written for a run beside its words, at most."""


class InlineSpans(NamedTuple):
    """The words of some leaves, as they are set."""

    written: bytes
    """A JSON list for each leaf, with a string for words that are not set off. Others are a list
    that begins with the words and has no end: there is a gap."""
    leaves: list[list[int]]
    """Of each leaf whether it is clear how it is set, and where its list and its gaps end. It is
    not clear if something rare is in it, or before it in its element."""
    gaps: list[list[int]]
    """Of each gap where it is in what was written, the marks of the elements around its words as
    octal digits, the outermost first, and from where to where the URL of the link around them
    stands in the source; -1 if there is none."""


def write_inline_spans(tree: Tree, leaves: Sequence[int], marks: Mapping[str, int]) -> InlineSpans:
    """Write how links, and elements that have a mark from 1 to 7, set the words of text leaves.

    >>> from trees import build_tree
    >>> tree = build_tree("<p>It <b>rained</b> <i>a lot</i>.<p>It <i>stopped</i>.")
    >>> found = write_inline_spans(tree, tree.leaves(), {"b": 1})
    >>> found.written
    b'["It ",["rained"," a lot."]["It stopped."]'
    >>> found.leaves, found.gaps
    ([[1, 27, 1], [1, 42, 1]], [[16, 1, -1, -1]])
    """
    from trees.inline_scan import DEEPEST, InlineScan, write_leaves  # noqa: PLC0415 - numba takes 0.6 s to import
    from trees.tokenizer import tag_tables  # noqa: PLC0415

    gaps = _ROOM + _ROOM_EACH * len(leaves)
    words = int(tree.end[leaves[-1]] - tree.start[leaves[0]]) if leaves else 0
    scan = InlineScan(
        data=np.frombuffer(tree.source.data, dtype=np.uint8),
        text=np.frombuffer(tree.text, dtype=np.uint8),
        tables=tag_tables(),
        kinds=_kinds(tuple(marks.items())),
        tree=(tree.parent, tree.tag_start, tree.start, tree.end),
        leaves=np.array(leaves, dtype=np.intp),
        found=np.empty((len(leaves), 3), dtype=np.int32),
        runs=np.empty((_ROOM, 3), dtype=np.int32),
        elements=np.empty((_ROOM, 3), dtype=np.int32),
        stack=np.empty(DEEPEST, dtype=np.int32),
        written=np.empty(2 * words + _SPAN_BYTES * gaps, dtype=np.uint8),
        gaps=np.empty((gaps, 4), dtype=np.int32),
        counts=np.array([0, 0, 0, 0, _PASSED * len(tree.source.data)], dtype=np.int64),
    )
    write_leaves(scan)
    _, _, written, used, _ = scan.counts.tolist()
    return InlineSpans(
        written=scan.written[:written].tobytes(),
        leaves=scan.found.tolist(),
        gaps=scan.gaps[:used].tolist(),
    )


@lru_cache(4)
def _kinds(marks: tuple[tuple[str, int], ...]) -> NDArray[np.uint8]:
    """Return what each of the tags that HTML knows is for the pass."""
    from trees.inline_scan import EMPTY, LINK, STRANGE  # noqa: PLC0415 - numba takes 0.6 s to import

    kinds = np.zeros(FIRST_UNKNOWN, dtype=np.uint8)
    strange = (DROPPED | MEDIA | RAW) - VOID
    for names, kind in ((VOID, EMPTY), (strange, STRANGE)):
        kinds[[NUMBERS[name] for name in names]] = kind
    for name, mark in (("a", 0), *marks):
        kinds[NUMBERS[name]] = LINK + mark
    return kinds
