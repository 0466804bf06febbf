"""Tokenizer, the first pass: elements and texts of a serialised page as rows of an array.

`nodes` has one row per element or text of the body, in document order. The content of dropped
elements and of media is omitted.
"""

# numba treats integers of numpy and Python as one type; mypy does not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.tree.characters import LETTER, NOTHING, SPACE, WORD, character_kinds
from flong.tree.hashes import stable_hash
from flong.tree.html_bytes import (
    AMPERSAND,
    EXCLAMATION,
    GREATER,
    LESS,
    NO_BYTES,
    QUESTION,
    SLASH,
    Bytes,
    Places,
    declaration_end,
    find,
    finished,
    hash_on,
    is_blank,
    pass_name,
    raw_end,
    read_attributes,
    read_character,
)
from flong.tree.jit import compiled
from flong.tree.tags import FIRST_UNKNOWN, NUMBERS, RAW, VOID, Role, tag_role

TAG, SIZE, START, END, FLAGS, PLACE, CLASSES = range(7)
"""Columns: tag number (0 for text), number of rows of the subtree, start and end of the text or
start tag in the data, flags, position among all elements of the document, start of the `class`
value (-1 without class)."""

VERTEX, READABLE, WORDY, LINK = 1, 2, 4, 8
"""Flags: a block or an inline element around one; contains a visible character; text with a
word; `<a href>`."""

_ROWS, _DEPTH, LAST_PLACE, _LIMIT, _ROOT, _WHOLE = range(6)
"""Fields of the state: rows written, depth and position of the open element, depth below which
rows are omitted, depth of the root, flag for inline elements as vertices."""
_UNLIMITED = 1 << 30

_DROPPED, _MEDIA, _INLINE = int(Role.DROPPED), int(Role.MEDIA), int(Role.INLINE)
_ANCHOR, _BODY, _SCRIPT = NUMBERS["a"], NUMBERS["body"], NUMBERS["script"]
_VOID, _RAW = 1, 2
"""Content after a start tag if it is not markup: none, or raw text."""
_HEAD_TAGS = tuple(NUMBERS[name] for name in ("title", "meta", "link", "script"))


class TagTables(NamedTuple):
    """Lookup tables of the passes."""

    kinds: Bytes
    """Class of each character (`flong.tree.characters`)."""
    letters: Bytes
    """1 for bytes that are letters."""
    hashes: NDArray[np.int64]
    """Hash table of known tags: hashes of their names, 0 for an empty slot."""
    numbers: NDArray[np.int32]
    """Tag numbers in the order of `hashes`."""
    roles: Bytes
    """Role of each known tag number."""
    contents: Bytes
    """Content of each known tag number: `_VOID`, `_RAW` or 0."""


class Tokenizer(NamedTuple):
    """State of the first pass."""

    data: Bytes
    signs: Places
    """Offsets of all `<`."""
    tables: TagTables
    nodes: NDArray[np.int32]
    open_nodes: NDArray[np.int32]
    """Row of the open element at each depth; -1 without row."""
    open_tags: NDArray[np.int32]
    """Offset of the start tag of the open element at each depth."""
    starts: NDArray[np.int32]
    """Offsets of the start tags of all elements, by position."""
    head: NDArray[np.int32]
    """Offsets of metadata tags; the first number is their count."""
    state: NDArray[np.int64]
    """Counters, see `_ROWS` and the other indexes."""


@compiled
def _read_name(data: Bytes, start: int, tables: TagTables) -> tuple[int, int]:
    """Return the number of the tag whose name starts here, and the end of the name."""
    end, unfinished = start, NO_BYTES
    while end < len(data) and not (is_blank(data[end]) or data[end] == GREATER):
        unfinished = hash_on(unfinished, data[end])
        end += 1
    value = finished(unfinished)
    mask = len(tables.hashes) - 1
    i = value & mask
    while tables.hashes[i] and tables.hashes[i] != value:
        i = (i + 1) & mask
    if tables.hashes[i]:
        return np.int64(tables.numbers[i]), end
    return FIRST_UNKNOWN + (value & 0x3FFFFFFF), end


