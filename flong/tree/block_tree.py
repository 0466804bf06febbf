"""Block tree builder, the second pass: folds inline elements into the surrounding text.

- An inline element that contains a block or an image is a vertex of its own.
- In a container that is not a text block, adjacent inline elements without bare words between them
  stay separate (`<div><span>author</span> <time>date</time></div>`).
- `<br>`, and a line end inside `<pre>`, is a line break in the leaf.
"""

# numba treats integers of numpy and Python as one type; mypy does not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.tree.characters import LETTER, NOTHING, SPACE, WORD
from flong.tree.html_bytes import (
    AMPERSAND,
    NO_BYTES,
    QUOTE,
    Bytes,
    finished,
    hash_bytes,
    hash_on,
    is_blank,
    read_character,
)
from flong.tree.jit import compiled
from flong.tree.tags import FIRST_UNKNOWN, NUMBERS, Role
from flong.tree.tokenizer import (
    CLASSES,
    END,
    FLAGS,
    LINK,
    PLACE,
    READABLE,
    SIZE,
    START,
    TAG,
    VERTEX,
    WORDY,
    Tokenizer,
    new_tokenizer,
    tokenize,
)

COLUMNS = tuple("tag parent size start end words link_words links place tag_start".split())
(
    V_TAG, V_PARENT, V_SIZE, V_START, V_END, V_WORDS, V_LINKED, V_LINKS, V_PLACE, V_TAG_START,
) = range(len(COLUMNS))  # fmt: skip
"""Columns of `vertices`."""
TEXT_HASH, LINK_HASH = range(2)
"""Columns of `hashes`."""

COUNT, LENGTH, TOKENS, FRAMES, CUT = range(5)
"""Fields of the state: vertices, bytes of text, class tokens, open frames, flag for omitted
content."""

_BREAK = NUMBERS["br"]
_NONE, _BLANK, _LINE = range(3)
"""Separator between two words."""

_PRE = NUMBERS["pre"]
_TEXT_BLOCK = int(Role.TEXT_BLOCK)

_ROW, _STOP, _RUN_STOP, _VERTEX, _LINKED, _LINES, _APART = range(7)
"""Fields of a stack frame: next row, end of its rows, end of the current run of inline rows, its
vertex, flags (inside a link, keeps line ends, elements of the run stay separate)."""

MAX_DEPTH = 2_048
"""Maximum depth of the tree: the indented text form of deeper trees would be quadratic."""


class TreeBuilder(NamedTuple):
    """State of the second pass."""

    tokenizer: Tokenizer
    vertices: NDArray[np.int32]
    hashes: NDArray[np.int64]
    """Hashes of each vertex: its text, its longest link."""
    class_start: NDArray[np.int32]
    class_hash: NDArray[np.int64]
    text: Bytes
    frames: NDArray[np.int32]
    state: NDArray[np.int64]


class Cursor(NamedTuple):
    """Position and state while a leaf is written."""

    at: int
    gap: int
    in_word: bool
    words: int
    linked: int
    hash: np.uint64


@compiled
def _put(text: Bytes, at: int, value: np.uint64, byte: int) -> tuple[int, np.uint64]:
    """Write a byte; return the next position and the updated hash."""
    text[at] = byte
    return at + 1, hash_on(value, byte)


@compiled
def _write(builder: TreeBuilder, row: int, cursor: Cursor, linked: bool, lines: bool) -> Cursor:
    """Write the text of a row with normalised spaces, and count its words."""
    at, gap, in_word, words, links, value = cursor
    data, tables, text = builder.tokenizer.data, builder.tokenizer.tables, builder.text
    i, end = np.int64(builder.tokenizer.nodes[START, row]), builder.tokenizer.nodes[END, row]
    while i < end:
        if in_word and tables.letters[data[i]]:  # most of all text
            at, value = _put(text, at, value, data[i])
            i += 1
            continue
        begin = i
        character, i = read_character(data, begin)
        kind = tables.kinds[character] if character < len(tables.kinds) else 0
        if kind in (SPACE, NOTHING):
            space = _NONE if kind == NOTHING else _LINE if lines and character == 10 else _BLANK
            gap, in_word = max(gap, space), in_word and kind == NOTHING
            continue
        if gap != _NONE and at > builder.state[LENGTH]:
            at, value = _put(text, at, value, np.uint8(10 if gap == _LINE else 32))
        gap = _NONE
        if character < 0x80:  # so are all entities but `nbsp`, which is a space
            at, value = _put(text, at, value, np.uint8(character))
        else:
            for k in range(begin, i):
                at, value = _put(text, at, value, data[k])
        if kind == WORD or (kind == LETTER and not in_word):
            words += 1
            links += linked
        in_word = kind == LETTER
    return Cursor(at, gap, in_word, words, links, value)


