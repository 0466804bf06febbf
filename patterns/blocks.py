"""The structure of a body: read from the tree and the tags that the tree folds into text."""

import json
import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from html import unescape
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin

import numpy as np

from items import BlockKind, Mark
from patterns.labels import LabelledPage
from patterns.lead_image import picture_url
from patterns.live_entries import LiveEntries, find_entries
from trees import (
    DROPPED,
    INLINE,
    MEDIA,
    RAW,
    TEXT,
    VOID,
    InlineSpans,
    Tree,
    tag_number,
    write_inline_spans,
)

_TAG = re.compile(rb"<(/?)([a-z][^\s/>]*)([^>]*)>|<!--.*?-->", re.DOTALL)
_MARKUP = re.compile(rb"<[^>]*>")
_HREF = re.compile(rb'\shref="([^"]*)"')
_ADDRESS = re.compile(rb"https?://[!$%'-Z\]^-~]+")
"""An absolute URL that is the same in HTML and in JSON, and leads to no place in a page."""
_REFERENCE = re.compile(r"[\[(]?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*\u2020\u2021\u00a7]{1,3})[\])]?")
_STAMP = re.compile(rb'<time\s[^>]*?datetime="([^"]*)"')
_ENDED = re.compile(r"[.!?:\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)]*$")
_BEGINS = re.compile(r"\w")
_CLOSING = re.compile(r"[,.;:!?)\]}\u3001\u3002\uff09\uff0c\u201d\u00bb]")
_PATH = re.compile(
    r"(/|(?:\.\./)*)((?:[\w%~+-][\w%~+.-]*/)*[\w%~+-][\w%~+.-]*(?:#[\w%.-]+)?)", re.ASCII
)
"""A relative URL of which nothing is to be resolved but the way to its first name."""
_MARKS = {
    b"em": Mark.EMPHASIS, b"i": Mark.EMPHASIS, b"cite": Mark.EMPHASIS, b"strong": Mark.STRONG,
    b"b": Mark.STRONG, b"code": Mark.CODE, b"kbd": Mark.CODE, b"samp": Mark.CODE,
    b"tt": Mark.CODE, b"sup": Mark.SUPERSCRIPT, b"sub": Mark.SUBSCRIPT,
}  # fmt: skip
_MARK_NUMBERS = {name.decode(): 1 + [*Mark].index(mark) for name, mark in _MARKS.items()}
"""Number of the mark of each element that has one, from 1 on."""
_BOXES = {
    "ul": "ul", "menu": "ul", "dl": "ul", "ol": "ol", "li": "li", "dt": "li", "dd": "li",
    "blockquote": "blockquote", "table": "table", "tr": "tr", "td": "td", "th": "th",
}  # fmt: skip
_BOX_TAGS = {tag_number(name): box for name, box in _BOXES.items()}
_IN_TABLE = frozenset(["table", "tr", "td", "th"])
_HEADINGS = {tag_number(f"h{level}"): level for level in range(1, 7)}
_PARAGRAPHS = frozenset([tag_number("p"), tag_number("li"), *_HEADINGS])
_NOTES = frozenset(map(tag_number, "li p div dd aside".split()))
_STRUCTURE = frozenset([tag_number("pre"), *_HEADINGS, *_BOX_TAGS])
"""Tags that make something else than a paragraph of what is in them."""
_IMAGE, _PICTURE, _RULE, _PRE, _FIGURE = map(tag_number, "img picture hr pre figure".split())
_IMAGES = frozenset([_IMAGE, _PICTURE])
_IS_MEDIA = np.zeros(257, np.bool_)
"""Which of the tags that HTML knows are pictures, embeds and rules; the last stands for others."""
_IS_MEDIA[[*map(tag_number, MEDIA), _RULE]] = True
_INLINE = frozenset(map(tag_number, INLINE))
_INLINE_OR_IMAGE = _INLINE | _IMAGES
_SKIPPED = frozenset(name.encode() for name in (DROPPED | MEDIA) - VOID)
_EMPTY = _SKIPPED | {name.encode() for name in VOID}
_RAW = frozenset(name.encode() for name in RAW)

