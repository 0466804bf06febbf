"""Slow and obvious HTML to block tree, the reference for `build_tree`.

Inline elements are folded into the text around them, so that a paragraph is one leaf:

- an inline element that contains a block or a picture is a vertex like any other;
- in a container that is no text block, two or more inline elements side by side without
  a bare word between them stay apart (`<div><span>author</span> <time>date</time></div>`);
- `<br>`, and a line end inside `<pre>`, is a line break in the leaf.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from selectolax.lexbor import LexborHTMLParser

from flong.text import UNSPACED
from flong.tree import Head, stable_hash
from flong.tree.build import parse
from flong.tree.tags import DROPPED, INLINE, MEDIA, TEXT_BLOCKS

_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")
_WORD = re.compile(f"[{UNSPACED}]|(?:(?![{UNSPACED}])[^\\W_])+")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")
_IDENTIFIER = re.compile(r"[0-9]{3}")
"""A class token with a number like this names one page (`post-1234`), not a template."""


def normalise(text: str) -> str:
    """Return the text with single spaces and single line breaks, none at the ends.

    >>> normalise("  a \\u00a0 b \\n\\n c ")
    'a b\\nc'
    """
    return _LINES.sub("\n", _SPACE.sub(" ", text)).strip()


@dataclass
class Vertex:
    """A vertex of the block tree with all that is known of it."""

    name: str
    parent: int
    place: int
    size: int = 1
    text: str = ""
    link_hash: int = 0
    words: int = 0
    link_words: int = 0
    links: int = 0
    classes: list[int] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    linked: bool = False


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
        """Yield the children: vertices, and runs of inline content between them."""
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


def slow_build(html: str) -> tuple[list[Vertex], Head]:
    """Return the vertices of a page in preorder, and its head."""
    mended, _ = parse(html.removeprefix("\ufeff").encode(errors="ignore"))
    document = LexborHTMLParser(mended, scripting=True)
    return _layout(_nodes(document)), _head(document)


def _elements(document):
    return [node for node in document.root.traverse() if node.is_element_node]


def _attributes(node):
    return {name: _CONTROL.sub("", value or "") for name, value in node.attributes.items()}


def _nodes(document):
    """Return the elements below body, without those that never reach the block tree."""
    places = {element.mem_id: place for place, element in enumerate(_elements(document))}
    frames = document.body is None or document.body.tag != "body"
    top = document.root if frames else document.body
    root = _Node("body", places[top.mem_id], _attributes(top), None, opened=True)
    stack = [(root, top.child)]
    while stack:
        node, rest = stack.pop()
        if rest is None:
            continue
        stack.append((node, rest.next))
        if rest.is_text_node:
            node.add_text(_CONTROL.sub("", rest.text_content or ""))
        elif rest.is_element_node and rest.tag not in DROPPED:
            below = _Node(rest.tag, places[rest.mem_id], _attributes(rest), node)
            node.parts.append(below)
            if rest.tag not in INLINE:
                below.open_up()
            if rest.tag not in MEDIA:
                stack.append((below, rest.child))
    return root


def _layout(root: _Node) -> list[Vertex]:
    """Lay the tree out in preorder, folding inline elements."""
    out = [_vertex(root, -1, False)]
    stack = [(0, iter(root.runs()))]
    while stack:
        number, rest = stack[-1]
        part = next(rest, None)
        if part is None:
            stack.pop()
            close(out, number)
        elif isinstance(part, list):
            pieces = list(_pieces(part, out[number].linked))
            if any(piece.strip() for piece, _ in pieces):
                out.append(_leaf(pieces, part, number, out[number]))
        else:
            out.append(_vertex(part, number, out[number].linked))
            stack.append((len(out) - 1, iter(part.runs())))
    return out


def close(out: list[Vertex], number: int) -> None:
    """Sum up a vertex whose children are all there."""
    vertex = out[number]
    vertex.size = len(out) - number
    below = [v for v in out[number + 1 :] if v.name == "#text"]
    vertex.text = "\n".join(v.text for v in below)
    vertex.words = sum(v.words for v in below)
    vertex.link_words = sum(v.link_words for v in below)


def _vertex(node: _Node, parent: int, linked: bool) -> Vertex:
    tokens = set(re.split(r"[ \t\n\f\r]+", node.attributes.get("class", ""))) - {""}
    kept = (token for token in tokens if not _IDENTIFIER.search(token))
    return Vertex(
        name=node.tag,
        parent=parent,
        place=node.place,
        classes=sorted(stable_hash(token.encode()) for token in kept),
        attributes=node.attributes,
        linked=linked or (node.tag == "a" and "href" in node.attributes),
        links=int(node.tag == "a" and "href" in node.attributes),
    )


def _leaf(
    pieces: list[tuple[str, object]], run: list[_Node | str], parent: int, above: Vertex
) -> Vertex:
    whole = "".join(piece for piece, _ in pieces)
    inside = [link is not None for piece, link in pieces for _ in piece]
    starts = [word.start() for word in _WORD.finditer(whole)]
    links = [
        normalise("".join(piece for piece, _ in same)).encode()
        for link, same in groupby(pieces, lambda piece: piece[1])
        if isinstance(link, _Node)
    ]
    longest = max(links, key=len, default=b"")
    return Vertex(
        name="#text",
        parent=parent,
        place=above.place,
        text=normalise(whole),
        link_hash=stable_hash(longest) if longest else 0,
        words=len(starts),
        link_words=sum(inside[start] for start in starts),
        links=_count_links(run) if not above.linked else 0,
    )


def _count_links(run: list[_Node | str]) -> int:
    """Return the links of a run of inline content, those inside others not counted."""
    count, waiting = 0, [part for part in run if isinstance(part, _Node)]
    while waiting:
        node = waiting.pop()
        if node.tag == "a" and "href" in node.attributes:
            count += 1
        else:
            waiting += [part for part in node.parts if isinstance(part, _Node)]
    return count


def _pieces(run: list[_Node | str], linked: bool = False) -> Iterator[tuple[str, object]]:
    """Yield the text of a run of inline content, and the link it is in: True if all is in one."""
    stack: list[tuple[Iterator[_Node | str], object]] = [(iter(run), linked or None)]
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
            link = part.tag == "a" and "href" in part.attributes
            stack.append((iter(part.parts), inside or (part if link else None)))


def _head(document):
    """Collect the metadata of the page."""
    elements = [(node.tag, _attributes(node), node) for node in _elements(document)]
    meta: dict[str, str] = {}
    for tag, attributes, _ in elements:
        name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop")
        if tag == "meta" and name and attributes.get("content"):
            meta.setdefault(name.lower(), " ".join(attributes["content"].split()))
    links = [attributes for tag, attributes, _ in elements if tag == "link"]
    canonical = [a for a in links if "canonical" in a.get("rel", "").lower().split()]
    titles = [node.text() for tag, _, node in elements if tag == "title"]
    scripts = [
        node.text(strip=False)
        for tag, attributes, node in elements
        if tag == "script" and attributes.get("type", "").strip().lower() == "application/ld+json"
    ]
    return Head(
        title=" ".join(_CONTROL.sub("", titles[0]).split()) if titles else "",
        meta=meta,
        canonical=canonical[0].get("href") if canonical else None,
        language=elements[0][1].get("lang"),
        json_ld=tuple(scripts),
    )
