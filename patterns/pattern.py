"""The ne-pattern: a tree whose leaves may be wildcards (Reis 2004, section 4.2).

Vertices are numbered in preorder as in `flong.tree.Tree`. A page is a pattern without wildcards.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.tree import TEXT, OrderedTree, Tree, stable_hash, tag_name, tag_number

Ints = NDArray[np.int32]
Hashes = NDArray[np.int64]
Kinds = NDArray[np.int8]

PLAIN, SINGLE, PLUS, OPTION, KLEENE = range(5)
"""Kinds of vertices: an element or text; and the wildcards `.`, `+`, `?`, `*`."""

SYMBOLS = " .+?*"
"""Sign of each kind."""

WILDCARD = -1
"""Tag of a wildcard."""

SHOWN = 60
"""Characters kept of a constant text, for people."""


class Arrays(NamedTuple):
    """Arrays of a pattern or page that composition and matching read."""

    kind: Kinds
    tag: Ints
    size: Ints
    class_start: Ints
    class_hash: Hashes
    text_hash: Hashes


@dataclass(frozen=True, eq=False, kw_only=True)
class Pattern(OrderedTree):
    """Common structure of the pages of one template, with wildcards for the rest."""

    kind: Kinds
    """`PLAIN` or the kind of wildcard."""
    tag: Ints
    """Tag number; `TEXT` for a constant text, `WILDCARD` for a wildcard."""
    class_start: Ints
    """Class tokens of v are `class_hash[class_start[v]:class_start[v + 1]]`; length n + 1."""
    class_hash: Hashes
    """Stable hashes of the class tokens on every page, sorted for each vertex."""
    text_hash: Hashes
    """Stable hash of a constant text; 0 for elements and wildcards."""
    names: Mapping[int, str] = field(repr=False, default_factory=dict)
    """Class tokens by hash, for people."""
    texts: Mapping[int, str] = field(repr=False, default_factory=dict)
    """Beginnings of the constant texts by hash, for people."""

    def __len__(self) -> int:
        return len(self.kind)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """Return 32 hexadecimal digits that equal patterns share, in every process."""
        state = blake2b(digest_size=16)
        for column in self.arrays:
            state.update(np.ascontiguousarray(column).tobytes())
        return state.hexdigest()

    @cached_property
    def constants(self) -> int:
        """Return the number of plain vertices: the specificity of the pattern."""
        return int(np.count_nonzero(self.kind == PLAIN))

    @property
    def wildcards(self) -> list[int]:
        """Return the wildcards in document order."""
        return [int(v) for v in np.flatnonzero(self.kind != PLAIN)]

    @property
    def arrays(self) -> Arrays:
        """Return the arrays that decide which pages the pattern accepts."""
        return Arrays(
            self.kind, self.tag, self.size, self.class_start, self.class_hash, self.text_hash
        )

    def classes(self, vertex: int) -> list[int]:
        """Return the hashes of a vertex's class tokens."""
        start, end = self.class_start[vertex : vertex + 2].tolist()
        return [int(h) for h in self.class_hash[start:end]]

    def name(self, vertex: int) -> str:
        """Return the tag name of a vertex, `#text` for a constant text, or the wildcard's sign."""
        kind = int(self.kind[vertex])
        return SYMBOLS[kind] if kind else tag_name(int(self.tag[vertex]))


def pattern_of(tree: Tree, *, readable: bool = True) -> Pattern:
    """Return a page as a pattern that accepts this page, and those with more classes.

    Unless it is `readable` it lacks the names of classes and the texts.

    >>> from flong.tree import build_tree
    >>> page = build_tree("<body><h1 class=big>News</h1></body>")
    >>> pattern = pattern_of(page)
    >>> [pattern.name(v) for v in range(3)], pattern.wildcards
    (['body', 'h1', '#text'], [])
    """
    named = np.flatnonzero(np.diff(tree.class_start)).tolist() if readable else []
    leaves = np.flatnonzero(tree.tag == TEXT).tolist() if readable else []
    return Pattern(
        kind=np.zeros(len(tree), np.int8),
        tag=tree.tag,
        parent=tree.parent,
        size=tree.size,
        class_start=tree.class_start,
        class_hash=tree.class_hash,
        text_hash=tree.text_hash,
        names={hash_of(name): name for v in named for name in tree.class_names(v)},
        texts={int(tree.text_hash[v]): shorten(tree.text_of(v)) for v in leaves},
    )