_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))

_BEGIN = {kind.value: f'["{kind.value}",'.encode() for kind in BlockKind}
_RULE_ROW = _BEGIN["hr"] + b"[]]"

_DEEPEST = 24
"""Boxes around a block that are kept: more are a trick, not a text."""
_BASES = 64
"""Beginnings of URLs that are kept: links of a page have few."""
_PICTURES = 1_000
"""Pictures and embeds that are kept."""
_CELL = 60
"""Words of a line that is still a cell of a table; a table with longer ones is a layout."""
_LEVELS = 4
"""Elements between a picture and the one that holds its caption, too."""
_SCANNED = 4
"""A page is looked at so many times at most, however its elements are nested."""
_TOLD = 1 / 3
"""Share of the words of a body from which captions are its text."""
_NEAR = 400
"""Bytes from the element around a time of day to what says it to machines."""
_SMALL = 12
"""Vertices of an element that may be a picture with its caption."""
_CAPTION_WORDS = 250
"""Words of the longest caption."""


Row = list[Any]
"""A block as `items.write_blocks` writes it, before it is JSON."""


class Structure(NamedTuple):
    """The structure of a body."""

    blocks: str
    """Its blocks, as `items.read_blocks` reads them."""
    text: str
    """Their text: that of the body without captions."""


class _Setting(NamedTuple):
    """How words are set."""

    marks: tuple[Mark, ...] = ()
    url: str | None = None

    def row(self, text: str) -> str | list[str]:
        """Return words that are set so as `items.write_blocks` writes them."""
        if not self.marks and self.url is None:
            return text
        marks = " ".join(self.marks)
        return [text, marks] if self.url is None else [text, marks, self.url]


_Chunk = tuple[bytes, _Setting]
"""A piece of source without tags, and how it is set."""


_Piece = tuple[int, int, _Setting]
"""From where to where words that are set alike go in a text, and how they are set."""


class _Around(NamedTuple):
    """What the elements around a leaf make of it."""

    kind: str = BlockKind.PARAGRAPH.value
    boxes: tuple[str, ...] = ()
    more: Mapping[str, str] | None = None
    """What else is said of it: members of a JSON object, by their names."""

    def row(self, spans: bytes) -> bytes:
        """Return words with these elements around them as a block, as JSON."""
        begin = _BEGIN[self.kind]
        if self.more is None:
            return begin + spans + b"]"
        return b"%b%b,{%b}]" % (begin, spans, ",".join(self.more.values()).encode())

    def within(self, kind: str, **more: str) -> "_Around":
        """Return what an element makes of it that is no box, and says this, as JSON."""
        said = {name: f'"{name}":{value}' for name, value in more.items()}
        return _Around(kind, self.boxes, {**self.more, **said} if self.more else said)

    def boxed(self, boxes: tuple[str, ...]) -> "_Around":
        """Return what it is with just these boxes around it."""
        names = '","'.join(boxes)
        said = {"in": f'"in":["{names}"]'}
        return _Around(self.kind, boxes, {**self.more, **said} if self.more else said)


class _Tag(NamedTuple):
    """A tag in the source; elements that hold no text are passed over with all that is in them."""

    start: int
    end: int
    ends: bool
    name: bytes
    attributes: bytes


_PLAIN, _NOTHING_AROUND = _Setting(), _Around()


def structure_of(tree: Tree, labelled: LabelledPage, url: str) -> Structure:
    """Return the structure of a page's body; looked at are only the tags between its words."""
    return _BlockReader(tree, labelled, url).read() if labelled.body else Structure("", "")


