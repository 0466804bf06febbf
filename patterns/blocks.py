"""Structure of a body: its blocks, from the tree, and their inline markup, from the source."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from html import unescape
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin

import numpy as np

from flong.article import BlockKind, Mark
from flong.patterns.labels import LabelledPage
from flong.patterns.lead_image import picture_url
from flong.patterns.live_entries import LiveEntries, find_entries
from flong.tree import DROPPED, INLINE, MEDIA, RAW, TEXT, VOID, Tree, tag_number

_TAG = re.compile(rb"<(/?)([a-z][^\s/>]*)([^>]*)>|<!--.*?-->", re.DOTALL)
_MARKUP = re.compile(rb"<[^>]*>")
_HREF = re.compile(rb'\shref="([^"]*)"')
_REFERENCE = re.compile(r"[\[(]?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*\u2020\u2021\u00a7]{1,3})[\])]?")
_STAMP = re.compile(rb'<time\s[^>]*?datetime="([^"]*)"')
_ENDED = re.compile(r"[.!?:\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb)]*$")
_BEGINS = re.compile(r"\w")
_CLOSING = re.compile(r"[,.;:!?)\]}\u3001\u3002\uff09\uff0c\u201d\u00bb]")
_PATH = re.compile(
    r"(/|(?:\.\./)*)((?:[\w%~+-][\w%~+.-]*/)*[\w%~+-][\w%~+.-]*/?(?:\?[\w%.=+-]+)?(?:#[\w%.-]+)?)",
    re.ASCII,
)
"""A relative URL; only the steps before its first name need resolving."""
_MARKS = {
    b"em": Mark.EMPHASIS, b"i": Mark.EMPHASIS, b"cite": Mark.EMPHASIS, b"strong": Mark.STRONG,
    b"b": Mark.STRONG, b"code": Mark.CODE, b"kbd": Mark.CODE, b"samp": Mark.CODE,
    b"tt": Mark.CODE, b"sup": Mark.SUPERSCRIPT, b"sub": Mark.SUBSCRIPT,
}  # fmt: skip
"""Mark of each inline element that has one."""
_BOXES = {
    "ul": "ul", "menu": "ul", "dl": "ul", "ol": "ol", "li": "li", "dt": "li", "dd": "li",
    "blockquote": "blockquote", "table": "table", "tr": "tr", "td": "td", "th": "th",
}  # fmt: skip
_BOX_TAGS = {tag_number(name): box for name, box in _BOXES.items()}
_TABLE_PARTS = frozenset(["tr", "td", "th"])
_HEADINGS = {tag_number(f"h{level}"): level for level in range(1, 7)}
_PARAGRAPHS = frozenset([tag_number("p"), tag_number("li"), *_HEADINGS])
_NOTES = frozenset(map(tag_number, "li p div dd aside".split()))
_IMAGE, _PICTURE, _RULE, _FIGURE, _PRE, _TABLE = map(
    tag_number, "img picture hr figure pre table".split()
)
_STRUCTURE = frozenset([_PRE, *_HEADINGS, *_BOX_TAGS])
"""Elements that make something other than a paragraph of their text."""
_IMAGES = frozenset([_IMAGE, _PICTURE])
_MEDIA = frozenset([*map(tag_number, MEDIA), _RULE])
"""Pictures, embeds and rules."""
_INLINE = frozenset(map(tag_number, INLINE))
_INLINE_OR_IMAGE = _INLINE | _IMAGES
_SKIPPED = frozenset(name.encode() for name in (DROPPED | MEDIA) - VOID)
"""Elements whose content is not text of the tree."""
_COMMENT = b""
_CHILDLESS = _SKIPPED | {name.encode() for name in VOID} | {_COMMENT}
_RAW = frozenset(name.encode() for name in RAW)

_JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))

_DEEPEST = 24
"""Maximum number of boxes around a block. More occur only on pages made to cause trouble."""
_BASES = 64
"""Size of the cache of resolved URL prefixes."""
_PICTURES = 1_000
"""Maximum number of pictures and embeds of an article."""
_CELL = 60
"""Maximum words of a table cell. A table with a longer one is used for layout."""
_LEVELS = 4
"""Maximum number of elements from a picture up to the one that holds its caption, too."""
_SCANNED = 4
"""Maximum number of passes over a page's source, however its elements are nested."""
_CAPTION_SHARE = 1 / 3
"""Maximum fraction of a body's words in captions. Above it, captions are body text."""
_NEAR = 400
"""Bytes after the start of a time's parent that are searched for its `datetime`."""
_SMALL = 12
"""Maximum vertices of an element whose descendants may name it a caption's."""
_CAPTION_WORDS = 250
"""Maximum words of a caption."""

