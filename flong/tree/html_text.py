"""Text and values of attributes, written as the parser would, in compiled code.

Entities become what they stand for, and what would be markup becomes one of five entities. Where
the rules are about mistakes (`&copy` without its semicolon), nothing is written.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from collections.abc import Iterator
from html.entities import html5
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flong.tree.hashes import stable_hash
from flong.tree.html_bytes import (
    AMPERSAND,
    EQUALS,
    GREATER,
    LESS,
    NO_BYTES,
    QUOTE,
    SEMICOLON,
    Bytes,
    finished,
    hash_on,
)
from flong.tree.jit import compiled

Numbers = NDArray[np.int64]
UNCLEAR = -1
"""The answer where only the parser knows."""
ROOM = 4_096
"""Bytes that are always free for what is not in the page."""
_NEWLINE, _RETURN = ord("\n"), ord("\r")
_NO_BREAK = 0xC2, 0xA0
"""The space that does not break, as UTF-8; it is written as an entity."""
_NO_BREAK_SPACE = 0xA0
_SPECIAL = {"&": b"&amp;", "<": b"&lt;", ">": b"&gt;", "\u00a0": b"&nbsp;"}


def places(*ends: int) -> Iterator[tuple[np.int64, np.int64]]:
    """Yield from where to where words go that are written one after the other."""
    return pairwise(map(np.int64, (0, *ends)))


_AMP, _LT, _GT, _NBSP, _QUOT = places(5, 9, 13, 19, 25)
_BLOCK = 16
"""Bytes that are looked at together."""
_LEGACY = 6
"""Letters of the longest entity that may stand without a semicolon."""
_SLOTS = 1 << 13
_FROM, _TO, _BARE = range(3)
_SELF, _UNKNOWN = -1, -2
_MOST_DIGITS = 7


def free_slot(table: Numbers, value: int) -> int:
    """Write a hash into a table where it is free; return where that is."""
    slot = value & (len(table) - 1)
    while table[slot]:
        slot = (slot + 1) & (len(table) - 1)
    table[slot] = value
    return slot


def _entities() -> tuple[Numbers, Numbers, Bytes]:
    """Return the hashes of names without the semicolon, what is known of each, and characters.

    That is from where to where among the characters what it stands for is, as it is written, and
    whether it needs no semicolon.
    """
    hashes, places = np.zeros(_SLOTS, np.int64), np.zeros((_SLOTS, 3), np.int64)
    written = bytearray()
    for name, characters in html5.items():
        if name.endswith(";"):
            form = b"".join(_SPECIAL.get(one, one.encode()) for one in characters)
            slot = free_slot(hashes, stable_hash(name[:-1].encode()))
            places[slot] = len(written), len(written) + len(form), name[:-1] in html5
            written += form
    return hashes, places, np.frombuffer(bytes(written), np.uint8)


_HASHES, _PLACES, _CHARACTERS = _entities()
_ESCAPES = np.frombuffer(b"&amp;&lt;&gt;&nbsp;&quot;", np.uint8)
_WINDOWS = np.array(
    [ord(bytes([n]).decode("cp1252", "ignore") or "\0") for n in range(0x80, 0xA0)], np.int64
)
"""What those numbered from 128 on, which are no characters, stand for."""


@compiled
def find_slot(table: Numbers, value: int) -> int:
    """Return where a hash is in a table, -1 if it is not there."""
    slot = value & (len(table) - 1)
    while table[slot] != 0:
        if table[slot] == value:
            return slot
        slot = (slot + 1) & (len(table) - 1)
    return -1


@compiled
def put(out: Bytes, o: int, words: Bytes, place: tuple[int, int]) -> int:
    """Write a word; return where it ends."""
    for k in range(place[0], place[1]):
        out[o] = words[k]
        o += 1
    return o


@compiled
def copy_bytes(data: Bytes, span: tuple[int, int], out: Bytes, o: int, returns: bool) -> int:
    """Write bytes as they are; return where they end.

    With `returns` those at the ends of lines are left out, as of every page.
    """
    start, end = span
    if not returns:
        for k in range(end - start):
            out[o + k] = data[start + k]
        return o + end - start
    for k in range(start, end):
        if data[k] != _RETURN:
            out[o] = data[k]
            o += 1
        elif k + 1 >= len(data) or data[k + 1] != _NEWLINE:
            out[o] = _NEWLINE
            o += 1
    return o


@compiled
def after_newline(data: Bytes, i: int) -> int:
    """Return where a text begins of which a newline at its start is no part."""
    if i < len(data) and data[i] == _RETURN:
        return i + 1 + (i + 1 < len(data) and data[i + 1] == _NEWLINE)
    return i + (i < len(data) and data[i] == _NEWLINE)


@compiled
def _read_entity(data: Bytes, span: tuple[int, int], quoted: bool) -> int:
    """Return the slot of the entity at an ampersand; else whether it stands for itself."""
    i, end = span
    value, k, bare = NO_BYTES, i + 1, False
    while k < end and (48 <= data[k] <= 57 or 97 <= data[k] | 32 <= 122):
        value = hash_on(value, data[k])
        k += 1
        if k - i - 1 <= _LEGACY:
            slot = find_slot(_HASHES, finished(value))
            bare |= slot >= 0 and _PLACES[slot, _BARE] == 1
    if k < end and data[k] == SEMICOLON and k > i + 1:
        slot = find_slot(_HASHES, finished(value))
        if slot >= 0:
            return slot
    return _SELF if not bare or (quoted and k < end and data[k] == EQUALS) else _UNKNOWN


@compiled
def _read_number(data: Bytes, span: tuple[int, int]) -> int:
    """Return the code of the numbered character at an ampersand, -1 if it is not clear."""
    i, end = span
    k, code, base = i + 2, np.int64(0), np.int64(10)
    if k < end and data[k] | 32 == ord("x"):
        k, base = k + 1, np.int64(16)
    first = k
    while k < end and k - first < _MOST_DIGITS:
        digit = np.int64(data[k]) - 48
        if digit > 9:  # a letter, from "a" on
            digit = np.int64(data[k] | 32) - 87 if data[k] >= 65 else base
        if not 0 <= digit < base:
            break
        code = code * base + digit
        k += 1
    if k == first or k >= end or data[k] != SEMICOLON:
        return UNCLEAR
    if 0x80 <= code < 0xA0:
        code = _WINDOWS[code - 0x80]
    is_letter = 160 <= code < 0xD800 or 0xE000 <= code < 0xFDD0
    return code if is_letter or code in (9, 10) or 32 <= code < 127 else UNCLEAR


@compiled
def _put_character(out: Bytes, o: int, code: int, quoted: bool) -> int:
    """Write a character of the basic plane as UTF-8, or as an entity; return where it ends."""
    if code in (LESS, GREATER, AMPERSAND, _NO_BREAK_SPACE) or (code == QUOTE and quoted):
        place = _AMP if code == AMPERSAND else _QUOT
        if code in (LESS, GREATER):
            place = _LT if code == LESS else _GT
        elif code == _NO_BREAK_SPACE:
            place = _NBSP
        return put(out, o, _ESCAPES, place)
    if code < 0x80:
        out[o] = code
        return o + 1
    if code < 0x800:
        out[o] = 0xC0 | code >> 6
    else:
        out[o] = 0xE0 | code >> 12
        o += 1
        out[o] = 0x80 | (code >> 6 & 0x3F)
    out[o + 1] = 0x80 | (code & 0x3F)
    return o + 2


@compiled
def _is_plain(byte: int) -> bool:
    """Return whether a byte is copied as it is."""
    return (
        (byte != AMPERSAND)
        & (byte != LESS)
        & (byte != GREATER)
        & (byte != QUOTE)
        & (byte != _RETURN)
        & (byte != _NO_BREAK[0])
    )


@compiled
def _copy_plain(data: Bytes, span: tuple[int, int], out: Bytes, o: int) -> int:
    """Write bytes up to one that is not copied as it is; return how many they are."""
    i, end = span
    while i + _BLOCK <= end:
        plain, block, copy = True, data[i : i + _BLOCK], out[o : o + _BLOCK]
        for k in range(_BLOCK):  # without a branch: one instruction for all of them
            plain &= _is_plain(block[k])
            copy[k] = block[k]
        if not plain:
            break
        i, o = i + _BLOCK, o + _BLOCK
    while i < end and _is_plain(data[i]):
        out[o] = data[i]
        i, o = i + 1, o + 1
    return i - span[0]


@compiled
def _read_character(data: Bytes, span: tuple[int, int], quoted: bool) -> tuple[int, int]:
    """Return the code of what is no plain byte, and the slot of an entity, -1 if it is none."""
    i, end = span
    byte = data[i]
    if byte == AMPERSAND and i + 1 < end and data[i + 1] == ord("#"):
        return _read_number(data, span), -1
    if byte == AMPERSAND:
        slot = _read_entity(data, span, quoted)
        return (UNCLEAR if slot == _UNKNOWN else AMPERSAND), max(slot, -1)
    is_space = byte == _NO_BREAK[0] and i + 1 < end and data[i + 1] == _NO_BREAK[1]
    return (_NO_BREAK_SPACE if is_space else np.int64(byte)), -1


@compiled
def _character_end(data: Bytes, i: int, code: int, slot: int) -> int:
    """Return where what was read as a character ends."""
    is_numbered = i + 1 < len(data) and data[i + 1] == ord("#")
    if data[i] == AMPERSAND and (slot >= 0 or is_numbered):
        while data[i] != SEMICOLON:
            i += 1
    return i + 1 + (code == _NO_BREAK_SPACE and data[i] == _NO_BREAK[0])


@compiled
def write_text(data: Bytes, span: tuple[int, int], out: Bytes, o: int, quoted: bool) -> int:
    """Write a text, or the value of an attribute if `quoted`; return where it ends, or UNCLEAR."""
    i, end = span
    while i < end:
        copied = _copy_plain(data, (i, end), out, o)
        i, o = i + copied, o + copied
        if i >= end:
            break
        if o + (len(data) - i) + ROOM // 2 > len(out):
            return UNCLEAR
        code, slot = _read_character(data, (i, end), quoted)
        if code < 0:
            return UNCLEAR
        if slot >= 0 and _PLACES[slot, _TO] - _PLACES[slot, _FROM] > 1:
            o = put(out, o, _CHARACTERS, (_PLACES[slot, _FROM], _PLACES[slot, _TO]))
        elif data[i] == _RETURN:
            o = copy_bytes(data, (i, i + 1), out, o, np.bool_(True))
        elif data[i] == _NO_BREAK[0] and code != _NO_BREAK_SPACE:
            out[o] = data[i]
            o += 1
        else:
            if slot >= 0:
                code = np.int64(_CHARACTERS[_PLACES[slot, _FROM]])
            o = _put_character(out, o, code, quoted)
        i = _character_end(data, i, code, slot)
    return o
