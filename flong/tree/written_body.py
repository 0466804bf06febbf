"""The blocks of a body as JSON, but for what is looked up elsewhere.

The tree folds inline elements into the text around them. Here they are found again in the source,
and the words between them written as an article's structure has them (`items.read_blocks`).
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.article import Mark
from flong.tree.tags import DROPPED, FIRST_UNKNOWN, MEDIA, NUMBERS, RAW, VOID
from flong.tree.tree import Tree

MARKS = {
    "em": Mark.EMPHASIS, "i": Mark.EMPHASIS, "cite": Mark.EMPHASIS, "strong": Mark.STRONG,
    "b": Mark.STRONG, "code": Mark.CODE, "kbd": Mark.CODE, "samp": Mark.CODE, "tt": Mark.CODE,
    "sup": Mark.SUPERSCRIPT, "sub": Mark.SUBSCRIPT,
}  # fmt: skip
"""Inline elements that set words off, and how."""
_BOXES = {
    "ul": "ul", "menu": "ul", "dl": "ul", "ol": "ol", "li": "li", "dt": "li", "dd": "li",
    "blockquote": "blockquote", "table": "table", "tr": "tr", "td": "td", "th": "th",
}  # fmt: skip

_ADDRESS_BYTES = {*range(0x21, 0x7F)} - {*b'"#&[\\'}
"""Bytes of a URL that is the same in HTML and in JSON, and leads to no place in a page."""
_ROOM, _ROOM_EACH = 512, 8
"""Room for the runs and elements of one leaf, and for gaps; of those for each leaf so many more.
What is beyond is unclear."""
_PASSED = 4
"""A page is passed over so many times at most, however its elements are nested."""
_BLOCK_BYTES = 640
"""What is written for a block beside its words, at most."""
_SPAN_BYTES, _SPAN_BYTES_EACH = 8_192, 128
"""Bytes for marks and links of all leaves, and of each so many more."""
_NO_NOTES = np.empty(0, dtype=np.int32)


class Body(NamedTuple):
    """What is to be written."""

    first: int
    """The element around all of it; what is around that does not count."""
    leaves: NDArray[np.int32]
    """A row for each text leaf, in order: its vertex; how it is joined to the one before (0 not at
    all, 1 without a space, 2 with one); the number of its entry, 0 if it is in none; whether it is
    the time of that entry, and 2 if something is said there to machines."""
    pictures: NDArray[np.int32]
    """A row for each picture, in order: its vertex, whether the boxes around it are named, the
    number of its entry."""
    notes: NDArray[np.int32] = _NO_NOTES
    """Of each element from the first on: if it is a footnote, how far from there the first element
    is that has its id, else 0; empty if none is one. A footnote goes on with paragraphs."""
    around_entries: int = -1
    """The element whose boxes, and those around it, the entries stand for."""


class WrittenBody(NamedTuple):
    """Blocks as JSON, with holes."""

    written: bytes
    """The blocks, each with a comma after it."""
    holes: list[list[int]]
    """What is to be put in the place of what is written there (a `Hole`), from where to where it
    goes, the number of the leaf or picture, or the vertex, that it is for, and from where to where
    its gaps go."""
    gaps: list[list[int]]
    """Of a link: where it is to be put in, and from where to where it stands in the source."""
    text: str
    """The text of the leaves, a line for each block."""
    timed: list[int]
    """Numbers of the leaves that may begin with a time of day: no others do."""


def write_body(tree: Tree, body: Body) -> WrittenBody:
    """Write the blocks of a body.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<h2>Rain</h2><ul><li>It <b>rained</b>.</ul>")
    >>> leaves = np.array([[leaf, 0, 0, 0] for leaf in tree.leaves()], dtype=np.int32)
    >>> found = write_body(tree, Body(0, leaves, np.empty((0, 3), dtype=np.int32)))
    >>> print(found.written.decode())
    ["h",["Rain"],{"level":2}],["p",["It ",["rained","strong"],"."],{"in":["ul1","li2"]}],
    """
    from flong.tree import body_scan, inline_scan  # noqa: PLC0415 - numba takes 0.6 s to import
    from flong.tree.tokenizer import tag_tables  # noqa: PLC0415

    data, leaves, blocks = tree.source.data, body.leaves, len(body.leaves) + len(body.pictures)
    gaps = _ROOM + _ROOM_EACH * len(leaves)
    words, source = _lengths(tree, leaves)
    # Not more than is needed: to get and give back large pieces of memory takes long.
    room = 2 * words + source + _SPAN_BYTES + _SPAN_BYTES_EACH * len(leaves)
    counts = np.zeros(inline_scan.COUNTS, dtype=np.int64)
    counts[inline_scan.ROOM], counts[inline_scan.PASSED] = room, _PASSED * len(data)
    kinds, structure, names, addresses = _tables()
    scan = body_scan.BodyScan(
        inline=inline_scan.InlineScan(
            data=np.frombuffer(data, dtype=np.uint8),
            text=np.frombuffer(tree.text, dtype=np.uint8),
            tables=tag_tables(),
            kinds=kinds,
            words=names,
            addresses=addresses,
            tree=(tree.tag, tree.parent, tree.tag_start, tree.start, tree.end),
            first=body.first,
            runs=np.empty((_ROOM, 3), dtype=np.int32),
            elements=np.empty((_ROOM, 3), dtype=np.int32),
            stack=np.empty(inline_scan.DEEPEST, dtype=np.int32),
            written=np.empty(room + _BLOCK_BYTES * blocks, dtype=np.uint8),
            gaps=np.empty((gaps, 3), dtype=np.int32),
            counts=counts,
        ),
        size=tree.size,
        words=tree.words,
        structure=structure,
        leaves=leaves,
        pictures=body.pictures,
        notes=body.notes,
        around_entries=body.around_entries,
        boxes=np.zeros(len(tree) - body.first, dtype=np.int32),
        path=np.empty(len(tree), dtype=np.int32),
        around=np.empty(body_scan.DEEPEST, dtype=np.int32),
        holes=np.empty((3 * blocks, 6), dtype=np.int32),
        timed=np.empty(len(leaves), dtype=np.int32),
        body=np.empty(words + len(leaves), dtype=np.uint8),
    )
    body_scan.write_blocks(scan)
    inline, used = scan.inline, counts.tolist()
    return WrittenBody(
        written=inline.written[: used[inline_scan.WRITTEN]].tobytes(),
        holes=scan.holes[: used[inline_scan.HOLES]].tolist(),
        gaps=inline.gaps[: used[inline_scan.GAPS]].tolist(),
        text=scan.body[: used[inline_scan.BODY]].tobytes().decode(),
        timed=scan.timed[: used[inline_scan.TIMED]].tolist(),
    )


def _lengths(tree: Tree, leaves: NDArray[np.int32]) -> tuple[int, int]:
    """Return how many bytes the text takes from the first leaf to the last, and its source."""
    if not len(leaves):
        return 0, 0
    first, last = int(leaves[0, 0]), int(leaves[-1, 0])
    source = tree.tag_from(last + 1) - int(tree.tag_start[tree.parent[first]])
    return int(tree.end[last] - tree.start[first]), source


@cache
def _tables() -> tuple[NDArray[np.uint8], ...]:
    """Return what tags are for words, and for blocks, what is written for them, and addresses."""
    from flong.tree.body_scan import PRE, WORDS  # noqa: PLC0415 - numba takes 0.6 s to import
    from flong.tree.inline_scan import EMPTY, LINK, STRANGE  # noqa: PLC0415

    kinds, structure = np.zeros((2, FIRST_UNKNOWN), dtype=np.uint8)
    strange = (DROPPED | MEDIA | RAW) - VOID
    for names, kind in ((VOID, EMPTY), (strange, STRANGE)):
        kinds[[NUMBERS[name] for name in names]] = kind
    kinds[NUMBERS["a"]] = LINK
    for name, mark in MARKS.items():
        kinds[NUMBERS[name]] = LINK + WORDS.index(mark.value)
    for level in range(1, 7):
        structure[NUMBERS[f"h{level}"]] = level
    structure[NUMBERS["pre"]] = PRE
    for name, box in _BOXES.items():
        structure[NUMBERS[name]] = WORDS.index(box)
    written = np.array(WORDS, dtype="S16").view(np.uint8).reshape(len(WORDS), 16)
    addresses = np.zeros(256, dtype=np.uint8)
    addresses[list(_ADDRESS_BYTES)] = 1
    return kinds, structure, written, addresses
