"""The pass over a body that writes its blocks as JSON, each with the elements around it."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np

from flong.tree.body_holes import Hole
from flong.tree.characters import LETTER, WORD
from flong.tree.html_bytes import AMPERSAND, QUOTE, Bytes, read_character
from flong.tree.inline_scan import (
    BODY,
    BOXES,
    GAPS,
    HOLES,
    OUTER,
    TIMED,
    WRITTEN,
    InlineScan,
    Numbers,
    put,
    put_word,
    write_leaf,
)
from flong.tree.jit import compiled
from flong.tree.tags import FIRST_UNKNOWN, TEXT

WORDS = (
    *("", "em", "strong", "code", "sup", "sub", "", ""),
    *('["p",[', '["h",[', '["pre",[', '["note",[', '["time",['),
    *('"in":[', '"level":', '"alt":', '"url":'),
    *("ul", "ol", "li", "blockquote", "table", "tr", "td", "th", "entry"),
    ",{}",
)
"""What is written: marks, beginnings of blocks, names of what is said of them, boxes."""
_PARAGRAPH, _HEADING, _CODE, _NOTE, _TIME = range(8, 13)
_IN, _LEVEL, _ALT, _ID = range(13, 17)
FIRST_BOX, _TABLE, _ENTRY = 17, WORDS.index("table"), WORDS.index("entry")
_NOTHING = WORDS.index(",{}")
PRE = 7
"""What elements make of a text: headings from 1 to 6, this code, boxes from `FIRST_BOX` on."""

_SPANS, _PICTURE, _RAW_TEXT, _STAMP, _NOTE_ID = (np.int64(hole) for hole in Hole)
_APART = 2
"""A leaf is joined to the one before it with a space."""
_STAMPED = 2
"""A leaf is the time of an entry, and something is said there to machines."""
DEEPEST = 24
"""Boxes around a block that are kept: more are a trick, not a text."""
_CELL = 60
"""Words of a line that is still a cell of a table; a table with longer ones is a layout."""
_FIRST_DIGIT = 0x660
"""The first figure beyond ASCII."""
_SIGNS = 3
"""Signs that may stand before a time of day."""
_OPEN, _CLOSE, _COMMA, _BLANK, _LINE_END, _BEGIN, _END, _ZERO, _NINE, _LOW_LINE = (
    ord(c) for c in "[], \n{}09_"
)


class BodyScan(NamedTuple):
    """What the pass reads and fills."""

    inline: InlineScan
    """What is read and written of each leaf."""
    size: Numbers
    """Sizes of the tree's vertices."""
    words: Numbers
    """Words in them."""
    structure: Bytes
    """What elements make of a text, by tag number."""
    leaves: Numbers
    """The leaves, as `Body` has them."""
    pictures: Numbers
    """The pictures, as `Body` has them."""
    notes: Numbers
    """The footnotes, as `Body` has them."""
    around_entries: int
    """The element around all entries."""
    boxes: Numbers
    """Of each element from the first on the number as a box; 0 if not known, -1 if it is none."""
    path: Numbers
    """Elements around a vertex that make something of it, the innermost first."""
    around: Numbers
    """Those of them that are boxes, the outermost first."""
    holes: Numbers
    """What is to be put in: kind, from where to where in what is written, of which leaf, picture or
    vertex, and from where to where its gaps go."""
    timed: Numbers
    """Numbers of leaves that may begin with a time of day."""
    body: Bytes
    """The text."""


class Around(NamedTuple):
    """What the elements around a leaf make of it."""

    kind: int
    """What its block begins with."""
    level: int
    """Of a heading."""
    members: int
    """What is said of it, in order: each has five bits."""
    boxes: int
    """How many boxes are around it."""
    note: int
    """The footnote that it is in."""
    code: int
    """The code."""


