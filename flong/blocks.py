"""The structure of an article's text: blocks in reading order, each with the boxes around it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class BlockKind(StrEnum):
    """What a block is."""

    PARAGRAPH = "p"
    HEADING = "h"
    CODE = "pre"
    IMAGE = "img"
    EMBED = "embed"
    RULE = "hr"
    NOTE = "note"
    """A footnote."""
    TIME = "time"
    """When an entry of a live blog was written."""


class Mark(StrEnum):
    """How a run of words is set off."""

    EMPHASIS = "em"
    STRONG = "strong"
    CODE = "code"
    SUPERSCRIPT = "sup"
    SUBSCRIPT = "sub"


_NO_TEXT = frozenset({BlockKind.IMAGE, BlockKind.EMBED, BlockKind.RULE})


@dataclass(frozen=True, slots=True)
class Span:
    """A run of words that are all set alike."""

    text: str
    """The words; `\\n` is a line break."""
    marks: tuple[Mark, ...] = ()
    """How they are set off."""
    url: str | None = None
    """Where they link to, absolute, or `#id` of a footnote; None if they do not."""


@dataclass(frozen=True, slots=True)
class Box:
    """A list, list item, quotation, table, row, cell or entry of a live blog around blocks."""

    tag: str
    """`ul`, `ol`, `li`, `blockquote`, `table`, `tr`, `td`, `th` or `entry`."""
    number: int
    """The same for all blocks in this box, and for no other box of the article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, heading, piece of code, picture, embed, rule or footnote."""

    kind: BlockKind
    """What it is."""
    spans: tuple[Span, ...] = ()
    """Its words; of a picture the caption."""
    boxes: tuple[Box, ...] = ()
    """The lists, quotations and tables around it, the outermost first."""
    level: int = 0
    """Of a heading: 1 to 6."""
    url: str | None = None
    """Of a picture or embed: where it is. Of a footnote: its id."""
    alt: str = ""
    """Of a picture: what is said in its place. Of code: its text with all spaces. Of a time: what
    the page says to machines, ISO 8601."""

    @property
    def words(self) -> str:
        """Its words without how they are set."""
        return "".join(span.text for span in self.spans)

    @property
    def is_text(self) -> bool:
        """Whether its words are text of the article: a caption belongs to its picture."""
        return self.kind not in _NO_TEXT


def text_of_blocks(blocks: Iterable[Block]) -> str:
    r"""Return the words of an article, a line per paragraph, heading, item or cell.

    >>> rain = Block(kind=BlockKind.PARAGRAPH, spans=(Span("It "), Span("rained", (Mark.STRONG,))))
    >>> text_of_blocks([rain, Block(kind=BlockKind.RULE), rain])
    'It rained\nIt rained'
    """
    return "\n".join(block.words for block in blocks if block.is_text)


def paragraphs_of(text: str) -> tuple[Block, ...]:
    """Return the lines of a text whose structure is not known as paragraphs."""
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
    """Return the blocks that `write_blocks` wrote.

    >>> block = Block(kind=BlockKind.PARAGRAPH, spans=(Span("a"), Span("b", (), "https://b/")))
    >>> read_blocks(write_blocks([block])) == (block,)
    True
    """
    return tuple(_read_block(*row) for row in json.loads(text))


def block_targets(text: str) -> list[str]:
    """Return what the blocks that `write_blocks` wrote show and link to, as they name it.

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
