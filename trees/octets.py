"""Reading well-formed markup byte by byte, in machine code.

The bytes are what `lxml` serialises: UTF-8, every attribute value in double quotes, `<`, `>`
and `&` only as markup, and no entities but the five of XML and numbers.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

import numpy as np
from numpy.typing import NDArray

from trees.hashes import OFFSET, PRIME
from trees.machine import compiled

Octets = NDArray[np.uint8]

LESS, GREATER, SLASH, EQUALS, QUOTE, AMPERSAND, SEMICOLON = (ord(c) for c in '<>/="&;')
_OFFSET, _PRIME = np.uint64(OFFSET), np.uint64(PRIME)


@compiled
def hash_octets(data: Octets, start: int, end: int) -> int:
    """Return `stable_hash(data[start:end])`."""
    value = _OFFSET
    for i in range(start, end):
        value = (value ^ np.uint64(data[i])) * _PRIME
    return np.int64(value) if value else np.int64(1)


@compiled
def find(data: Octets, start: int, octet: int) -> int:
    """Return where an octet comes next, the end of the data if it does not."""
    i = start
    while i < len(data) and data[i] != octet:
        i += 1
    return i


@compiled
def is_blank(octet: int) -> bool:
    """Return whether HTML separates names with this octet."""
    return octet == 32 or (9 <= octet <= 13 and octet != 11)


@compiled
def name_end(data: Octets, start: int) -> int:
    """Return where the tag or attribute name that begins here ends."""
    i = start + 1  # a name may begin with "="
    while not (is_blank(data[i]) or data[i] in (EQUALS, SLASH, GREATER)):
        i += 1
    return i


@compiled
def find_attribute(data: Octets, tag: int, wanted: int) -> int:
    """Return where the value of an attribute of a start tag begins, -1 if it has none.

    `tag` is where the start tag begins, `wanted` the hash of the attribute's name.
    """
    i = name_end(data, tag + 1)
    while data[i] not in (SLASH, GREATER):
        start = i + 1
        end = name_end(data, start)
        if hash_octets(data, start, end) == wanted:
            return end + 2
        i = find(data, end + 2, QUOTE) + 1
    return -1


@compiled
def _entity(data: Octets, start: int) -> tuple[int, int]:
    """Return the character of the entity at an ampersand, and where it ends."""
    end = find(data, start, SEMICOLON)
    first = data[start + 1]
    if first == ord("#"):
        return _number(data, start + 2, end), end + 1
    if first == ord("l"):
        return LESS, end + 1
    if first == ord("g"):
        return GREATER, end + 1
    return (QUOTE if first == ord("q") else AMPERSAND), end + 1


@compiled
def _number(data: Octets, start: int, end: int) -> int:
    """Return the number of a character reference, decimal or hexadecimal after `x`."""
    base = 10
    if data[start] == ord("x"):
        base, start = 16, start + 1
    value = 0
    for i in range(start, end):
        digit = data[i] - ord("0") if data[i] <= ord("9") else (data[i] | 32) - ord("a") + 10
        value = value * base + digit
    return value


@compiled
def read_character(data: Octets, i: int) -> tuple[int, int]:
    """Return the number of the character at `i`, and where the next one begins."""
    first = np.int64(data[i])
    if first == AMPERSAND:
        return _entity(data, i)
    if first < 0x80:
        return first, i + 1
    length = 2 + (first >= 0xE0) + (first >= 0xF0)
    value = first & (0x7F >> length)
    for k in range(1, length):
        value = value << 6 | data[i + k] & 0x3F
    return value, i + length


@compiled
def write_character(text: Octets, at: int, character: int) -> int:
    """Write a character as UTF-8; return where the next one goes."""
    if character < 0x80:
        text[at] = character
        return at + 1
    length = 2 + (character >= 0x800) + (character >= 0x10000)
    for k in range(length - 1, 0, -1):
        text[at + k] = 0x80 | character & 0x3F
        character >>= 6
    text[at] = (0xF00 >> length) & 0xFF | character
    return at + length