_Row = list[Any]
"""A block as `flong.article.write_blocks` writes it: kind, spans and, optionally, properties."""
_Spans = list[Any]
"""Inline text as `flong.article.write_blocks` writes it."""


class Structure(NamedTuple):
    """The structure of a body."""

    blocks: str
    """Blocks as JSON, for `flong.article.read_blocks`."""
    text: str
    """Text of the body without captions, one line per block."""


class _Setting(NamedTuple):
    """Inline markup of a run of words."""

    marks: tuple[Mark, ...] = ()
    url: str | None = None

    def span(self, text: str) -> str | list[str]:
        """Return words with this markup as `flong.article.write_blocks` writes them."""
        if not self.marks and self.url is None:
            return text
        marks = " ".join(self.marks)
        return [text, marks] if self.url is None else [text, marks, self.url]


class _Context(NamedTuple):
    """Effect of the elements around a text on its block."""

    kind: BlockKind = BlockKind.PARAGRAPH
    boxes: tuple[str, ...] = ()
    """Names of the boxes around it, the outermost first."""
    properties: Mapping[str, Any] = {}
    """Properties of its block; the order is that of the stored JSON."""

    def within(self, kind: BlockKind, **properties: Any) -> "_Context":
        """Return the context inside an element that changes kind and properties."""
        return _Context(kind, self.boxes, {**self.properties, **properties})

    def within_box(self, box: str) -> "_Context":
        """Return the context inside one more box."""
        boxes = (*self.boxes, box)
        return _Context(self.kind, boxes, {**self.properties, "in": boxes})


_PLAIN, _NO_CONTEXT = _Setting(), _Context()


def structure_of(tree: Tree, labelled: LabelledPage, url: str) -> Structure:
    """Return the structure of a page's body."""
    return _BlockReader(tree, labelled, url).read() if labelled.body else Structure("", "")


