"""Reading well-formed markup byte by byte, in compiled code.

The bytes are what the parser serialises, by the rules of HTML: UTF-8, every attribute value in
double quotes, `<`, `>` and `&` only as markup except in raw text and comments, and no entities
but `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&nbsp;`.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

import numpy as np
from numpy.typing import NDArray

from flong.tree.hashes import OFFSET, PRIME, stable_hash
from flong.tree.jit import compiled

Bytes = NDArray[np.uint8]
Places = NDArray[np.intp]

LESS, GREATER, SLASH, _EQUALS, QUOTE, AMPERSAND, _SEMICOLON, EXCLAMATION, QUESTION, _MINUS = (
    ord(c) for c in '<>/="&;!?-'
)
_NO_BREAK_SPACE = 0xA0
_CLASS, _HREF, _ID = (np.int64(stable_hash(name)) for name in (b"class", b"href", b"id"))
NO_BYTES, _PRIME = np.uint64(OFFSET), np.uint64(PRIME)
_BLOCK = 16
"""Bytes that are compared at once."""


@compiled
def hash_on(value: np.uint64, byte: int) -> np.uint64:
    """Return the hash of some bytes and one more, from that of those before it."""
    return (value ^ np.uint64(byte)) * _PRIME


@compiled
def finished(value: np.uint64) -> int:
    """Return such a hash as it is kept."""
    return np.int64(value) if value else np.int64(1)


@compiled
def hash_bytes(data: Bytes, start: int, end: int) -> int:
    """Return `stable_hash(data[start:end])`."""
    value = NO_BYTES
    for byte in data[start:end]:
        value = hash_on(value, byte)
    return finished(value)


@compiled
def find(data: Bytes, start: int, byte: int) -> int:
    """Return where a byte comes next, the end of the data if it does not."""
    i = start
    while i + _BLOCK <= len(data):
        found, block = False, data[i : i + _BLOCK]
        for k in range(_BLOCK):  # without a branch: one instruction for all of them
            found |= block[k] == byte
        if found:
            break
        i += _BLOCK
    while i < len(data) and data[i] != byte:
        i += 1
    return i


@compiled
def is_blank(byte: int) -> bool:
    """Return whether HTML separates names with this byte."""
    return byte == 32 or (9 <= byte <= 13 and byte != 11)


@compiled
def _tag_name_end(data: Bytes, start: int) -> int:
    """Return where the name of a tag that begins here ends."""
    i = start
    while i < len(data) and not (is_blank(data[i]) or data[i] == GREATER):
        i += 1
    return i


@compiled
def _name_end(data: Bytes, start: int) -> int:
    """Return where the name of an attribute that begins here ends."""
    i = start + 1  # a name may begin with "="
    while i < len(data) and data[i] != _EQUALS:
        i += 1
    return i


@compiled
def pass_name(data: Bytes, i: int, tag: int) -> int:
    """Return where the name that begins here ends, if it is that of a tag, else -1.

    `tag` is where a start tag begins; letters may be small or large.
    """
    k = tag + 1
    while i < len(data) and not (is_blank(data[k]) or data[k] == GREATER):
        if data[i] != data[k] and data[i] | 32 != data[k]:
            return -1
        i, k = i + 1, k + 1
    ends = i < len(data) and (is_blank(data[i]) or data[i] in (SLASH, GREATER))
    return i if ends else -1


@compiled
def _escape_end(data: Bytes, start: int, tag: int) -> int:
    """Return where a script that holds a comment goes on after it, or has its end tag in it.

    Scripts write scripts: in a comment there may be a start tag and an end tag of another one.
    """
    inner = False
    for i in range(start, len(data) - 2):
        if data[i] == _MINUS and data[i + 1] == _MINUS and data[i + 2] == GREATER:
            return i + 3
        if data[i] == LESS and pass_name(data, i + 1, tag) >= 0:
            inner = True
        elif data[i] == LESS and data[i + 1] == SLASH and pass_name(data, i + 2, tag) >= 0:
            if not inner:
                return i
            inner = False
    return len(data)


@compiled
def raw_end(data: Bytes, signs: Places, tag: int, script: bool) -> int:
    """Return where the end tag of raw text begins, whose start tag is at `tag`.

    `signs` are the places of `<` after it.
    """
    escaped = np.int64(0)
    for i in signs:
        if i < escaped or i >= len(data) - 3:
            continue
        if data[i + 1] == SLASH and pass_name(data, i + 2, tag) >= 0:
            return i
        comment = data[i + 1] == EXCLAMATION and data[i + 2] == _MINUS and data[i + 3] == _MINUS
        if comment and script:
            escaped = _escape_end(data, i + 2, tag)
    return len(data)


@compiled
def declaration_end(data: Bytes, start: int) -> int:
    """Return where the comment or processing instruction that begins here ends."""
    if data[start + 1] == QUESTION:
        return find(data, start, GREATER) + 1
    i = find(data, start + 4, GREATER)
    while i < len(data) and not (data[i - 1] == _MINUS and data[i - 2] == _MINUS):
        i = find(data, i + 1, GREATER)
    return i + 1


@compiled
def read_attributes(data: Bytes, i: int) -> tuple[int, bool, int]:
    """Return where the start tag whose name ends here ends, whether it has a `href`, its class.

    The class is where the value begins, -1 if it has none.
    """
    linked, classes = False, np.int64(-1)
    while i < len(data) and data[i] != GREATER:
        start = i + 1
        end = _name_end(data, start)
        if end - start == len("href"):
            linked |= hash_bytes(data, start, end) == _HREF
        elif end - start == len("class") and hash_bytes(data, start, end) == _CLASS:
            classes = end + 2
        i = find(data, end + 2, QUOTE) + 1
    return i + 1, linked, classes


@compiled
def _find_attribute(data: Bytes, tag: int, wanted: int) -> int:
    """Return where the value of an attribute of a start tag begins, -1 if it has none.

    `tag` is where the start tag begins, `wanted` the hash of the attribute's name.
    """
    i = _tag_name_end(data, tag + 1)
    while i < len(data) and data[i] != GREATER:
        start = i + 1
        end = _name_end(data, start)
        if hash_bytes(data, start, end) == wanted:
            return end + 2
        i = find(data, end + 2, QUOTE) + 1
    return -1


@compiled
def _entity(data: Bytes, start: int) -> tuple[int, int]:
    """Return the character of the entity at an ampersand, and where it ends.

    Any other ampersand is of raw text.
    """
    first, second = data[start + 1], data[start + 2]
    if first == ord("l") and second == ord("t") and data[start + 3] == _SEMICOLON:
        return LESS, start + 4
    if first == ord("g") and second == ord("t") and data[start + 3] == _SEMICOLON:
        return GREATER, start + 4
    if first == ord("a") and second == ord("m") and data[start + 4] == _SEMICOLON:
        return AMPERSAND, start + 5
    if first == ord("q") and second == ord("u") and data[start + 5] == _SEMICOLON:
        return QUOTE, start + 6
    if first == ord("n") and second == ord("b") and data[start + 5] == _SEMICOLON:
        return _NO_BREAK_SPACE, start + 6
    return AMPERSAND, start + 1


@compiled
def read_character(data: Bytes, i: int) -> tuple[int, int]:
    """Return the number of the character at `i`, and where the next one begins."""
    first = np.int64(data[i])
    if first == AMPERSAND:
        return _entity(data, i)
    if first < 0x80:
        return first, i + 1
    if first < 0xE0:
        return (first & 0x1F) << 6 | data[i + 1] & 0x3F, i + 2
    length = 3 + (first >= 0xF0)
    value = first & (0x7F >> length)
    for k in range(1, length):
        value = value << 6 | data[i + k] & 0x3F
    return value, i + length


@compiled
def hash_ids(data: Bytes, tag_start: NDArray[np.int32], hashes: NDArray[np.int64]) -> None:
    """Write the hash of the id of each vertex; 0 for one that has none."""
    for vertex in range(len(tag_start)):
        hashes[vertex] = 0
        if tag_start[vertex] >= 0:
            start = _find_attribute(data, np.int64(tag_start[vertex]), _ID)
            if start >= 0:
                hashes[vertex] = hash_bytes(data, start, find(data, start, QUOTE))
