"""Selectors: ways to find a vertex again on other pages of the same template.

A selector is a tag with a class token or an id, by itself or inside another selector; or a vertex
of a pattern, found through the match. If several vertices fit, the first in document order counts.
"""

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.patterns.pattern import hash_of
from flong.text import cached_if_short
from flong.tree import TEXT, Tree, remembered, tag_number

Vertices = NDArray[np.intp]
Lead = tuple[int, int]
"""First vertex of a selector, -1 for none, and the number of its vertices."""
Starts = NDArray[np.int32]
"""Page vertex that each vertex of a pattern maps to, -1 for none (`Match.start`)."""

_IDENT = re.compile(r"[\w.:-]+", re.ASCII)
_STEP = re.compile(r"([^\[\]]+)(?:\[([1-9][0-9]{0,8})\])?")

_OUTSIDE = 3
"""Maximum number of ancestors that are searched for a name."""
_NUMBERED = 3
"""Digits in a row that make a name the number of one page."""
_KEPT = 1024
"""Size of the cache: the elements of a template are on all of its pages."""


class Selector(NamedTuple):
    """A way to find one vertex on every page of a template."""

    tag: str = ""
    """Tag name; empty for a vertex of the pattern."""
    token: str = ""
    """Class token; empty for none."""
    ident: str = ""
    """Id; empty for none."""
    inside: "Selector | None" = None
    """Selector of an element around it; None for the whole page."""
    vertex: int = -1
    """Vertex of the pattern that maps to it; -1 for a selector by name."""

    def __str__(self) -> str:
        if self.vertex >= 0:
            return f"vertex {self.vertex}"
        name = self.tag + (f".{self.token}" if self.token else "")
        name += f"#{self.ident}" if self.ident else ""
        return f"{self.inside} {name}" if self.inside else name

    @property
    def named(self) -> bool:
        """Return True if it has a class token or an id."""
        return bool(self.token or self.ident)


def find_all(tree: Tree, selector: Selector, starts: Starts | None = None) -> Vertices:
    """Return the vertices of a selector, in document order.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<div class=a><p class=b>x</p></div><p class=b>y</p>")
    >>> find_all(tree, Selector("p", "b")).tolist()
    [2, 4]
    >>> find_all(tree, Selector("p", "b", inside=Selector("div", "a"))).tolist()
    [2]
    """
    if selector.vertex >= 0:
        matched = -1 if starts is None else starts[selector.vertex]
        return np.array([matched] if matched >= 0 else [], dtype=np.intp)
    named = _named(tree, selector.tag, selector.token, selector.ident)
    if selector.inside is None or not len(named):
        return named
    return named[_is_inside(tree, selector.inside)[named]]


@remembered
def _named(tree: Tree, tag: str, token: str, ident: str) -> Vertices:
    """Return the elements with a tag and a class token; with an id, its first element."""
    has_tag = tree.tag == tag_number(tag)
    if token:
        rows = np.flatnonzero(tree.class_hash == hash_of(token))
        found = tree.class_start.searchsorted(rows, "right") - 1
    elif ident:
        vertex = tree.ids.get(hash_of(ident))
        found = np.array([] if vertex is None else [vertex], dtype=np.intp)
    else:
        return np.flatnonzero(has_tag)
    named: Vertices = found[has_tag[found]]
    return named


@remembered
def _is_inside(tree: Tree, selector: Selector) -> NDArray[np.bool_]:
    """Return for each vertex whether it is inside of one that a selector finds."""
    found, length = find_all(tree, selector), len(tree) + 1
    opened = np.bincount(found + 1, minlength=length)
    closed = np.bincount(found + tree.size[found], minlength=length)
    is_inside: NDArray[np.bool_] = (opened - closed).cumsum() > 0
    return is_inside


def lead(tree: Tree, selector: Selector, starts: Starts | None = None) -> Lead:
    """Return the first vertex of a selector, or -1, and the number of its vertices."""
    found = find_all(tree, selector, starts)
    return (int(found[0]), len(found)) if len(found) else (-1, 0)


def in_pattern(starts: Starts | None, vertex: int) -> tuple[Selector, ...]:
    """Return the pattern vertex that maps to a vertex of the page, as a selector, or nothing."""
    if starts is None:
        return ()
    first = int((starts == vertex).argmax())
    return _matched(first) if starts[first] == vertex else ()


@lru_cache(_KEPT)
def _matched(vertex: int) -> tuple[Selector, ...]:
    return (Selector(vertex=vertex),)


def find(tree: Tree, selector: Selector | None, starts: Starts | None = None) -> int:
    """Return the first vertex of a selector, or -1.

    >>> from flong.tree import build_tree
    >>> find(build_tree("<div><p>x</p></div>"), Selector("p")), find(build_tree("x"), Selector("p"))
    (2, -1)
    """
    if selector is None:
        return -1
    found = find_all(tree, selector, starts)
    return int(found[0]) if len(found) else -1