class _BlockReader:
    """Reads the body of one page."""

    def __init__(self, tree: Tree, labelled: LabelledPage, url: str) -> None:
        self._tree, self._body, self._url = tree, labelled.body, url
        self._first, self._end = 0, self._body[-1] + 1
        container = labelled.container
        if 0 <= container < self._body[0]:
            self._first, self._end = container, container + int(tree.size[container])
        stop = max(self._end, self._body[-1] + 1) + 1
        self._parent: list[int] = tree.parent[:stop].tolist()
        self._tags: list[int] = tree.tag[:stop].tolist()
        self._inline = _InlineReader(tree, self._first, self._parent, url)
        self._figures: dict[int, bool] = {}
        self._contexts: dict[int, _Context] = {}
        self._boxes = 0
        self._in_text: dict[int, bool] = {}
        self._entries: LiveEntries | None = None

    def read(self) -> Structure:
        """Return the blocks in reading order, and their text."""
        captions = self._captions() if self._media else {}
        if captions and self._is_told_in_captions(captions.values()):
            captions = {}
        inner = {leaf for leaves in captions.values() for leaf in leaves}
        leaves = [leaf for leaf in self._body if leaf not in inner] if inner else self._body
        tree, chosen = self._tree, np.array(leaves, dtype=np.intp)
        places = zip(tree.start[chosen].tolist(), tree.end[chosen].tolist(), strict=True)
        texts = [tree.text[start:end].decode().rstrip("\n") for start, end in places]
        spans = [self._inline.spans(leaf, text) for leaf, text in zip(leaves, texts, strict=True)]
        self._entries = find_entries(tree, leaves, texts)
        # Boxes are numbered in the order of the calls: those around text first.
        blocks, text = self._text_blocks(leaves, texts, spans)
        if self._inline.has_inner_links:
            _remove_inner_links(blocks.values())
        for vertex in self._media:
            if block := self._picture_block(vertex, captions.get(vertex, ())):
                blocks[vertex] = block
        return Structure(_JSON.encode([blocks[vertex] for vertex in sorted(blocks)]), text)

    # Text.

    def _text_blocks(
        self, leaves: Sequence[int], texts: Sequence[str], spans: Sequence[_Spans]
    ) -> tuple[dict[int, _Row], str]:
        """Return the blocks by their first leaf, and their text."""
        blocks: dict[int, _Row] = {}
        lines: list[str] = []
        noted: set[str] = set()
        last, block = -1, list[Any]()
        for leaf, text, words in zip(leaves, texts, spans, strict=True):
            if last >= 0 and self._in_one_paragraph(last, leaf):
                space = "" if _CLOSING.match(text) else " "
                block[1] += [space, *words] if space else words
                lines[-1] += space + text
            else:
                block = blocks[leaf] = self._text_block(leaf, words, noted)
                lines.append(text)
            last = leaf
        return blocks, "\n".join(lines)

    def _text_block(self, leaf: int, spans: _Spans, noted: set[str]) -> _Row:
        """Return the block of a leaf. A footnote already in `noted` continues as a paragraph."""
        kind, boxes, properties = self._context(self._parent[leaf])
        if kind is BlockKind.NOTE:
            if properties["url"] in noted:
                kind, properties = BlockKind.PARAGRAPH, {}
            else:
                noted.add(properties["url"])
        if self._entries is not None and self._entries.number(leaf):
            properties = {**properties, "in": self._boxes_in_entry(leaf, boxes)}
            if leaf in self._entries.times:
                kind = BlockKind.TIME
                if stamp := self._inline.stamp(leaf):
                    properties["alt"] = stamp
        # Stored articles have the empty properties of code: dropping them would change these.
        has_properties = properties or kind is BlockKind.CODE
        return [kind, spans, properties] if has_properties else [kind, spans]

    def _boxes_in_entry(self, vertex: int, boxes: tuple[str, ...]) -> tuple[str, ...]:
        """Return the boxes around a vertex; its entry replaces those around all entries."""
        if self._entries is None or not (number := self._entries.number(vertex)):
            return boxes
        outer = len(self._context(self._entries.around).boxes)
        return (f"entry{number}", *boxes[outer:])

    def _context(self, vertex: int) -> _Context:
        """Return the context inside an element."""
        path, contexts, context = [], self._contexts, _NO_CONTEXT
        while vertex > self._first:
            if vertex in contexts:
                context = contexts[vertex]
                break
            path.append(vertex)
            vertex = self._parent[vertex]
        for inner in reversed(path):
            if self._tags[inner] in _STRUCTURE or inner in self._notes:
                context = self._within(context, inner)
            contexts[inner] = context
        return context

    def _within(self, context: _Context, vertex: int) -> _Context:
        tag = self._tags[vertex]
        if tag in _HEADINGS:
            return context.within(BlockKind.HEADING, level=_HEADINGS[tag])
        if tag == _PRE:
            # Code with blocks in it would be repeated with each of them.
            raw = {"alt": self._raw(vertex)} if self._tree.size[vertex] == 2 else {}
            return context.within(BlockKind.CODE, **raw)
        if vertex in self._notes:
            return _Context(BlockKind.NOTE, (), {"url": self._notes[vertex]})
        if len(context.boxes) == _DEEPEST or not self._is_box(vertex, context):
            return context
        self._boxes += 1
        return context.within_box(f"{_BOX_TAGS[tag]}{self._boxes}")

    def _is_box(self, vertex: int, context: _Context) -> bool:
        """Return True for a list, quotation, table of data or part of one."""
        name = _BOX_TAGS[self._tags[vertex]]
        if name in _TABLE_PARTS:
            return any(box.startswith("table") for box in context.boxes)
        return name != "table" or not self._is_layout(vertex)

    def _is_layout(self, table: int) -> bool:
        """Return True if a table holds a page rather than data."""
        tags = self._tree.tag[table + 1 : table + int(self._tree.size[table])]
        texts = np.flatnonzero(tags == TEXT) + table + 1
        nested = bool((tags == _TABLE).any())
        return nested or len(texts) < 2 or int(self._tree.words[texts].max()) > _CELL

    @cached_property
    def _notes(self) -> Mapping[int, str]:
        """Ids of footnotes that links lead to, by vertex."""
        notes, tree = self._inline.notes, self._tree
        if not notes:
            return {}
        named = np.flatnonzero(tree.id_hash[: self._end + 1]).tolist()
        inside = [at for at in named if at > self._first and int(tree.tag[at]) in _NOTES]
        ids = ((at, tree.attribute(at, "id")) for at in inside)
        return {at: one for at, one in ids if one in notes}

    def _in_one_paragraph(self, last: int, leaf: int) -> bool:
        """Return True if only inline elements and pictures stand between two leaves."""
        tags = self._tags
        if self._parent[leaf] == leaf - 1 and tags[leaf - 1] not in _INLINE:
            return False
        one, other = self._block_around(last), self._block_around(leaf)
        if one != other or tags[one] not in _PARAGRAPHS:
            return False
        end = min(one + int(self._tree.size[one]), self._end)
        if _IMAGES.isdisjoint(tags[one:end]):
            return False
        goes_on = not _ENDED.search(self._tree.text_of(last)) or not _BEGINS.match(
            self._tree.text_of(leaf)
        )
        return goes_on and _INLINE_OR_IMAGE.issuperset(tags[last + 1 : leaf])

    def _block_around(self, leaf: int) -> int:
        vertex = self._parent[leaf]
        while self._tags[vertex] in _INLINE and vertex > self._first:
            vertex = self._parent[vertex]
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
        """Pictures, embeds and rules that stand in the text."""
        tags = self._tags[self._first : self._end]
        if _MEDIA.isdisjoint(tags):
            return []
        shown = [at for at, tag in enumerate(tags, self._first) if tag in _MEDIA]
        found = (vertex for vertex in shown[: _SCANNED * _PICTURES] if self._is_in_text(vertex))
        return list(islice(found, _PICTURES))

    def _is_in_text(self, vertex: int) -> bool:
        """Return True if the nearest words around a picture, or its figure, are of the body."""
        figure = self._figure(vertex)
        around, passed = self._parent[vertex if figure < 0 else figure], list[int]()
        answer = False
        while around >= self._first:
            if around in self._in_text:
                answer = self._in_text[around]
                break
            passed.append(around)
            at = bisect_left(self._body, around)
            answer = at < len(self._body) and self._body[at] < around + self._tree.size[around]
            if answer or self._tree.end[around] > self._tree.start[around]:  # it has words
                break
            around = self._parent[around]
        self._in_text.update(dict.fromkeys(passed, answer))
        return answer

    def _figure(self, vertex: int) -> int:
        """Return the element that holds a picture and its caption, or -1."""
        if not self._has_captions:
            return -1
        around = self._parent[vertex]
        for _ in range(_LEVELS):
            if around <= self._first or self._tree.words[around] > _CAPTION_WORDS:
                return -1
            if around not in self._figures:
                self._figures[around] = self._has_caption(around)
            if self._figures[around]:
                return around
            around = self._parent[around]
        return -1

    def _has_caption(self, vertex: int) -> bool:
        """Return True for a figure, and for a small element with a tag that names a caption."""
        if self._tags[vertex] == _FIGURE:
            return True
        size = int(self._tree.size[vertex])
        inside = range(vertex, vertex + size if size <= _SMALL else vertex + 1)
        return any(b"caption" in _opening(self._tree, inner).lower() for inner in inside)

    @cached_property
    def _has_captions(self) -> bool:
        """True if the container has a figure, or a tag or text that contains "caption"."""
        tree, data, first = self._tree, self._tree.source.data, self._first
        part = tree.tag_from(first), tree.tag_from(first + int(tree.size[first]))
        is_named = data.find(b"aption", *part) >= 0 or data.find(b"APTION", *part) >= 0
        return is_named or _FIGURE in self._tags[first : self._end + 1]

    def _captions(self) -> dict[int, list[int]]:
        """Return the leaves of each picture's caption, by the picture."""
        figures: dict[int, int] = {}
        for vertex in self._media:
            if self._tags[vertex] != _RULE and (figure := self._figure(vertex)) >= 0:
                figures[figure] = vertex  # the last of several pictures gets it
        return {vertex: self._tree.leaves(figure) for figure, vertex in figures.items()}

    def _is_told_in_captions(self, captions: Iterable[Sequence[int]]) -> bool:
        """Return True if captions have more than `_CAPTION_SHARE` of the body's words."""
        words = self._tree.words
        body = set(self._body)
        inner = sum(int(words[leaf]) for leaves in captions for leaf in leaves if leaf in body)
        return inner > _CAPTION_SHARE * int(words[self._body].sum()) if inner else False

    def _picture_block(self, vertex: int, caption: Sequence[int]) -> _Row | None:
        """Return the block of a picture, embed or rule; None if it has no URL."""
        tree, tag = self._tree, self._tags[vertex]
        if tag == _RULE:
            return [BlockKind.RULE, []]
        attributes = self._image_in(vertex) if tag == _PICTURE else tree.attributes(vertex)
        url = whole_url(self._url, picture_url(attributes))
        if url is None or url == self._url:
            return None
        words = " ".join(tree.text_of(leaf) for leaf in caption)
        kind = BlockKind.IMAGE if tag in _IMAGES else BlockKind.EMBED
        alt = " ".join(attributes.get("alt", "").split())
        boxes = self._boxes_in_entry(vertex, self._context(self._parent[vertex]).boxes)
        properties: dict[str, Any] = {"in": boxes} if boxes else {}
        properties |= {"url": url, "alt": alt} if alt else {"url": url}
        return [kind, [words] if words else [], properties]

    def _image_in(self, vertex: int) -> Mapping[str, str]:
        """Return the attributes of the image in a `picture`."""
        source = self._tree.source
        start = int(self._tree.tag_start[vertex])
        end = source.data.find(b"</picture", start)
        image = source.data.find(b"<img", start, end if end >= 0 else len(source.data))
        return source.attributes(image) if image >= 0 else {}


