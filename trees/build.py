"""HTML to block tree, slowly and obviously: the reference for every faster way.

Inline elements are folded into the text around them, so that a paragraph is one leaf:

- an inline element that contains a block or a picture is a vertex like any other;
- in a container that is no text block, two or more inline elements side by side without
  a bare word between them stay apart (`<div><span>author</span> <time>date</time></div>`);
- `<br>`, and a line end inside `<pre>`, is a line break in the leaf.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring

from trees.hashes import stable_hash
from trees.head import Head
from trees.tags import DROPPED, INLINE, MEDIA, TEXT_BLOCKS, tag_number
from trees.tree import Tree

_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")
_WORD = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_IDENTIFIER = re.compile(r"\d{3}")
"""A class token with a number like this names one page (`post-1234`), not a template."""


def normalise(text: str) -> str:
    """Return the text with single spaces and single line breaks, none at the ends.

    >>> normalise("  a \\u00a0 b \\n\\n c ")
    'a b\\nc'
    """
    return _LINES.sub("\n", _SPACE.sub(" ", text)).strip()


@dataclass(eq=False)
class _Node:
    """An element of the document that may become a vertex."""

    tag: str
    place: int
    attributes: dict[str, str]
    parent: "_Node | None"
    parts: list["str | _Node"] = field(default_factory=list)
    opened: bool = False
    """It is a vertex of the block tree, not folded into text."""

    def open_up(self) -> None:
        """Make this and all that encloses it vertices."""
        node: _Node | None = self
        while node is not None and not node.opened:
            node.opened = True
            node = node.parent

    def add_text(self, text: str | None) -> None:
        """Append text; a line end is one only inside `<pre>`."""
        if text:
            node: _Node | None = self
            while node is not None and node.tag != "pre":
                node = node.parent
            self.parts.append(text if node is not None else re.sub(r"\s+", " ", text))

    def runs(self) -> Iterator["_Node | list[_Node | str]"]:
        """Yield what is below: vertices, and runs of inline content between them."""
        if self.tag in MEDIA:
            return
        run: list[_Node | str] = []
        for part in self.parts:
            if isinstance(part, _Node) and part.opened:
                yield from self._apart(run)
                yield part
                run = []
            else:
                run.append(part)
        yield from self._apart(run)

    def _apart(self, run: list["_Node | str"]) -> list["_Node | list[_Node | str]"]:
        """Return a run as one text, or its elements one by one if it is no running text."""
        elements = [part for part in run if isinstance(part, _Node) and part.has_text()]
        bare = any(isinstance(part, str) and _WORD.search(part) for part in run)
        if bare or len(elements) < 2 or self.tag in TEXT_BLOCKS:
            return [run]
        return list(elements)

    def has_text(self) -> bool:
        """Return whether anything is to be read in this inline element."""
        return any(piece.strip() for piece, _ in _pieces(self.parts))


def build_tree(html: str) -> Tree:
    """Return the block tree of a page; a page without text gives a lone root.

    >>> tree = build_tree("<body><h1>A <b>b</b></h1><div><img><p>One<br>two</p></div></body>")
    >>> [tree.name(v) for v in range(len(tree))]
    ['body', 'h1', '#text', 'div', 'img', 'p', '#text']
    >>> tree.text_of(1), tree.text_of(3)
    ('A b', 'One\\ntwo')
    """
    parser = HTMLParser(huge_tree=True, encoding="utf-8", remove_comments=True, remove_pis=True)
    data = html.replace("\0", "").encode("utf-8", "replace")
    try:
        document = document_fromstring(data, parser=parser)
    except etree.ParserError:
        document = document_fromstring(b"<html><body></body></html>", parser=parser)
    return _arrays(_nodes(document), _head(document))


def _nodes(document: HtmlElement) -> _Node:
    """Return the elements from body down, without what never reaches the block tree."""
    places = {element: place for place, element in enumerate(document.iter(etree.Element))}
    body = document.find("body")
    root = _Node("body", 0, {}, None)
    stack = [root]
    walk = etree.iterwalk(document if body is None else body, ("start", "end"))
    for event, element in walk:
        if event == "start":
            node = _Node(element.tag, places[element], dict(element.attrib), stack[-1])
            if element.tag in DROPPED or element.tag in MEDIA:
                walk.skip_subtree()
            if element.tag not in DROPPED:
                stack[-1].parts.append(node)
            if element.tag not in DROPPED | INLINE:
                node.open_up()
            node.add_text(element.text)
            stack.append(node)
        else:
            stack.pop()
            stack[-1].add_text(element.tail)
    top = next(part for part in root.parts if isinstance(part, _Node))
    top.tag, top.parent = "body", None
    return top


def _arrays(root: _Node, head: Head) -> Tree:
    """Lay the tree out in preorder, folding what is inline."""
    out = _Layout()
    stack: list[tuple[int, Iterator[_Node | list[_Node | str]]]] = [
        (out.element(root, -1), iter(root.runs()))
    ]
    while stack:
        vertex, rest = stack[-1]
        part = next(rest, None)
        if part is None:
            out.close(vertex)
            stack.pop()
        elif isinstance(part, list):
            out.leaf(part, vertex)
        else:
            stack.append((out.element(part, vertex), iter(part.runs())))
    return out.tree(head)


class _Layout:
    """The arrays of a tree, growing."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = []
        self.classes: list[list[int]] = []
        self.attributes: list[dict[str, str]] = []
        self.text = bytearray()

    def element(self, node: _Node, parent: int) -> int:
        """Append an element; return its number."""
        at = len(self.text)
        self.rows.append([tag_number(node.tag), parent, 1, 0, at, at, 0, 0, node.place])
        tokens = set((node.attributes.get("class") or "").split())
        kept = (token for token in tokens if not _IDENTIFIER.search(token))
        self.classes.append(sorted(stable_hash(token.encode()) for token in kept))
        self.attributes.append(node.attributes)
        return len(self.rows) - 1

    def leaf(self, run: list[_Node | str], parent: int) -> None:
        """Append a text leaf if the run has any text."""
        pieces = list(_pieces(run))
        text = normalise("".join(piece for piece, _ in pieces)).encode("utf-8", "replace")
        if not text:
            return
        words = len(_WORD.findall(text.decode()))
        linked = len(_WORD.findall(" ".join(piece for piece, inside in pieces if inside)))
        start = len(self.text)
        self.text += text + b"\n"
        place = self.rows[parent][8]
        row = [
            0,
            parent,
            1,
            stable_hash(text),
            start,
            len(self.text),
            words,
            min(words, linked),
            place,
        ]
        self.rows.append(row)
        self.classes.append([])
        self.attributes.append({})

    def close(self, vertex: int) -> None:
        """Sum up a vertex whose children are all there."""
        row = self.rows[vertex]
        row[2] = len(self.rows) - vertex
        row[5] = len(self.text)
        children = (r for r in self.rows[vertex + 1 :] if r[1] == vertex)
        for child in children:
            row[6] += child[6]
            row[7] += child[7]

    def tree(self, head: Head) -> Tree:
        """Return the finished tree."""
        tag, parent, size, text_hash, start, end, words, link_words, place = np.array(self.rows).T
        ints = np.int32
        return Tree(
            tag=tag.astype(ints),
            parent=parent.astype(ints),
            size=size.astype(ints),
            class_start=np.cumsum([0, *map(len, self.classes)], dtype=ints),
            class_hash=np.array([h for hashes in self.classes for h in hashes], dtype=np.int64),
            text_hash=text_hash.astype(np.int64),
            start=start.astype(ints),
            end=end.astype(ints),
            words=words.astype(ints),
            link_words=link_words.astype(ints),
            place=place.astype(ints),
            text=bytes(self.text),
            head=head,
            attributes=self.attributes,
        )


