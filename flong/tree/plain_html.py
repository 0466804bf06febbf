"""HTML that is as it should be, written down as the parser would, in one compiled pass.

What browsers make of a page is mostly a matter of how it is wrong. A page that is not needs few of
their rules (`html_elements`, `html_text`): which tags may be left out, which elements
are empty or hold text only, what is escaped. At anything else, such as elements that overlap or
text between the cells of a table, `plain_html` gives up, and the page is left to the parser. What
it does write is what that writes, byte for byte, in less than half of the time.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

import numpy as np

from flong.tree import html_elements as elements
from flong.tree.hashes import stable_hash
from flong.tree.html_bytes import (
    EQUALS,
    EXCLAMATION,
    GREATER,
    LESS,
    MINUS,
    NO_BYTES,
    QUESTION,
    QUOTE,
    SLASH,
    Bytes,
    find,
    finished,
    hash_on,
    is_blank,
)
from flong.tree.html_elements import (
    ALONE,
    BODY,
    CAPTIONED,
    CELL,
    COLUMN,
    COLUMNS,
    DRAWING,
    DRAWN,
    FORM,
    FORMATS,
    FROM,
    GIVE_UP,
    HEAD,
    HTML,
    IGNORE,
    IN_TABLE,
    KIND,
    NAME,
    NONE,
    NOSCRIPT,
    OF_HEAD,
    PARAGRAPH,
    PREFORMATTED,
    ROW,
    SCOPE,
    SCRIPT,
    SECTION,
    TABLE,
    TEXTAREA,
    TITLE,
    TO,
    WITH_TEXT,
    WITHOUT_END,
    after_end,
    after_start,
    is_in,
    kind_of,
    nearest,
)
from flong.tree.html_text import (
    ROOM,
    UNCLEAR,
    Numbers,
    after_newline,
    copy_bytes,
    find_slot,
    places,
    put,
    write_text,
)
from flong.tree.jit import compiled

MOST_OPEN = 400
"""Elements that may be open at once."""
_ATTRIBUTE, _COMMENT_FROM, _COMMENT_TO = 4, 5, 6
_WIDEST = 3
"""Times the page is long, at most, with all that is escaped and implied in it."""
_APOSTROPHE = ord("'")
_QUOTED, _UNQUOTED = np.bool_(True), np.bool_(False)
_BEFORE_HTML, _BEFORE_HEAD, _IN_HEAD, _AFTER_HEAD, _IN_BODY = range(5)
_READ, _WRITTEN, _OPEN, _MODE, _FORM, _ENDED, _HEAD_END, _LATE, _COMMENTS, _RETURNS = range(10)
"""State: how far the page is read, and written; how many elements are open; which part of a page
it is; whether a form was begun; which of body (1) and html (2) have ended; where the head ended,
and where something begins that belongs into it (-1: nothing does); how many comments come after
the body; whether there are returns at the ends of lines."""
_BEGINNING = np.array([0, 0, 0, _BEFORE_HTML, 0, 0, 0, -1, 0, 0])
_PATIENCE, _REST = 8, 32
"""Failures after which most pages are left alone, and how many then."""
_USUAL, _LARGEST = 1 << 18, 1 << 22
"""Bytes that are enough for most pages, and beyond which they are not kept for the next one."""

_WORDS = np.frombuffer(
    b"<html><head></head><body></body></html><p></p><br><tbody><tr><colgroup>", np.uint8
)
_OUTER_STARTS = 0, 6, 12, 19, 25
"""Where in these the tags begin that come after a part of the page."""
_, _, _, _, _BODY_END, _HTML_END, _EMPTY_P, _BR, _TBODY, _TR, _COLGROUP = places(
    *(6, 12, 19, 25, 32, 39, 46, 50, 57, 61, 71)
)
_TBODY_NAME, _TR_NAME, _COLGROUP_NAME = (
    np.int64(stable_hash(name)) for name in (b"tbody", b"tr", b"colgroup")
)


class WrittenPage(NamedTuple):
    """A page that is being written."""

    data: Bytes
    """The page as it was received."""
    out: Bytes
    """What is written."""
    state: Numbers
    """Where it stands."""
    opened: Numbers
    """The elements that are open: kind, hash of the name, from where to where that is written; then
    hashes of the attributes of a tag, and from where to where comments are that come last."""


class Luck:
    """Whether it is worth a try: of some sites every page is left to the parser, and costs more."""

    def __init__(self) -> None:
        self._failures = 0

    def is_worth_a_try(self) -> bool:
        """Return False for most pages after some that failed one after the other."""
        tries = self._failures < _PATIENCE or self._failures % _REST == 0
        self._failures += not tries
        return tries

    def note(self, *, done: bool) -> None:
        """Take in how a try ended."""
        self._failures = 0 if done else self._failures + 1


_luck = Luck()
_spare: list[tuple[Bytes, Numbers, Numbers]] = []
"""Arrays that were used for other pages; each thread takes its own."""


def plain_html(data: bytes, luck: Luck = _luck) -> bytes | None:
    """Return a page, in UTF-8, as the parser would write it down; None if that takes the parser.

    >>> plain_html(b"<title>A</title><p>B<p>C", Luck())
    b'<html><head><title>A</title></head><body><p>B</p><p>C</p></body></html>'
    >>> plain_html(b"<p><b>A</p>B", Luck())
    """
    if b"\0" in data or not luck.is_worth_a_try() or not _is_utf8(data):
        return None
    out, state, opened = _take_spare(_WIDEST * len(data) + 2 * ROOM)
    state[:] = _BEGINNING
    state[_RETURNS] = b"\r" in data
    done = write_page((np.frombuffer(data, np.uint8), out, state, opened))
    plain = out[: state[_WRITTEN]].tobytes() if done else None
    if len(out) <= _LARGEST:
        _spare.append((out, state, opened))
    luck.note(done=done)
    return plain


def _take_spare(size: int) -> tuple[Bytes, Numbers, Numbers]:
    """Return arrays for a page, those of another one if they are large enough."""
    try:
        out, state, opened = _spare.pop()
    except IndexError:  # none yet, or another thread was first
        state, opened = np.empty(len(_BEGINNING), np.int64), np.empty((7, MOST_OPEN), np.int64)
        return np.empty(max(size, _USUAL), np.uint8), state, opened
    return (out if len(out) >= size else np.empty(size, np.uint8)), state, opened


def _is_utf8(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


@compiled
def write_page(arrays: tuple[Bytes, Bytes, Numbers, Numbers]) -> bool:
    """Write a page that is given in a plain tuple; return whether that could be done."""
    page = WrittenPage(*arrays)
    data, state = page.data, page.state
    while state[_READ] < len(data):
        is_too_deep = state[_OPEN] + 3 > page.opened.shape[1]
        if is_too_deep or not _has_room(page, np.int64(0)) or not _write_next(page):
            return False
    if state[_MODE] < _IN_HEAD or state[_LATE] >= 0:
        return False
    _imply_outer_tags(page, np.int64(_IN_BODY))
    if not _close(page, np.int64(2)):
        return False
    state[_WRITTEN] = put(page.out, state[_WRITTEN], _WORDS, _BODY_END)
    for k in range(state[_COMMENTS]):
        if not _has_room(page, page.opened[_COMMENT_TO, k] - page.opened[_COMMENT_FROM, k]):
            return False
        _copy(page, page.opened[_COMMENT_FROM, k], page.opened[_COMMENT_TO, k])
    state[_WRITTEN] = put(page.out, state[_WRITTEN], _WORDS, _HTML_END)
    return True


@compiled
def _write_next(page: WrittenPage) -> bool:
    """Write the next text, comment or tag; return whether that could be done."""
    data, i = page.data, page.state[_READ]
    if page.state[_LATE] >= 0 and not _move_into_head(page):
        return False
    end = _text_end(data, i)
    if end > i:
        return _write_words(page, end)
    if i + 3 >= len(data) or data[i + 1] == QUESTION:
        return False
    if data[i + 1] == EXCLAMATION:
        return _write_declaration(page)
    return _write_end_tag(page) if data[i + 1] == SLASH else _write_start_tag(page)


@compiled
def _text_end(data: Bytes, i: int) -> int:
    """Return where the text that begins here ends: at a `<` with which markup begins."""
    i = find(data, i, LESS)
    while i + 1 < len(data):
        after = data[i + 1]
        if 97 <= after | 32 <= 122 or after in (SLASH, EXCLAMATION, QUESTION):
            break
        i = find(data, i + 1, LESS)
    return i


@compiled
def _copy(page: WrittenPage, start: int, end: int) -> None:
    """Write a piece of the page as it is."""
    o, returns = page.state[_WRITTEN], page.state[_RETURNS] == 1
    page.state[_WRITTEN] = copy_bytes(page.data, (start, end), page.out, o, returns)


@compiled
def _write_words(page: WrittenPage, end: int) -> bool:
    """Write the text up to `end`; return whether that could be done."""
    state, start = page.state, page.state[_READ]
    blank = start
    while blank < end and is_blank(page.data[blank]):
        blank += 1
    state[_READ] = end
    if blank < end:
        state[_ENDED] = 0
    if state[_MODE] != _IN_BODY:
        if state[_MODE] >= _IN_HEAD:
            _copy(page, start, blank)
        if blank == end:
            return True
        start = blank
        _imply_outer_tags(page, np.int64(_IN_BODY))
    elif blank < end and is_in(IN_TABLE, page.opened[KIND, state[_OPEN] - 1]):
        return False
    o = write_text(page.data, (start, end), page.out, state[_WRITTEN], _UNQUOTED)
    state[_WRITTEN] = o
    return o != UNCLEAR


@compiled
def _imply_outer_tags(page: WrittenPage, mode: int) -> None:
    """Write the tags of html, head and body that were left out before a part of the page."""
    state = page.state
    if state[_MODE] >= mode:
        return
    start, end = _OUTER_STARTS[state[_MODE]], _OUTER_STARTS[mode]
    if state[_MODE] <= _IN_HEAD and mode > _IN_HEAD:
        state[_HEAD_END] = state[_WRITTEN] + _OUTER_STARTS[_IN_HEAD] - start
    state[_WRITTEN] = put(page.out, state[_WRITTEN], _WORDS, (start, end))
    state[_MODE] = mode
    if mode == _IN_BODY:
        state[_OPEN] = 2
        page.opened[KIND, 0], page.opened[KIND, 1] = HTML, BODY
        page.opened[NAME, :2] = 0


@compiled
def _move_into_head(page: WrittenPage) -> bool:
    """Move what stood between head and body, and belongs into the head, to where that ended."""
    out, state = page.out, page.state
    end, o = state[_HEAD_END], state[_WRITTEN]
    between = state[_LATE] - end
    if between > ROOM // 4:
        return False
    for k in range(between):
        out[o + k] = out[end + k]
    for k in range(end, o):
        out[k] = out[k + between]
    state[_HEAD_END], state[_LATE] = o - between, -1
    return True


@compiled
def _write_declaration(page: WrittenPage) -> bool:
    """Write a comment, or leave out what says that this is HTML; return whether that is all."""
    data, state, i = page.data, page.state, page.state[_READ]
    if data[i + 2] != MINUS or data[i + 3] != MINUS:
        state[_READ] = find(data, i, GREATER) + 1
        return state[_MODE] == _BEFORE_HTML and data[i + 2] | 32 == ord("d")
    end = _comment_end(data, i + 4)
    if end < 0 or state[_COMMENTS] == MOST_OPEN:
        return False
    state[_READ] = end
    if state[_ENDED] == 1:
        page.opened[_COMMENT_FROM, state[_COMMENTS]] = i
        page.opened[_COMMENT_TO, state[_COMMENTS]] = end
        state[_COMMENTS] += 1
    elif state[_ENDED] == 0 and state[_MODE] != _BEFORE_HTML:
        _copy(page, i, end)
    return True


@compiled
def _comment_end(data: Bytes, start: int) -> int:
    """Return where a comment ends whose text begins here; -1 if it ends strangely, or never."""
    i = find(data, start, GREATER)
    if i == start or (i == start + 1 and data[start] == MINUS):
        return -1
    while i < len(data) and not (data[i - 1] == MINUS and data[i - 2] == MINUS):
        if data[i - 1] == EXCLAMATION and data[i - 2] == MINUS:
            return -1
        i = find(data, i + 1, GREATER)
    return i + 1 if i < len(data) else -1


@compiled
def _read_name(data: Bytes, i: int) -> tuple[int, int]:
    """Return where the name of a tag ends, and its hash; 0 if it is strange."""
    value = NO_BYTES
    is_strange = not (i < len(data) and 97 <= data[i] | 32 <= 122)
    while i < len(data) and not (is_blank(data[i]) or data[i] in (SLASH, GREATER)):
        byte = data[i]
        is_strange |= byte >= 128 or byte == LESS
        value = hash_on(value, byte | 32 if 65 <= byte <= 90 else byte)
        i += 1
    return i, np.int64(0) if is_strange else finished(value)


@compiled
def _write_end_tag(page: WrittenPage) -> bool:
    """Write what an end tag ends; return whether that could be done."""
    data, state = page.data, page.state
    i, name = _read_name(data, state[_READ] + 2)
    while i < len(data) and (is_blank(data[i]) or data[i] == SLASH):
        i += 1
    if name == 0 or i >= len(data) or data[i] != GREATER or state[_MODE] < _IN_HEAD:
        return False
    state[_READ] = i + 1
    kind = kind_of(name)
    if kind == HEAD or (kind in (BODY, HTML) and state[_MODE] != _IN_BODY):
        _imply_outer_tags(page, np.int64(_AFTER_HEAD if kind == HEAD else _IN_BODY))
    if state[_MODE] != _IN_BODY:
        return kind != elements.BREAK
    left = _left_after_end(page, kind, name)
    state[_FORM] &= kind != FORM
    is_in_scope = nearest(page.opened, state[_OPEN], 1 << BODY, SCOPE) >= 0
    state[_ENDED] = is_in_scope * (2 if kind == HTML else kind == BODY)
    if left == ALONE:
        place = _EMPTY_P if kind == PARAGRAPH else _BR
        state[_WRITTEN] = put(page.out, state[_WRITTEN], _WORDS, place)
    if left in (ALONE, IGNORE):
        return True
    return left >= 0 and _close(page, left)


@compiled
def _left_after_end(page: WrittenPage, kind: int, name: int) -> int:
    """Return how many elements an end tag leaves open, or what else it does."""
    opened, depth = page.opened, page.state[_OPEN]
    if opened[KIND, depth - 1] >= DRAWING:
        return depth - 1 if opened[NAME, depth - 1] == name else np.int64(GIVE_UP)
    if kind == FORM and not page.state[_FORM]:
        return np.int64(IGNORE)
    left = after_end(opened, depth, kind, name)
    # Those that format text go on elsewhere when another one is ended.
    is_format = is_in(FORMATS, kind) or left < 0
    return left if is_format or nearest(opened, depth, FORMATS, NONE) < left else np.int64(GIVE_UP)


@compiled
def _has_room(page: WrittenPage, more: int) -> bool:
    """Return whether so many bytes may be written and there is room for the rest of the page."""
    rest = len(page.data) - page.state[_READ]
    return page.state[_WRITTEN] + more + rest + ROOM <= len(page.out)


@compiled
def _close(page: WrittenPage, left: int) -> bool:
    """Write the end tags of all elements but so many; return whether there was room for them."""
    opened, state = page.opened, page.state
    size = np.int64(0)
    for k in range(left, state[_OPEN]):
        size += opened[TO, k] - opened[FROM, k] + len("</>")
    if not _has_room(page, size):
        return False
    o = state[_WRITTEN]
    for k in range(state[_OPEN] - 1, left - 1, -1):
        o = _put_end(page.out, o, (opened[FROM, k], opened[TO, k]))
    state[_WRITTEN], state[_OPEN] = o, left
    return True


@compiled
def _put_end(out: Bytes, o: int, place: tuple[int, int]) -> int:
    """Write an end tag, with the name of its start tag; return where it ends."""
    out[o], out[o + 1] = LESS, SLASH
    o = put(out, o + 2, out, place)
    out[o] = GREATER
    return o + 1


@compiled
def _write_start_tag(page: WrittenPage) -> bool:
    """Write a start tag with what it implies; with its text, if it may hold only that."""
    state, start = page.state, page.state[_READ] + 1
    state[_READ], name = _read_name(page.data, start)
    kind = kind_of(name)
    if name != 0 and state[_MODE] == _IN_BODY and page.opened[KIND, state[_OPEN] - 1] >= DRAWING:
        kind = _kind_drawn(page, name)
    elif name == 0 or not _make_room(page, kind, name):
        return False
    written, mode = state[_WRITTEN], state[_MODE]
    opened, depth = page.opened, state[_OPEN]
    opened[KIND, depth], opened[NAME, depth] = kind, name
    opened[FROM, depth], opened[TO, depth] = written + 1, written + 1 + state[_READ] - start
    is_clear, is_empty = _write_tag(page, start, kind >= DRAWING)
    if kind == HEAD and mode == _IN_HEAD:  # it has begun already
        state[_WRITTEN] = written
    if kind in (HTML, HEAD, BODY):
        state[_MODE] = max(mode, _BEFORE_HEAD if kind == HTML else _IN_HEAD)
    return is_clear and kind >= 0 and _write_contents(page, kind, name == SCRIPT, is_empty)


@compiled
def _kind_drawn(page: WrittenPage, name: int) -> int:
    """Return the kind of an element in a drawing, -1 if it is none."""
    is_known = find_slot(elements.DRAWN_HASHES, name) >= 0
    if not is_known or page.opened[KIND, page.state[_OPEN] - 1] == CAPTIONED:
        return np.int64(GIVE_UP)
    return np.int64(CAPTIONED if name in (elements.DESC, elements.TITLE_NAME) else DRAWN)


@compiled
def _make_room(page: WrittenPage, kind: int, name: int) -> bool:
    """Write what a start tag implies before it; return whether it is clear."""
    state, opened = page.state, page.opened
    mode = state[_MODE]
    if mode != _IN_BODY:
        goal = _outer_goal(kind, name, mode)
        if goal < mode:
            return False
        _imply_outer_tags(page, goal)
        if goal == _IN_BODY and kind == BODY:
            state[_WRITTEN] -= _OUTER_STARTS[_IN_BODY] - _OUTER_STARTS[_AFTER_HEAD]
        if goal == _AFTER_HEAD:
            state[_LATE] = state[_WRITTEN]
        if goal != _IN_BODY or kind == BODY:
            return True
    left = after_start(opened, state[_OPEN], kind, name, state[_FORM] == 1)
    formats = nearest(opened, state[_OPEN], FORMATS, NONE)
    if left < 0 or (formats >= left and kind != elements.ANCHOR):
        return False
    state[_ENDED] = 0
    state[_FORM] |= kind == FORM
    if not _close(page, left):
        return False
    _imply_parts(page, kind)
    return True


@compiled
def _outer_goal(kind: int, name: int, mode: int) -> int:
    """Return which part of a page an element begins in that comes before the body; -1: unclear."""
    if kind == HTML:
        return mode if mode == _BEFORE_HTML else -1
    if kind == HEAD:
        return max(mode, _BEFORE_HEAD) if mode <= _IN_HEAD else -1
    is_late = mode == _AFTER_HEAD and name != NOSCRIPT
    if is_in(OF_HEAD, kind):
        return max(mode, _IN_HEAD) if mode <= _IN_HEAD or is_late else _IN_BODY
    return _IN_BODY


@compiled
def _imply_parts(page: WrittenPage, kind: int) -> None:
    """Begin the parts of a table that are left out before another one."""
    opened, state = page.opened, page.state
    while True:
        top = opened[KIND, state[_OPEN] - 1]
        if top == TABLE and kind in (ROW, CELL):
            part, name, place = SECTION, _TBODY_NAME, _TBODY
        elif top == SECTION and kind == CELL:
            part, name, place = ROW, _TR_NAME, _TR
        elif top == TABLE and kind == COLUMN:
            part, name, place = COLUMNS, _COLGROUP_NAME, _COLGROUP
        else:
            return
        depth, o = state[_OPEN], state[_WRITTEN]
        opened[KIND, depth], opened[NAME, depth] = part, name
        opened[FROM, depth], opened[TO, depth] = o + 1, o + place[1] - place[0] - 1
        state[_WRITTEN] = put(page.out, o, _WORDS, place)
        state[_OPEN] = depth + 1


@compiled
def _write_tag(page: WrittenPage, start: int, drawn: bool) -> tuple[bool, bool]:
    """Write a start tag; return whether it is clear, and whether it says that it is empty."""
    data, out, state = page.data, page.out, page.state
    end, o = state[_READ], state[_WRITTEN]
    out[o] = LESS
    for k in range(end - start):
        byte = data[start + k]
        out[o + 1 + k] = byte | 32 if 65 <= byte <= 90 else byte
    state[_WRITTEN] = o + 1 + end - start
    if drawn:
        _spell(page, o + 1, np.int64(0))
    count = np.int64(0)
    while True:
        i, is_empty = state[_READ], False
        while i < len(data) and (is_blank(data[i]) or data[i] == SLASH):
            is_empty = data[i] == SLASH
            i += 1
        state[_READ] = i
        if i >= len(data) or data[i] == GREATER or count == MOST_OPEN:
            break
        begun = state[_WRITTEN]
        is_new = _write_attribute_name(page, count, drawn)
        if not _write_value(page):
            return False, False
        count += is_new
        if not is_new:  # the first of a name counts
            state[_WRITTEN] = begun
    out[state[_WRITTEN]] = GREATER
    state[_WRITTEN] += 1
    state[_READ] = i + 1
    return i < len(data) and data[i] == GREATER, is_empty


@compiled
def _spell(page: WrittenPage, start: int, space: int) -> None:
    """Write the last name again in the letters that it has in a drawing, whatever the page does."""
    value = hash_on(NO_BYTES, 32) if space else NO_BYTES
    for k in range(start, page.state[_WRITTEN]):
        value = hash_on(value, page.out[k])
    slot = find_slot(elements.DRAWN_HASHES, finished(value))
    if slot >= 0:
        drawn = elements.DRAWN_PLACES
        put(page.out, start, elements.DRAWN_LETTERS, (drawn[slot, 0] + space, drawn[slot, 1]))


@compiled
def _write_attribute_name(page: WrittenPage, count: int, drawn: bool) -> bool:
    """Write the name of an attribute; return whether it is the first of that name."""
    data, out, i, o = page.data, page.out, page.state[_READ], page.state[_WRITTEN]
    out[o] = 32
    start, value = o + 1, NO_BYTES
    o = start
    while i < len(data):
        byte = data[i]
        # A name may begin with "=".
        if is_blank(byte) or byte in (SLASH, GREATER) or (byte == EQUALS and o > start):
            break
        out[o] = byte | 32 if 65 <= byte <= 90 else byte
        value = hash_on(value, out[o])
        i, o = i + 1, o + 1
    page.state[_READ], page.state[_WRITTEN] = i, o
    if drawn:
        _spell(page, start, np.int64(1))
    page.opened[_ATTRIBUTE, count] = finished(value)
    is_new = True
    for k in range(count):
        is_new &= page.opened[_ATTRIBUTE, k] != page.opened[_ATTRIBUTE, count]
    return is_new


@compiled
def _write_value(page: WrittenPage) -> bool:
    """Write the value of an attribute whose name was written; return whether it is clear."""
    data, out, state = page.data, page.out, page.state
    i, o = _pass_blanks(data, state[_READ]), state[_WRITTEN]
    if i >= len(data) or o + (len(data) - i) + ROOM // 2 > len(out):
        return False
    out[o], out[o + 1] = EQUALS, QUOTE
    start = end = i
    if data[i] == EQUALS:
        i = _pass_blanks(data, i + 1)
        if i >= len(data) or data[i] == GREATER:
            return False
        start, end = _value_span(data, i)
        state[_READ] = end + (start > i)
    if end >= len(data):
        return False
    o = write_text(data, (start, end), out, o + 2, _QUOTED)
    out[o] = QUOTE
    state[_WRITTEN] = o + 1
    return o != UNCLEAR


@compiled
def _pass_blanks(data: Bytes, i: int) -> int:
    while i < len(data) and is_blank(data[i]):
        i += 1
    return i


@compiled
def _value_span(data: Bytes, i: int) -> tuple[int, int]:
    """Return from where to where the value goes that begins here, in quotes or not."""
    if data[i] in (QUOTE, _APOSTROPHE):
        return i + 1, find(data, i + 1, data[i])
    end = i
    while end < len(data) and not (is_blank(data[end]) or data[end] == GREATER):
        end += 1
    return i, end


@compiled
def _write_contents(page: WrittenPage, kind: int, script: bool, is_empty: bool) -> bool:
    """Write what follows a start tag if that is no markup; return whether it is clear."""
    state, depth = page.state, page.state[_OPEN]
    if is_in(WITHOUT_END, kind) or kind in (HTML, HEAD, BODY):
        return True
    if is_in(WITH_TEXT, kind):
        return _write_only_text(page, kind, script)
    if kind == PREFORMATTED:
        state[_READ] = after_newline(page.data, state[_READ])
    if kind >= DRAWING and is_empty:
        place = (page.opened[FROM, depth], page.opened[TO, depth])
        state[_WRITTEN] = _put_end(page.out, state[_WRITTEN], place)
    else:
        state[_OPEN] = depth + 1
    return True


@compiled
def _write_only_text(page: WrittenPage, kind: int, script: bool) -> bool:
    """Write the text of an element that holds nothing else, and its end tag."""
    data, state, depth = page.data, page.state, page.state[_OPEN]
    name = (page.opened[FROM, depth], page.opened[TO, depth])
    start, o = state[_READ], state[_WRITTEN]
    end = _only_text_end(page, start, name, script)
    if end < 0:
        return False
    if kind == TEXTAREA:
        start = after_newline(data, start)
    if kind in (TITLE, TEXTAREA):
        o = write_text(data, (start, end), page.out, o, _UNQUOTED)
    else:
        o = copy_bytes(data, (start, end), page.out, o, state[_RETURNS] == 1)
    if o == UNCLEAR:
        return False
    state[_READ] = end + 3 + name[1] - name[0]
    state[_WRITTEN] = _put_end(page.out, o, name)
    return data[state[_READ] - 1] == GREATER


@compiled
def _only_text_end(page: WrittenPage, start: int, name: tuple[int, int], script: bool) -> int:
    """Return where the end tag of such an element begins, -1 if that is not clear."""
    data, out = page.data, page.out
    i, commented = find(data, start, LESS), False
    while i + 1 < len(data):
        closes = data[i + 1] == SLASH
        k, at = i + 1 + closes, name[0]
        while k < len(data) and at < name[1] and data[k] | 32 == out[at]:
            k, at = k + 1, at + 1
        is_tag = at == name[1] and k < len(data)
        is_tag = is_tag and (is_blank(data[k]) or data[k] in (SLASH, GREATER))
        if is_tag and closes:
            return i
        if is_tag and commented and script:  # a script that writes scripts
            return -1
        commented |= data[i + 1] == EXCLAMATION
        i = find(data, i + 1, LESS)
    return -1