@compiled
def _with_member(members: int, member: int) -> int:
    """Return what is said of a block and one more, unless that is said already."""
    rest = members
    while rest:
        if rest & 31 == member:
            return members
        rest >>= 5
    return members << 5 | member


@compiled
def _is_layout(scan: BodyScan, vertex: int) -> bool:
    """Return whether a table holds a page rather than data."""
    tags, texts, longest = scan.inline.tree[0], 0, 0
    for inner in range(vertex + 1, vertex + scan.size[vertex]):
        if tags[inner] == tags[vertex]:
            return True
        if tags[inner] == TEXT:
            texts, longest = texts + 1, max(longest, scan.words[inner])
    return texts < 2 or longest > _CELL


@compiled
def _number_of_box(scan: BodyScan, vertex: int, boxes: int, in_table: bool) -> int:
    """Return the number of an element as a box, -1 if it is none."""
    at, what = vertex - scan.inline.first, scan.structure[scan.inline.tree[0][vertex]]
    if boxes < DEEPEST and scan.boxes[at] == 0:
        is_void = what > _TABLE and not in_table
        if is_void or (what == _TABLE and _is_layout(scan, vertex)):
            scan.boxes[at] = -1
        else:
            scan.inline.counts[BOXES] += 1
            scan.boxes[at] = scan.inline.counts[BOXES]
    return np.int64(scan.boxes[at]) if boxes < DEEPEST else np.int64(-1)


@compiled
def _collect(scan: BodyScan, vertex: int) -> int:
    """Write the elements within the first that make something of what is in them; return how many.

    The innermost is the first.
    """
    count, first, tags = 0, scan.inline.first, scan.inline.tree[0]
    while vertex > first:
        tag = tags[vertex]
        is_note = len(scan.notes) > 0 and scan.notes[vertex - first]
        if is_note or (tag < FIRST_UNKNOWN and scan.structure[tag]):
            scan.path[count] = vertex
            count += 1
        vertex = np.int64(scan.inline.tree[1][vertex])
    return count


@compiled
def _around(scan: BodyScan, vertex: int) -> Around:
    """Return what an element and those around it make of a text."""
    kind, level, members, boxes, in_table = _PARAGRAPH, np.int64(0), np.int64(0), 0, False
    note, code, tags = np.int64(-1), np.int64(-1), scan.inline.tree[0]
    for i in range(_collect(scan, vertex) - 1, -1, -1):
        element = np.int64(scan.path[i])
        what = np.int64(scan.structure[tags[element]] if tags[element] < FIRST_UNKNOWN else 0)
        if 0 < what < PRE:
            kind, level, members = _HEADING, what, _with_member(members, _LEVEL)
        elif what == PRE:
            kind = _CODE
            # One with blocks in it is no code as anybody wrote it, and would be said with each.
            if scan.size[element] == 2:
                code, members = element, _with_member(members, _ALT)
        elif len(scan.notes) > 0 and scan.notes[element - scan.inline.first]:
            kind, members, boxes, in_table, note = _NOTE, np.int64(_ID), 0, False, element
        elif _number_of_box(scan, element, boxes, in_table) > 0:
            scan.around[boxes] = element
            boxes, members, in_table = (
                boxes + 1, _with_member(members, _IN), in_table or what == _TABLE,
            )  # fmt: skip
    return Around(kind, level, members, boxes, note, code)


