"""A pattern in the making, vertex by vertex in preorder."""

from collections.abc import Iterable

import numpy as np

from flong.patterns.pattern import PLAIN, SYMBOLS, WILDCARD, Pattern, hash_of
from flong.tree import TEXT, tag_number


class PatternBuilder:
    """The vertices so far; each goes below the last one of the depth above its own.

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
        """Add an element; a class is its token, or its hash if the token is not known."""
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