def _pieces(run: list[_Node | str], linked: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield the text of a run of inline content, and whether it is inside a link."""
    stack = [(iter(run), linked)]
    while stack:
        parts, inside = stack[-1]
        part = next(parts, None)
        if part is None:
            stack.pop()
        elif isinstance(part, str):
            yield part, inside
        elif part.tag == "br":
            yield "\n", inside
        else:
            stack.append(
                (iter(part.parts), inside or (part.tag == "a" and "href" in part.attributes))
            )


def _head(document: HtmlElement) -> Head:
    """Collect what the page says about itself."""
    meta: dict[str, str] = {}
    for element in document.iter("meta"):
        name = element.get("property") or element.get("name") or element.get("itemprop")
        if name and element.get("content"):
            meta.setdefault(name.lower(), element.get("content", "").strip())
    canonical = next(
        (
            e.get("href")
            for e in document.iter("link")
            if (e.get("rel") or "").lower() == "canonical"
        ),
        None,
    )
    scripts = (e for e in document.iter("script") if e.get("type") == "application/ld+json")
    return Head(
        title=" ".join(
            (document.findtext(".//head/title") or document.findtext(".//title") or "").split()
        ),
        meta=meta,
        canonical=canonical,
        language=document.get("lang"),
        json_ld=tuple(e.text or "" for e in scripts),
    )