class _BlockReader:
    """Reads the body of one page."""

    def __init__(self, tree: Tree, labelled: LabelledPage, url: str) -> None:
        self._tree, self._body = tree, labelled.body
        self._first, self._end = self._region(labelled)
        self._parent = tree.parent[: self._end + 1].tolist()
        self._tags = tree.tag[: self._end + 1].tolist()
        self._size = tree.size[: self._end + 1].tolist()
        self._inline = _InlineReader(tree, self._first, self._parent, self._tags, url)
        self._url = url
        self._boxes = 0
        self._entries: LiveEntries | None = None
        self._figures: dict[int, bool] = {}
        self._around: dict[int, _Around] = {self._first: _NOTHING_AROUND}

    def _region(self, labelled: LabelledPage) -> tuple[int, int]:
        container = labelled.container
        if 0 <= container < labelled.body[0]:
            return container, container + int(self._tree.size[container])
        return 0, labelled.body[-1] + 1

    def read(self) -> Structure:
        """Return the blocks in reading order, and their text."""
        captions = self._captions() if self._media else {}
        if captions and self._is_told_in_captions(captions.values()):
            captions = {}
        inner = {leaf for leaves in captions.values() for leaf in leaves}
        leaves: Sequence[int] = self._body
        if inner:
            leaves = [leaf for leaf in self._body if leaf not in inner]
        texts = self._texts(leaves)
        spans = self._inline.read(leaves, texts)
        self._entries = find_entries(self._tree, leaves, texts)
        if self._media:
            leaves = self._join(leaves, texts, spans)
        around = self._around_leaf if self._entries else self._around_parent
        rows = [around(leaf).row(words) for leaf, words in zip(leaves, spans, strict=True)]
        if self._media:
            pictures = [(at, self._media_row(at, captions.get(at, ()))) for at in self._media]
            found = [*zip(leaves, rows, strict=True), *((at, row) for at, row in pictures if row)]
            rows = [row for _, row in sorted(found)]
        if self._inline.has_inner_links:
            rows = _settle_notes(rows)
        return Structure(f"[{b','.join(rows).decode()}]", "\n".join(texts))

    def _join(self, leaves: Sequence[int], texts: list[str], spans: list[bytes]) -> Sequence[int]:
        """Join words that are in one paragraph; return where those that are left begin."""
        pairs = pairwise(leaves)
        following = [n for n, pair in enumerate(pairs, 1) if self._in_one_paragraph(*pair)]
        for number in reversed(following):
            text, words = texts.pop(number), spans.pop(number)
            is_close = _CLOSING.match(text) is not None
            texts[number - 1] += text if is_close else f" {text}"
            spans[number - 1] = (
                spans[number - 1][:-1] + (b"," if is_close else b'," ",') + words[1:]
            )
        joined = {*following}
        return [leaf for n, leaf in enumerate(leaves) if n not in joined] if joined else leaves

    def _texts(self, leaves: Sequence[int]) -> list[str]:
        tree, chosen = self._tree, np.array(leaves, dtype=np.intp)
        places = zip(tree.start[chosen].tolist(), tree.end[chosen].tolist(), strict=True)
        return [tree.text[start:end].decode().rstrip("\n") for start, end in places]

    # Text.

    def _around_leaf(self, leaf: int) -> _Around:
        """Return what stands around a leaf, or a picture: the entry of a live blog, too."""
        around = self._around_parent(leaf)
        if self._entries is None or not (number := self._entries.number(leaf)):
            return around
        outer = len(self._around_of(self._entries.around).boxes)
        around = around.boxed((f"entry{number}", *around.boxes[outer:]))
        if leaf not in self._entries.times:
            return around
        stamp = self._inline.stamp(leaf)
        return around.within(
            BlockKind.TIME.value, **({"alt": _JSON.encode(stamp)} if stamp else {})
        )

    def _around_parent(self, leaf: int) -> _Around:
        """Return what stands around a leaf, but for entries."""
        above = self._parent[leaf]
        return self._around.get(above) or self._around_of(above)

    def _around_of(self, vertex: int) -> _Around:
        """Return what an element and those around it within the container make of a text."""
        arounds, parent, path = self._around, self._parent, [vertex]
        if vertex in arounds:
            return arounds[vertex]
        while (around := arounds.get(vertex := parent[vertex])) is None:
            path.append(vertex)
        for inner in reversed(path):
            if self._tags[inner] in _STRUCTURE or inner in self._notes:
                around = self._within(around, inner)
            arounds[inner] = around
        return around

    @cached_property
    def _notes(self) -> Mapping[int, str]:
        """Return the ids of footnotes that links lead to, by the element that has each."""
        notes, tree = self._inline.notes, self._tree
        if not notes:
            return {}
        named = (np.flatnonzero(tree.id_hash[: self._end + 1])).tolist()
        ids = ((at, tree.attribute(at, "id")) for at in named if self._tags[at] in _NOTES)
        return {at: one for at, one in ids if one in notes}

    def _within(self, around: _Around, vertex: int) -> _Around:
        tag = self._tags[vertex]
        if tag in _HEADINGS:
            return around.within(BlockKind.HEADING.value, level=str(_HEADINGS[tag]))
        if tag == _PRE:
            # One with blocks in it is no code as anybody wrote it, and would be said with each.
            raw = {"alt": _JSON.encode(self._raw(vertex))} if self._size[vertex] == 2 else {}
            return around.within(BlockKind.CODE.value, **raw)
        if vertex in self._notes:
            return _Around().within(BlockKind.NOTE.value, url=_JSON.encode(self._notes[vertex]))
        name = _BOX_TAGS.get(tag)
        if name is None or len(around.boxes) == _DEEPEST:
            return around
        if name in _IN_TABLE and self._is_layout(vertex, around):
            return around
        self._boxes += 1
        return around.boxed((*around.boxes, f"{name}{self._boxes}"))

    def _is_layout(self, vertex: int, around: _Around) -> bool:
        """Return whether a table, or the one around a cell, holds a page rather than data."""
        if _BOX_TAGS[self._tags[vertex]] != "table":
            return not around.boxes or not any(box.startswith("table") for box in around.boxes)
        end = vertex + int(self._tree.size[vertex])
        tags = self._tree.tag[vertex + 1 : end]
        texts = np.flatnonzero(tags == TEXT) + vertex + 1
        nested = bool((tags == self._tags[vertex]).any())
        return nested or len(texts) < 2 or int(self._tree.words[texts].max()) > _CELL

    def _in_one_paragraph(self, last: int, leaf: int) -> bool:
        """Return whether only inline elements and pictures stand between two leaves."""
        if self._parent[leaf] == leaf - 1 and self._tags[leaf - 1] not in _INLINE:
            return False  # as nearly always: the leaf begins a block
        one, other = self._block_around(last), self._block_around(leaf)
        if one != other or self._tags[one] not in _PARAGRAPHS:
            return False
        end = min(one + self._size[one], self._end)
        if _IMAGES.isdisjoint(self._tags[one:end]):
            return False
        goes_on = not _ENDED.search(self._tree.text_of(last)) or not _BEGINS.match(
            self._tree.text_of(leaf)
        )
        return goes_on and _INLINE_OR_IMAGE.issuperset(self._tags[last + 1 : leaf])

    def _block_around(self, leaf: int) -> int:
        vertex = self._parent[leaf]
        while self._tags[vertex] in _INLINE and vertex > self._first:
            vertex = self._parent[vertex]
        return int(vertex)

    def _raw(self, vertex: int) -> str:
        """Return the text of a piece of code with its spaces and line ends."""
        data = self._tree.source.data
        start = int(self._tree.tag_start[vertex])
        end = data.find(b"</pre", start)
        inner = data[data.index(b">", start) + 1 : end if end >= 0 else len(data)]
        inner = _MARKUP.sub(b"", inner) if b"<" in inner else inner
        return unescape(inner.decode("utf-8", "replace")).strip("\n")

    # Pictures.

    @cached_property
    def _media(self) -> list[int]:
        """Return the pictures, embeds and rules that stand in the text."""
        first = self._first
        known = np.minimum(self._tree.tag[first : self._end], len(_IS_MEDIA) - 1)
        found = (np.flatnonzero(_IS_MEDIA[known]) + first).tolist()
        return [at for at in found[: _SCANNED * _PICTURES] if self._is_in_text(at)][:_PICTURES]

    @cached_property
    def _leaves(self) -> list[int]:
        """Return all text leaves up to the end of the container."""
        return np.flatnonzero(self._tree.tag[: self._end] == TEXT).tolist()

    def _is_in_text(self, vertex: int) -> bool:
        """Return whether the nearest words around are of the body, or a caption within it."""
        figure = self._figure(vertex)
        around = self._parent[vertex if figure < 0 else figure]
        while around >= self._first:
            end = min(around + self._size[around], self._end)
            if _has_any(self._body, around, end):
                return True
            if _has_any(self._leaves, around, end):
                return False
            around = self._parent[around]
        return False

    def _figure(self, vertex: int) -> int:
        """Return the element that holds a picture and its caption; -1 if there is none."""
        tree, around = self._tree, self._parent[vertex]
        for _ in range(_LEVELS if self._has_captions else 0):
            if around <= self._first or tree.words[around] > _CAPTION_WORDS:
                return -1
            if around not in self._figures:
                self._figures[around] = self._has_caption(around)
            if self._figures[around]:
                return int(around)
            around = self._parent[around]
        return -1

    def _has_caption(self, vertex: int) -> bool:
        """Return whether an element is a figure, or a small one with something called a caption."""
        if self._tags[vertex] == _FIGURE:
            return True
        size = self._size[vertex]
        inside = range(vertex, vertex + size if size <= _SMALL else vertex + 1)
        return any(b"caption" in _opening(self._tree, inner).lower() for inner in inside)

    @cached_property
    def _has_captions(self) -> bool:
        """Whether the container has a figure, or anything in it is called a caption."""
        data, first = self._tree.source.data, self._first
        part = self._tree.tag_from(first), self._tree.tag_from(first + self._size[first])
        is_named = data.find(b"aption", *part) >= 0 or data.find(b"APTION", *part) >= 0
        return is_named or _FIGURE in self._tags[first:]

    def _captions(self) -> dict[int, list[int]]:
        """Return the leaves of each picture's caption, by the picture."""
        figures: dict[int, int] = {}
        for vertex in self._media:
            if self._tags[vertex] != _RULE and (figure := self._figure(vertex)) >= 0:
                figures[figure] = vertex  # the last of several has it
        return {vertex: self._tree.leaves(figure) for figure, vertex in figures.items()}

    def _is_told_in_captions(self, captions: Iterable[Sequence[int]]) -> bool:
        """Return whether so much of the body is captions that they are its text."""
        words = self._tree.words
        body = set(self._body)
        inner = sum(int(words[leaf]) for leaves in captions for leaf in leaves if leaf in body)
        return inner > _TOLD * int(words[self._body].sum()) if inner else False

    def _media_row(self, vertex: int, caption: Sequence[int]) -> bytes | None:
        tree, tag = self._tree, self._tags[vertex]
        if tag == _RULE:
            return _RULE_ROW
        said = self._picture(vertex) if tag == _PICTURE else tree.attributes(vertex)
        url = whole_url(self._url, picture_url(said))
        if url is None or url == self._url:
            return None
        words = " ".join(tree.text_of(leaf) for leaf in caption)
        kind = BlockKind.IMAGE if tag in _IMAGES else BlockKind.EMBED
        alt = " ".join(said.get("alt", "").split())
        boxes = self._around_leaf(vertex).boxes
        around = _NOTHING_AROUND.boxed(boxes) if boxes else _NOTHING_AROUND
        more = {"url": url, "alt": alt} if alt else {"url": url}
        around = around.within(kind.value, **{k: _JSON.encode(v) for k, v in more.items()})
        return around.row(f"[{_JSON.encode(words)}]".encode() if words else b"[]")

    def _picture(self, vertex: int) -> Mapping[str, str]:
        """Return the attributes of the image in a `picture`."""
        source = self._tree.source
        start = int(self._tree.tag_start[vertex])
        end = source.data.find(b"</picture", start)
        image = source.data.find(b"<img", start, end if end >= 0 else len(source.data))
        return source.attributes(image) if image >= 0 else {}


