"""The second pass: the block tree, with inline elements folded into the text around them.

- An inline element that contains a block or a picture is a vertex like any other.
- In a container that is no text block, two or more inline elements side by side without
  a bare word between them stay apart (`<div><span>author</span> <time>date</time></div>`).
- `<br>`, and a line end inside `<pre>`, is a line break in the leaf.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trees.characters import LETTER, NOTHING, SPACE, WORD
from trees.hashes import stable_hash
from trees.machine import compiled
from trees.octets import (
    AMPERSAND,
    QUOTE,
    Octets,
    find_attribute,
    hash_octets,
    is_blank,
    read_character,
    write_character,
)
from trees.scan import END, FLAGS, LINK, PLACE, READABLE, SIZE, START, TAG, VERTEX, WORDY, Scan
from trees.tags import FIRST_UNKNOWN, NUMBERS, Role

COLUMNS = ("tag", "parent", "size", "start", "end", "words", "link_words", "place", "tag_start")
(V_TAG, V_PARENT, V_SIZE, V_START, V_END, V_WORDS, V_LINKED, V_PLACE, V_TAG_START) = range(9)
"""Columns of `vertices`."""

_BREAK, _PRE = NUMBERS["br"], NUMBERS["pre"]
_CLASS = stable_hash(b"class")
_TEXT_BLOCK = int(Role.TEXT_BLOCK)

_ROW, _STOP, _RUN_STOP, _VERTEX, _LINKED, _LINES, _APART = range(7)
"""A frame of the stack: next row, end of its rows, end of the run of inline rows it is in, its
vertex, inside a link, keeps line ends, its run's elements stay apart."""

_COUNT, _LENGTH, _TOKENS, _FRAMES, _CUT = range(5)
"""State: vertices, octets of text, class tokens, open frames, whether something is left out."""

MAX_DEPTH = 2_048
"""Levels of vertices; a tree that is deeper cannot be written down with its levels indented."""

_NONE, _BLANK, _LINE = range(3)
"""What stands between two words."""


class Fold(NamedTuple):
    """The state of the second pass."""

    scan: Scan
    vertices: NDArray[np.int32]
    text_hash: NDArray[np.int64]
    link_hash: NDArray[np.int64]
    class_start: NDArray[np.int32]
    class_hash: NDArray[np.int64]
    text: Octets
    frames: NDArray[np.int32]
    state: NDArray[np.int64]


class Pen(NamedTuple):
    """How far the writing of a leaf is."""

    at: int
    gap: int
    in_word: bool
    words: int
    linked: int


@compiled
def _write(fold: Fold, row: int, pen: Pen, linked: bool, lines: bool) -> Pen:
    """Write the text of a row with single spaces, and count its words."""
    at, gap, in_word, words, links = pen
    scan, text = fold.scan, fold.text
    kinds = scan.tables.kinds
    i, end = scan.nodes[START, row], scan.nodes[END, row]
    while i < end:
        octet = scan.data[i]
        if octet < 0x80 and octet != AMPERSAND:
            if in_word and kinds[octet] == LETTER:  # most of all text
                text[at] = octet
                at, i = at + 1, i + 1
                continue
            character, i = np.int64(octet), i + 1
        else:
            character, i = read_character(scan.data, i)
        kind = kinds[character] if character < len(kinds) else 0
        if kind in (SPACE, NOTHING):
            space = _NONE if kind == NOTHING else _LINE if lines and character == 10 else _BLANK
            gap, in_word = max(gap, space), in_word and kind == NOTHING
            continue
        if gap != _NONE:
            if at > fold.state[_LENGTH]:
                text[at] = 10 if gap == _LINE else 32
                at += 1
            gap = _NONE
        at = write_character(text, at, character)
        if kind == WORD or (kind == LETTER and not in_word):
            words += 1
            links += linked
        in_word = kind == LETTER
    return Pen(at, gap, in_word, words, links)


@compiled
def _add(fold: Fold, tag: int, parent: int, place: int, tag_start: int) -> int:
    """Write a vertex without children; return its number."""
    vertex, vertices = fold.state[_COUNT], fold.vertices
    fold.state[_COUNT] += 1
    vertices[V_TAG, vertex] = tag
    vertices[V_PARENT, vertex] = parent
    vertices[V_SIZE, vertex] = 1
    vertices[V_START, vertex] = fold.state[_LENGTH]
    vertices[V_WORDS, vertex] = 0
    vertices[V_LINKED, vertex] = 0
    vertices[V_PLACE, vertex] = place
    vertices[V_TAG_START, vertex] = tag_start
    fold.text_hash[vertex] = 0
    fold.link_hash[vertex] = 0
    fold.class_start[vertex] = fold.state[_TOKENS]
    return vertex


