"""Articles: their fields and blocks, also as HTML and Markdown."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from html import escape
from itertools import groupby
from typing import Any

from flong.states import Access, ArticleKind, ArticleMethod, Genre, Precision
from flong.text import fold_text


class BlockKind(StrEnum):
    """Kind of a block."""

    PARAGRAPH = "p"
    HEADING = "h"
    CODE = "pre"
    IMAGE = "img"
    EMBED = "embed"
    RULE = "hr"
    NOTE = "note"
    """A footnote."""
    TIME = "time"
    """Time of an entry of a live blog."""


class Mark(StrEnum):
    """Inline markup."""

    EMPHASIS = "em"
    STRONG = "strong"
    CODE = "code"
    SUPERSCRIPT = "sup"
    SUBSCRIPT = "sub"


_NO_TEXT = frozenset({BlockKind.IMAGE, BlockKind.EMBED, BlockKind.RULE})


@dataclass(frozen=True, slots=True)
class Span:
    """A run of words with the same markup."""

    text: str
    """The words; `\\n` is a line break."""
    marks: tuple[Mark, ...] = ()
    """Their markup."""
    url: str | None = None
    """Absolute URL of the link, or `#id` of a footnote; None for plain text."""


@dataclass(frozen=True, slots=True)
class Box:
    """A list, list item, quotation, table, row, cell or entry of a live blog around blocks."""

    tag: str
    """`ul`, `ol`, `li`, `blockquote`, `table`, `tr`, `td`, `th` or `entry`."""
    number: int
    """Shared by the blocks in this box, and by no other box of the article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, heading, piece of code, picture, embed, rule or footnote."""

    kind: BlockKind
    """Kind of block."""
    spans: tuple[Span, ...] = ()
    """Its words, or the caption of a picture."""
    boxes: tuple[Box, ...] = ()
    """Lists, quotations and tables around it, the outermost first."""
    level: int = 0
    """Of a heading, 1 to 6."""
    url: str | None = None
    """URL of a picture or embed, or id of a footnote."""
    alt: str = ""
    """Alternative text of a picture, text of code with all spaces, or machine-readable time in ISO
    8601."""

    @property
    def words(self) -> str:
        """Its words without markup."""
        return "".join(span.text for span in self.spans)

    @property
    def is_text(self) -> bool:
        """True if its words are text of the article; a caption is not."""
        return self.kind not in _NO_TEXT


def text_of_blocks(blocks: Iterable[Block]) -> str:
    r"""Return the text of an article, one line per paragraph, heading, item or cell.

    >>> rain = Block(kind=BlockKind.PARAGRAPH, spans=(Span("It "), Span("rained", (Mark.STRONG,))))
    >>> text_of_blocks([rain, Block(kind=BlockKind.RULE), rain])
    'It rained\nIt rained'
    """
    return "\n".join(block.words for block in blocks if block.is_text)


def paragraphs_of(text: str) -> tuple[Block, ...]:
    """Return the lines of a text without known structure as paragraphs."""
    return tuple(
        Block(kind=BlockKind.PARAGRAPH, spans=(Span(line),))
        for line in text.split("\n")
        if line.strip()
    )


def write_blocks(blocks: Iterable[Block]) -> str:
    """Return blocks as compact JSON.

    >>> write_blocks([Block(kind=BlockKind.HEADING, level=2, spans=(Span("Rain"),))])
    '[["h",["Rain"],{"level":2}]]'
    """
    rows = []
    for block in blocks:
        more: dict[str, Any] = {}
        if block.boxes:
            more["in"] = [f"{box.tag}{box.number}" for box in block.boxes]
        more |= {name: value for name in ("level", "url", "alt") if (value := getattr(block, name))}
        row: list[Any] = [block.kind.value, [_write_span(span) for span in block.spans]]
        rows.append([*row, more] if more else row)
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _write_span(span: Span) -> str | list[Any]:
    if not span.marks and span.url is None:
        return span.text
    return [span.text, " ".join(span.marks), *([span.url] if span.url is not None else [])]


def read_blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks in JSON from `write_blocks`.

    >>> block = Block(kind=BlockKind.PARAGRAPH, spans=(Span("a"), Span("b", (), "https://b/")))
    >>> read_blocks(write_blocks([block])) == (block,)
    True
    """
    return tuple(_read_block(*row) for row in json.loads(text))