@compiled
def _text_flags(tokenizer: Tokenizer, start: int, end: int) -> int:
    """Return the flags of a text."""
    flags, i = 0, start
    kinds = tokenizer.tables.kinds
    while i < end:
        byte = tokenizer.data[i]
        if byte < 0x80 and byte != AMPERSAND:
            character, i = np.int64(byte), i + 1
        else:
            character, i = read_character(tokenizer.data, i)
        kind = kinds[character] if character < len(kinds) else 0
        if kind in (LETTER, WORD):
            return READABLE | WORDY
        if kind not in (SPACE, NOTHING):
            flags = READABLE
    return flags


@compiled
def _mark(tokenizer: Tokenizer, depth: int, flag: int) -> None:
    """Set a flag on the open elements, up to the first that has it."""
    while depth >= 0 and tokenizer.open_nodes[depth] >= 0:
        row = tokenizer.open_nodes[depth]
        if tokenizer.nodes[FLAGS, row] & flag:
            return
        tokenizer.nodes[FLAGS, row] |= flag
        depth -= 1


@compiled
def _add(tokenizer: Tokenizer, tag: int, start: int, end: int, flags: int) -> int:
    """Write a row; return its number."""
    row = tokenizer.state[_ROWS]
    tokenizer.nodes[TAG, row] = tag
    tokenizer.nodes[SIZE, row] = 1
    tokenizer.nodes[START, row] = start
    tokenizer.nodes[END, row] = end
    tokenizer.nodes[FLAGS, row] = flags
    tokenizer.nodes[PLACE, row] = tokenizer.state[LAST_PLACE]
    tokenizer.state[_ROWS] = row + 1
    return row


@compiled
def _add_text(tokenizer: Tokenizer, start: int, end: int) -> None:
    """Write a text row inside the open element."""
    flags = _text_flags(tokenizer, start, end)
    _add(tokenizer, np.int64(0), start, end, flags)
    if flags:
        _mark(tokenizer, tokenizer.state[_DEPTH], np.int64(READABLE))


@compiled
def _add_element(tokenizer: Tokenizer, tag: int, start: int, name: int) -> int:
    """Write the row of an opening element unless it is dropped; return the end of its tag.

    `start` is the start of the tag, `name` the end of its name.
    """
    depth = tokenizer.state[_DEPTH]
    role = np.int64(tokenizer.tables.roles[tag]) if tag < FIRST_UNKNOWN else 0
    if role in (_DROPPED, _MEDIA):
        tokenizer.state[_LIMIT] = depth
    if role == _DROPPED:
        return find(tokenizer.data, name, GREATER) + 1
    end, linked, classes = read_attributes(tokenizer.data, name)
    row = _add(tokenizer, tag, start, end, LINK if linked and tag == _ANCHOR else 0)
    tokenizer.nodes[CLASSES, row] = classes
    tokenizer.open_nodes[depth] = row
    if role != _INLINE or tokenizer.state[_WHOLE]:
        _mark(tokenizer, depth, np.int64(VERTEX))
    return end


@compiled
def _open(tokenizer: Tokenizer, sign: int) -> int:
    """Read the start tag at a `<`; return the position at which markup continues."""
    state, start = tokenizer.state, tokenizer.signs[sign]
    state[LAST_PLACE] += 1
    state[_DEPTH] += 1
    tokenizer.starts[state[LAST_PLACE]] = start
    tokenizer.open_tags[state[_DEPTH]] = start
    tag, name = _read_name(tokenizer.data, start + 1, tokenizer.tables)
    if tag in _HEAD_TAGS:
        tokenizer.head[0] += 1
        tokenizer.head[tokenizer.head[0]] = start
    tokenizer.open_nodes[state[_DEPTH]] = -1
    if state[_DEPTH] == state[_ROOT] and not state[_ROWS] and (tag == _BODY or not state[_ROOT]):
        tag = _BODY
        state[_LIMIT] = _UNLIMITED
    if state[_DEPTH] < state[_LIMIT]:
        end = _add_element(tokenizer, tag, start, name)
    else:
        end = find(tokenizer.data, name, GREATER) + 1
    return _pass_content(tokenizer, tag, sign, end) if tag < FIRST_UNKNOWN else end


