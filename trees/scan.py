"""The first pass over a serialised page: its elements and texts as they are, in arrays.

Columns of `nodes`, one row per element or text of the body in document order; what is in
dropped elements and in media is left out.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trees.characters import LETTER, NOTHING, SPACE, WORD, character_kinds
from trees.hashes import stable_hash
from trees.machine import compiled
from trees.octets import (
    AMPERSAND,
    EXCLAMATION,
    GREATER,
    LESS,
    QUESTION,
    SLASH,
    Octets,
    declaration_end,
    find,
    find_attribute,
    hash_octets,
    is_named,
    raw_end,
    read_character,
    tag_name_end,
)
from trees.tags import FIRST_UNKNOWN, NUMBERS, RAW, VOID, Role, tag_role

TAG, SIZE, START, END, FLAGS, PLACE = range(6)
"""Columns: tag number (0 is text), rows of the sub-tree, from where to where the text or the
start tag goes in the data, flags, position among all elements of the document."""

VERTEX, READABLE, WORDY, LINK = 1, 2, 4, 8
"""Flags: a block, or an inline element around one; has a character other than a space in it;
a text with a word; `<a href>`."""

_ROWS, _DEPTH, LAST_PLACE, _LIMIT, _ROOT = range(5)
"""State: rows written, depth and position of the open element, depth from which on nothing is
kept, depth of the root."""
_UNLIMITED = 1 << 30

_DROPPED, _MEDIA, _INLINE = int(Role.DROPPED), int(Role.MEDIA), int(Role.INLINE)
_ANCHOR, _BODY, _SCRIPT = NUMBERS["a"], NUMBERS["body"], NUMBERS["script"]
_VOID, _RAW = 1, 2
"""What follows a start tag, if it is not markup: nothing, or raw text."""
_HEAD_TAGS = tuple(NUMBERS[name] for name in ("title", "meta", "link", "script"))
_HREF = stable_hash(b"href")


class Tables(NamedTuple):
    """What the passes look up."""

    kinds: Octets
    """Kind of each character (`trees.characters`)."""
    hashes: NDArray[np.int64]
    """Hash table of the known tags: hashes of their names, 0 for an empty place."""
    numbers: NDArray[np.int32]
    """Their numbers."""
    roles: Octets
    """Role of each tag number that is known."""
    contents: Octets
    """What follows its start tag: `_VOID`, `_RAW` or 0."""


class Scan(NamedTuple):
    """The state of the first pass."""

    data: Octets
    tables: Tables
    nodes: NDArray[np.int32]
    open_nodes: NDArray[np.int32]
    """Row of the open element at each depth, -1 if it has none."""
    open_tags: NDArray[np.int32]
    """Where the start tag of the open element at each depth begins."""
    starts: NDArray[np.int32]
    """Where the start tag of each element of the document begins, by position."""
    head: NDArray[np.int32]
    """Where each tag that says something about the page begins; the first number is their count."""
    state: NDArray[np.int64]
    """Numbers that change, see `_ROWS` and so on."""


@compiled
def tag_of(data: Octets, start: int, end: int, tables: Tables) -> int:
    """Return the number of the tag with this name."""
    value = hash_octets(data, start, end)
    mask = len(tables.hashes) - 1
    i = value & mask
    while tables.hashes[i] and tables.hashes[i] != value:
        i = (i + 1) & mask
    if tables.hashes[i]:
        return tables.numbers[i]
    return FIRST_UNKNOWN + (value & 0x3FFFFFFF)


@compiled
def _text_flags(scan: Scan, start: int, end: int) -> int:
    """Return what is to be read in a text."""
    flags, i = 0, start
    kinds = scan.tables.kinds
    while i < end:
        octet = scan.data[i]
        if octet < 0x80 and octet != AMPERSAND:
            character, i = np.int64(octet), i + 1
        else:
            character, i = read_character(scan.data, i)
        kind = kinds[character] if character < len(kinds) else 0
        if kind in (LETTER, WORD):
            return READABLE | WORDY
        if kind not in (SPACE, NOTHING):
            flags = READABLE
    return flags


@compiled
def _mark(scan: Scan, depth: int, flag: int) -> None:
    """Set a flag on all open elements up to the first that has it."""
    while depth >= 0 and scan.open_nodes[depth] >= 0:
        row = scan.open_nodes[depth]
        if scan.nodes[FLAGS, row] & flag:
            return
        scan.nodes[FLAGS, row] |= flag
        depth -= 1


@compiled
def _add(scan: Scan, tag: int, start: int, end: int, flags: int) -> int:
    """Write a row; return its number."""
    row = scan.state[_ROWS]
    scan.nodes[TAG, row] = tag
    scan.nodes[SIZE, row] = 1
    scan.nodes[START, row] = start
    scan.nodes[END, row] = end
    scan.nodes[FLAGS, row] = flags
    scan.nodes[PLACE, row] = scan.state[LAST_PLACE]
    scan.state[_ROWS] = row + 1
    return row


@compiled
def _add_text(scan: Scan, start: int, end: int) -> None:
    """Write the row of a text inside the element that is open."""
    flags = _text_flags(scan, start, end)
    _add(scan, 0, start, end, flags)
    if flags:
        _mark(scan, scan.state[_DEPTH], READABLE)


@compiled
def _add_element(scan: Scan, tag: int, start: int, end: int) -> None:
    """Write the row of an element that opens, unless it is of a kind that is dropped."""
    depth = scan.state[_DEPTH]
    role = np.int64(scan.tables.roles[tag]) if tag < FIRST_UNKNOWN else 0
    if role in (_DROPPED, _MEDIA):
        scan.state[_LIMIT] = depth
    if role == _DROPPED:
        return
    link = tag == _ANCHOR and find_attribute(scan.data, start, _HREF) >= 0
    scan.open_nodes[depth] = _add(scan, tag, start, end, LINK if link else 0)
    if role != _INLINE:
        _mark(scan, depth, VERTEX)


@compiled
def _open(scan: Scan, start: int) -> int:
    """Read a start tag; return where it ends."""
    state = scan.state
    state[LAST_PLACE] += 1
    state[_DEPTH] += 1
    scan.starts[state[LAST_PLACE]] = start
    scan.open_tags[state[_DEPTH]] = start
    name = tag_name_end(scan.data, start + 1)
    end = find(scan.data, name, GREATER) + 1
    tag = tag_of(scan.data, start + 1, name, scan.tables)
    if tag in _HEAD_TAGS:
        scan.head[0] += 1
        scan.head[scan.head[0]] = start
    scan.open_nodes[state[_DEPTH]] = -1
    if state[_DEPTH] == state[_ROOT] and not state[_ROWS] and (tag == _BODY or not state[_ROOT]):
        tag = _BODY
        state[_LIMIT] = _UNLIMITED
    if state[_DEPTH] < state[_LIMIT]:
        _add_element(scan, tag, start, end)
    return _pass_content(scan, tag, start, end) if tag < FIRST_UNKNOWN else end


@compiled
def _pass_content(scan: Scan, tag: int, start: int, end: int) -> int:
    """Read what follows a start tag if it is not markup; return where markup goes on."""
    content = scan.tables.contents[tag]
    if content == _VOID:
        _close(scan)
    elif content == _RAW:
        stop = raw_end(scan.data, end, start, tag == _SCRIPT)
        if stop > end and scan.state[_DEPTH] < scan.state[_LIMIT]:
            _add_text(scan, end, stop)
        return stop
    return end


@compiled
def _close(scan: Scan) -> None:
    """Leave the element that is open."""
    state = scan.state
    row = scan.open_nodes[state[_DEPTH]]
    if row >= 0:
        scan.nodes[SIZE, row] = state[_ROWS] - row
    if state[_DEPTH] == state[_LIMIT]:
        state[_LIMIT] = _UNLIMITED
    if state[_DEPTH] == state[_ROOT]:
        state[_LIMIT] = 0
    state[_DEPTH] -= 1


@compiled
def scan_page(scan: Scan) -> int:
    """Fill `nodes` and `head`; return the number of rows, 0 if there is no root."""
    end = 0
    while True:
        start = find(scan.data, end, LESS)
        if start >= len(scan.data) - 1:
            break
        if start > end and scan.state[_DEPTH] < scan.state[_LIMIT]:
            _add_text(scan, end, start)
        if scan.data[start + 1] == SLASH:
            end = find(scan.data, start, GREATER) + 1
            depth = scan.state[_DEPTH]
            # Raw text of a foreign element may look like an end tag.
            if depth >= 0 and is_named(scan.data, start + 2, scan.open_tags[depth]):
                _close(scan)
        elif scan.data[start + 1] in (EXCLAMATION, QUESTION):
            end = declaration_end(scan.data, start)
        else:
            end = _open(scan, start)
    while scan.state[_DEPTH] >= 0:
        _close(scan)
    return scan.state[_ROWS]


@cache
def _tables() -> Tables:
    """Return what the passes look up."""
    hashes, numbers = np.zeros(512, dtype=np.int64), np.zeros(512, dtype=np.int32)
    roles, contents = np.zeros((2, FIRST_UNKNOWN), dtype=np.uint8)
    for name, number in NUMBERS.items():
        value = stable_hash(name.encode())
        i = value & 511
        while hashes[i]:
            i = (i + 1) & 511
        hashes[i], numbers[i], roles[number] = value, number, tag_role(name)
        contents[number] = _VOID if name in VOID else _RAW if name in RAW else 0
    return Tables(character_kinds(), hashes, numbers, roles, contents)


def new_scan(data: bytes, root_depth: int) -> Scan:
    """Return the state before the pass.

    The root is `body` at depth 1, or with `root_depth` 0 the document's element.
    """
    most = 2 * data.count(b"<") + 2
    state = np.array([0, -1, -1, 0, root_depth], dtype=np.int64)
    return Scan(
        data=np.frombuffer(data, dtype=np.uint8),
        tables=_tables(),
        nodes=np.empty((6, most), dtype=np.int32),
        open_nodes=np.empty(most, dtype=np.int32),
        open_tags=np.empty(most, dtype=np.int32),
        starts=np.empty(most, dtype=np.int32),
        head=np.zeros(most, dtype=np.int32),
        state=state,
    )
