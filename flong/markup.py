"""An article as Markdown and as clean HTML: nothing of the page's own markup comes through."""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from flong.blocks import Block, BlockKind, Box, Mark, Span

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
_AT_START = re.compile(r"^(#{1,6}\s|[-+]\s|\d+[.)]\s|=+$|-+$)", re.MULTILINE)
_WRAPPED = {
    Mark.EMPHASIS: "*", Mark.STRONG: "**", Mark.CODE: "`",
}  # fmt: skip


def to_markdown(blocks: Sequence[Block]) -> str:
    r"""Return blocks as CommonMark, with tables as GitHub has them.

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
    """Return how many of the boxes around two blocks are the same."""
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
    """Yield blocks, those of one table together."""

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
    """Return the id of a footnote as Markdown may write it.

    >>> _label("fn:1"), _label("a ]b")
    ('fn:1', 'a--b')
    """
    return re.sub(r"[\s\[\]^]", "-", note)


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _plain_url(url: str | None) -> str:
    return re.sub(r"[<>\s]", lambda found: f"%{ord(found[0]) % 256:02X}", url or "")


class _Lists:
    """Indents lines as the lists and quotations around them ask for."""

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
        """Return the sign of an item where it begins, as much space where it goes on."""
        begins = item not in self._seen
        self._seen.add(item)
        if around is None or around.tag == "ul":
            return "- " if begins else "  "
        self._items[around] = self._items.get(around, 0) + begins
        marker = f"{self._items[around]}. "
        return marker if begins else " " * len(marker)