class _InlineReader:
    """Reads links and marks of text leaves: the tree folds inline elements into their text."""

    def __init__(self, tree: Tree, first: int, parent: list[int], url: str) -> None:
        self._tree, self._data, self._url = tree, tree.source.data, url
        self._first, self._parent = first, parent
        self._tag_start: list[int] = tree.tag_start[: len(parent)].tolist()
        self._settings: dict[int, _Setting] = {}
        self._budget = _SCANNED * len(self._data)
        self.notes: set[str] = set()
        """Ids in the page that links like those to a footnote lead to."""
        self.has_inner_links = False
        """True if a link leads to a place in the page."""

    def spans(self, leaf: int, text: str) -> _Spans:
        """Return the words of a leaf with their markup; one span if that fails."""
        begin = self._begin(leaf)
        if begin < 0:
            return [text]
        parent, following = self._parent, leaf + 1
        is_sibling = following < len(parent) and parent[following] == parent[leaf]
        stop = self._tag_start[following] if is_sibling else -1
        around = self._setting_of(parent[leaf])
        if around is _PLAIN:
            next_tag = self._data.find(b"<", begin)
            if next_tag == stop or self._data.startswith(b"</", next_tag):
                return [text]
        pieces: list[tuple[int, int, _Setting]] = []
        at = 0
        for raw, setting in self._runs(begin, stop, around):
            start, end = _locate(text, at, raw)
            if start < 0:
                return [text]
            if start < end:
                pieces.append((start, end, setting))
                at = end
                if setting.url is not None and setting.url[0] == "#":
                    self._note(setting.url, text[start:end])
        return _cut(text, pieces)

    def _note(self, url: str, words: str) -> None:
        """Record the id that words lead to if they look like the number of a footnote."""
        if _REFERENCE.fullmatch(words):
            self.notes.add(url[1:])

    def _begin(self, leaf: int) -> int:
        """Return where the source of a leaf begins; -1 if the search would take too long."""
        parent = self._parent[leaf]
        if leaf == parent + 1:
            return self._data.index(b">", self._tag_start[parent]) + 1
        before = leaf - 1
        while self._parent[before] != parent:
            before = self._parent[before]
        start = self._tag_start[before]
        if start < 0 or self._budget <= 0:
            return -1
        depth = 0
        for _, end, ends, name, _ in _tags(self._data, start):
            depth += -1 if ends else name not in _CHILDLESS
            if depth <= 0:
                self._budget -= end - start
                return end
        return -1

    def _runs(self, at: int, stop: int, setting: _Setting) -> list[tuple[bytes, _Setting]]:
        """Return the source between tags, with its markup, up to `stop` or the element's end."""
        runs, opened = list[tuple[bytes, _Setting]](), list[_Setting]()
        for start, end, ends, name, attributes in _tags(self._data, at):
            if start > at:
                runs.append((self._data[at:start], setting))
            at = end
            if start == stop or (ends and not opened):
                break
            if ends:
                setting = opened.pop()
            elif name not in _CHILDLESS:
                opened.append(setting)
                setting = self._set(setting, name, attributes)
        return runs

    def stamp(self, leaf: int) -> str:
        """Return the `datetime` of a leaf that is a time, or an empty string."""
        at = max(0, self._tag_start[self._parent[leaf]])
        found = _STAMP.search(self._data, at, at + _NEAR)
        return unescape(found[1].decode("utf-8", "replace")) if found else ""

    def _setting_of(self, vertex: int) -> _Setting:
        """Return the markup that an element and those around it give to their words."""
        path, settings, setting = [], self._settings, _PLAIN
        while vertex > self._first:
            if vertex in settings:
                setting = settings[vertex]
                break
            path.append(vertex)
            vertex = self._parent[vertex]
        for inner in reversed(path):
            if int(self._tree.tag[inner]) in _INLINE:
                name = self._tree.name(inner).encode()
                setting = self._set(setting, name, _opening(self._tree, inner))
            settings[inner] = setting
        return setting

    def _set(self, setting: _Setting, name: bytes, attributes: bytes) -> _Setting:
        """Return the markup inside an element."""
        if name == b"a":
            href = _HREF.search(attributes)
            url = self._linked(unescape(href[1].decode())) if href else setting.url
            return _Setting(setting.marks, url)
        mark = _MARKS.get(name)
        if mark is None or mark in setting.marks:
            return setting
        return _Setting((*setting.marks, mark), setting.url)

    def _linked(self, href: str) -> str | None:
        """Return the target of a link; None without one or if it would run a script."""
        page, sign, inner = href.partition("#")
        if not sign or page not in ("", self._url):
            return whole_url(self._url, href)
        self.has_inner_links = True
        return f"#{unquote(inner)}" if inner else None