def first_leaf(tree: Tree, vertex: int) -> int:
    """Return the first text leaf of a sub-tree, or -1.

    >>> from flong.tree import build_tree
    >>> first_leaf(build_tree("<div><img><p>x</p></div>"), 1)
    4
    """
    if vertex < 0:
        return -1
    for leaf in range(vertex, vertex + int(tree.size[vertex])):  # mostly one of the first
        if tree.tag[leaf] == TEXT:
            return leaf
    return -1


@remembered
def names_of(tree: Tree, vertex: int) -> tuple[Selector, ...]:
    """Return the names of a vertex itself: by class token, by id, by tag only.

    Tokens and ids with a long number belong to one page and are skipped.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<div class='a b-1234' id=c>x</div>")
    >>> [str(selector) for selector in names_of(tree, 1)]
    ['div.a', 'div#c', 'div']
    """
    attributes = tree.attributes(vertex)
    return _names(tree.name(vertex), attributes.get("class", ""), attributes.get("id", ""))


@cached_if_short(_KEPT)
def _names(tag: str, classes: str, ident: str) -> tuple[Selector, ...]:
    """Return the selectors of `names_of`; cached, as pages of a template have the same elements."""
    found = [Selector(tag, token) for token in dict.fromkeys(classes.split())]
    if _IDENT.fullmatch(ident):
        found.append(Selector(tag, ident=ident))
    named = [selector for selector in found if not _numbered(selector.token or selector.ident)]
    return (*named, Selector(tag))


@remembered
def selectors_of(tree: Tree, vertex: int) -> tuple[Selector, ...]:
    """Return the selectors of a vertex: its names, by themselves and inside named ancestors.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<main><div class=a><div>x</div></div></main>")
    >>> [str(selector) for selector in selectors_of(tree, 3)]
    ['div', 'div.a div', 'main div']
    """
    around = islice((above for above in tree.ancestors(vertex) if above > 0), _OUTSIDE)
    return _selectors(names_of(tree, vertex), *(names_of(tree, above) for above in around))


@lru_cache(_KEPT)
def _selectors(names: tuple[Selector, ...], *around: tuple[Selector, ...]) -> tuple[Selector, ...]:
    outside = [outer for names in around for outer in _own_names(names)]
    return names + tuple(name._replace(inside=outer) for outer in outside for name in names)


def _own_names(names: tuple[Selector, ...]) -> tuple[Selector, ...]:
    return names[:-1] or (() if names[-1].tag == "div" else names)


def _numbered(token: str) -> bool:
    digits = 0
    for character in token:
        digits = digits + 1 if character.isdigit() else 0
        if digits == _NUMBERED:
            return True
    return False


def plainness(selector: Selector) -> tuple[int, int]:
    """Return the preference among selectors that find the same vertices: larger is better.

    A class or id without a context survives small changes of the template best.
    """
    rank = 3 if selector.named else 1
    if selector.inside is not None:
        rank -= 1 if selector.named else 0
        rank += 0 if selector.named else int(selector.inside.named)
    if selector.vertex >= 0:
        rank = 0
    return rank, -len(str(selector))


def xpath_of(tree: Tree, vertex: int) -> str:
    """Return the XPath of an element, or that of the element around a text leaf.

    Siblings of one tag are numbered. The number of an inline element may be too low, because trees
    do not contain all of them.

    >>> from flong.tree import build_tree
    >>> xpath_of(build_tree("<div><p>a<p>b</div>"), 5)
    '/html/body/div/p[2]'
    """
    if tree.tag[vertex] == TEXT:
        vertex = int(tree.parent[vertex])
    path = [vertex, *tree.ancestors(vertex)][-2::-1]  # without the root
    return "/".join(["/html/body", *(_step(tree, each) for each in path)])


@remembered
def _step(tree: Tree, vertex: int) -> str:
    """Return the tag of an element, numbered from 1 if it has siblings of the same tag."""
    parent, name = int(tree.parent[vertex]), tree.name(vertex)
    inside = slice(parent, parent + int(tree.size[parent]))
    is_same = (tree.parent[inside] == parent) & (tree.tag[inside] == tree.tag[vertex])
    same = np.flatnonzero(is_same) + parent
    return f"{name}[{same.searchsorted(vertex) + 1}]" if len(same) > 1 else name


def vertex_at(tree: Tree, path: str) -> int | None:
    """Return the vertex at a path from `xpath_of`, or None.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<div><p>a<p>b</div>")
    >>> vertex_at(tree, "/html/body/div/p[2]"), vertex_at(tree, "/html/body/h1")
    (4, None)
    """
    if not path.startswith("/html/body"):
        return None
    vertex: int | None = 0
    for step in path.removeprefix("/html/body").split("/")[1:]:
        found = _STEP.fullmatch(step)
        if found is None or vertex is None:
            return None
        named = (c for c in tree.children(vertex) if tree.name(c) == found[1])
        vertex = next(islice(named, int(found[2] or 1) - 1, None), None)
    return vertex
