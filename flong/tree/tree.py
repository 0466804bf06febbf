"""A page as a rooted, ordered, labelled tree in flat arrays.

Vertices are numbered in preorder, the root (`body`) is 0. The sub-tree of `v` is
`v .. v + size[v]`, its first child `v + 1` (if `size[v] > 1`), the next sibling of `c`
is `c + size[c]`. Nothing here recurses, so depth is no danger.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, TypeVar, TypeVarTuple

import numpy as np
from numpy.typing import NDArray

from flong.tree.ordered_tree import Ints, OrderedTree
from flong.tree.page_source import Head, PageSource
from flong.tree.tags import FIRST_UNKNOWN, TEXT, is_known, tag_name, tag_number

Hashes = NDArray[np.int64]
Asked = TypeVarTuple("Asked")
Answer = TypeVar("Answer")
_UNASKED = object()


@dataclass(frozen=True, eq=False, kw_only=True)
class Tree(OrderedTree):
    """The block tree of one page, with what pattern, clusters and extractors ask of it."""

    tag: Ints
    """Tag number (`flong.tree.tags`); `TEXT` for a text leaf."""
    class_start: Ints
    """Class tokens of v are `class_hash[class_start[v]:class_start[v + 1]]`; length n + 1."""
    class_hash: Hashes
    """Stable 64-bit hashes of class tokens, sorted and distinct for each vertex."""
    text_hash: Hashes
    """Stable hash of a text leaf's normalised text; 0 for elements."""
    link_hash: Hashes
    """Stable hash of the text of the longest link inside a text leaf; 0 if it has none."""
    start: Ints
    """Where the text of the sub-tree begins in `text`."""
    end: Ints
    """Where it ends."""
    words: Ints
    """Words in the sub-tree's text; a CJK or Thai character counts as one."""
    link_words: Ints
    """Those of them that lie inside `<a href>`."""
    links: Ints
    """Links of a text leaf itself; 1 for an element that is one, with all that is in it."""
    place: Ints
    """Position of the element (of the enclosing element for a text leaf) among all elements
    of the parsed document, in document order; 0 is `html`."""
    text: bytes
    """UTF-8; the text of all leaves in document order, each ended by a newline."""
    tag_start: Ints
    """Where the element's start tag begins in the source; -1 for a text leaf."""
    source: PageSource = field(repr=False)
    """The parsed page as it was serialised."""
    partial: bool = False
    """The parser or a limit cut the page: part of it is missing here."""

    def __len__(self) -> int:
        return len(self.tag)

    def __setstate__(self, state: Mapping[str, object]) -> None:
        self.__dict__.update(state)
        self.learn_names()  # they were known to the process that built the tree

    def packed(self) -> "Tree":
        """Return the same tree for keeping with many others: most of its memory is the source.

        What the page says about itself is known: who has many asks all of them for that.
        """
        found = replace(self, source=self.source.packed())
        vars(found)["head"] = self.head
        return found

    def learn_names(self) -> None:
        """Let `tag_name` know the tags of this page that HTML does not."""
        unknown = (self.tag >= FIRST_UNKNOWN).nonzero()[0]
        if len(unknown):
            starts = dict(
                zip(self.tag[unknown].tolist(), self.tag_start[unknown].tolist(), strict=True)
            )
            for number, start in starts.items():
                if not is_known(number):
                    tag_number(self.source.name(start))

    @cached_property
    def answers(self) -> dict[Hashable, Any]:
        """What `remembered` functions found out about this tree."""
        return {}

    @cached_property
    def head(self) -> Head:
        """What the page says about itself outside the tree."""
        return self.source.head()

    @cached_property
    def id_hash(self) -> Hashes:
        """Stable 64-bit hashes of the ids as the source has them; 0 for a vertex without."""
        from flong.tree.html_bytes import hash_ids  # noqa: PLC0415 - numba takes 0.6 s to import

        hashes = np.empty(len(self), dtype=np.int64)
        hash_ids(np.frombuffer(self.source.data, dtype=np.uint8), self.tag_start, hashes)
        return hashes

    @cached_property
    def ids(self) -> Mapping[int, int]:
        """The first vertex with each id, by its hash."""
        vertices = np.flatnonzero(self.id_hash)[::-1]
        return dict(zip(self.id_hash[vertices].tolist(), vertices.tolist(), strict=True))

    def leaves(self, vertex: int = 0) -> list[int]:
        """Return the text leaves below (or at) a vertex, in document order."""
        end = vertex + int(self.size[vertex])
        return [vertex + int(i) for i in np.flatnonzero(self.tag[vertex:end] == TEXT)]

    def text_of(self, vertex: int) -> str:
        """Return the text of a sub-tree, a line per text leaf."""
        return self.text[self.start[vertex] : self.end[vertex]].decode().rstrip("\n")

    def name(self, vertex: int) -> str:
        """Return the tag name of a vertex, `#text` for a text leaf."""
        return tag_name(int(self.tag[vertex]))

    def tag_from(self, vertex: int) -> int:
        """Return where the first start tag from a vertex on begins; the end of the source if none.

        What is before a vertex ends there, or a little earlier.
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
        """Return an attribute of an element, None if it has none of that name."""
        return self.attributes(vertex).get(name)

    def class_names(self, vertex: int) -> tuple[str, ...]:
        """Return the class tokens of an element as written, in the page's order."""
        return tuple(dict.fromkeys((self.attribute(vertex, "class") or "").split()))


def remembered(
    function: Callable[[Tree, *Asked], Answer],
) -> Callable[[Tree, *Asked], Answer]:
    """Let a pure function of a tree find each answer once; the tree keeps it, nobody may change it.

    Labels are voted for by many selectors, which lead to the same few vertices again and again.
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