@compiled
def _longer(longest: tuple[int, int], link: int, end: int) -> tuple[int, int]:
    """Return the longer of two links, each from where to where it goes in the text."""
    return (link, end) if link >= 0 and end - link > longest[1] - longest[0] else longest


@compiled
def _hash_link(text: Octets, link: tuple[int, int]) -> int:
    """Return the hash of a link's text without the space before it; 0 if it has none."""
    start, end = link
    if start < end and text[start] in (10, 32):
        start += 1
    return hash_octets(text, start, end) if start < end else 0


@compiled
def _add_leaf(fold: Fold, start: int, stop: int) -> None:
    """Write the text of a run of rows as one leaf of the open vertex."""
    nodes, frame = fold.scan.nodes, fold.frames[fold.state[_FRAMES] - 1]
    parent = frame[_VERTEX]
    leaf = _add(fold, 0, parent, fold.vertices[V_PLACE, parent], -1)
    begin = fold.state[_LENGTH]
    longest = begin, begin
    pen = Pen(begin, np.int64(_NONE), False, 0, 0)
    link_stop = stop if frame[_LINKED] else 0
    link = -1
    for row in range(start, stop):
        if link >= 0 and row >= link_stop:
            longest, link = _longer(longest, link, pen.at), -1
        if nodes[FLAGS, row] & LINK and row >= link_stop:
            link, link_stop = pen.at, row + nodes[SIZE, row]
        if nodes[TAG, row] == _BREAK:
            pen = Pen(pen.at, np.int64(_LINE), False, pen.words, pen.linked)
        elif nodes[TAG, row] == 0:
            pen = _write(fold, row, pen, row < link_stop, frame[_LINES] != 0)
    fold.text_hash[leaf] = hash_octets(fold.text, begin, pen.at)
    fold.link_hash[leaf] = _hash_link(fold.text, _longer(longest, link, pen.at))
    fold.text[pen.at] = 10
    fold.state[_LENGTH] = pen.at + 1
    fold.vertices[V_END, leaf] = pen.at + 1
    fold.vertices[V_WORDS, leaf] = pen.words
    fold.vertices[V_LINKED, leaf] = pen.linked
    fold.vertices[V_WORDS, parent] += pen.words
    fold.vertices[V_LINKED, parent] += pen.linked


@compiled
def _add_token(fold: Fold, first: int, token: Octets) -> None:
    """Insert a class token's hash among those of its vertex, unless it names a single page."""
    digits = 0
    for octet in token:
        digits = digits + 1 if 48 <= octet <= 57 else 0
        if digits == 3:
            return
    value = hash_octets(token, 0, len(token))
    i = fold.state[_TOKENS]
    while i > first and fold.class_hash[i - 1] > value:
        i -= 1
    if i > first and fold.class_hash[i - 1] == value:
        return
    for k in range(fold.state[_TOKENS], i, -1):
        fold.class_hash[k] = fold.class_hash[k - 1]
    fold.class_hash[i] = value
    fold.state[_TOKENS] += 1


@compiled
def _add_classes(fold: Fold, tag_start: int) -> None:
    """Write the class tokens of a start tag."""
    data = fold.scan.data
    i = find_attribute(data, tag_start, _CLASS)
    if i < 0:
        return
    first = fold.state[_TOKENS]
    begin = at = fold.state[_LENGTH]  # the text's free end serves as scratch space
    while data[i] != QUOTE:
        character, i = read_character(data, i)
        if not is_blank(character):
            at = write_character(fold.text, at, character)
        elif at > begin:
            _add_token(fold, first, fold.text[begin:at])
            at = begin
    if at > begin:
        _add_token(fold, first, fold.text[begin:at])


