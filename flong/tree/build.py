"""HTML to block tree: parse, serialise, two compiled passes over the bytes.

A walk over the parser's elements in Python would cost several times the parse. Instead, lexbor
parses and serialises the page, and `tokenizer` and `block_tree` read the result.
"""

import re
from codecs import BOM_UTF8

import numpy as np
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from flong.tree.page_source import PageSource
from flong.tree.tree import Tree

MAX_VERTICES = 100_000
"""So many vertices of a page are kept unless the caller says otherwise."""
MAX_OPEN = 20_000
"""So many tags may be open at once: the parser's time grows with their square."""

_NO_EVENTS = int(LexborDocumentOptions.WO_EVENTS)
_SWALLOWING = re.compile(
    rb"</(iframe|noscript|select|style|template|textarea|title|xmp)>(?:</[^<>]+>)*\Z"
)
"""The last element of a page, if it may hold what was never meant to be in it."""
_TAIL = 2_000
"""Where that is looked for."""
_AFTER_TEXT = tuple(space + b"</body></html>" for space in (b"\n", b" "))
"""How most pages end: not with an element, and so not with such a one."""


def serialise(html: str | bytes) -> tuple[bytes, bool]:
    """Return a page as browsers read it, in well-formed HTML, and whether it had to be cut.

    >>> serialise("<title>A</title><p>B")
    (b'<html><head><title>A</title></head><body><p>B</p></body></html>', False)
    """
    data = html.encode(errors="ignore") if isinstance(html, str) else html
    shortened, cut = _shorten(data.removeprefix(BOM_UTF8))
    return parse(shortened)[1], cut


def parse(html: bytes) -> tuple[bytes, bytes]:
    """Return a page, mended if a tag that nobody closes swallows the rest of it, and serialised."""
    data = _parse(html)
    last = None if data.endswith(_AFTER_TEXT) else _SWALLOWING.search(data[-_TAIL:])
    if not last:
        return html, data
    freed = _free(html.decode(errors="replace"), last[1].decode()).encode()
    return (html, data) if freed == html else (freed, _parse(freed))


def _parse(html: bytes) -> bytes:
    """Return a page as browsers read it, serialised."""
    # Without scripting, the content of `noscript` would be markup and might end the head.
    root = LexborHTMLParser(html, options=_NO_EVENTS, scripting=True).root
    return b"" if root is None else (root.html or "").encode()


def _free(html: str, name: str) -> str:
    """Return a page in which tags of a name that nobody closes are text.

    They would swallow the rest of the page; whoever writes about HTML forgets to escape some.

    >>> _free("<p>Use <textarea>!</p>", "textarea")
    '<p>Use &lt;textarea>!</p>'
    """
    closed = [end.end() for end in re.finditer(f"</{name}", html, re.IGNORECASE)]
    at = closed[-1] if closed else 0
    return html[:at] + re.sub(f"<(?={name}\\b)", "&lt;", html[at:], flags=re.IGNORECASE)


def _shorten(html: bytes) -> tuple[bytes, bool]:
    """Return a page up to where too many tags may be open, and whether that is not all of it."""
    if len(html) <= MAX_OPEN:  # most pages of the older web
        return html, False
    is_tag = np.frombuffer(html, dtype=np.uint8) == ord("<")
    tags = int(np.count_nonzero(is_tag))
    if tags <= MAX_OPEN or tags - 2 * html.count(b"</") <= MAX_OPEN:
        return html, False
    return html[: np.flatnonzero(is_tag)[MAX_OPEN]], True


def build_tree(html: str | bytes, *, max_vertices: int = MAX_VERTICES, raw: bool = False) -> Tree:
    r"""Return the block tree of a page; a page without text gives a lone root.

    Bytes are read as UTF-8, with U+FFFD in the place of what is not.

    A `raw` tree is that of the document itself: inline elements and `br` are vertices like any
    other, and every text between two tags is a leaf. What lies below 2,048 levels, beyond
    `MAX_OPEN` tags that nobody closes, or beyond `max_vertices` is missing in the tree, which is
    then marked `partial`.

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
        raise ValueError(f"a tree has at least one vertex, not {max_vertices}")
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
    """Return a page as it is read, and where in it the tag of each element begins, by `place`.

    >>> page, starts = tag_starts("<p>one<p>two")
    >>> [page[start : start + 3] for start in starts]
    [b'<ht', b'<he', b'<bo', b'<p>', b'<p>']
    """
    from flong.tree import tokenizer  # noqa: PLC0415 - numba takes 0.6 s to import

    data, _ = serialise(html)
    state = tokenizer.new_tokenizer(data)
    tokenizer.tokenize(state)
    return data, state.starts[: state.state[tokenizer.LAST_PLACE] + 1].tolist()