@compiled
def add_vertex(builder: TreeBuilder, tag: int, parent: int, place: int, tag_start: int) -> int:
    """Write a vertex without children; return its number."""
    vertex, vertices = builder.state[COUNT], builder.vertices
    builder.state[COUNT] += 1
    vertices[V_TAG, vertex] = tag
    vertices[V_PARENT, vertex] = parent
    vertices[V_SIZE, vertex] = 1
    vertices[V_START, vertex] = builder.state[LENGTH]
    vertices[V_WORDS, vertex] = 0
    vertices[V_LINKED, vertex] = 0
    vertices[V_LINKS, vertex] = 0
    vertices[V_PLACE, vertex] = place
    vertices[V_TAG_START, vertex] = tag_start
    builder.hashes[:, vertex] = 0
    builder.class_start[vertex] = builder.state[TOKENS]
    return vertex


@compiled
def _longer(longest: tuple[int, int], link: int, end: int) -> tuple[int, int]:
    """Return the longer of two links, each given as a range in the text."""
    return (link, end) if link >= 0 and end - link > longest[1] - longest[0] else longest


@compiled
def _hash_link(text: Bytes, link: tuple[int, int]) -> int:
    """Return the hash of a link's text without leading space; 0 if it is empty."""
    start, end = link
    if start < end and text[start] in (10, 32):
        start += 1
    return hash_bytes(text, start, end) if start < end else 0


@compiled
def add_leaf(
    builder: TreeBuilder, rows: tuple[int, int], parent: int, linked: int, lines: int
) -> None:
    """Write the text of a range of rows as one leaf of a vertex.

    `linked` is set if all of it is inside a link, `lines` if line ends are kept.
    """
    nodes, (start, stop) = builder.tokenizer.nodes, rows
    place = builder.vertices[V_PLACE, parent]
    leaf = add_vertex(builder, np.int32(0), parent, place, np.int32(-1))
    begin = builder.state[LENGTH]
    longest = begin, begin
    cursor = Cursor(begin, np.int64(_NONE), False, 0, 0, NO_BYTES)
    link_stop = stop if linked else 0
    link = np.int64(-1)
    for row in range(start, stop):
        if link >= 0 and row >= link_stop:
            longest, link = _longer(longest, link, cursor.at), np.int64(-1)
        if nodes[FLAGS, row] & LINK and row >= link_stop:
            link, link_stop = cursor.at, row + nodes[SIZE, row]
            builder.vertices[V_LINKS, leaf] += 1
        if nodes[TAG, row] == _BREAK:
            words, inside = cursor.words, cursor.linked
            cursor = Cursor(cursor.at, np.int64(_LINE), False, words, inside, cursor.hash)
        elif nodes[TAG, row] == 0:
            cursor = _write(builder, row, cursor, row < link_stop, lines != 0)
    builder.hashes[TEXT_HASH, leaf] = finished(cursor.hash)
    builder.hashes[LINK_HASH, leaf] = _hash_link(builder.text, _longer(longest, link, cursor.at))
    builder.text[cursor.at] = 10
    builder.state[LENGTH] = cursor.at + 1
    builder.vertices[V_END, leaf] = cursor.at + 1
    builder.vertices[V_WORDS, leaf] = cursor.words
    builder.vertices[V_LINKED, leaf] = cursor.linked
    builder.vertices[V_WORDS, parent] += cursor.words
    builder.vertices[V_LINKED, parent] += cursor.linked


@compiled
def _add_token(builder: TreeBuilder, first: int, value: int) -> None:
    """Insert the hash of a class token into the sorted tokens of its vertex."""
    i = builder.state[TOKENS]
    while i > first and builder.class_hash[i - 1] > value:
        i -= 1
    if i > first and builder.class_hash[i - 1] == value:
        return
    for k in range(builder.state[TOKENS], i, -1):
        builder.class_hash[k] = builder.class_hash[k - 1]
    builder.class_hash[i] = value
    builder.state[TOKENS] += 1


@compiled
def _read_token(data: Bytes, i: int) -> tuple[int, int]:
    """Return the hash of the class token at `i`, and its end.

    Tokens with a page-specific number get hash 0.
    """
    value, digits, numbered = NO_BYTES, 0, False
    while data[i] != QUOTE and not is_blank(data[i]):
        begin = i
        character, i = read_character(data, i)
        if character < 0x80:
            value = hash_on(value, np.uint8(character))
        elif data[begin] == AMPERSAND:  # the only such entity is `nbsp`
            value = hash_on(hash_on(value, np.uint8(0xC2)), np.uint8(0xA0))
        else:
            for byte in data[begin:i]:
                value = hash_on(value, byte)
        digits = digits + 1 if 48 <= character <= 57 else 0
        numbered |= digits == 3
    return np.int64(0) if numbered else finished(value), i


@compiled
def _add_classes(builder: TreeBuilder, i: int) -> None:
    """Write the tokens of the class value at `i`."""
    data, first = builder.tokenizer.data, builder.state[TOKENS]
    while data[i] != QUOTE:
        if is_blank(data[i]):
            i += 1
            continue
        value, i = _read_token(data, i)
        if value:
            _add_token(builder, first, value)


