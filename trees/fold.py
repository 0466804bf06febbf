"""The second pass: the block tree, with inline elements folded into the text around them.

- An inline element that contains a block or a picture is a vertex like any other.
- In a container that is no text block, two or more inline elements side by side without
  a bare word between them stay apart (`<div><span>author</span> <time>date</time></div>`).
- `<br>`, and a line end inside `<pre>`, is a line break in the leaf.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

import numpy as np
from numpy.typing import NDArray

from trees.hashes import stable_hash
from trees.leaves import (
    COLUMNS,
    COUNT,
    CUT,
    FRAMES,
    LENGTH,
    TOKENS,
    V_END,
    V_LINKED,
    V_PARENT,
    V_SIZE,
    V_TAG,
    V_WORDS,
    Fold,
    add_leaf,
    add_vertex,
)
from trees.machine import compiled
from trees.octets import (
    QUOTE,
    Octets,
    find_attribute,
    hash_octets,
    is_blank,
    read_character,
    write_character,
)
from trees.scan import FLAGS, LINK, PLACE, READABLE, SIZE, START, TAG, VERTEX, WORDY, Scan
from trees.tags import FIRST_UNKNOWN, NUMBERS, Role

_PRE = NUMBERS["pre"]
_CLASS = stable_hash(b"class")
_TEXT_BLOCK = int(Role.TEXT_BLOCK)

_ROW, _STOP, _RUN_STOP, _VERTEX, _LINKED, _LINES, _APART = range(7)
"""A frame of the stack: next row, end of its rows, end of the run of inline rows it is in, its
vertex, inside a link, keeps line ends, its run's elements stay apart."""

MAX_DEPTH = 2_048
"""Levels of vertices; a tree that is deeper cannot be written down with its levels indented."""


@compiled
def _add_token(fold: Fold, first: int, token: Octets) -> None:
    """Insert a class token's hash among those of its vertex, unless it names a single page."""
    digits = 0
    for octet in token:
        digits = digits + 1 if 48 <= octet <= 57 else 0
        if digits == 3:
            return
    value = hash_octets(token, 0, len(token))
    i = fold.state[TOKENS]
    while i > first and fold.class_hash[i - 1] > value:
        i -= 1
    if i > first and fold.class_hash[i - 1] == value:
        return
    for k in range(fold.state[TOKENS], i, -1):
        fold.class_hash[k] = fold.class_hash[k - 1]
    fold.class_hash[i] = value
    fold.state[TOKENS] += 1


@compiled
def _add_classes(fold: Fold, tag_start: int) -> None:
    """Write the class tokens of a start tag."""
    data = fold.scan.data
    i = find_attribute(data, tag_start, _CLASS)
    if i < 0:
        return
    first = fold.state[TOKENS]
    begin = at = fold.state[LENGTH]  # the text's free end serves as scratch space
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
    nodes, depth = fold.scan.nodes, fold.state[FRAMES]
    if depth == MAX_DEPTH:
        fold.state[CUT] = 1
        return
    vertex = add_vertex(fold, nodes[TAG, row], parent, nodes[PLACE, row], nodes[START, row])
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
    fold.state[FRAMES] = depth + 1


@compiled
def _leave(fold: Fold) -> None:
    """Sum up the vertex on top of the stack and take it off."""
    depth = fold.state[FRAMES] - 1
    vertices, vertex = fold.vertices, fold.frames[depth, _VERTEX]
    vertices[V_SIZE, vertex] = fold.state[COUNT] - vertex
    vertices[V_END, vertex] = fold.state[LENGTH]
    parent = vertices[V_PARENT, vertex]
    if parent >= 0:
        vertices[V_WORDS, parent] += vertices[V_WORDS, vertex]
        vertices[V_LINKED, parent] += vertices[V_LINKED, vertex]
    fold.state[FRAMES] = depth


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
    nodes, frame = fold.scan.nodes, fold.frames[fold.state[FRAMES] - 1]
    row = frame[_ROW]
    if row >= frame[_STOP]:
        _leave(fold)
    elif nodes[FLAGS, row] & VERTEX:
        frame[_ROW] += nodes[SIZE, row]
        _enter(fold, row, frame[_VERTEX])
    elif row >= frame[_RUN_STOP]:
        if _begin_run(fold, frame):
            rows = row, frame[_RUN_STOP]
            add_leaf(fold, rows, frame[_VERTEX], frame[_LINKED], frame[_LINES])
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
    while fold.state[FRAMES] and fold.state[COUNT] < most:
        _step(fold)
    cut = fold.state[FRAMES] > 0 or fold.state[CUT] > 0
    while fold.state[FRAMES]:
        _leave(fold)
    fold.class_start[fold.state[COUNT]] = fold.state[TOKENS]
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
