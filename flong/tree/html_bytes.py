"""Byte-level reader for well-formed HTML, compiled.

The input is the parser's serialisation: UTF-8, attribute values in double quotes, `<`, `>` and `&`
only as markup except in raw text and comments. The only entities are `&amp;`, `&lt;`, `&gt;`,
`&quot;` and `&nbsp;`.
"""

# numba treats integers of numpy and Python as one type; mypy does not.
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
"""Number of bytes compared in one vectorised step."""


@compiled
def hash_on(value: np.uint64, byte: int) -> np.uint64:
    """Return the hash extended by one byte."""
    return (value ^ np.uint64(byte)) * _PRIME


@compiled
def finished(value: np.uint64) -> int:
    """Return the final form of a hash."""
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
    """Return the next position of a byte, or the end of the data."""
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
    """Return True if the byte separates names in HTML."""
    return byte == 32 or (9 <= byte <= 13 and byte != 11)


@compiled
def _tag_name_end(data: Bytes, start: int) -> int:
    """Return the end of the tag name that starts here."""
    i = start
    while i < len(data) and not (is_blank(data[i]) or data[i] == GREATER):
        i += 1
    return i


@compiled
def _name_end(data: Bytes, start: int) -> int:
    """Return the end of the attribute name that starts here."""
    i = start + 1  # a name may begin with "="
    while i < len(data) and data[i] != _EQUALS:
        i += 1
    return i


@compiled
def pass_name(data: Bytes, i: int, tag: int) -> int:
    """Return the end of the name that starts here if it equals that of a tag, else -1.

    `tag` is the position of a start tag. Case is ignored.
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
    """Return the position after a comment inside a script, or of the script's end tag.

    Scripts contain scripts: such a comment may hold the start and end tags of another one.
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
    """Return the position of the end tag of raw text whose start tag is at `tag`.

    `signs` are the positions of `<` after it.
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
    """Return the end of the comment or processing instruction that starts here."""
    if data[start + 1] == QUESTION:
        return find(data, start, GREATER) + 1
    i = find(data, start + 4, GREATER)
    while i < len(data) and not (data[i - 1] == _MINUS and data[i - 2] == _MINUS):
        i = find(data, i + 1, GREATER)
    return i + 1


@compiled
def read_attributes(data: Bytes, i: int) -> tuple[int, bool, int]:
    """Return the end of a start tag, True if it has `href`, and the position of its class value.

    The position is -1 if it has no class.
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
    """Return the position of an attribute's value in a start tag, or -1.

    `tag` is the position of the start tag, `wanted` the hash of the attribute's name.
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
    """Return the character of the entity at an ampersand, and its end.

    Ampersands without an entity occur in raw text.
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
    """Return the code point at `i`, and the position of the next one."""
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
    """Write the hash of each vertex's id; 0 without id."""
    for vertex in range(len(tag_start)):
        hashes[vertex] = 0
        if tag_start[vertex] >= 0:
            start = _find_attribute(data, np.int64(tag_start[vertex]), _ID)
            if start >= 0:
                hashes[vertex] = hash_bytes(data, start, find(data, start, QUOTE))
