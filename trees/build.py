"""HTML to block tree: parse, serialise, two compiled passes over the bytes.

A walk over the parser's elements in Python would cost several times the parse. Here the
page is parsed by `lxml`, serialised to well-formed bytes, and read by `trees.scan` and
`trees.fold`, all in less than twice the time of the parse alone.
"""

import re

from lxml import etree

from trees.source import Source
from trees.tree import Tree

MAX_VERTICES = 100_000
"""So many vertices of a page are kept unless the caller says otherwise."""

_EMPTY = b"<html><body/></html>"
_CONTROLS = bytes({*range(32)} - {*b"\t\n\f\r"}) + b"\x7f"
"""Characters that no page means; a NUL would end it."""
_FORM_FEEDS = bytes.maketrans(b"\f", b" ")
"""A space to HTML, forbidden in what the parser serialises."""

_BODY = re.compile(rb"<(?:body|/head|frameset)\b", re.IGNORECASE)
_FIRST_OF_BODY = re.compile(
    rb"<(script|style|title|noscript|template)\b.*?</\1\s*>|<!--.*?-->"
    rb"|(<(?!(?:html|head|meta|link|base|script|style|title|noscript|template)\b)[a-z])",
    re.IGNORECASE | re.DOTALL,
)
_BEGINNING = 16_384
"""Where the body is looked for; short, because a page may be made to be searched slowly."""


def parse(html: str) -> tuple[etree._Element | None, bool]:
    """Return a page's root element, None if it has none, and whether the parser cut the page."""
    parser = etree.HTMLParser(
        huge_tree=True, encoding="utf-8", remove_comments=True, remove_pis=True
    )
    data = html.encode("utf-8", "replace").translate(_FORM_FEEDS, _CONTROLS)
    root = etree.fromstring(_with_body(data), parser) if data else None
    limit = etree.ErrorTypes.ERR_RESOURCE_LIMIT
    return root, any(error.type == limit for error in parser.error_log)


def _with_body(data: bytes) -> bytes:
    """Return a page with its `<body>` tag, which HTML allows to be left out.

    The parser would take `main`, `article` and whatever else is younger than itself for a
    part of the head.

    >>> _with_body(b"<title>A</title><main>B</main>")
    b'<title>A</title><body><main>B</main>'
    """
    if _BODY.search(data):
        return data
    for found in _FIRST_OF_BODY.finditer(data[:_BEGINNING]):
        if found[2]:
            return data[: found.start()] + b"<body>" + data[found.start() :]
    return data


def build_tree(html: str, *, max_vertices: int = MAX_VERTICES) -> Tree:
    r"""Return the block tree of a page; a page without text gives a lone root.

    What the parser's nesting limit (2,048 levels) or `max_vertices` cut off is missing in
    the tree, which is then marked `partial`.

    >>> tree = build_tree("<body><h1>A <b>b</b></h1><div><img><p>One<br>two</p></div></body>")
    >>> [tree.name(v) for v in range(len(tree))]
    ['body', 'h1', '#text', 'div', 'img', 'p', '#text']
    >>> tree.text_of(1), tree.text_of(3)
    ('A b', 'One\ntwo')
    """
    if max_vertices < 1:
        raise ValueError(f"a tree has at least one vertex, not {max_vertices}")
    return _read(*_serialise(html), max_vertices)


def _serialise(html: str) -> tuple[bytes, bool]:
    """Return a page as well-formed bytes, and whether the parser cut it.

    The parsed document is gone before any array of the tree is made: arrays that stay alive
    among its freed elements would scatter the next document, and each parse would be slower.
    """
    root, cut = parse(html)
    if root is None:
        return _EMPTY, cut
    root.getroottree().docinfo.clear()  # of XHTML a serialiser adds a `meta` of its own
    return etree.tostring(root, encoding="utf-8", with_tail=False), cut


def _read(data: bytes, cut: bool, max_vertices: int) -> Tree:
    """Return the block tree of a serialised page."""
    from trees import fold, scan  # noqa: PLC0415 - numba takes 0.6 s to import

    rows = scan.scan_page(state := scan.new_scan(data, 1))
    if not rows:  # a page of frames has no body
        rows = scan.scan_page(state := scan.new_scan(data, 0))
    folded = fold.new_fold(state, rows)
    cut |= fold.fold_page(folded, max_vertices)
    count, length, tokens, _ = folded.state.tolist()
    columns = dict(zip(fold.COLUMNS, folded.vertices[:, :count].copy(), strict=True))
    tree = Tree(
        **columns,
        class_start=folded.class_start[: count + 1].copy(),
        class_hash=folded.class_hash[:tokens].copy(),
        text_hash=folded.text_hash[:count].copy(),
        text=folded.text[:length].tobytes(),
        source=Source(data, state.head[1 : state.head[0] + 1].copy()),
        partial=cut,
    )
    tree.learn_names()
    return tree


def place_xpath(html: str, place: int) -> str:
    """Return the absolute XPath of the element at a vertex's `place` in its page.

    >>> tree = build_tree(page := "<body><p>one<p>two")
    >>> place_xpath(page, tree.place[3])
    '/html/body/p[2]'
    """
    root, _ = parse(html)
    elements = () if root is None else root.iter(etree.Element)
    for position, element in enumerate(elements):
        if position == place:
            return str(element.getroottree().getpath(element))
    raise ValueError(f"the page has no element {place}")