class _InlineReader:
    """Reads how the words of a leaf are set, from the tags that the tree folds into its text."""

    def __init__(
        self, tree: Tree, first: int, parent: list[int], tags: list[int], url: str
    ) -> None:
        self._tree, self._data, self._parent, self._tags = tree, tree.source.data, parent, tags
        self._tag_start = tree.tag_start
        self._url, self._first = url, first
        self._settings: dict[int, _Setting] = {first: _PLAIN}
        self._budget = _SCANNED * len(self._data)
        self.notes: set[str] = set()
        """Ids in the page that links like those to a footnote lead to."""
        self.has_inner_links = False
        """Whether any link leads to a place in the page."""

    def read(self, leaves: Sequence[int], texts: Sequence[str]) -> list[bytes]:
        """Return the words of leaves as they are set; those that cannot be told apart as one."""
        found = write_inline_spans(self._tree, leaves, _MARK_NUMBERS)
        is_set_off = not _INLINE.isdisjoint(self._tags[self._first + 1 :])
        spans, begun, first = [], 0, 0
        for leaf, text, (is_clear, end, last) in zip(leaves, texts, found.leaves, strict=True):
            written: bytes | None = found.written[begun:end]
            if is_clear and first < last:
                written = self._closed(found, begun, end, found.gaps[first:last])
            if is_set_off and self._setting_of(self._parent[leaf]) is not _PLAIN:
                written = None
            if not written:
                pieces = self._located(leaf, text)
                written = _JSON.encode(_arrange(text, pieces) if pieces else [text]).encode()
            spans.append(written)
            begun, first = end, last
        return spans

    def _closed(
        self, found: InlineSpans, begun: int, end: int, gaps: Sequence[list[int]]
    ) -> bytes | None:
        """Return what was written of a leaf, with marks and links; None if some of them are none.

        Also if two lead to the same place: they may be one. Or if one that may refer to a footnote
        has elements in it: its words are told apart.
        """
        written = found.written
        parts: list[bytes] = []
        known, link = -1, b""
        for at, marks, start, stop in gaps:
            parts += (written[begun:at], _marked(marks))
            if start >= 0 and start != known:
                known, last = start, link
                link = self._written_link(start, stop)
                if not link or link == last or (link[:2] == b'"#' and not self._refers(stop, link)):
                    return None
            parts.append(b"]" if start < 0 else b",%b]" % link)
            begun = at
        return b"".join([*parts, written[begun:end]])

    def _written_link(self, start: int, stop: int) -> bytes:
        """Return where a link whose address stands here goes, as JSON; empty if nowhere."""
        raw = self._data[start:stop]
        if _ADDRESS.fullmatch(raw):
            return b'"%b"' % raw
        url = self._linked(unescape(raw.decode()))
        return b"" if url is None else _JSON.encode(url).encode()

    def _refers(self, at: int, link: bytes) -> bool:
        """Note where a link whose address ends here leads in the page; False if tags are in it."""
        begin = self._data.find(b">", at) + 1
        end = self._data.find(b"<", begin)
        if not self._data.startswith(b"</a>", end):
            return False
        words = unescape(self._data[begin:end].decode("utf-8", "replace"))
        self._note(json.loads(link), " ".join(words.split()))
        return True

    def _located(self, leaf: int, text: str) -> Sequence[_Piece]:
        """Return the pieces of a leaf; none if they cannot be told apart."""
        pieces: list[_Piece] = []
        at = 0
        for raw, setting in self._chunks(leaf):
            start, end = _locate(text, at, raw)
            if start < 0:
                return ()
            if start < end:
                pieces.append((start, end, setting))
                at = end
                if setting.url is not None and setting.url[0] == "#":
                    self._note(setting.url, text[start:end])
        return pieces

    def _note(self, url: str, words: str) -> None:
        """Note the id that words refer to if they look like the number of a footnote."""
        if _REFERENCE.fullmatch(words):
            self.notes.add(url[1:])

    def _chunks(self, leaf: int) -> Iterable[_Chunk]:
        """Return the pieces of a leaf, none if that would take too long."""
        at, parent, following = self._begins(leaf), self._parent, leaf + 1
        has_next = following < len(parent) and parent[following] == parent[leaf]
        stop = int(self._tag_start[following]) if has_next else -1
        return self._scan(at, stop, self._setting_of(parent[leaf])) if at >= 0 else ()

    def _begins(self, leaf: int) -> int:
        """Return where the source of a leaf begins; -1 if that would take too long to find."""
        parent = self._parent[leaf]
        if leaf == parent + 1:
            return self._data.index(b">", self._tag_start[parent]) + 1
        before = leaf - 1
        while self._parent[before] != parent:
            before = self._parent[before]
        start = int(self._tag_start[before])
        if start < 0 or self._budget <= 0:
            return -1
        depth = 0
        for tag in _tags(self._data, start):
            depth += -1 if tag.ends else tag.name not in _EMPTY
            if depth <= 0:
                self._budget -= tag.end - start
                return tag.end
        return -1

    def _scan(self, at: int, stop: int, setting: _Setting) -> Iterator[_Chunk]:
        """Yield the pieces from here to the next vertex, or to the end of the element."""
        data, passed = self._data, 0
        opened: list[_Setting] = []
        for found in _TAG.finditer(data, at):
            start, end = found.span()
            if start < passed:  # in an element that holds no text
                continue
            if start > at:
                yield data[at:start], setting
            ends, name, attributes = found.groups()
            at = end
            if start == stop or (ends and not opened):
                break
            if ends:
                setting = opened.pop()
            elif name in _SKIPPED:
                passed = at = _skip(data, end, name)
            elif name is not None and name not in _EMPTY:
                opened.append(setting)
                setting = self._set(setting, name, attributes)

    def stamp(self, leaf: int) -> str:
        """Return what a leaf that says when says to machines; empty if nothing."""
        at = max(0, int(self._tree.tag_start[self._parent[leaf]]))
        found = _STAMP.search(self._data, at, at + _NEAR)
        return unescape(found[1].decode("utf-8", "replace")) if found else ""

    def _setting_of(self, vertex: int) -> _Setting:
        """Return how an element and those around it set their words."""
        path = []
        while (setting := self._settings.get(vertex)) is None:
            path.append(vertex)
            vertex = self._parent[vertex]
        for inner in reversed(path):
            if self._tags[inner] in _INLINE:
                name = self._tree.name(inner).encode()
                setting = self._set(setting, name, _opening(self._tree, inner))
            self._settings[inner] = setting
        return setting

    def _set(self, setting: _Setting, name: bytes, attributes: bytes) -> _Setting:
        """Return how the inside of an element is set."""
        marks, url = setting
        if name == b"a":
            href = _HREF.search(attributes)
            return _Setting(marks, self._linked(unescape(href[1].decode()))) if href else setting
        mark = _MARKS.get(name)
        return _Setting((*marks, mark), url) if mark is not None and mark not in marks else setting

    def _linked(self, href: str) -> str | None:
        """Return where a link goes; None if nowhere, or if it would run something."""
        page, sign, inner = href.partition("#")
        if not sign or page not in ("", self._url):
            return whole_url(self._url, href)
        self.has_inner_links = True
        return f"#{unquote(inner)}" if inner else None


