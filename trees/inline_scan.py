"""The pass over the source of text leaves that finds the inline elements in them again."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trees.characters import NOTHING, SPACE
from trees.html_bytes import (
    AMPERSAND,
    EXCLAMATION,
    GREATER,
    LESS,
    QUESTION,
    SLASH,
    Bytes,
    find,
    read_character,
)
from trees.jit import compiled
from trees.tags import FIRST_UNKNOWN
from trees.tokenizer import TagTables, read_name

Numbers = NDArray[np.int32]

PLAIN, SET, UNCLEAR = range(3)
"""What is known of a leaf: none of the elements is in it; its runs; nothing for certain."""
ORDINARY, EMPTY, STRANGE, TOLD = range(4)
"""Elements: others; those without an inside; those whose inside is no text; those asked about."""
DEEPEST = 64
"""Elements that may be open in a leaf."""
_UNKNOWN = -2
"""In place of an end: nothing for certain."""


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
    states: Bytes
    """What is known of each."""
    stops: Numbers
    """Where the runs of each end."""
    runs: Numbers
    """Where each begins and ends, and the innermost element around it."""
    elements: Numbers
    """The element around each, its tag, and where it begins in the source."""
    stack: Numbers
    """The element around each that is open."""
    counts: Numbers
    """How many runs and elements there are."""


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
def _place_runs(scan: InlineScan, leaf: int, first: int) -> int:
    """Turn the pieces of source of a leaf, from the first on, into runs of its text."""
    used, at, stop = first, np.int64(scan.tree[2][leaf]), np.int64(scan.tree[3][leaf]) - 1
    for run in range(first, scan.counts[0]):
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
def _add_element(scan: InlineScan, outer: int, known: int, tag: int) -> int:
    """Write an element; return its number."""
    element = np.int64(scan.counts[1])
    scan.elements[element, 0], scan.elements[element, 1] = outer, known
    scan.elements[element, 2] = tag
    scan.counts[1] = element + 1
    return element


@compiled
def _read_tags(scan: InlineScan, leaf: int) -> int:
    """Write the pieces of source of a leaf as runs, and the elements in it; return its state."""
    data, parent, tag_start = scan.data, scan.tree[0], scan.tree[1]
    depth, inner, state, stop = 0, np.int64(-1), PLAIN, -1
    if leaf + 1 < len(parent) and parent[leaf + 1] == parent[leaf]:
        stop = tag_start[leaf + 1]
    at = find(data, np.int64(tag_start[parent[leaf]]), GREATER) + 1
    while True:
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
        known, _ = read_name(data, tag + 1, scan.tables)
        kind = scan.kinds[known] if known < FIRST_UNKNOWN else ORDINARY
        if kind == STRANGE or sign in (EXCLAMATION, QUESTION) or depth == DEEPEST:
            return UNCLEAR
        if kind != EMPTY:
            scan.stack[depth] = inner
            depth += 1
        if kind == TOLD:
            inner, state = _add_element(scan, inner, known, tag), SET


@compiled
def scan_leaves(scan: InlineScan) -> None:
    """Fill states, stops, runs and elements."""
    for number in range(len(scan.leaves)):
        leaf = scan.leaves[number]
        first, state = scan.counts[0], UNCLEAR
        if leaf == scan.tree[0][leaf] + 1:
            state = _read_tags(scan, leaf)
        if state == SET:
            state = _place_runs(scan, leaf, first)
        if state != SET:
            scan.counts[0] = first
        scan.states[number] = state
        scan.stops[number] = scan.counts[0]