def _tags(data: bytes, at: int) -> Iterator[tuple[int, int, bytes, bytes, bytes]]:
    """Yield tags and comments: start, end, `/` of an end tag, name, attributes.

    A comment has an empty name. An element whose content is not text comes as one tag.
    """
    while found := _TAG.search(data, at):
        ends, name, attributes = found.groups(b"")
        start, at = found.span()
        if name in _SKIPPED and not ends:
            at = _skip(data, at, name)
        yield start, at, ends, name, attributes


def _skip(data: bytes, at: int, name: bytes) -> int:
    """Return the end of an element whose content begins here."""
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
    """Return the range of a piece of source in a text that continues at `at`; -1 if not there."""
    words = raw.decode("utf-8", "replace").replace("&nbsp;", "\xa0").strip()
    if not words:
        return at, at
    start = -1 if "&" in words else text.find(words, at, at + len(words) + 1)
    if start < 0:  # it has entities, or several spaces in a row
        words = " ".join(unescape(words).split())
        start = text.find(words, at, at + len(words) + 1)
    return start, start + len(words)


def _cut(text: str, pieces: Iterable[tuple[int, int, _Setting]]) -> _Spans:
    """Return a text, cut where its markup changes; pieces are its words, in order."""
    spans: _Spans = []
    begun, at, last = 0, 0, _PLAIN
    for start, end, setting in pieces:
        if setting != last:
            between = _shared(last, setting)
            stop = start if between == last else at
            if stop > begun:
                spans.append(last.span(text[begun:stop]))
            begun = stop
            if between not in (last, setting) and start > at:
                spans.append(between.span(text[at:start]))
                begun = start
            last = setting
        at = end
    stop = len(text) if last == _PLAIN else at
    spans += [last.span(text[begun:stop])] if stop > begun else []
    spans += [text[stop:]] if stop < len(text) else []
    return spans


