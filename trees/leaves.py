"""Vertices of the block tree, and text that is written into its leaves."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trees.characters import LETTER, NOTHING, SPACE, WORD
from trees.machine import compiled
from trees.octets import AMPERSAND, Octets, hash_octets, read_character, write_character
from trees.scan import END, FLAGS, LINK, SIZE, START, TAG, Scan
from trees.tags import NUMBERS

COLUMNS = ("tag", "parent", "size", "start", "end", "words", "link_words", "place", "tag_start")
(V_TAG, V_PARENT, V_SIZE, V_START, V_END, V_WORDS, V_LINKED, V_PLACE, V_TAG_START) = range(9)
"""Columns of `vertices`."""

COUNT, LENGTH, TOKENS, FRAMES, CUT = range(5)
"""State: vertices, octets of text, class tokens, open frames, whether something is left out."""

_BREAK = NUMBERS["br"]
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
            if at > fold.state[LENGTH]:
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
def add_vertex(fold: Fold, tag: int, parent: int, place: int, tag_start: int) -> int:
    """Write a vertex without children; return its number."""
    vertex, vertices = fold.state[COUNT], fold.vertices
    fold.state[COUNT] += 1
    vertices[V_TAG, vertex] = tag
    vertices[V_PARENT, vertex] = parent
    vertices[V_SIZE, vertex] = 1
    vertices[V_START, vertex] = fold.state[LENGTH]
    vertices[V_WORDS, vertex] = 0
    vertices[V_LINKED, vertex] = 0
    vertices[V_PLACE, vertex] = place
    vertices[V_TAG_START, vertex] = tag_start
    fold.text_hash[vertex] = 0
    fold.link_hash[vertex] = 0
    fold.class_start[vertex] = fold.state[TOKENS]
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
def add_leaf(fold: Fold, rows: tuple[int, int], parent: int, linked: int, lines: int) -> None:
    """Write the text of a run of rows, from and to, as one leaf of a vertex.

    `linked` says whether all of it is inside a link, `lines` whether line ends are kept.
    """
    nodes, (start, stop) = fold.scan.nodes, rows
    leaf = add_vertex(fold, 0, parent, fold.vertices[V_PLACE, parent], -1)
    begin = fold.state[LENGTH]
    longest = begin, begin
    pen = Pen(begin, np.int64(_NONE), False, 0, 0)
    link_stop = stop if linked else 0
    link = -1
    for row in range(start, stop):
        if link >= 0 and row >= link_stop:
            longest, link = _longer(longest, link, pen.at), -1
        if nodes[FLAGS, row] & LINK and row >= link_stop:
            link, link_stop = pen.at, row + nodes[SIZE, row]
        if nodes[TAG, row] == _BREAK:
            pen = Pen(pen.at, np.int64(_LINE), False, pen.words, pen.linked)
        elif nodes[TAG, row] == 0:
            pen = _write(fold, row, pen, row < link_stop, lines != 0)
    fold.text_hash[leaf] = hash_octets(fold.text, begin, pen.at)
    fold.link_hash[leaf] = _hash_link(fold.text, _longer(longest, link, pen.at))
    fold.text[pen.at] = 10
    fold.state[LENGTH] = pen.at + 1
    fold.vertices[V_END, leaf] = pen.at + 1
    fold.vertices[V_WORDS, leaf] = pen.words
    fold.vertices[V_LINKED, leaf] = pen.linked
    fold.vertices[V_WORDS, parent] += pen.words
    fold.vertices[V_LINKED, parent] += pen.linked
