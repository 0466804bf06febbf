"""Questions about one page that are asked of every page, and would be slow in Python.

Functions fill an array that they are given and return how much of it they used.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.patterns.pattern import PLAIN, Hashes, Ints, Kinds
from flong.tree import TEXT, compiled

Positions = NDArray[np.intp]
Bytes = NDArray[np.uint8]

_ABOVE = 8
"""So many text leaves above a body are looked at for a heading."""

_TEASER = 80
"""Words of a line up to which it may be a teaser of what it links to."""
_LIST = 3
"""Teasers that make a list; one or two may be in any article."""

_BLOCK = 64
"""So many bytes are looked at together."""

NOTHING, TAGS = -1, -2
"""What a page lacks of a pattern, if not a mark."""


class Index(NamedTuple):
    """What the pages of several patterns must have."""

    keys: Hashes
    """A hash table of marks, the hashes of texts and classes; 0 where it is empty."""
    slots: Ints
    """For each key a number of its own."""
    wanted: Ints
    """Pattern p wants the marks with the numbers `wanted[start[p]:start[p + 1]]`."""
    start: Ints
    """See `wanted`."""
    tags: Ints
    """A row for each pattern: how many vertices of each tag it wants at least."""
    order: Ints
    """In which order they are tried."""


class Seen(NamedTuple):
    """What a page has of it; zeros at first."""

    present: NDArray[np.int8]
    """Which of the marks it has."""
    tags: Ints
    """How many vertices of each tag; the last counts those that HTML does not know."""
    lacking: Ints
    """For each pattern the first mark that the page lacks, else `TAGS` or `NOTHING`."""
    likely: Ints
    """Those of which it lacks nothing, in the order in which they are tried; then -1."""


@compiled
def find_slot(keys: Hashes, key: int) -> int:
    """Return where a key is in a hash table, or where it would be."""
    at = key & (len(keys) - 1)
    while keys[at] not in (0, key):
        at = (at + 1) & (len(keys) - 1)
    return at


@compiled
def fill_table(keys: Hashes, slots: Ints, marks: Hashes) -> None:
    """Give each mark a place in an empty hash table, and its position as number."""
    for number in range(len(marks)):
        at = find_slot(keys, marks[number])
        keys[at] = marks[number]
        slots[at] = number


@compiled
def _note(index: Index, hashes: Hashes, present: NDArray[np.int8]) -> None:
    for value in hashes:
        if value != 0:
            at = find_slot(index.keys, value)
            if index.keys[at] != 0:
                present[index.slots[at]] = 1


@compiled
def _lacks(index: Index, p: int, seen: Seen) -> int:
    for at in range(index.start[p], index.start[p + 1]):
        if not seen.present[index.wanted[at]]:
            return index.wanted[at]
    for tag in range(len(seen.tags)):
        if seen.tags[tag] < index.tags[p, tag]:
            return TAGS
    return NOTHING


@compiled
def screen(index: Index, tags: Ints, texts: Hashes, classes: Hashes, seen: Seen) -> None:
    """Note which marks and tags a page has, and what it lacks of each pattern.

    A page is given by its tags and the hashes of its texts and classes.
    """
    _note(index, texts, seen.present)
    _note(index, classes, seen.present)
    for tag in tags:
        seen.tags[min(tag, len(seen.tags) - 1)] += 1
    likely = 0
    for p in index.order:
        seen.lacking[p] = _lacks(index, p, seen)
        if seen.lacking[p] == NOTHING:
            seen.likely[likely] = p
            likely += 1
    seen.likely[likely:] = -1


@compiled
def _has_token(starts: Ints, hashes: Hashes, vertex: int, token: int) -> bool:
    """Return whether an element has a class token; 0 stands for any, or none."""
    row, end = starts[vertex], starts[vertex + 1]
    while row < end and hashes[row] != token:
        row += 1
    return token == 0 or row < end


@compiled
def find_named(
    tree: tuple[Ints, Ints, Ints, Hashes],
    name: tuple[int, int],
    around: Positions,
    end: int,
    found: Positions,
) -> int:
    """Find the elements of a tag and a class token (0 for any) in document order.

    They lie before `end`, or in one of the elements `around`, given in document order. A tree is
    given by its tags and sizes, and by the starts and hashes of its class tokens.
    """
    tags, sizes, starts, hashes = tree
    tag, token = name
    count = passed = 0
    for vertex in range(len(tags)):
        if vertex < end and tags[vertex] == tag and _has_token(starts, hashes, vertex, token):
            found[count] = vertex
            count += 1
        if passed < len(around) and around[passed] == vertex:
            end = max(end, vertex + sizes[vertex])
            passed += 1
    return count


@compiled
def find_owner(kind: Kinds, start: Ints, stop: Ints, vertex: int) -> int:
    """Return the pattern vertex that a page vertex maps to or that took it, else -1.

    The last of those around it is the innermost; a plain one holds more than it maps to.
    """
    for v in range(len(kind) - 1, -1, -1):
        if start[v] <= vertex < stop[v]:
            return v if kind[v] != PLAIN or start[v] == vertex else -1
    return -1


@compiled
def trace_path(tree: tuple[Ints, Ints, Ints], vertex: int, steps: Ints) -> int:
    """Write tag and number of a vertex and of those around it, from inside out, without the root.

    The number counts siblings of one tag from 1 on; it is 0 where there is only one. A tree is
    given by its tags, parents and sizes.
    """
    tags, parents, sizes = tree
    count = 0
    while vertex > 0:
        parent = parents[vertex]
        before = after = 0
        child = parent + 1
        while child < parent + sizes[parent]:
            if tags[child] == tags[vertex]:
                before += child < vertex
                after += child > vertex
            child += sizes[child]
        steps[count, 0] = tags[vertex]
        steps[count, 1] = before + 1 if before or after else 0
        vertex = parent
        count += 1
    return count


@compiled
def find_place(value: int, known: Hashes) -> int:
    """Return where a value is in a sorted array, or where it would be."""
    low, high = 0, len(known)
    while low < high:
        middle = (low + high) // 2
        if known[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def is_known(value: int, known: Hashes) -> bool:
    """Return whether a sorted array has a value."""
    at = find_place(value, known)
    return at < len(known) and known[at] == value


@compiled
def find_word(data: Bytes, start: int, stop: int, word: Bytes) -> int:
    """Return what `data.find(word, start, stop)` does, in a fraction of the time.

    Its first and its last byte are looked for in many places at once, without a branch.
    """
    gap, i = len(word) - 1, start
    end = min(stop, len(data)) - gap
    while i < end:
        near, length = False, min(_BLOCK, end - i)
        if length == _BLOCK:
            firsts, lasts = data[i : i + _BLOCK], data[i + gap : i + gap + _BLOCK]
            for k in range(_BLOCK):
                near |= (firsts[k] == word[0]) & (lasts[k] == word[gap])
        if near or length < _BLOCK:
            for at in range(i, i + length):
                k = 0
                while k <= gap and data[at + k] == word[k]:
                    k += 1
                if k > gap:
                    return at
        i += length
    return -1


class Wanted(NamedTuple):
    """A text that is looked for on a page."""

    words: int
    """So many words it has."""
    letter: int
    """It begins with this small letter or figure; -1 if it does not begin with one of ASCII."""
    unlinked: bool
    """Nothing in it is a link."""


@compiled
def _begins(byte: int, letter: int) -> bool:
    """Return whether a text that begins with a byte may begin with a letter once it is folded."""
    small = byte | 0x20
    is_telling = 48 <= byte <= 57 or (97 <= small <= 122 and byte < 128)
    return letter < 0 or small == letter or not is_telling


@compiled
def find_likely(
    tree: tuple[Ints, Ints, Ints, Ints], text: Bytes, asked: tuple[int, int, bool], found: Positions
) -> int:
    """Find the text leaves that may say a text once they are folded.

    A tree is given by its tags, words, words in links, and where its texts begin; the text that is
    looked for is `Wanted` as a plain tuple.
    """
    tags, words, link_words, starts = tree
    wanted, count = Wanted(*asked), 0
    for vertex in range(len(tags)):
        if tags[vertex] != TEXT or words[vertex] != wanted.words:
            continue
        is_free = link_words[vertex] == 0 or not wanted.unlinked
        if is_free and _begins(text[starts[vertex]], wanted.letter):
            found[count] = vertex
            count += 1
    return count


class WantedLines(NamedTuple):
    """Where on a page lines with dates and names are looked for."""

    title: int
    """The leaf of the title; lines around it are looked at: ..."""
    before: int
    """... so many before it ..."""
    after: int
    """... and so many from it on."""
    last: int
    """The last leaf of the body, -1 for none; the one before it and ..."""
    below: int
    """... so many from it on are looked at."""
    longest: int
    """They have no more words."""
    telling: NDArray[np.bool_]
    """For each byte whether it makes a line one of those looked for."""


@compiled
def _count_leaves(tags: Ints, end: int) -> int:
    count = 0
    for vertex in range(end):
        count += tags[vertex] == TEXT
    return count


@compiled
def _has_any(text: Bytes, telling: NDArray[np.bool_]) -> bool:
    at = 0
    while at < len(text) and not telling[text[at]]:
        at += 1
    return at < len(text)


@compiled
def find_lines(
    tree: tuple[Ints, Ints, Ints, Ints], text: Bytes, lines: tuple[Any, ...], found: Positions
) -> int:
    """Find the short text leaves above and below title and body that have a telling byte.

    A tree is given by its tags, words, and where its texts begin and end; `WantedLines` as a plain
    tuple.
    """
    tags, words, starts, ends = tree
    asked = WantedLines(*lines)
    at, end = _count_leaves(tags, asked.title), _count_leaves(tags, asked.last)
    leaf = count = 0
    for vertex in range(len(tags)):
        if tags[vertex] != TEXT:
            continue
        near = at - asked.before <= leaf < at + asked.after
        below = asked.last >= 0 and end - 1 <= leaf < end + asked.below
        leaf += 1
        line = text[starts[vertex] : ends[vertex]]
        is_short = 0 < words[vertex] <= asked.longest
        if (near or below) and is_short and _has_any(line, asked.telling):
            found[count] = vertex
            count += 1
    return count


class TextLeaves(NamedTuple):
    """What is counted of the text leaves of a page, one entry for each vertex."""

    tag: Ints
    parent: Ints
    words: Ints
    link_words: Ints
    text_hash: Hashes
    link_hash: Hashes
    headings: tuple[int, int]
    """The lowest and the highest tag of a heading."""
    linked: float
    """On a page without headings lines with such a share of links may stand for them ..."""
    headline: int
    """... if they have so many words."""


@compiled
def _is_heading(lines: TextLeaves, vertex: int) -> bool:
    return lines.headings[0] <= lines.tag[vertex] <= lines.headings[1]


@compiled
def _has_headings(lines: TextLeaves) -> bool:
    vertex = 0
    while vertex < len(lines.tag) and not _is_heading(lines, vertex):
        vertex += 1
    return vertex < len(lines.tag)


@compiled
def _is_below_teaser(lines: TextLeaves, body: int, title: int) -> bool:
    leaf, left = body, _ABOVE
    while leaf > 0 and left > 0:
        leaf -= 1
        if lines.tag[leaf] != TEXT:
            continue
        if leaf == title:
            return False
        parent = lines.parent[leaf]
        if _is_heading(lines, parent) or _is_heading(lines, max(lines.parent[parent], 0)):
            return lines.link_words[leaf] >= 0.8 * lines.words[leaf]
        left -= 1
    return False


@compiled
def count_body(
    page: tuple[Any, ...], body: Positions, title: int, known: Hashes
) -> tuple[int, int, int, int, int, bool]:
    """Return what is counted in the leaves of a body; the page is `TextLeaves` as a plain tuple.

    That is its words, those in links, the most of one leaf outside of links; then how many
    linked headings it has, and how many leaves whose texts are among those known (sorted), or, if
    there are several short ones, whose longest links are, the title of the page not counted. Last
    is whether the nearest heading above the body is a link, and not the title.
    """
    lines = TextLeaves(*page)
    total = linked = teasers = others = listed = stand_ins = 0
    longest, titled = np.int64(0), False
    for leaf in body:
        words, links = np.int64(lines.words[leaf]), np.int64(lines.link_words[leaf])
        total += words
        linked += links
        longest = max(longest, words - links)
        teasers += links >= 0.8 * words and _is_heading(lines, lines.parent[leaf])
        stand_ins += links >= lines.linked * words and words >= lines.headline
        titled = titled or lines.text_hash[leaf] == lines.text_hash[title]
        if is_known(lines.text_hash[leaf], known):
            others += 1
        elif lines.link_hash[leaf] and words <= _TEASER:
            listed += is_known(lines.link_hash[leaf], known)
    if teasers == 0 and stand_ins > 0 and not _has_headings(lines):
        teasers = stand_ins
    others += listed if listed >= _LIST else 0
    others -= others > 0 and titled
    below_teaser = len(body) > 0 and _is_below_teaser(lines, body[0], title)
    return total, linked, longest, teasers, others, below_teaser