def _shared(last: _Setting, following: _Setting) -> _Setting:
    """Return the markup of the space between two pieces: what both of them have."""
    if last is _PLAIN or following is _PLAIN:
        return _PLAIN
    marks = tuple(mark for mark in last.marks if mark in following.marks)
    return _Setting(marks, last.url if last.url == following.url else None)


def _remove_inner_links(blocks: Iterable[_Row]) -> None:
    """Remove links within the page that do not lead to a footnote."""
    rows = list(blocks)
    notes = {f"#{row[2]['url']}" for row in rows if len(row) > 2 and "url" in row[2]}
    for _, spans, *_ in rows:
        for at, span in enumerate(spans):
            if isinstance(span, list) and span[-1][:1] == "#" and span[-1] not in notes:
                spans[at] = span[:2] if span[1] else span[0]


def whole_url(base: str, url: str) -> str | None:
    """Return a URL as a browser requests it; None if it would not, or would run it as a script.

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
def _prefix(base: str, steps: str) -> str | None:
    """Return the resolved beginning of relative URLs that begin with these steps."""
    whole = _join_urls(base, f"{steps}x")
    return whole[:-1] if whole else None


def _join_urls(base: str, url: str) -> str | None:
    try:
        whole = urljoin(base, url)
    except ValueError:  # such as http://[
        return None
    return whole if whole.startswith(("http://", "https://")) else None
