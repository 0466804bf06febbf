"""A page as a rooted, ordered, labelled tree in flat arrays.

Vertices are numbered in preorder; the root (`body`) is 0. The subtree of `v` is `v .. v + size[v]`,
its first child `v + 1` (if `size[v] > 1`), and the next sibling of `c` is `c + size[c]`. No
function recurses, so deep trees are safe.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, TypeVar, TypeVarTuple

import numpy as np
from numpy.typing import NDArray

from flong.tree.page_source import Head, PageSource
from flong.tree.tags import FIRST_UNKNOWN, TEXT, is_known, tag_name, tag_number

Ints = NDArray[np.int32]
Hashes = NDArray[np.int64]
Asked = TypeVarTuple("Asked")
Answer = TypeVar("Answer")
_UNASKED = object()


@dataclass(frozen=True, eq=False, kw_only=True)
class OrderedTree:
    """Vertices numbered from left to right, each before its children."""

    parent: Ints
    """Number of the parent; -1 for the root."""
    size: Ints
    """Number of vertices of the subtree, including the root; 1 for a wildcard."""

    def children(self, vertex: int) -> Iterator[int]:
        """Yield the children of a vertex from left to right."""
        child, end = vertex + 1, vertex + int(self.size[vertex])
        while child < end:
            yield child
            child += int(self.size[child])

    def ancestors(self, vertex: int) -> Iterator[int]:
        """Yield parent, grandparent ... up to the root."""
        vertex = int(self.parent[vertex])
        while vertex >= 0:
            yield vertex
            vertex = int(self.parent[vertex])


@dataclass(frozen=True, eq=False, kw_only=True)
class Tree(OrderedTree):
    """The block tree of one page."""

    tag: Ints
    """Tag number (`flong.tree.tags`); `TEXT` for a text leaf."""
    class_start: Ints
    """Class tokens of v are `class_hash[class_start[v]:class_start[v + 1]]`; length n + 1."""
    class_hash: Hashes
    """Stable 64-bit hashes of class tokens, sorted and distinct for each vertex."""
    text_hash: Hashes
    """Stable hash of a text leaf's normalised text; 0 for elements."""
    link_hash: Hashes
    """Stable hash of the text of the longest link in a text leaf; 0 without link."""
    start: Ints
    """Start of the subtree's text in `text`."""
    end: Ints
    """End of the subtree's text."""
    words: Ints
    """Number of words of the subtree; a CJK or Thai character counts as one."""
    link_words: Ints
    """Number of words inside `<a href>`."""
    links: Ints
    """Number of links in a text leaf; 1 for an element that is a link."""
    place: Ints
    """Position of the element (of the enclosing element for a text leaf) among all elements
    of the parsed document, in document order; 0 is `html`."""
    text: bytes
    """Text of all leaves in document order as UTF-8, each followed by a newline."""
    tag_start: Ints
    """Offset of the start tag in the source; -1 for a text leaf."""
    source: PageSource = field(repr=False)
    """Serialised page."""
    partial: bool = False
    """True if the parser or a limit truncated the page."""
    answers: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)
    """Results of `remembered` functions for this tree."""

    def __len__(self) -> int:
        return len(self.tag)

    def __setstate__(self, state: Mapping[str, object]) -> None:
        self.__dict__.update(state)
        self.learn_names()  # the names were registered in the process that built the tree

    def packed(self) -> "Tree":
        """Return a compact copy with a compressed source, for keeping many trees.

        The head is parsed first, because it is needed for all of them.
        """
        found = replace(self, source=self.source.packed())
        vars(found)["head"] = self.head
        return found

    def learn_names(self) -> None:
        """Register the names of this page's unknown tags for `tag_name`."""
        unknown = (self.tag >= FIRST_UNKNOWN).nonzero()[0]
        if len(unknown):
            starts = dict(
                zip(self.tag[unknown].tolist(), self.tag_start[unknown].tolist(), strict=True)
            )
            for number, start in starts.items():
                if not is_known(number):
                    tag_number(self.source.name(start))

    @cached_property
    def head(self) -> Head:
        """What the page says about itself outside the tree."""
        return self.source.head()

    @cached_property
    def id_hash(self) -> Hashes:
        """Stable 64-bit hashes of the ids in the source; 0 for vertices without id."""
        from flong.tree.html_bytes import hash_ids  # noqa: PLC0415 - numba takes 0.6 s to import

        hashes = np.empty(len(self), dtype=np.int64)
        hash_ids(np.frombuffer(self.source.data, dtype=np.uint8), self.tag_start, hashes)
        return hashes

    @cached_property
    def ids(self) -> Mapping[int, int]:
        """First vertex with each id, by its hash."""
        vertices = np.flatnonzero(self.id_hash)[::-1]
        return dict(zip(self.id_hash[vertices].tolist(), vertices.tolist(), strict=True))

    def leaves(self, vertex: int = 0) -> list[int]:
        """Return the text leaves below (or at) a vertex, in document order."""
        end = vertex + int(self.size[vertex])
        return [vertex + int(i) for i in np.flatnonzero(self.tag[vertex:end] == TEXT)]

    def text_of(self, vertex: int) -> str:
        """Return the text of a subtree, one line per text leaf."""
        return self.text[self.start[vertex] : self.end[vertex]].decode().rstrip("\n")

    def name(self, vertex: int) -> str:
        """Return the tag name of a vertex, `#text` for a text leaf."""
        return tag_name(int(self.tag[vertex]))

    def tag_from(self, vertex: int) -> int:
        """Return the offset of the first start tag at or after a vertex, or the source's end.

        Content before the vertex ends there or slightly earlier.
        """
        for following in range(vertex, len(self)):
            start = int(self.tag_start[following])
            if start >= 0:
                return start
        return len(self.source.data)

    def attributes(self, vertex: int) -> Mapping[str, str]:
        """Return the attributes of an element; a text leaf has none."""
        start = int(self.tag_start[vertex])
        return self.source.attributes(start) if start >= 0 else {}

    def attribute(self, vertex: int, name: str) -> str | None:
        """Return an attribute of an element, or None."""
        return self.attributes(vertex).get(name)

    def class_names(self, vertex: int) -> tuple[str, ...]:
        """Return the class tokens of an element as written, in the page's order."""
        return tuple(dict.fromkeys((self.attribute(vertex, "class") or "").split()))


def remembered(
    function: Callable[[Tree, *Asked], Answer],
) -> Callable[[Tree, *Asked], Answer]:
    """Cache the results of a pure function on the tree; callers must not modify them.

    Many selectors vote for labels, and lead to the same few vertices.
    """

    @wraps(function)
    def ask(tree: Tree, *args: *Asked) -> Answer:
        answers, asked = tree.answers, (function, *args)
        answer: Answer = answers.get(asked, _UNASKED)
        if answer is _UNASKED:
            answer = answers[asked] = function(tree, *args)
        return answer

    return ask


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SitePage:
    """One page of a site."""

    url: str
    """Canonical URL."""
    tree: Tree
    """The page as a block tree."""
