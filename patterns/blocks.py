"""The structure of a body: read from the tree and the tags that the tree folds into text."""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin

import numpy as np
from numpy.typing import NDArray

from flong.article import BlockKind, Mark
from flong.patterns.labels import LabelledPage
from flong.patterns.lead_image import picture_url
from flong.patterns.live_entries import LiveEntries, find_entries
from flong.tree import (
    DROPPED,
    INLINE,
    MARKS,
    MEDIA,
    RAW,
    VOID,
    Body,
    Hole,
    Tree,
    WrittenBody,
    tag_number,
    write_body,
)

_TAG = re.compile(rb"<(/?)([a-z][^\s/>]*)([^>]*)>|<!--.*?-->", re.DOTALL)
_MARKUP = re.compile(rb"<[^>]*>")
_HREF = re.compile(rb'\shref="([^"]*)"')
_REFERENCE = re.compile(r"[\[(]?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*\u2020\u2021\u00a7]{1,3})[\])]?")
_STAMP = re.compile(rb'<time\s[^>]*?datetime="([^"]*)"')
_ENDED = re.compile(r"[.!?:\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)]*$")
_BEGINS = re.compile(r"\w")
_CLOSING = re.compile(r"[,.;:!?)\]}\u3001\u3002\uff09\uff0c\u201d\u00bb]")
_NAMES = r"(/|(?:\.\./)*)((?:[\w%~+-][\w%~+.-]*/)*[\w%~+-][\w%~+.-]*/?(?:\?[\w%.=+-]+)?"
_PATH = re.compile(rf"{_NAMES}(?:#[\w%.-]+)?)", re.ASCII)
"""A relative URL of which nothing is to be resolved but the way to its first name."""
_BARE_PATH = re.compile(rf"{_NAMES})".encode())
"""One that leads to no place in a page."""
_PARAGRAPHS = frozenset(map(tag_number, "p li h1 h2 h3 h4 h5 h6".split()))
_NOTES = frozenset(map(tag_number, "li p div dd aside".split()))
_IMAGE, _PICTURE, _RULE, _FIGURE = map(tag_number, "img picture hr figure".split())
_IMAGES = frozenset([_IMAGE, _PICTURE])
_IS_MEDIA = np.zeros(257, np.bool_)
"""Which of the tags that HTML knows are pictures, embeds and rules; the last stands for others."""
_IS_MEDIA[[*map(tag_number, MEDIA), _RULE]] = True
_INLINE = frozenset(map(tag_number, INLINE))
_IS_INLINE = np.zeros(257, np.bool_)
_IS_INLINE[[*_INLINE]] = True
_NO_PICTURES = np.empty((0, 3), dtype=np.int32)
_INLINE_OR_IMAGE = _INLINE | _IMAGES
_SKIPPED = frozenset(name.encode() for name in (DROPPED | MEDIA) - VOID)
_EMPTY = _SKIPPED | {name.encode() for name in VOID}
_RAW = frozenset(name.encode() for name in RAW)

_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))

_RULE_ROW = b'["hr",[]'
_NOTE_ROW = b'["note",'

_BASES = 64
"""Beginnings of URLs that are kept: links of a page have few."""
_PICTURES = 1_000
"""Pictures and embeds that are kept."""
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


class _Tag(NamedTuple):
    """A tag in the source; elements that hold no text are passed over with all that is in them."""

    start: int
    end: int
    ends: bool
    name: bytes
    attributes: bytes


class _Picture(NamedTuple):
    """A picture, embed or rule."""

    vertex: int
    is_boxed: bool
    """Whether its block says which boxes are around it."""
    begin: bytes
    """What its block begins with, before the boxes."""
    end: bytes
    """What it goes on with."""


_PLAIN = _Setting()


def structure_of(tree: Tree, labelled: LabelledPage, url: str) -> Structure:
    """Return the structure of a page's body; looked at are only the tags between its words."""
    return _BlockReader(tree, labelled, url).read() if labelled.body else Structure("", "")


