"""The pass over the source of text leaves that writes how inline elements set their words."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.tree.characters import NOTHING, SPACE
from flong.tree.hashes import stable_hash
from flong.tree.html_bytes import (
    AMPERSAND,
    EXCLAMATION,
    GREATER,
    LESS,
    QUESTION,
    QUOTE,
    SLASH,
    Bytes,
    declaration_end,
    find,
    find_attribute,
    read_character,
)
from flong.tree.jit import compiled
from flong.tree.tags import FIRST_UNKNOWN
from flong.tree.tokenizer import TagTables, read_name

Numbers = NDArray[np.int32]
Setting = tuple[int, int, int]
"""How words are set: marks as octal digits, and from where to where the URL of a link stands."""

PLAIN, SET, UNCLEAR = range(3)
"""What is known of a leaf: nothing in it is set off; its runs; nothing for certain."""
ORDINARY, EMPTY, STRANGE, LINK = range(4)
"""Elements: others; those without an inside; those whose inside is no text; links. What is above is
a mark."""
DEEPEST = 64
"""Elements that may be open in a leaf."""
(
    RUNS, ELEMENTS, WRITTEN, GAPS, ROOM, PASSED, LINK_START, LINK_STOP, IN_GAPS,
    BOXES, HOLES, BODY, TIMED, OUTER, COUNTS,
) = range(15)  # fmt: skip
"""Counts: runs and elements of the leaf, bytes written, gaps, bytes that words may still take and
that may be passed over to find where leaves begin, the last link of the leaf, whether its links are
left to gaps; what `flong.tree.body_scan` counts; how many there are."""
_BLOCK = 16
"""Bytes that are compared at once."""
_UNKNOWN = -2
"""In place of an end: nothing for certain."""
_SPAN_BYTES = 64
"""What is written for words that are set alike beside them and their link, at most."""
_HREF = np.int64(stable_hash(b"href"))
_HTTP = tuple(b"http")
_OPEN, _CLOSE, _COMMA, _ESCAPE, _LINE_END, _COLON, _BLANK = (ord(c) for c in "[],\\\n: ")
_SMALL_A, _SMALL_H, _SMALL_N, _SMALL_S, _SMALL_Z = (ord(c) for c in "ahnsz")


class InlineScan(NamedTuple):
    """What the pass reads and fills."""

    data: Bytes
    """The source."""
    text: Bytes
    """The text of the tree."""
    tables: TagTables
    """What tags and characters are."""
    kinds: Bytes
    """Kind of element by tag number."""
    words: Bytes
    """What is written for numbers: a row of bytes for each, ended by 0; marks are the first."""
    addresses: Bytes
    """Which bytes a URL may have that is the same in HTML and in JSON, and leads to no place in a
    page."""
    tree: tuple[Numbers, Numbers, Numbers, Numbers, Numbers]
    """The tree: tags, parents, starts of tags, starts and ends of texts."""
    first: int
    """The element around all leaves; what is around it sets no words off."""
    runs: Numbers
    """The runs of words between the tags of one leaf: where each begins and ends, and the innermost
    element around it that sets words off, -1 if there is none."""
    elements: Numbers
    """The elements of one leaf that set words off: how they do."""
    stack: Numbers
    """The element around each that is open."""
    written: Bytes
    """The words as JSON."""
    gaps: Numbers
    """Where the URL of a link is to be put in, and from where to where it stands in the source."""
    counts: NDArray[np.int64]
    """Numbers that change, see `RUNS` and so on."""


@compiled
def _end_in_text(scan: InlineScan, piece: tuple[int, int], at: int, stop: int) -> int:
    """Return where a piece of source ends in the text if it begins here; -1 if it does not.

    Spaces at its ends do not count, those in a row as one. Line ends are kept in some texts: there
    the piece has to stand just as it is.
    """
    data, text, kinds = scan.data, scan.text, scan.tables.kinds
    i, gap, begun, is_same, has_lines = piece[0], 0, False, True, False
    while i < piece[1]:
        character, following = read_character(data, i)
        kind = kinds[character] if character < len(kinds) else 0
        if kind == NOTHING:
            return _UNKNOWN
        if kind == SPACE:
            gap, i = gap + begun, following
            continue
        if gap:
            if at >= stop or text[at] not in (10, 32):
                return -1
            is_same &= gap == 1 and data[i - 1] == text[at]
            has_lines |= text[at] == 10
            at += 1
        gap, begun = 0, True
        if data[i] == AMPERSAND:
            if at >= stop or text[at] != character:
                return -1
            at, i, is_same = at + 1, following, False
        while i < following:
            if at >= stop or text[at] != data[i]:
                return -1
            at, i = at + 1, i + 1
    return -1 if has_lines and not is_same else at


@compiled
def _is_address(scan: InlineScan, start: int, stop: int) -> bool:
    """Return whether an absolute URL stands here that can be written as it is."""
    data = scan.data
    for i in range(start, stop):
        if not scan.addresses[data[i]]:
            return False
    for i in range(4):
        if start + i >= stop or data[start + i] != _HTTP[i]:
            return False
    i = start + 4 + (data[start + 4] == _SMALL_S)
    return stop > i + 3 and data[i] == _COLON and data[i + 1] == data[i + 2] == SLASH


@compiled
def _has_addresses_only(scan: InlineScan) -> bool:
    """Return whether all links of the leaf can be written as they are."""
    for element in range(scan.counts[ELEMENTS]):
        start, stop = np.int64(scan.elements[element, 1]), np.int64(scan.elements[element, 2])
        if start >= 0 and not _is_address(scan, start, stop):
            return False
    return True


@compiled
def _place_runs(scan: InlineScan, leaf: int) -> int:
    """Turn the pieces of source of a leaf into runs of its text."""
    used, at, stop = 0, np.int64(scan.tree[3][leaf]), np.int64(scan.tree[4][leaf]) - 1
    for run in range(scan.counts[RUNS]):
        piece = np.int64(scan.runs[run, 0]), np.int64(scan.runs[run, 1])
        begin, end = at, _end_in_text(scan, piece, at, stop)
        if end == -1 and at < stop and scan.text[at] in (10, 32):
            begin, end = at + 1, _end_in_text(scan, piece, at + 1, stop)
        if end == _UNKNOWN:
            return UNCLEAR
        if end < 0:  # its words are not told apart
            return PLAIN if _has_addresses_only(scan) else UNCLEAR
        if end > begin:
            scan.runs[used, 0], scan.runs[used, 1] = begin, end
            scan.runs[used, 2] = scan.runs[run, 2]
            used, at = used + 1, end
    scan.counts[RUNS] = used
    return SET


@compiled
def _setting(scan: InlineScan, element: int) -> Setting:
    """Return how an element sets its words; -1 stands for none."""
    if element < 0:
        return np.int64(0), np.int64(-1), np.int64(-1)
    row = scan.elements[element]
    return np.int64(row[0]), np.int64(row[1]), np.int64(row[2])


@compiled
def _has_mark(marks: int, mark: int) -> bool:
    while marks and marks & 7 != mark:
        marks >>= 3
    return marks > 0


@compiled
def _shared_marks(one: int, other: int) -> int:
    """Return the marks of one setting that another one has, too."""
    shared, place = np.int64(0), 0
    while one:
        if _has_mark(other, one & 7):
            shared |= (one & 7) << place
            place += 3
        one >>= 3
    return shared


@compiled
def _leads_nowhere(data: Bytes, start: int, stop: int) -> bool:
    """Return whether a URL writes a letter or runs something: it has a scheme like `mailto`."""
    i = start
    while i < stop and _SMALL_A <= data[i] | 32 <= _SMALL_Z:
        i += 1
    has_scheme = start < i < stop and data[i] == _COLON
    return has_scheme and data[start] | 32 != _SMALL_H  # it may be `http`


@compiled
def _add_element(scan: InlineScan, outer: int, kind: int, tag: int) -> int:
    """Write how an element sets its words; return its number."""
    element = np.int64(scan.counts[ELEMENTS])
    marks, start, stop = _setting(scan, outer)
    if kind > LINK and not _has_mark(marks, kind - LINK):
        marks = marks << 3 | (kind - LINK)
    if kind == LINK:
        found = find_attribute(scan.data, tag, _HREF)
        if found >= 0:
            start, stop = found, find(scan.data, found, QUOTE)
            if _leads_nowhere(scan.data, start, stop):
                start, stop = np.int64(-1), np.int64(-1)
    scan.elements[element, 0], scan.elements[element, 1] = marks, start
    scan.elements[element, 2] = stop
    scan.counts[ELEMENTS] = element + 1
    return element


@compiled
def _kind_of(scan: InlineScan, tag: int) -> int:
    """Return the kind of the element whose start tag begins here; a comment is an empty one."""
    if scan.data[tag + 1] == EXCLAMATION:
        return EMPTY
    if scan.data[tag + 1] == QUESTION:
        return STRANGE
    known, _ = read_name(scan.data, tag + 1, scan.tables)
    return np.int64(scan.kinds[known]) if known < FIRST_UNKNOWN else ORDINARY


@compiled
def _tag_end(data: Bytes, tag: int) -> int:
    """Return where the tag or comment that begins here ends."""
    if data[tag + 1] == EXCLAMATION:
        return declaration_end(data, tag)
    return find(data, tag, GREATER) + 1


@compiled
def _begin_of(scan: InlineScan, leaf: int) -> int:
    """Return where the source of a leaf begins: after the element before it; -1 if not certain."""
    data, parent, tag_start = scan.data, scan.tree[1], scan.tree[2]
    around, before, depth = parent[leaf], leaf - 1, 0
    if before == around:
        return find(data, np.int64(tag_start[around]), GREATER) + 1
    while parent[before] != around:
        before = parent[before]
    tag = np.int64(tag_start[before])
    while tag >= 0 and tag + 1 < len(data) and scan.counts[PASSED] > 0:
        kind = ORDINARY if data[tag + 1] == SLASH else _kind_of(scan, tag)
        if kind == STRANGE:
            return -1
        depth += -1 if data[tag + 1] == SLASH else kind != EMPTY
        end = _tag_end(data, tag)
        if depth <= 0:
            return end
        following = find(data, end, LESS)
        scan.counts[PASSED] -= following - tag
        tag = following
    return -1


@compiled
def _elements_around(scan: InlineScan, leaf: int) -> int:
    """Write the elements around a leaf that set its words off; return the innermost.

    -1 if there is none, `_UNKNOWN` if there are too many.
    """
    tags, parent, tag_start = scan.tree[0], scan.tree[1], scan.tree[2]
    vertex, depth, inner = np.int64(parent[leaf]), 0, np.int64(-1)
    while vertex > scan.first:
        if depth == min(DEEPEST, len(scan.elements)):
            return np.int64(_UNKNOWN)
        if tags[vertex] < FIRST_UNKNOWN and scan.kinds[tags[vertex]] >= LINK:
            scan.stack[depth] = vertex
            depth += 1
        vertex = np.int64(parent[vertex])
    while depth:
        depth -= 1
        vertex = np.int64(scan.stack[depth])
        kind = np.int64(scan.kinds[tags[vertex]])
        inner = _add_element(scan, inner, kind, np.int64(tag_start[vertex]))
    return inner


@compiled
def _read_tags(scan: InlineScan, leaf: int) -> int:
    """Write the pieces of source of a leaf as runs, and the elements in it; return its state."""
    data, parent, tag_start = scan.data, scan.tree[1], scan.tree[2]
    depth, inner, stop = 0, _elements_around(scan, leaf), -1
    state = PLAIN if inner < 0 else SET
    if leaf + 1 < len(parent) and parent[leaf + 1] == parent[leaf]:
        stop = tag_start[leaf + 1]
    at = _begin_of(scan, leaf) if inner != _UNKNOWN else -1
    while at >= 0:
        tag = find(data, at, LESS)
        run = scan.counts[RUNS]
        full = run == len(scan.runs) or scan.counts[ELEMENTS] == len(scan.elements)
        if full or tag + 1 >= len(data):
            return UNCLEAR
        if tag > at:
            scan.runs[run, 0], scan.runs[run, 1], scan.runs[run, 2] = at, tag, inner
            scan.counts[RUNS] = run + 1
        sign = data[tag + 1]
        if tag == stop or (sign == SLASH and depth == 0):
            return state
        at = _tag_end(data, tag)
        if sign == SLASH:
            depth -= 1
            inner = np.int64(scan.stack[depth])
            continue
        kind = _kind_of(scan, tag)
        if kind == STRANGE or depth == DEEPEST:
            return UNCLEAR
        if kind != EMPTY:
            scan.stack[depth] = inner
            depth += 1
        if kind >= LINK:
            inner, state = _add_element(scan, inner, kind, tag), SET
    return UNCLEAR


@compiled
def put(scan: InlineScan, byte: int) -> None:
    """Write a byte."""
    scan.written[scan.counts[WRITTEN]] = byte
    scan.counts[WRITTEN] += 1


@compiled
def put_word(scan: InlineScan, number: int) -> None:
    """Write what stands for a number."""
    i = 0
    while scan.words[number, i]:
        put(scan, scan.words[number, i])
        i += 1


@compiled
def _is_plain(block: Bytes) -> bool:
    """Return whether JSON has all bytes of a block as they are."""
    found = False
    for k in range(_BLOCK):  # without a branch: one instruction for all of them
        found |= (block[k] < 32) | (block[k] == QUOTE) | (block[k] == _ESCAPE)
    return not found


@compiled
def _write_text(scan: InlineScan, start: int, end: int) -> bool:
    """Write a piece of text as a JSON string; return whether nothing rare is in it."""
    text, written, at, i = scan.text, scan.written, np.int64(scan.counts[WRITTEN]), start
    written[at] = QUOTE
    at += 1
    while i < end:
        while i + _BLOCK <= end and _is_plain(text[i : i + _BLOCK]):
            for k in range(_BLOCK):
                written[at + k] = text[i + k]
            at, i = at + _BLOCK, i + _BLOCK
        if i == end:
            break
        byte = text[i]
        if byte < 32 and byte != _LINE_END:
            return False
        if byte in (QUOTE, _ESCAPE, _LINE_END):
            written[at] = _ESCAPE
            at += 1
        written[at] = _SMALL_N if byte == _LINE_END else byte
        at, i = at + 1, i + 1
    written[at] = QUOTE
    scan.counts[WRITTEN] = at + 1
    return True


@compiled
def _write_marks(scan: InlineScan, marks: int) -> None:
    """Write marks, the outermost first, as one JSON string."""
    place = 0
    while marks >> place >= 8:
        place += 3
    put(scan, np.uint8(QUOTE))
    while place >= 0 and marks:
        put_word(scan, marks >> place & 7)
        if place:
            put(scan, np.uint8(_BLANK))
        place -= 3
    put(scan, np.uint8(QUOTE))


@compiled
def _write_link(scan: InlineScan, start: int, stop: int) -> bool:
    """Write a URL of the source; return whether it is another one than that before it."""
    data, last, size = scan.data, scan.counts[LINK_START], stop - start
    if last != start and scan.counts[LINK_STOP] - last == size:
        i = 0
        while i < size and data[last + i] == data[start + i]:
            i += 1
        if i == size:
            return False
    scan.counts[LINK_START], scan.counts[LINK_STOP] = start, stop
    put(scan, np.uint8(_COMMA))
    put(scan, np.uint8(QUOTE))
    for i in range(start, stop):
        put(scan, data[i])
    put(scan, np.uint8(QUOTE))
    return True


@compiled
def _write_span(scan: InlineScan, setting: Setting, start: int, end: int) -> bool:
    """Write words that are set alike; return whether it could be.

    There is a gap for the URL of a link, unless all of the leaf's can be written as they are.
    """
    if start == end:
        return True
    marks, link, stop = setting
    scan.counts[ROOM] -= 2 * (end - start) + (stop - link) + _SPAN_BYTES
    if scan.counts[ROOM] < 0:
        return False
    if scan.written[scan.counts[WRITTEN] - 1] not in (_OPEN, _COMMA):
        put(scan, np.uint8(_COMMA))
    if marks == 0 and link < 0:
        return _write_text(scan, start, end)
    put(scan, np.uint8(_OPEN))
    is_written = _write_text(scan, start, end)
    put(scan, np.uint8(_COMMA))
    _write_marks(scan, marks)
    if link >= 0 and scan.counts[IN_GAPS]:
        gap = scan.gaps[scan.counts[GAPS]]
        gap[0], gap[1], gap[2] = scan.counts[WRITTEN], link, stop
        scan.counts[GAPS] += 1
    elif link >= 0:
        is_written &= _write_link(scan, link, stop)
    put(scan, np.uint8(_CLOSE))
    return is_written


@compiled
def _write_spans(scan: InlineScan, leaf: int) -> bool:
    """Write the words of a leaf, cut where their setting changes; return whether it could be.

    What is between two runs is set as far as both of them are.
    """
    runs, plain = scan.counts[RUNS], _setting(scan, np.int64(-1))
    begun, stop = np.int64(scan.tree[3][leaf]), np.int64(scan.tree[4][leaf])
    while stop > begun and scan.text[stop - 1] == _LINE_END:
        stop -= 1
    if len(scan.gaps) - scan.counts[GAPS] < 2 * runs:
        return False
    at, last, is_written = begun, plain, True
    for run in range(runs):
        start, end = np.int64(scan.runs[run, 0]), np.int64(scan.runs[run, 1])
        setting = _setting(scan, np.int64(scan.runs[run, 2]))
        if setting != last:
            marks, is_one_link = _shared_marks(last[0], setting[0]), last[1] == setting[1]
            between = (marks, last[1], last[2]) if is_one_link else (marks, plain[1], plain[2])
            cut = start if between == last else at
            is_written &= _write_span(scan, last, begun, cut)
            begun = cut
            if between not in (last, setting):
                is_written &= _write_span(scan, between, at, start)
                begun = start
            last = setting
        at = end
    at = stop if last == plain else at
    return is_written and _write_span(scan, last, begun, at) and _write_span(scan, plain, at, stop)


@compiled
def write_leaf(scan: InlineScan, leaf: int) -> bool:
    """Write the words of a leaf, as the inside of a JSON list; return whether it is clear how.

    If not, nothing is written.
    """
    written, gaps = scan.counts[WRITTEN], scan.counts[GAPS]
    scan.counts[RUNS] = scan.counts[ELEMENTS] = 0
    scan.counts[LINK_START] = scan.counts[LINK_STOP] = 0
    state = _read_tags(scan, leaf)
    if state == SET:
        state = _place_runs(scan, leaf)
    if state == PLAIN:
        scan.counts[RUNS] = 0
    scan.counts[IN_GAPS] = not _has_addresses_only(scan)
    if state != UNCLEAR and _write_spans(scan, leaf):
        return True
    scan.counts[WRITTEN], scan.counts[GAPS] = written, gaps
    return False
