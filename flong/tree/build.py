"""Conversion of HTML to a block tree: parse, serialise, two compiled passes over the bytes.

Walking the parser's elements in Python would take several times as long as parsing. Instead, lexbor
parses and serialises the page, and `tokenizer` and `block_tree` read the result.
"""

import re
from codecs import BOM_UTF8
from collections import Counter

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from flong.tree.page_source import PageSource
from flong.tree.tree import Tree

MAX_VERTICES = 100_000
"""Default maximum number of vertices of a tree."""
MAX_OPEN = 20_000
"""Maximum number of open tags: the parser is quadratic in it."""

_NO_EVENTS = int(LexborDocumentOptions.WO_EVENTS)
_SWALLOWING = re.compile(
    rb"</(iframe|noscript|select|style|template|textarea|title|xmp)>(?:</[^<>]+>)*\Z"
)
"""Last element of a page if it may contain content by mistake."""
_TAIL = 2_000
"""Number of bytes at the end of a page that are searched for it."""
_AFTER_TEXT = tuple(space + b"</body></html>" for space in (b"\n", b" "))
"""Common page endings, which exclude such an element."""


def serialise(html: str | bytes) -> tuple[bytes, bool]:
    """Return a page as well-formed HTML, and True if it was truncated.

    >>> serialise("<title>A</title><p>B")
    (b'<html><head><title>A</title></head><body><p>B</p></body></html>', False)
    """
    data = html.encode(errors="ignore") if isinstance(html, str) else html
    shortened, cut = _shorten(data.removeprefix(BOM_UTF8))
    return parse(shortened)[1], cut


def parse(html: bytes) -> tuple[bytes, bytes]:
    """Return a page and its serialised form, with an unclosed tag at its end escaped."""
    data = _parse(html)
    last = None if data.endswith(_AFTER_TEXT) else _SWALLOWING.search(data[-_TAIL:])
    if not last:
        return html, data
    freed = _free(html.decode(errors="replace"), last[1].decode()).encode()
    return (html, data) if freed == html else (freed, _parse(freed))


def _parse(html: bytes) -> bytes:
    """Return the serialised page, parsed as in browsers."""
    # Without scripting, `noscript` content would be parsed as markup and might end the head.
    root = LexborHTMLParser(html, options=_NO_EVENTS, scripting=True).root
    return b"" if root is None else (root.html or "").encode()


def _free(html: str, name: str) -> str:
    """Return a page with the unclosed tags of a name escaped.

    They would contain the rest of the page. Articles about HTML often forget to escape tags.

    >>> _free("<p>Use <textarea>!</p>", "textarea")
    '<p>Use &lt;textarea>!</p>'
    """
    closed = [end.end() for end in re.finditer(f"</{name}", html, re.IGNORECASE)]
    at = closed[-1] if closed else 0
    return html[:at] + re.sub(f"<(?={name}\\b)", "&lt;", html[at:], flags=re.IGNORECASE)


_TAG = re.compile(rb"<(/?)([a-z][^\s/<>]*)", re.IGNORECASE)


def _shorten(html: bytes) -> tuple[bytes, bool]:
    """Return a page up to the maximum number of open tags, and True if it was truncated.

    >>> deep = b"<b>" * 30_000 + b"</b>" * 30_000
    >>> _shorten(deep) == (b"<b>" * MAX_OPEN, True), _shorten(b"<b></b>" * 30_000)[1]
    (True, False)
    """
    if html.count(b"<") <= MAX_OPEN:
        return html, False
    opened: Counter[bytes] = Counter()
    depth = 0
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if not tag[1]:
            if depth == MAX_OPEN:
                return html[: tag.start()], True
            opened[name] += 1
            depth += 1
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
    return html, False


def build_tree(html: str | bytes, *, max_vertices: int = MAX_VERTICES, raw: bool = False) -> Tree:
    r"""Return the block tree of a page; a page without text gives a single root.

    Bytes are decoded as UTF-8; invalid ones become U+FFFD.

    In a `raw` tree, inline elements and `br` are vertices, and every text between two tags is a
    leaf. A tree is marked `partial` if it was truncated at `MAX_DEPTH`, `MAX_OPEN` or
    `max_vertices`.

    >>> tree = build_tree("<body><h1>A <b>b</b></h1><div><img><p>One<br>two</p></div></body>")
    >>> [tree.name(v) for v in range(len(tree))]
    ['body', 'h1', '#text', 'div', 'img', 'p', '#text']
    >>> tree.text_of(1), tree.text_of(3)
    ('A b', 'One\ntwo')
    >>> raw = build_tree("<h1>A <b>b</b></h1>", raw=True)
    >>> [raw.name(v) for v in range(len(raw))]
    ['body', 'h1', '#text', 'b', '#text']
    """
    if max_vertices < 1:
        raise ValueError(f"max_vertices must be 1 or more, not {max_vertices}")
    from flong.tree import block_tree  # noqa: PLC0415 - numba takes 0.6 s to import

    data, cut = serialise(html)
    builder = block_tree.new_builder(data, raw)
    cut |= block_tree.build_blocks(builder, max_vertices)
    count, length, tokens = builder.state[:3].tolist()
    hashes, head = builder.hashes[:, :count].copy(), builder.tokenizer.head
    tree = Tree(
        **dict(zip(block_tree.COLUMNS, builder.vertices[:, :count].copy(), strict=True)),
        class_start=builder.class_start[: count + 1].copy(),
        class_hash=builder.class_hash[:tokens].copy(),
        text_hash=hashes[block_tree.TEXT_HASH],
        link_hash=hashes[block_tree.LINK_HASH],
        text=builder.text[:length].tobytes(),
        source=PageSource(data, head[1 : head[0] + 1].copy()),
        partial=cut,
    )
    tree.learn_names()
    return tree


def tag_starts(html: str | bytes) -> tuple[bytes, list[int]]:
    """Return the serialised page and the offset of each element's start tag, by `place`.

    >>> page, starts = tag_starts("<p>one<p>two")
    >>> [page[start : start + 3] for start in starts]
    [b'<ht', b'<he', b'<bo', b'<p>', b'<p>']
    """
    from flong.tree import tokenizer  # noqa: PLC0415 - numba takes 0.6 s to import

    data, _ = serialise(html)
    state = tokenizer.new_tokenizer(data)
    tokenizer.tokenize(state)
    return data, state.starts[: state.state[tokenizer.LAST_PLACE] + 1].tolist()