@compiled
def _pass_content(tokenizer: Tokenizer, tag: int, sign: int, end: int) -> int:
    """Skip or read content that is not markup; return the position at which markup continues."""
    signs = tokenizer.signs[sign:]
    content = tokenizer.tables.contents[tag]
    if content == _VOID:
        _close(tokenizer)
    elif content == _RAW:
        stop = raw_end(tokenizer.data, signs[1:], signs[0], tag == _SCRIPT)
        if stop > end and tokenizer.state[_DEPTH] < tokenizer.state[_LIMIT]:
            _add_text(tokenizer, end, stop)
        return stop
    return end


@compiled
def _close(tokenizer: Tokenizer) -> None:
    """Close the open element."""
    state = tokenizer.state
    row = tokenizer.open_nodes[state[_DEPTH]]
    if row >= 0:
        tokenizer.nodes[SIZE, row] = state[_ROWS] - row
    if state[_DEPTH] == state[_LIMIT]:
        state[_LIMIT] = _UNLIMITED
    if state[_DEPTH] == state[_ROOT]:
        state[_LIMIT] = 0
    state[_DEPTH] -= 1


@compiled
def _read(tokenizer: Tokenizer, root: int) -> None:
    """Fill `nodes` and `head` from the element at the depth of the root."""
    tokenizer.state[_ROWS] = tokenizer.state[_LIMIT] = tokenizer.head[0] = 0
    tokenizer.state[_DEPTH] = tokenizer.state[LAST_PLACE] = -1
    tokenizer.state[_ROOT] = root
    end = np.int64(0)
    for sign in range(len(tokenizer.signs)):
        start = tokenizer.signs[sign]
        if start < end:  # inside a comment or raw text
            continue
        if start == len(tokenizer.data) - 1:
            break
        if start > end and tokenizer.state[_DEPTH] < tokenizer.state[_LIMIT]:
            _add_text(tokenizer, end, start)
        if tokenizer.data[start + 1] == SLASH:
            depth = tokenizer.state[_DEPTH]
            # Raw text of a foreign element may look like an end tag.
            opened = np.int64(tokenizer.open_tags[depth]) if depth >= 0 else -1
            name = pass_name(tokenizer.data, start + 2, opened) if opened >= 0 else -1
            if name >= 0:
                _close(tokenizer)
            end = find(tokenizer.data, max(name, start), GREATER) + 1
        elif tokenizer.data[start + 1] in (EXCLAMATION, QUESTION):
            end = declaration_end(tokenizer.data, start)
        else:
            end = _open(tokenizer, sign)
    while tokenizer.state[_DEPTH] >= 0:
        _close(tokenizer)


@compiled
def tokenize(tokenizer: Tokenizer) -> None:
    """Fill `nodes` and `head`.

    The root is `body`, or the document element if there is no body (framesets).
    """
    for root in range(1, -1, -1):
        _read(tokenizer, root)
        if tokenizer.state[_ROWS]:
            break


@cache
def tag_tables() -> TagTables:
    """Return the lookup tables."""
    hashes, numbers = np.zeros(512, dtype=np.int64), np.zeros(512, dtype=np.int32)
    roles, contents = np.zeros((2, FIRST_UNKNOWN), dtype=np.uint8)
    for name, number in NUMBERS.items():
        value = stable_hash(name.encode())
        i = value & 511
        while hashes[i]:
            i = (i + 1) & 511
        hashes[i], numbers[i], roles[number] = value, number, tag_role(name)
        contents[number] = _VOID if name in VOID else _RAW if name in RAW else 0
    kinds = character_kinds()
    letters = (kinds[:256] == LETTER).astype(np.uint8)
    letters[0x80:] = 0  # bytes of multi-byte characters
    return TagTables(kinds, letters, hashes, numbers, roles, contents)


def new_tokenizer(data: bytes, whole: bool = False) -> Tokenizer:
    """Return the initial state; with `whole`, inline elements become vertices."""
    octets = np.frombuffer(data, dtype=np.uint8)
    signs = (octets == LESS).nonzero()[0]
    most = 2 * len(signs) + 2
    state = np.zeros(6, dtype=np.int64)
    state[_WHOLE] = whole
    return Tokenizer(
        data=octets,
        signs=signs,
        tables=tag_tables(),
        nodes=np.empty((7, most), dtype=np.int32),
        open_nodes=np.empty(most, dtype=np.int32),
        open_tags=np.empty(most, dtype=np.int32),
        starts=np.empty(most, dtype=np.int32),
        head=np.empty(most, dtype=np.int32),
        state=state,
    )