def _tags(data: bytes, at: int) -> Iterator[_Tag]:
    """Yield the tags from here on; elements without text as one, comments not at all."""
    search = _TAG.search
    while found := search(data, at):
        ends, name, attributes = found.groups()
        start, at = found.span()
        if name is None:
            continue
        if name in _SKIPPED and not ends:
            at = _skip(data, at, name)
        yield _Tag(start, at, bool(ends), name, attributes)


def _skip(data: bytes, at: int, name: bytes) -> int:
    """Return where an element ends whose inside begins here."""
    depth = 1
    while depth and (found := _TAG.search(data, at)):
        at = found.end()
        if found[2] == name:
            depth += -1 if found[1] else name not in _RAW
    return at


def _opening(tree: Tree, vertex: int) -> bytes:
    """Return the start tag of an element."""
    data, start = tree.source.data, int(tree.tag_start[vertex])
    return data[start : data.index(b">", start)] if start >= 0 else b""


def _has_any(numbers: Sequence[int], start: int, end: int) -> bool:
    """Return whether any of some numbers, which are in order, is in a range."""
    at = bisect_left(numbers, start)
    return at < len(numbers) and numbers[at] < end


@cache
def _marked(marks: int) -> bytes:
    """Return how marks, which are octal digits, are written after the words that have them."""
    names = [[*Mark][int(digit) - 1].value for digit in f"{marks:o}" if digit != "0"]
    return f',"{" ".join(names)}"'.encode()