class _BlockReader:
    """Reads the body of one page."""

    def __init__(self, tree: Tree, labelled: LabelledPage, url: str) -> None:
        self._tree, self._body, self._url = tree, labelled.body, url
        self._first, self._end = self._region(labelled)
        self._inline = _InlineReader(tree, self._first, url)
        self._figures: dict[int, bool] = {}
        self._going_on: Container[int] = ()
        """Leaves that may go on with the paragraph of the one before, on a page with pictures."""

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
        pictures = [
            picture
            for vertex in self._media
            if (picture := self._picture(vertex, captions.get(vertex, ())))
        ]
        body = self._lay_out(leaves, pictures)
        found = write_body(self._tree, body)
        spans = self._inline.read(found, leaves)
        entries = find_entries(self._tree, leaves, found.timed)
        if entries or self._notes:  # nearly never
            found = write_body(self._tree, self._with_structure(body, entries))
        if self._inline.has_inner_links:
            notes = {self._notes[hole[3]] for hole in found.holes if hole[0] == Hole.NOTE_ID}
            spans = {number: _without_links(words, notes) for number, words in spans.items()}
        blocks = self._filled(found, spans, pictures)
        return Structure(f"[{blocks[:-1].decode()}]", found.text)

    def _filled(
        self, found: WrittenBody, spans: Mapping[int, bytes], pictures: Sequence[_Picture]
    ) -> bytes:
        """Return what was written, with its holes filled."""
        written, begun, parts = found.written, 0, list[bytes]()
        for hole, start, end, number, *_ in found.holes:
            parts.append(written[begun:start])
            if hole == Hole.SPANS:
                parts.append(spans[number])
            elif hole == Hole.PICTURE:
                picture = pictures[number]
                parts += (picture.begin, written[start:end], picture.end)
            else:
                parts.append(_JSON.encode(self._said(hole, number)).encode())
            begun = end
        return b"".join([*parts, written[begun:]])

    def _said(self, hole: int, number: int) -> str:
        """Return what a block says of its code, a time or a footnote."""
        if hole == Hole.RAW_TEXT:
            return self._raw(number)
        return self._inline.stamp(number) if hole == Hole.STAMP else self._notes[number]

    def _lay_out(self, leaves: Sequence[int], pictures: Sequence[_Picture]) -> Body:
        """Return what is to be written of leaves and pictures."""
        rows = np.zeros((len(leaves), 4), dtype=np.int32)
        rows[:, 0] = leaves
        shown = _NO_PICTURES
        for number in self._following(leaves):
            is_close = _CLOSING.match(self._tree.text_of(leaves[number])) is not None
            rows[number, 1] = 1 if is_close else 2
        if pictures:
            shown = np.array([(one.vertex, one.is_boxed, 0) for one in pictures], dtype=np.int32)
        return Body(self._first, rows, shown)

    def _following(self, leaves: Sequence[int]) -> list[int]:
        """Return which leaves go on with the paragraph of the one before."""
        return [
            number
            for number in range(1, len(leaves) if self._going_on else 0)
            if leaves[number] in self._going_on
            and self._in_one_paragraph(leaves[number - 1], leaves[number])
        ]

    def _with_structure(self, body: Body, entries: LiveEntries | None) -> Body:
        """Return a body with its footnotes, and the entries of a live blog."""
        notes = np.zeros(len(self._tree) - self._first, dtype=np.int32)
        first_with = dict[str, int]()
        for at, name in self._notes.items():
            notes[at - self._first] = first_with.setdefault(name, at) - self._first
        body = body._replace(notes=notes)
        if entries is None:
            return body
        for row in body.leaves:
            row[2] = entries.number(int(row[0]))
            if row[2] and int(row[0]) in entries.times:
                row[3] = 2 if self._inline.stamp(int(row[0])) else 1
        for row in body.pictures:
            row[2] = entries.number(int(row[0]))
        return body._replace(around_entries=entries.around)

    @cached_property
    def _notes(self) -> Mapping[int, str]:
        """Return the ids of footnotes that links lead to, by the element that has each."""
        notes, tree = self._inline.notes, self._tree
        if not notes:
            return {}
        named = np.flatnonzero(tree.id_hash[: self._end + 1]).tolist()
        inside = [at for at in named if at > self._first and int(tree.tag[at]) in _NOTES]
        ids = ((at, tree.attribute(at, "id")) for at in inside)
        return {at: one for at, one in ids if one in notes}

    def _in_one_paragraph(self, last: int, leaf: int) -> bool:
        """Return whether only inline elements and pictures stand between two leaves."""
        tags = self._tree.tag
        one, other = self._block_around(last), self._block_around(leaf)
        if one != other or int(tags[one]) not in _PARAGRAPHS:
            return False
        end = min(one + int(self._tree.size[one]), self._end)
        if _IMAGES.isdisjoint(tags[one:end].tolist()):
            return False
        goes_on = not _ENDED.search(self._tree.text_of(last)) or not _BEGINS.match(
            self._tree.text_of(leaf)
        )
        return goes_on and _INLINE_OR_IMAGE.issuperset(tags[last + 1 : leaf].tolist())

    def _block_around(self, leaf: int) -> int:
        vertex = int(self._tree.parent[leaf])
        while int(self._tree.tag[vertex]) in _INLINE and vertex > self._first:
            vertex = int(self._tree.parent[vertex])
        return vertex

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
        tree, first = self._tree, self._first
        known = np.minimum(tree.tag[first : self._end], len(_IS_MEDIA) - 1)
        shown = np.flatnonzero(_IS_MEDIA[known])[: _SCANNED * _PICTURES] + first
        if not len(shown):
            return []
        whole = shown
        if self._has_captions:
            figures = ((vertex, self._figure(vertex)) for vertex in shown.tolist())
            whole = np.array([vertex if figure < 0 else figure for vertex, figure in figures])
        leaves = np.array(self._body, dtype=np.intp)
        above = tree.parent[leaves]
        is_inline = _IS_INLINE[np.minimum(tree.tag[above], len(_IS_INLINE) - 1)]
        self._going_on = frozenset(leaves[(above != leaves - 1) | is_inline].tolist())
        found: list[int] = shown[self._are_in_text(whole, leaves)][:_PICTURES].tolist()
        return found

    def _are_in_text(
        self, vertices: NDArray[np.intp], leaves: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Return around which elements the nearest words are of some leaves."""
        tree, around = self._tree, self._tree.parent[vertices]
        is_bare = tree.end <= tree.start
        while (climbs := (around >= self._first) & is_bare[around]).any():
            around = np.where(climbs, tree.parent[around], around)
        held = leaves.searchsorted(around + tree.size[around]) - leaves.searchsorted(around)
        found: NDArray[np.bool_] = (around >= self._first) & (held > 0)
        return found

    def _figure(self, vertex: int) -> int:
        """Return the element that holds a picture and its caption; -1 if there is none."""
        if not self._has_captions:
            return -1
        tree, around = self._tree, int(self._tree.parent[vertex])
        for _ in range(_LEVELS):
            if around <= self._first or tree.words[around] > _CAPTION_WORDS:
                return -1
            if around not in self._figures:
                self._figures[around] = self._has_caption(around)
            if self._figures[around]:
                return around
            around = int(tree.parent[around])
        return -1

    def _has_caption(self, vertex: int) -> bool:
        """Return whether an element is a figure, or a small one with something called a caption."""
        if self._tree.tag[vertex] == _FIGURE:
            return True
        size = int(self._tree.size[vertex])
        inside = range(vertex, vertex + size if size <= _SMALL else vertex + 1)
        return any(b"caption" in _opening(self._tree, inner).lower() for inner in inside)

    @cached_property
    def _has_captions(self) -> bool:
        """Whether the container has a figure, or anything in it is called a caption."""
        tree, data, first = self._tree, self._tree.source.data, self._first
        part = tree.tag_from(first), tree.tag_from(first + int(tree.size[first]))
        is_named = data.find(b"aption", *part) >= 0 or data.find(b"APTION", *part) >= 0
        return is_named or bool((tree.tag[first : self._end + 1] == _FIGURE).any())

    def _captions(self) -> dict[int, list[int]]:
        """Return the leaves of each picture's caption, by the picture."""
        figures: dict[int, int] = {}
        for vertex in self._media:
            if self._tree.tag[vertex] != _RULE and (figure := self._figure(vertex)) >= 0:
                figures[figure] = vertex  # the last of several has it
        return {vertex: self._tree.leaves(figure) for figure, vertex in figures.items()}

    def _is_told_in_captions(self, captions: Iterable[Sequence[int]]) -> bool:
        """Return whether so much of the body is captions that they are its text."""
        words = self._tree.words
        body = set(self._body)
        inner = sum(int(words[leaf]) for leaves in captions for leaf in leaves if leaf in body)
        return inner > _TOLD * int(words[self._body].sum()) if inner else False

    def _picture(self, vertex: int, caption: Sequence[int]) -> "_Picture | None":
        """Return what is written of a picture, embed or rule; None if it is nowhere."""
        tree, tag = self._tree, int(self._tree.tag[vertex])
        if tag == _RULE:
            return _Picture(vertex, False, _RULE_ROW, b"")
        said = self._image_in(vertex) if tag == _PICTURE else tree.attributes(vertex)
        url = whole_url(self._url, picture_url(said))
        if url is None or url == self._url:
            return None
        words = " ".join(tree.text_of(leaf) for leaf in caption)
        spans = f"[{_JSON.encode(words)}]" if words else "[]"
        kind = BlockKind.IMAGE if tag in _IMAGES else BlockKind.EMBED
        alt = " ".join(said.get("alt", "").split())
        more = f'"url":{_JSON.encode(url)}' + (f',"alt":{_JSON.encode(alt)}' if alt else "")
        begin = f'["{kind.value}",{spans},{{'
        return _Picture(vertex, True, begin.encode(), f"{more}}}".encode())

    def _image_in(self, vertex: int) -> Mapping[str, str]:
        """Return the attributes of the image in a `picture`."""
        source = self._tree.source
        start = int(self._tree.tag_start[vertex])
        end = source.data.find(b"</picture", start)
        image = source.data.find(b"<img", start, end if end >= 0 else len(source.data))
        return source.attributes(image) if image >= 0 else {}


class _InlineReader:
    """Reads how the words of a leaf are set, from the tags that the tree folds into its text."""

    def __init__(self, tree: Tree, first: int, url: str) -> None:
        self._tree, self._data, self._url, self._first = tree, tree.source.data, url, first
        self._tag_start = tree.tag_start
        self._settings: dict[int, _Setting] = {first: _PLAIN}
        self._budget = _SCANNED * len(self._data)
        self.notes: set[str] = set()
        """Ids in the page that links like those to a footnote lead to."""
        self.has_inner_links = False
        """Whether any link leads to a place in the page."""

    @cached_property
    def _parent(self) -> list[int]:
        parents: list[int] = self._tree.parent.tolist()
        return parents

    def read(self, found: WrittenBody, leaves: Sequence[int]) -> dict[int, bytes]:
        """Return the words of leaves for which there are holes, by their numbers.

        Those that cannot be told apart are one.
        """
        spans: dict[int, bytes] = {}
        for hole, start, stop, number, first, last in found.holes:
            if hole == Hole.SPANS:
                gaps = found.gaps[first:last]
                written = self._closed(found.written, start, stop, gaps) if gaps else None
                spans[number] = written or self._set_apart(leaves[number])
        return spans

    def _set_apart(self, leaf: int) -> bytes:
        """Return the words of a leaf, read one tag after the other."""
        text = self._tree.text_of(leaf)
        pieces = self._located(leaf, text)
        return _JSON.encode(_arrange(text, pieces) if pieces else [text])[1:-1].encode()

    def _closed(
        self, written: bytes, begun: int, end: int, gaps: Sequence[list[int]]
    ) -> bytes | None:
        """Return what was written of a leaf, with its links; None if some of them are none.

        Also if two lead to the same place: they may be one. Or if one that may refer to a footnote
        has elements in it: its words are told apart.
        """
        parts: list[bytes] = []
        known, link = -1, b""
        for at, start, stop in gaps:
            if start != known:
                known, last = start, link
                link = self._written_link(start, stop)
                if not link or link == last or (link[:2] == b'"#' and not self._refers(stop, link)):
                    return None
            parts += (written[begun:at], b",", link)
            begun = at
        return b"".join([*parts, written[begun:end]])

    def _written_link(self, start: int, stop: int) -> bytes:
        """Return where a link whose address stands here goes, as JSON; empty if nowhere."""
        raw = self._data[start:stop]
        path = _BARE_PATH.fullmatch(raw)
        if path and (before := _written_prefix(self._url, path[1])):
            return before + path[2] + b'"'
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
                setting = self._set(setting, name.decode(), attributes)

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
            if int(self._tree.tag[inner]) in _INLINE:
                name = self._tree.name(inner)
                setting = self._set(setting, name, _opening(self._tree, inner))
            self._settings[inner] = setting
        return setting

    def _set(self, setting: _Setting, name: str, attributes: bytes) -> _Setting:
        """Return how the inside of an element is set."""
        marks, url = setting
        if name == "a":
            href = _HREF.search(attributes)
            return _Setting(marks, self._linked(unescape(href[1].decode()))) if href else setting
        mark = MARKS.get(name)
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


def _without_links(words: bytes, notes: Container[str]) -> bytes:
    """Return words without links within the page that lead to none of some footnotes."""
    if b',"#' not in words:
        return words
    spans = json.loads(b"[%b]" % words)
    for at, span in enumerate(spans):
        if type(span) is list and span[-1][:1] == "#" and span[-1][1:] not in notes:
            spans[at] = span[:2] if span[1] else span[0]
    return _JSON.encode(spans)[1:-1].encode()


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


@lru_cache(_BASES)
def _written_prefix(base: str, way: bytes) -> bytes | None:
    """Return the same as the beginning of a JSON string."""
    before = _prefix(base, way.decode())
    return _JSON.encode(before)[:-1].encode() if before else None


def _join_urls(base: str, url: str) -> str | None:
    try:
        whole = urljoin(base, url)
    except ValueError:  # such as http://[
        return None
    return whole if whole.startswith(("http://", "https://")) else None