@compiled
def _enter(fold: Fold, row: int, parent: int) -> None:
    """Write an element as a vertex and put it on the stack, unless it is too deep."""
    nodes, depth = fold.scan.nodes, fold.state[_FRAMES]
    if depth == MAX_DEPTH:
        fold.state[_CUT] = 1
        return
    vertex = _add(fold, nodes[TAG, row], parent, nodes[PLACE, row], nodes[START, row])
    _add_classes(fold, nodes[START, row])
    frame = fold.frames[depth]
    frame[_ROW] = row + 1
    frame[_STOP] = row + nodes[SIZE, row]
    frame[_RUN_STOP] = 0
    frame[_VERTEX] = vertex
    frame[_APART] = 0
    frame[_LINKED] = nodes[FLAGS, row] & LINK
    frame[_LINES] = nodes[TAG, row] == _PRE
    if depth:
        frame[_LINKED] |= fold.frames[depth - 1, _LINKED]
        frame[_LINES] |= fold.frames[depth - 1, _LINES]
    fold.state[_FRAMES] = depth + 1


@compiled
def _leave(fold: Fold) -> None:
    """Sum up the vertex on top of the stack and take it off."""
    depth = fold.state[_FRAMES] - 1
    vertices, vertex = fold.vertices, fold.frames[depth, _VERTEX]
    vertices[V_SIZE, vertex] = fold.state[_COUNT] - vertex
    vertices[V_END, vertex] = fold.state[_LENGTH]
    parent = vertices[V_PARENT, vertex]
    if parent >= 0:
        vertices[V_WORDS, parent] += vertices[V_WORDS, vertex]
        vertices[V_LINKED, parent] += vertices[V_LINKED, vertex]
    fold.state[_FRAMES] = depth


@compiled
def _begin_run(fold: Fold, frame: NDArray[np.int32]) -> bool:
    """Find the run of inline rows that begins here; return whether it is one leaf of text."""
    nodes, row = fold.scan.nodes, frame[_ROW]
    elements, bare, readable = 0, False, False
    while row < frame[_STOP] and not nodes[FLAGS, row] & VERTEX:
        flags = nodes[FLAGS, row]
        bare |= flags & WORDY != 0
        readable |= flags & READABLE != 0
        elements += nodes[TAG, row] != 0 and flags & READABLE != 0
        row += nodes[SIZE, row]
    tag = fold.vertices[V_TAG, frame[_VERTEX]]
    block = tag < FIRST_UNKNOWN and fold.scan.tables.roles[tag] == _TEXT_BLOCK
    frame[_RUN_STOP] = row
    frame[_APART] = not (bare or elements < 2 or block)
    return readable and not frame[_APART]


@compiled
def _step(fold: Fold) -> None:
    """Go on with the vertex on top of the stack."""
    nodes, frame = fold.scan.nodes, fold.frames[fold.state[_FRAMES] - 1]
    row = frame[_ROW]
    if row >= frame[_STOP]:
        _leave(fold)
    elif nodes[FLAGS, row] & VERTEX:
        frame[_ROW] += nodes[SIZE, row]
        _enter(fold, row, frame[_VERTEX])
    elif row >= frame[_RUN_STOP]:
        if _begin_run(fold, frame):
            _add_leaf(fold, row, frame[_RUN_STOP])
        if not frame[_APART]:
            frame[_ROW] = frame[_RUN_STOP]
    else:
        frame[_ROW] += nodes[SIZE, row]
        if nodes[TAG, row] != 0 and nodes[FLAGS, row] & READABLE:
            _enter(fold, row, frame[_VERTEX])


@compiled
def fold_page(fold: Fold, most: int) -> bool:
    """Fill the arrays with at most so many vertices; return whether the page was cut."""
    _enter(fold, 0, -1)
    while fold.state[_FRAMES] and fold.state[_COUNT] < most:
        _step(fold)
    cut = fold.state[_FRAMES] > 0 or fold.state[_CUT] > 0
    while fold.state[_FRAMES]:
        _leave(fold)
    fold.class_start[fold.state[_COUNT]] = fold.state[_TOKENS]
    return cut


def new_fold(scan: Scan, rows: int) -> Fold:
    """Return the state before the pass."""
    octets = len(scan.data)
    return Fold(
        scan=scan,
        vertices=np.empty((len(COLUMNS), rows), dtype=np.int32),
        text_hash=np.empty(rows, dtype=np.int64),
        link_hash=np.empty(rows, dtype=np.int64),
        class_start=np.empty(rows + 1, dtype=np.int32),
        class_hash=np.empty(octets // 2, dtype=np.int64),
        text=np.empty(octets + 1, dtype=np.uint8),
        frames=np.empty((min(rows, MAX_DEPTH), 7), dtype=np.int32),
        state=np.zeros(5, dtype=np.int64),
    )