@compiled
def _put_number(scan: InlineScan, number: int) -> None:
    """Write a number from 0 on."""
    unit = np.int64(1)
    while number // unit > 9:
        unit *= 10
    while unit:
        put(scan, np.uint8(_ZERO + number // unit % 10))
        unit //= 10


@compiled
def _put_box(scan: InlineScan, word: int, number: int) -> None:
    """Write the name of a box."""
    put(scan, np.uint8(QUOTE))
    put_word(scan, word)
    _put_number(scan, number)
    put(scan, np.uint8(QUOTE))
    put(scan, np.uint8(_COMMA))


@compiled
def _write_boxes(scan: BodyScan, boxes: int, entry: int) -> None:
    """Write the boxes around a block: the entry that it is in stands for those around all."""
    inline, outer = scan.inline, 0
    put_word(inline, np.int64(_IN))
    if entry:
        _put_box(inline, np.int64(_ENTRY), entry)
        outer = scan.inline.counts[OUTER]
    for i in range(outer, boxes):
        vertex = scan.around[i]
        word = np.int64(scan.structure[inline.tree[0][vertex]])
        _put_box(inline, word, np.int64(scan.boxes[vertex - inline.first]))
    inline.written[inline.counts[WRITTEN] - 1] = _CLOSE
    put(inline, np.uint8(_COMMA))


@compiled
def _add_hole(scan: BodyScan, kind: int, start: int, number: int, gap: int) -> None:
    """Note that something is to be put in the place of what was written from here on."""
    counts, hole = scan.inline.counts, scan.holes[scan.inline.counts[HOLES]]
    hole[0], hole[1], hole[2], hole[3] = kind, start, counts[WRITTEN], number
    hole[4], hole[5] = gap, counts[GAPS]
    counts[HOLES] += 1


@compiled
def _write_members(scan: BodyScan, around: Around, number: int) -> None:
    """Write what is said of the block that begins with a leaf, if anything is."""
    inline, members, place = scan.inline, around.members, 0
    leaf, entry, time = scan.leaves[number, 0], scan.leaves[number, 2], scan.leaves[number, 3]
    if members == 0:
        if around.kind == _CODE:  # stored articles have it: to leave it out would change them all
            put_word(inline, np.int64(_NOTHING))
        return
    put(inline, np.uint8(_COMMA))
    put(inline, np.uint8(_BEGIN))
    while members >> place > 31:
        place += 5
    while place >= 0:
        member = members >> place & 31
        if member == _IN:
            _write_boxes(scan, around.boxes, np.int64(entry))
        else:
            put_word(inline, member)
            at, gap = inline.counts[WRITTEN], inline.counts[GAPS]
            if member == _LEVEL:
                _put_number(inline, around.level)
            elif member == _ID:
                _add_hole(scan, _NOTE_ID, at, around.note, gap)
            elif time == _STAMPED:
                _add_hole(scan, _STAMP, at, np.int64(leaf), gap)
            else:
                _add_hole(scan, _RAW_TEXT, at, around.code, gap)
            put(inline, np.uint8(_COMMA))
        place -= 5
    inline.written[inline.counts[WRITTEN] - 1] = _END


@compiled
def _may_be_time(scan: InlineScan, at: int) -> bool:
    """Return whether a text that begins here may begin with a time of day: with a figure."""
    for _ in range(_SIGNS + 1):
        if at >= len(scan.text):
            return False
        if scan.text[at] == AMPERSAND:
            character, following = np.int64(AMPERSAND), at + 1
        else:
            character, following = read_character(scan.text, at)
        if _ZERO <= character <= _NINE:
            return True
        kind = scan.tables.kinds[character] if character < len(scan.tables.kinds) else 0
        if kind in (LETTER, WORD) or character == _LOW_LINE:
            return kind == LETTER and character >= _FIRST_DIGIT
        at = following
    return False


@compiled
def _write_words(scan: BodyScan, number: int) -> None:
    """Write the words of a leaf, and its text."""
    inline = scan.inline
    leaf, counts = np.int64(scan.leaves[number, 0]), inline.counts
    start, gap = np.int64(counts[WRITTEN]), np.int64(counts[GAPS])
    is_clear = write_leaf(inline, leaf)
    if not is_clear or counts[GAPS] > gap:
        _add_hole(scan, _SPANS, start, np.int64(number), gap)
    begin, end, at = np.int64(inline.tree[3][leaf]), inline.tree[4][leaf], counts[BODY]
    while end > begin and inline.text[end - 1] == _LINE_END:
        end -= 1
    for i in range(end - begin):
        scan.body[at + i] = inline.text[begin + i]
    counts[BODY] += end - begin
    if _may_be_time(inline, begin):
        scan.timed[counts[TIMED]] = number
        counts[TIMED] += 1


@compiled
def _around_leaf(scan: BodyScan, number: int) -> Around:
    """Return what stands around a leaf: the entry of a live blog, too, and a footnote but once."""
    leaf, entry, time = scan.leaves[number, 0], scan.leaves[number, 2], scan.leaves[number, 3]
    around = _around(scan, np.int64(scan.inline.tree[1][leaf]))
    kind, members = around.kind, around.members
    if kind == _NOTE:
        known = scan.notes[around.note - scan.inline.first]
        if scan.boxes[known] < 0:  # it goes on
            kind, members = _PARAGRAPH, np.int64(0)
        scan.boxes[known] = -1
    if entry:
        kind, members = _TIME if time else kind, _with_member(members, _IN)
        members = _with_member(members, _ALT) if time == _STAMPED else members
    return Around(kind, around.level, members, around.boxes, around.note, around.code)


@compiled
def _write_block(scan: BodyScan, number: int) -> int:
    """Write the block that begins with a leaf, and those joined to it; return which comes next."""
    inline, leaves, counts, begun = scan.inline, scan.leaves, scan.inline.counts, number
    around = _around_leaf(scan, number)
    put_word(inline, np.int64(around.kind))
    if number:
        scan.body[counts[BODY]] = _LINE_END
        counts[BODY] += 1
    _write_words(scan, number)
    number += 1
    while number < len(leaves) and leaves[number, 1]:
        put(inline, np.uint8(_COMMA))
        if leaves[number, 1] == _APART:
            for byte in (QUOTE, _BLANK, QUOTE, _COMMA):
                put(inline, np.uint8(byte))
            scan.body[counts[BODY]] = _BLANK
            counts[BODY] += 1
        _write_words(scan, number)
        number += 1
    put(inline, np.uint8(_CLOSE))
    _write_members(scan, around, begun)
    _end_block(scan)
    return number


@compiled
def _end_block(scan: BodyScan) -> None:
    """Close a block."""
    put(scan.inline, np.uint8(_CLOSE))
    put(scan.inline, np.uint8(_COMMA))


@compiled
def _write_picture(scan: BodyScan, number: int) -> None:
    """Leave a hole for a picture, with the boxes around it in it."""
    inline, vertex, entry = scan.inline, scan.pictures[number, 0], scan.pictures[number, 2]
    start, gap = np.int64(inline.counts[WRITTEN]), np.int64(inline.counts[GAPS])
    if scan.pictures[number, 1]:
        boxes = _around(scan, np.int64(inline.tree[1][vertex])).boxes
        if boxes or entry:
            _write_boxes(scan, boxes, np.int64(entry))
    _add_hole(scan, _PICTURE, start, np.int64(number), gap)
    _end_block(scan)


@compiled
def write_blocks(scan: BodyScan) -> None:
    """Write all blocks in reading order, each with a comma after it.

    Boxes have numbers in the order in which texts are in them; then come those of pictures.
    """
    counts, number, picture = scan.inline.counts, np.int64(0), np.int64(0)
    for n in range(len(scan.leaves)):
        if not scan.leaves[n, 1]:
            _around(scan, np.int64(scan.inline.tree[1][scan.leaves[n, 0]]))
    if scan.around_entries >= 0:
        counts[OUTER] = _around(scan, scan.around_entries).boxes
    while number < len(scan.leaves):
        if picture < len(scan.pictures) and scan.pictures[picture, 0] < scan.leaves[number, 0]:
            _write_picture(scan, picture)
            picture += 1
        else:
            number = _write_block(scan, number)
    while picture < len(scan.pictures):
        _write_picture(scan, picture)
        picture += 1