@compiled
def _enter(builder: TreeBuilder, row: int, parent: int) -> None:
    """Write an element as a vertex and push it on the stack, unless it is too deep."""
    nodes, depth = builder.tokenizer.nodes, builder.state[FRAMES]
    if depth == MAX_DEPTH:
        builder.state[CUT] = 1
        return
    vertex = add_vertex(builder, nodes[TAG, row], parent, nodes[PLACE, row], nodes[START, row])
    builder.vertices[V_LINKS, vertex] = nodes[FLAGS, row] & LINK != 0
    if nodes[CLASSES, row] >= 0:
        _add_classes(builder, np.int64(nodes[CLASSES, row]))
    frame = builder.frames[depth]
    frame[_ROW] = row + 1
    frame[_STOP] = row + nodes[SIZE, row]
    frame[_RUN_STOP] = 0
    frame[_VERTEX] = vertex
    frame[_APART] = 0
    frame[_LINKED] = nodes[FLAGS, row] & LINK
    frame[_LINES] = nodes[TAG, row] == _PRE
    if depth:
        frame[_LINKED] |= builder.frames[depth - 1, _LINKED]
        frame[_LINES] |= builder.frames[depth - 1, _LINES]
    builder.state[FRAMES] = depth + 1


@compiled
def _leave(builder: TreeBuilder) -> None:
    """Complete the top vertex and pop it."""
    depth = builder.state[FRAMES] - 1
    vertices, vertex = builder.vertices, builder.frames[depth, _VERTEX]
    vertices[V_SIZE, vertex] = builder.state[COUNT] - vertex
    vertices[V_END, vertex] = builder.state[LENGTH]
    parent = vertices[V_PARENT, vertex]
    if parent >= 0:
        vertices[V_WORDS, parent] += vertices[V_WORDS, vertex]
        vertices[V_LINKED, parent] += vertices[V_LINKED, vertex]
    builder.state[FRAMES] = depth


@compiled
def _begin_run(builder: TreeBuilder, frame: NDArray[np.int32]) -> bool:
    """Find the run of inline rows at the current position; return True if it is one text leaf."""
    nodes, row = builder.tokenizer.nodes, frame[_ROW]
    elements, bare, readable = 0, False, False
    while row < frame[_STOP] and not nodes[FLAGS, row] & VERTEX:
        flags = nodes[FLAGS, row]
        bare |= flags & WORDY != 0
        readable |= flags & READABLE != 0
        elements += nodes[TAG, row] != 0 and flags & READABLE != 0
        row += nodes[SIZE, row]
    tag = builder.vertices[V_TAG, frame[_VERTEX]]
    block = tag < FIRST_UNKNOWN and builder.tokenizer.tables.roles[tag] == _TEXT_BLOCK
    frame[_RUN_STOP] = row
    frame[_APART] = not (bare or elements < 2 or block)
    return readable and not frame[_APART]


@compiled
def _step(builder: TreeBuilder) -> None:
    """Process the next row of the top vertex."""
    nodes, frame = builder.tokenizer.nodes, builder.frames[builder.state[FRAMES] - 1]
    row = frame[_ROW]
    if row >= frame[_STOP]:
        _leave(builder)
    elif nodes[FLAGS, row] & VERTEX:
        frame[_ROW] += nodes[SIZE, row]
        _enter(builder, row, frame[_VERTEX])
    elif row >= frame[_RUN_STOP]:
        if _begin_run(builder, frame):
            rows = row, frame[_RUN_STOP]
            add_leaf(builder, rows, frame[_VERTEX], frame[_LINKED], frame[_LINES])
        if not frame[_APART]:
            frame[_ROW] = frame[_RUN_STOP]
    else:
        frame[_ROW] += nodes[SIZE, row]
        if nodes[TAG, row] != 0 and nodes[FLAGS, row] & READABLE:
            _enter(builder, row, frame[_VERTEX])


@compiled
def build_blocks(builder: TreeBuilder, most: int) -> bool:
    """Build the tree, with at most `most` vertices; return True if it was truncated."""
    tokenize(builder.tokenizer)
    _enter(builder, np.int32(0), np.int32(-1))
    while builder.state[FRAMES] and builder.state[COUNT] < most:
        _step(builder)
    cut = builder.state[FRAMES] > 0 or builder.state[CUT] > 0
    while builder.state[FRAMES]:
        _leave(builder)
    builder.class_start[builder.state[COUNT]] = builder.state[TOKENS]
    return cut


def new_builder(data: bytes, whole: bool) -> TreeBuilder:
    """Return the initial state; with `whole`, inline elements become vertices."""
    tokenizer = new_tokenizer(data, whole)
    most = tokenizer.nodes.shape[1]
    return TreeBuilder(
        tokenizer=tokenizer,
        vertices=np.empty((len(COLUMNS), most), dtype=np.int32),
        hashes=np.empty((2, most), dtype=np.int64),
        class_start=np.empty(most + 1, dtype=np.int32),
        class_hash=np.empty(len(data) // 2, dtype=np.int64),
        text=np.empty(len(data) + 1, dtype=np.uint8),
        frames=np.empty((min(most, MAX_DEPTH), 7), dtype=np.int32),
        state=np.zeros(5, dtype=np.int64),
    )