def shorten(text: str) -> str:
    """Return the beginning of a text that a pattern keeps.

    >>> shorten("short"), len(shorten("long " * 99))
    ('short', 60)
    """
    return text if len(text) <= SHOWN else text[:SHOWN]


@lru_cache(maxsize=100_000)
def hash_of(name: str) -> int:
    """Return the stable hash of a class token.

    >>> hash_of("post") == stable_hash(b"post")
    True
    """
    return stable_hash(name.encode("utf-8", "replace"))


def are_known(hashes: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Return True for each hash that is among the known ones, which are sorted.

    >>> are_known(np.array([5, 1, 9]), np.array([1, 5])).tolist()
    [True, True, False]
    """
    at = known.searchsorted(hashes)
    found: NDArray[np.bool_] = (at < len(known)) & (np.append(known, 0)[at] == hashes)
    return found


class PatternBuilder:
    """Builds a pattern in preorder; each vertex goes below the last one of the depth above.

    >>> rows = PatternBuilder()
    >>> rows.element(0, "body", ["home"])
    >>> rows.wildcard(1, "*")
    >>> pattern = rows.pattern()
    >>> pattern.name(1), pattern.size.tolist()
    ('*', [2, 1])
    """

    def __init__(self) -> None:
        self._path: list[int] = []
        self._kind: list[int] = []
        self._tag: list[int] = []
        self._parent: list[int] = []
        self._classes: list[list[int]] = []
        self._text: list[int] = []
        self._names: dict[int, str] = {}
        self._texts: dict[int, str] = {}

    def element(self, depth: int, tag: str, classes: Iterable[str | int]) -> None:
        """Add an element; each class is a token, or a hash if the token is not known."""
        classes = list(classes)
        named = {hash_of(token): token for token in classes if isinstance(token, str)}
        self._names |= named
        hashes = {*named, *(token for token in classes if isinstance(token, int))}
        self._add(depth, PLAIN, tag_number(tag), sorted(hashes), 0)

    def text(self, depth: int, text: str, text_hash: int) -> None:
        """Add a constant text by its hash and its beginning."""
        self._texts[text_hash] = text
        self._add(depth, PLAIN, TEXT, [], text_hash)

    def wildcard(self, depth: int, symbol: str) -> None:
        """Add a wildcard by its sign."""
        self._add(depth, SYMBOLS.index(symbol), WILDCARD, [], 0)

    def _add(self, depth: int, kind: int, tag: int, classes: list[int], text_hash: int) -> None:
        vertex = len(self._kind)
        if depth > len(self._path) or (depth == 0) != (vertex == 0):
            raise ValueError(f"vertex {vertex} has no parent at depth {depth - 1}")
        parent = self._path[depth - 1] if depth else -1
        if depth and (self._kind[parent] != PLAIN or self._tag[parent] == TEXT):
            raise ValueError(f"vertex {vertex} is below a text or a wildcard")
        self._path[depth:] = [vertex]
        self._kind.append(kind)
        self._tag.append(tag)
        self._parent.append(parent)
        self._classes.append(classes)
        self._text.append(text_hash)

    def pattern(self) -> Pattern:
        """Return the finished pattern."""
        if not self._kind:
            raise ValueError("a pattern has at least one vertex")
        size = [1] * len(self._kind)
        for vertex in range(len(size) - 1, 0, -1):
            size[self._parent[vertex]] += size[vertex]
        return Pattern(
            kind=np.array(self._kind, np.int8),
            tag=np.array(self._tag, np.int32),
            parent=np.array(self._parent, np.int32),
            size=np.array(size, np.int32),
            class_start=np.cumsum([0, *map(len, self._classes)], dtype=np.int32),
            class_hash=np.array([h for hashes in self._classes for h in hashes], np.int64),
            text_hash=np.array(self._text, np.int64),
            names=self._names,
            texts=self._texts,
        )
