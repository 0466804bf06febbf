"""How inline elements set the words of text leaves.

The tree folds inline elements into the text around them. Here they are found again in the source,
with where the words between two tags stand in the text.
"""

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trees.tags import DROPPED, FIRST_UNKNOWN, MEDIA, NUMBERS, RAW, VOID
from trees.tree import Tree

_ROOM, _ROOM_EACH = 4_096, 8
"""Room for runs and elements, on the whole and for each leaf; what is beyond is unclear."""


class LeafState(IntEnum):
    """What is known of a leaf."""

    PLAIN = 0
    """None of the elements is in it."""
    SET = 1
    """Its runs."""
    UNCLEAR = 2
    """Nothing for certain: it does not begin its element, or has something rare in it."""


class InlineRuns(NamedTuple):
    """The runs of words between the tags in some leaves."""

    states: list[int]
    """What is known of each leaf, as `LeafState`."""
    stops: list[int]
    """Where the runs of each leaf end; they begin where those of the leaf before end."""
    runs: list[list[int]]
    """Where each begins and ends in the text of the tree, and the innermost element around it, -1
    if there is none."""
    elements: list[list[int]]
    """The element around each element, -1 if there is none, its tag, and where it begins in the
    source."""


def find_inline_runs(tree: Tree, leaves: Sequence[int], told: frozenset[str]) -> InlineRuns:
    """Return how elements with some names part the words of text leaves.

    >>> from trees import build_tree
    >>> tree = build_tree("<p>It <b>rained</b> <i>a lot</i>.<p>It <i>stopped</i>.")
    >>> found = find_inline_runs(tree, tree.leaves(), frozenset(["b"]))
    >>> found.states, [tree.text[start:end] for start, end, _ in found.runs]
    ([1, 0], [b'It', b'rained', b'a lot', b'.'])
    >>> [inner for *_, inner in found.runs], found.elements[0][0]
    ([-1, 0, -1, -1], -1)
    """
    from trees.inline_scan import DEEPEST, InlineScan, scan_leaves  # noqa: PLC0415 - numba takes 0.6 s to import
    from trees.tokenizer import tag_tables  # noqa: PLC0415

    room = _ROOM + _ROOM_EACH * len(leaves)
    scan = InlineScan(
        data=np.frombuffer(tree.source.data, dtype=np.uint8),
        text=np.frombuffer(tree.text, dtype=np.uint8),
        tables=tag_tables(),
        kinds=_kinds(told),
        tree=(tree.parent, tree.tag_start, tree.start, tree.end),
        leaves=np.array(leaves, dtype=np.intp),
        states=np.empty(len(leaves), dtype=np.uint8),
        stops=np.empty(len(leaves), dtype=np.int32),
        runs=np.empty((room, 3), dtype=np.int32),
        elements=np.empty((room, 3), dtype=np.int32),
        stack=np.empty(DEEPEST, dtype=np.int32),
        counts=np.zeros(2, dtype=np.int32),
    )
    scan_leaves(scan)
    runs, elements = scan.counts.tolist()
    return InlineRuns(
        states=scan.states.tolist(),
        stops=scan.stops.tolist(),
        runs=scan.runs[:runs].tolist(),
        elements=scan.elements[:elements].tolist(),
    )


@cache
def _kinds(told: frozenset[str]) -> NDArray[np.uint8]:
    """Return what each of the tags that HTML knows is for the pass."""
    from trees.inline_scan import EMPTY, STRANGE, TOLD  # noqa: PLC0415 - numba takes 0.6 s to import

    kinds = np.zeros(FIRST_UNKNOWN, dtype=np.uint8)
    strange = (DROPPED | MEDIA | RAW) - VOID
    for names, kind in ((VOID, EMPTY), (strange, STRANGE), (told, TOLD)):
        kinds[[NUMBERS[name] for name in names]] = kind
    return kinds
