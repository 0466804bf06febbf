"""The pass over the source of text leaves that writes how inline elements set their words."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trees.characters import NOTHING, SPACE
from trees.hashes import stable_hash
from trees.html_bytes import (
    AMPERSAND,
    EXCLAMATION,
    GREATER,
    LESS,
    QUESTION,
    QUOTE,
    SLASH,
    Bytes,
    find,
    find_attribute,
    read_character,
)
from trees.jit import compiled
from trees.tags import FIRST_UNKNOWN
from trees.tokenizer import TagTables, read_name

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
_UNKNOWN = -2
"""In place of an end: nothing for certain."""
_HREF = np.int64(stable_hash(b"href"))
_OPEN, _CLOSE, _COMMA, _ESCAPE, _LINE_END, _SMALL_N = (ord(c) for c in "[],\\\nn")


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
    tree: tuple[Numbers, Numbers, Numbers, Numbers]
    """The tree: parents, starts of tags, starts and ends of texts."""
    leaves: NDArray[np.intp]
    """The leaves."""
    found: Numbers
    """Of each whether it is clear, and where what is written of it and its gaps end."""
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
    """Where something is to be put in, and how the words before it are set."""
    counts: NDArray[np.int64]
    """How many runs, elements, bytes written and gaps there are, and how many bytes may be passed
    over on the way to where leaves begin."""


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
def _place_runs(scan: InlineScan, leaf: int) -> int:
    """Turn the pieces of source of a leaf into runs of its text."""
    used, at, stop = 0, np.int64(scan.tree[2][leaf]), np.int64(scan.tree[3][leaf]) - 1
    for run in range(scan.counts[0]):
        piece = np.int64(scan.runs[run, 0]), np.int64(scan.runs[run, 1])
        begin, end = at, _end_in_text(scan, piece, at, stop)
        if end == -1 and at < stop and scan.text[at] in (10, 32):
            begin, end = at + 1, _end_in_text(scan, piece, at + 1, stop)
        if end < 0:
            return UNCLEAR
        if end > begin:
            scan.runs[used, 0], scan.runs[used, 1] = begin, end
            scan.runs[used, 2] = scan.runs[run, 2]
            used, at = used + 1, end
    scan.counts[0] = used
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
def _add_element(scan: InlineScan, outer: int, kind: int, tag: int) -> int:
    """Write how an element sets its words; return its number."""
    element = np.int64(scan.counts[1])
    marks, start, stop = _setting(scan, outer)
    if kind > LINK and not _has_mark(marks, kind - LINK):
        marks = marks << 3 | (kind - LINK)
    if kind == LINK:
        found = find_attribute(scan.data, tag, _HREF)
        if found >= 0:
            start, stop = found, find(scan.data, found, QUOTE)
    scan.elements[element, 0], scan.elements[element, 1] = marks, start
    scan.elements[element, 2] = stop
    scan.counts[1] = element + 1
    return element


@compiled
def _kind_of(scan: InlineScan, tag: int) -> int:
    """Return the kind of the element whose start tag begins here; comments are strange."""
    if scan.data[tag + 1] in (EXCLAMATION, QUESTION):
        return STRANGE
    known, _ = read_name(scan.data, tag + 1, scan.tables)
    return np.int64(scan.kinds[known]) if known < FIRST_UNKNOWN else ORDINARY


@compiled
def _begin_of(scan: InlineScan, leaf: int) -> int:
    """Return where the source of a leaf begins: after the element before it; -1 if not certain."""
    data, parent, tag_start = scan.data, scan.tree[0], scan.tree[1]
    around, before, depth = parent[leaf], leaf - 1, 0
    if before == around:
        return find(data, np.int64(tag_start[around]), GREATER) + 1
    while parent[before] != around:
        before = parent[before]
    tag = np.int64(tag_start[before])
    while tag >= 0 and tag + 1 < len(data) and scan.counts[4] > 0:
        kind = ORDINARY if data[tag + 1] == SLASH else _kind_of(scan, tag)
        if kind == STRANGE:
            return -1
        depth += -1 if data[tag + 1] == SLASH else kind != EMPTY
        end = find(data, tag, GREATER) + 1
        if depth <= 0:
            return end
        following = find(data, end, LESS)
        scan.counts[4] -= following - tag
        tag = following
    return -1


@compiled
def _read_tags(scan: InlineScan, leaf: int) -> int:
    """Write the pieces of source of a leaf as runs, and the elements in it; return its state."""
    data, parent, tag_start = scan.data, scan.tree[0], scan.tree[1]
    depth, inner, state, stop = 0, np.int64(-1), PLAIN, -1
    if leaf + 1 < len(parent) and parent[leaf + 1] == parent[leaf]:
        stop = tag_start[leaf + 1]
    at = _begin_of(scan, leaf)
    while at >= 0:
        tag = find(data, at, LESS)
        run = scan.counts[0]
        full = run == len(scan.runs) or scan.counts[1] == len(scan.elements)
        if full or tag + 1 >= len(data):
            return UNCLEAR
        if tag > at:
            scan.runs[run, 0], scan.runs[run, 1], scan.runs[run, 2] = at, tag, inner
            scan.counts[0] = run + 1
        sign = data[tag + 1]
        if tag == stop or (sign == SLASH and depth == 0):
            return state
        at = find(data, tag, GREATER) + 1
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
def _write_text(scan: InlineScan, start: int, end: int) -> bool:
    """Write a piece of text as a JSON string; return whether nothing rare is in it."""
    text, written, at = scan.text, scan.written, np.int64(scan.counts[2])
    written[at] = QUOTE
    at += 1
    for i in range(start, end):
        byte = text[i]
        if byte < 32 and byte != _LINE_END:
            return False
        if byte in (QUOTE, _ESCAPE, _LINE_END):
            written[at] = _ESCAPE
            at += 1
        written[at] = _SMALL_N if byte == _LINE_END else byte
        at += 1
    written[at] = QUOTE
    scan.counts[2] = at + 1
    return True


@compiled
def _write_span(scan: InlineScan, setting: Setting, start: int, end: int) -> bool:
    """Write words that are set alike; if they are set off, there is a gap after them."""
    if start == end:
        return True
    is_set_off = setting[0] > 0 or setting[1] >= 0
    if scan.written[scan.counts[2] - 1] != _OPEN:
        scan.written[scan.counts[2]] = _COMMA
        scan.counts[2] += 1
    if is_set_off:
        scan.written[scan.counts[2]] = _OPEN
        scan.counts[2] += 1
    is_written = _write_text(scan, start, end)
    if is_set_off:
        gap = scan.gaps[scan.counts[3]]
        gap[0], gap[1], gap[2], gap[3] = scan.counts[2], setting[0], setting[1], setting[2]
        scan.counts[3] += 1
    return is_written


@compiled
def _write_spans(scan: InlineScan, leaf: int) -> bool:
    """Write the words of a leaf, cut where their setting changes; return whether it could be.

    What is between two runs is set as far as both of them are.
    """
    runs, plain = scan.counts[0], _setting(scan, np.int64(-1))
    begun, stop = np.int64(scan.tree[2][leaf]), np.int64(scan.tree[3][leaf])
    while stop > begun and scan.text[stop - 1] == _LINE_END:
        stop -= 1
    room = len(scan.written) - scan.counts[2] - 2 * (stop - begun)
    if room < 16 * (runs + 1) or len(scan.gaps) - scan.counts[3] < 2 * runs:
        return False
    scan.written[scan.counts[2]] = _OPEN
    scan.counts[2] += 1
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
    is_written &= _write_span(scan, last, begun, at) and _write_span(scan, plain, at, stop)
    scan.written[scan.counts[2]] = _CLOSE
    scan.counts[2] += 1
    return is_written


@compiled
def write_leaves(scan: InlineScan) -> None:
    """Write the words of all leaves, and what was found out about each."""
    for number in range(len(scan.leaves)):
        leaf = scan.leaves[number]
        written, gaps = scan.counts[2], scan.counts[3]
        scan.counts[0] = scan.counts[1] = 0
        state = _read_tags(scan, leaf)
        if state == SET:
            state = _place_runs(scan, leaf)
        if state == PLAIN:
            scan.counts[0] = 0
        is_clear = state != UNCLEAR and _write_spans(scan, leaf)
        if not is_clear:
            scan.counts[2], scan.counts[3] = written, gaps
        scan.found[number, 0] = is_clear
        scan.found[number, 1], scan.found[number, 2] = scan.counts[2], scan.counts[3]