def _locate(text: str, at: int, raw: bytes) -> tuple[int, int]:
    """Return where a piece of source stands in a text that goes on from here; -1 if nowhere."""
    words = raw.decode("utf-8", "replace").strip()
    if not words:
        return at, at
    start = text.find(words, at, at + len(words) + 1)
    if start < 0:  # it has entities, or several spaces in a row
        words = " ".join(unescape(words).split())
        start = text.find(words, at, at + len(words) + 1)
    return start, start + len(words)


def _arrange(text: str, pieces: Sequence[_Piece]) -> list[Any]:
    """Return a text, cut where its setting changes."""
    rows: list[Any] = []
    begun, at, last = 0, 0, _PLAIN
    for start, end, setting in pieces:
        if setting is not last and setting != last:
            is_plain = last is _PLAIN or setting is _PLAIN
            between = _PLAIN if is_plain else _between(last, setting)
            stop = start if between is last else at
            if stop > begun:
                rows.append(last.row(text[begun:stop]))
            begun = stop
            if between is not last and between is not setting and start > at:
                rows.append(between.row(text[at:start]))
                begun = start
            last = setting
        at = end
    stop = len(text) if last is _PLAIN else at
    rows += [last.row(text[begun:stop])] if stop > begun else []
    rows += [text[stop:]] if stop < len(text) else []
    return rows