def block_targets(text: str) -> list[str]:
    """Return the URLs in blocks from `write_blocks`, as written.

    >>> picture = Block(kind=BlockKind.IMAGE, url="https://a/b.jpg", spans=(Span("a", (), "#b"),))
    >>> block_targets(write_blocks([picture]))
    ['https://a/b.jpg', '#b']
    """
    found: list[str] = []
    for kind, spans, *more in json.loads(text):
        if kind in _NO_TEXT and more:
            found.append(more[0].get("url", ""))
        found += [span[2] for span in spans if not isinstance(span, str) and len(span) > 2]
    return [url for url in found if url]


def _read_block(kind: str, spans: Sequence[Any], more: dict[str, Any] | None = None) -> Block:
    said = more or {}
    return Block(
        kind=BlockKind(kind),
        spans=tuple(map(_read_span, spans)),
        boxes=tuple(_read_box(name) for name in said.get("in", ())),
        level=said.get("level", 0),
        url=said.get("url"),
        alt=said.get("alt", ""),
    )


def _read_span(span: str | list[str]) -> Span:
    if isinstance(span, str):
        return Span(span)
    return Span(span[0], tuple(map(Mark, span[1].split())), span[2] if len(span) > 2 else None)


def _read_box(name: str) -> Box:
    tag = name.rstrip("0123456789")
    return Box(tag, int(name[len(tag) :]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Origin of the value of an article's field."""

    field: str
    """Name of the field of `Article`."""
    source: str
    """Kind of source: `wildcard`, `container`, `json-ld`, `meta`, `fallback` ..."""
    place: str = ""
    """XPath in the page or key in the metadata; empty if there is no single place."""
    vertex: int | None = None
    """Position of the pattern's vertex (preorder); None if the value is not from a pattern."""


def _iso(time: datetime | None) -> str | None:
    """Return a time with its zone, for Scrapy's feeds, whose own format has none."""
    return time.isoformat() if time else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One news article of one page."""

    url: str
    """Canonical URL of its page."""
    title: str
    """The headline, without the site's name."""
    body: str
    """Its text, one line per paragraph, heading, list item or quotation."""
    structure: str | None = None
    """Its blocks as JSON from `write_blocks`; None if not read."""
    published: datetime | None = field(default=None, metadata={"serializer": _iso})
    """Time of publication in UTC; None if not known. Never in the future."""
    published_precision: Precision | None = None
    """Day or minute; None without a date."""
    published_text: str | None = None
    """Date of publication as the page writes it, with its zone."""
    modified: datetime | None = field(default=None, metadata={"serializer": _iso})
    """Time of the last change in UTC; None if not known."""
    modified_precision: Precision | None = None
    """Day or minute; None without a date."""
    modified_text: str | None = None
    """Date of the last change as the page writes it."""
    authors: tuple[str, ...] = ()
    """Names as printed, without "by"."""
    image: str | None = None
    """Absolute URL of the lead picture."""
    language: str | None = None
    """ISO 639-1 code."""
    section: str | None = None
    """First section as the site names it."""
    sections: tuple[str, ...] = ()
    """All sections, from the widest to the narrowest if the site orders them."""
    description: str | None = None
    """Summary by the site, in a sentence or two."""
    tags: tuple[str, ...] = ()
    """Topics, as the site tags it."""
    publisher: str | None = None
    """Name of the site or its publisher."""
    canonical_url: str | None = None
    """Absolute canonical URL in the page; None if it has none."""
    page_urls: tuple[str, ...] = ()
    """URLs of all its pages, in order, if the article is divided; else empty."""
    other_urls: tuple[str, ...] = ()
    """Other URLs of the site with the same article."""
    access: Access | None = None
    """Access to all of the text; None if not known."""
    genre: Genre | None = None
    """Genre according to the site; None if not known."""
    kind: ArticleKind = ArticleKind.NEWS
    """News, or a page in prose that is not news."""
    confidence: float = 0.0
    """Confidence from 0 to 1 that this is an article with these fields."""
    method: str = ArticleMethod.PATTERN
    """An `ArticleMethod`, or the name of a baseline."""
    provenance: tuple[Provenance, ...] = ()
    """Origin of each field."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Blocks with pictures and captions; empty if not read."""
        return read_blocks(self.structure) if self.structure else ()

    @property
    def doubts(self) -> dict[str, str]:
        """Reasons to check fields, by name of the field; fields without a reason are sure.

        They come from the provenance, which articles read in bulk do not have.

        >>> dated = Provenance(field="published", source="url")
        >>> Article(url="a", title="Rain", body="It rains.", provenance=(dated,)).doubts
        {'published': 'only in the URL'}
        """
        found = {note.field: self._doubt(note) for note in self.provenance}
        return {field: reason for field, reason in found.items() if reason}

    def _doubt(self, note: Provenance) -> str:
        names = {*map(fold_text, self.authors)}
        if note.field == "authors" and names == {fold_text(self.publisher or "")}:
            return "the name of the publisher"
        if note.field == "publisher" and note.place.endswith(_AUTHOR_KEYS):
            return "the author, the same on every page"
        is_in_text = note.field in ("title", "body") or note.source in _IN_TEXT
        by_method = doubt_of_method(self.method) if is_in_text else ""
        return _DOUBTS.get((note.field, note.source), by_method)


_IN_TEXT = ("wildcard", "vertex", "container", "place")
"""Sources that a method finds on the page; metadata does not depend on the method."""
_DOUBTS = {
    ("title", "head"): "only in the head of the page",
    ("published", "url"): "only in the URL",
    ("language", "guess"): "guessed from the words",
    ("access", "parser"): "only a part of the page was read",
}
"""Doubts by field and source."""
_AUTHOR_KEYS = ("author", "creator", "byl")
"""Ends of the names under which metadata has authors."""


def doubt_of_method(method: str) -> str:
    """Return the reason to check what a method read; empty for a pattern.

    >>> doubt_of_method("pattern"), doubt_of_method("bounded"), doubt_of_method("coreex")
    ('', 'no pattern fits exactly', 'read without a pattern')
    """
    known: Mapping[str, str] = {
        ArticleMethod.PATTERN: "",
        ArticleMethod.BOUNDED: "no pattern fits exactly",
    }
    return known.get(method, "read without a pattern")


def doubts_text(doubts: Mapping[str, str]) -> str:
    """Return doubts in one line.

    >>> doubts_text({"published": "only in the URL", "language": "guessed from the words"})
    'published: only in the URL; language: guessed from the words'
    """
    return "; ".join(f"{field}: {reason}" for field, reason in doubts.items())


_CLOCK = (
    r"(?:[01]?\d|2[0-4])(?:[:.]|\s?h\s?|時|시\s?|点)[0-5]\d(?::[0-5]\d)?[分분]?"
    r"(?:\s?[APap]\.?\s?[Mm]\b\.?)?"
)
_ALONE = re.compile(rf"\W{{0,3}}({_CLOCK})(?:\s(?:Uhr|[A-Z]{{2,4}}))?\W{{0,3}}")
_BEGINS = re.compile(rf"\W{{0,3}}({_CLOCK})(?![\w.]|:\d)")


def is_clock(text: str) -> bool:
    """Return True if a text is a time of day and nothing else.

    >>> is_clock("14:05 Uhr"), is_clock("9.30 a.m."), is_clock("14:05 Rain"), is_clock("3-2")
    (True, True, False, False)
    """
    return _ALONE.fullmatch(text) is not None


def clock_of(text: str) -> str | None:
    """Return the time of day at the beginning of a text, or None.

    >>> clock_of("14:05 Rain stops play"), clock_of("14:05 Uhr"), clock_of("2 rain")
    ('14:05', '14:05', None)
    """
    found = _ALONE.fullmatch(text) or _BEGINS.match(text)
    return found[1] if found else None


def entries_of(blocks: Iterable[Block]) -> list[tuple[Block, ...]]:
    """Return the blocks of each entry of a live blog; empty for other texts.

    >>> from flong.article import Span
    >>> noon = Block(kind=BlockKind.TIME, spans=(Span("12:00"),), boxes=(Box("entry", 1),))
    >>> rain = Block(kind=BlockKind.PARAGRAPH, spans=(Span("Rain"),), boxes=(Box("entry", 1),))
    >>> entries_of([noon, rain]) == [(noon, rain)], entries_of([Block(kind=BlockKind.RULE)])
    (True, [])
    """
    found: dict[Box, list[Block]] = {}
    for block in blocks:
        if block.boxes and block.boxes[0].tag == "entry":
            found.setdefault(block.boxes[0], []).append(block)
    return [tuple(some) for some in found.values()]


def clock_of_entry(entry: Sequence[Block]) -> str | None:
    """Return the time of day of an entry as written, or None."""
    times = [block for block in entry if block.kind is BlockKind.TIME] or entry[:1]
    return clock_of(times[0].words) if times else None


_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
_AT_START = re.compile(r"^(#{1,6}\s|[-+]\s|\d+[.)]\s|=+$|-+$)", re.MULTILINE)
_WRAPPED = {
    Mark.EMPHASIS: "*", Mark.STRONG: "**", Mark.CODE: "`",
}  # fmt: skip


def to_markdown(blocks: Sequence[Block]) -> str:
    r"""Return blocks as CommonMark, with tables in GitHub's syntax.

    >>> rain = Span("rain", (Mark.STRONG,), "https://a.example/")
    >>> item = (Box("ul", 1), Box("li", 2))
    >>> print(to_markdown([
    ...     Block(kind=BlockKind.HEADING, level=2, spans=(Span("A *day*"),)),
    ...     Block(kind=BlockKind.PARAGRAPH, spans=(Span("Only "), rain), boxes=item),
    ... ]))
    ## A \*day\*
    <BLANKLINE>
    - Only [**rain**](<https://a.example/>)
    """
    parts: list[str] = []
    state = _Lists()
    last: Block | None = None
    for block, cells in _with_tables(blocks):
        lines = _table(cells) if cells else _markdown_lines(block)
        boxes = _outside_table(block.boxes)
        if last is not None:
            tight = _in_list(boxes) and _in_list(last.boxes) and not cells
            parts.append("\n" if tight else "\n\n")
        parts.append(state.indented(boxes, lines))
        last = block
    return "".join(parts)


def to_html(blocks: Iterable[Block]) -> str:
    """Return blocks as HTML without classes, styles and scripts.

    >>> to_html([Block(kind=BlockKind.PARAGRAPH, spans=(Span("<b>"), Span("x", (Mark.EMPHASIS,))))])
    '<p>&lt;b&gt;<em>x</em></p>'
    """
    parts: list[str] = []
    opened: list[Box] = []
    last: tuple[Box, ...] | None = None
    for block in blocks:
        shared = _shared(opened, block.boxes)
        while len(opened) > shared:
            parts.append(f"</{_name(opened.pop())}>")
        for box in block.boxes[shared:]:
            parts.append(f"<{_name(box)}>")
            opened.append(box)
        inline = bool(opened) and opened[-1].tag in ("li", "td", "th")
        again = inline and last == block.boxes
        parts.append(("<br>" if again else "") + _element(block, inline=inline))
        last = block.boxes
    return "".join([*parts, *(f"</{_name(box)}>" for box in reversed(opened))])


def _name(box: Box) -> str:
    return "section" if box.tag == "entry" else box.tag


def _element(block: Block, *, inline: bool) -> str:
    words = "".join(map(_html_span, block.spans))
    match block.kind:
        case BlockKind.HEADING:
            shown = f"<h{block.level}>{words}</h{block.level}>"
        case BlockKind.CODE:
            shown = f"<pre><code>{escape(block.alt or block.words)}</code></pre>"
        case BlockKind.RULE:
            shown = "<hr>"
        case BlockKind.TIME:
            stamp = f' datetime="{escape(block.alt)}"' if block.alt else ""
            shown = f"<p><time{stamp}>{words}</time></p>"
        case BlockKind.NOTE:
            shown = f'<p id="{escape(block.url)}">{words}</p>' if block.url else f"<p>{words}</p>"
        case BlockKind.PARAGRAPH:
            shown = words if inline else f"<p>{words}</p>"
        case _:
            shown = _media(block, words)
    return shown


def _media(block: Block, words: str) -> str:
    url = escape(block.url or "")
    shown = f'<img src="{url}" alt="{escape(block.alt)}">'
    if block.kind is BlockKind.EMBED:
        shown = f'<a href="{url}">{url}</a>'
    return f"<figure>{shown}{f'<figcaption>{words}</figcaption>' if words else ''}</figure>"


def _html_span(span: Span) -> str:
    text = escape(span.text, quote=False).replace("\n", "<br>")
    for mark in reversed(span.marks):
        text = f"<{mark}>{text}</{mark}>"
    return f'<a href="{escape(span.url)}">{text}</a>' if span.url else text


def _shared(opened: Sequence[Box], boxes: Sequence[Box]) -> int:
    """Return the number of boxes that two blocks share."""
    count = 0
    for one, other in zip(opened, boxes, strict=False):
        if one != other:
            break
        count += 1
    return count


def _outside_table(boxes: Sequence[Box]) -> tuple[Box, ...]:
    at = next((at for at, box in enumerate(boxes) if box.tag == "table"), len(boxes))
    return tuple(boxes[:at])


def _in_list(boxes: Sequence[Box]) -> bool:
    return any(box.tag == "li" for box in boxes)


def _with_tables(blocks: Iterable[Block]) -> Iterator[tuple[Block, list[Block]]]:
    """Yield blocks; those of one table are together."""

    def table(block: Block) -> Box | None:
        return next((box for box in block.boxes if box.tag == "table"), None)

    for found, some in groupby(blocks, table):
        if found is None:
            yield from ((block, []) for block in some)
        else:
            cells = list(some)
            yield cells[0], cells


def _table(cells: Sequence[Block]) -> list[str]:
    rows: dict[Box, dict[Box, list[str]]] = {}
    for block in cells:
        boxes = block.boxes[len(_outside_table(block.boxes)) :]
        row = next((box for box in boxes if box.tag == "tr"), boxes[0])
        cell = next((box for box in boxes if box.tag in ("td", "th")), boxes[-1])
        words = " ".join(_markdown_lines(block))
        rows.setdefault(row, {}).setdefault(cell, []).append(words)
    texts = [[" ".join(words) for words in row.values()] for row in rows.values()]
    width = max(map(len, texts))
    lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in texts]
    return [lines[0], "|" + " --- |" * width, *lines[1:]]


def _markdown_lines(block: Block) -> list[str]:
    words = "".join(map(_markdown_span, block.spans))
    match block.kind:
        case BlockKind.CODE:
            code = (block.alt or block.words).replace("```", "'''")
            lines = ["```", *code.split("\n"), "```"]
        case BlockKind.RULE:
            lines = ["---"]
        case BlockKind.HEADING:
            lines = ["#" * block.level + " " + words.replace("\n", " ")]
        case BlockKind.IMAGE:
            picture = f"![{_escaped(block.alt)}](<{_plain_url(block.url)}>)"
            lines = [picture, "", f"*{words}*"] if words else [picture]
        case BlockKind.EMBED:
            lines = [f"<{_plain_url(block.url)}>", *(["", words] if words else [])]
        case BlockKind.TIME:
            lines = [f"**{words}**"]
        case _:
            start = f"[^{_label(block.url or '')}]: " if block.kind is BlockKind.NOTE else ""
            words = _AT_START.sub(r"\\\1", words)
            lines = [start + line for line in words.replace("\n", "  \n").split("\n")]
    return lines


def _markdown_span(span: Span) -> str:
    if span.url is not None and span.url.startswith("#"):
        return f"[^{_label(span.url[1:])}]"
    text = span.text.strip()
    if not text:
        return span.text
    before, after = span.text.split(text, 1)
    inner = text if Mark.CODE in span.marks else _escaped(text)
    for mark in reversed(span.marks):
        sign = _WRAPPED.get(mark, "")
        inner = f"{sign}{inner}{sign}"
    if span.url:
        inner = f"[{inner}](<{_plain_url(span.url)}>)"
    return before + inner + after


def _label(note: str) -> str:
    """Return the id of a footnote as allowed in Markdown.

    >>> _label("fn:1"), _label("a ]b")
    ('fn:1', 'a--b')
    """
    return re.sub(r"[\s\[\]^]", "-", note)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _plain_url(url: str | None) -> str:
    return re.sub(r"[<>\s]", lambda found: f"%{ord(found[0]) % 256:02X}", url or "")


class _Lists:
    """Indents lines by the lists and quotations around them."""

    def __init__(self) -> None:
        self._seen: set[Box] = set()
        self._items: dict[Box, int] = {}

    def indented(self, boxes: Sequence[Box], lines: Iterable[str]) -> str:
        first = rest = ""
        around: Box | None = None
        for box in boxes:
            if box.tag in ("ul", "ol"):
                around = box
            elif box.tag == "blockquote":
                first, rest = first + "> ", rest + "> "
            elif box.tag == "li":
                marker = self._marker(box, around)
                first, rest = first + marker, rest + " " * len(marker)
        return "\n".join((rest if at else first) + line for at, line in enumerate(lines))

    def _marker(self, item: Box, around: Box | None) -> str:
        """Return the marker of an item at its beginning, else as many spaces."""
        begins = item not in self._seen
        self._seen.add(item)
        if around is None or around.tag == "ul":
            return "- " if begins else "  "
        self._items[around] = self._items.get(around, 0) + begins
        marker = f"{self._items[around]}. "
        return marker if begins else " " * len(marker)