def _between(last: _Setting, following: _Setting) -> _Setting:
    """Return how the space between two pieces is set: as far as both are."""
    marks = tuple(mark for mark in last.marks if mark in following.marks)
    url = last.url if last.url == following.url else None
    shared = _Setting(marks, url) if marks or url is not None else _PLAIN
    return next((each for each in (last, following) if each == shared), shared)


def _settle_notes(rows: Sequence[bytes]) -> list[bytes]:
    """Take away links within the page that lead to no footnote; give each id to one block only."""
    notes: set[str] = set()
    kept = list(rows)
    for at, row in enumerate(rows):
        if row.startswith(_BEGIN[BlockKind.NOTE]):
            _, spans, more = json.loads(row)
            if f"#{more['url']}" in notes:  # the note goes on
                kept[at] = _JSON.encode([BlockKind.PARAGRAPH.value, spans]).encode()
            notes.add(f"#{more['url']}")
    return [_without_links(row, notes) if b',"#' in row else row for row in kept]


def _without_links(row: bytes, notes: Container[str]) -> bytes:
    """Return a block without links within the page that lead to none of some footnotes."""
    kind, spans, *more = json.loads(row)
    for at, span in enumerate(spans):
        if type(span) is list and span[-1][:1] == "#" and span[-1] not in notes:
            spans[at] = span[:2] if span[1] else span[0]
    return _JSON.encode([kind, spans, *more]).encode()


def whole_url(base: str, url: str) -> str | None:
    """Return a URL as a browser asks for it; None if it would not, or would run it.

    >>> whole_url("http://a.org/b", "/c.png"), whole_url("http://a.org/", "javascript:alert(1)")
    ('http://a.org/c.png', None)
    """
    url = url.strip()
    if url.startswith(("http://", "https://")) and "[" not in url:
        return url
    if (found := _PATH.fullmatch(url)) and (before := _prefix(base, found[1])):
        return before + found[2]
    return _join_urls(base, url)


@lru_cache(_BASES)
def _prefix(base: str, way: str) -> str | None:
    """Return what a URL begins with whose path begins so, on the way to its first name."""
    whole = _join_urls(base, f"{way}x")
    return whole[:-1] if whole else None


def _join_urls(base: str, url: str) -> str | None:
    try:
        whole = urljoin(base, url)
    except ValueError:  # such as http://[
        return None
    return whole if whole.startswith(("http://", "https://")) else None
