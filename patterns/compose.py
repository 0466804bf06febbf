"""Composition of two patterns (Reis et al. 2004, section 4.2).

Law: the composition accepts every page that the left or the right pattern accepts strictly.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import groupby, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.patterns.kernel.layout import ALIGN
from flong.patterns.pattern import KLEENE, OPTION, PLAIN, PLUS, SINGLE, WILDCARD, Pattern

NOTHING = -1
"""Side of a pair without a vertex."""


@cache
def join(left: int, right: int) -> int:
    """Return the wildcard that stands for two vertices mapped to each other: the paper's f.

    It takes several siblings if one of the two does, and is optional if one of the two is or is
    missing.

    >>> join(SINGLE, PLAIN) == SINGLE, join(PLAIN, NOTHING) == OPTION, join(PLUS, OPTION) == KLEENE
    (True, True, True)
    """
    kinds = {left, right}
    return _wildcard(
        many=bool(kinds & {PLUS, KLEENE}), optional=bool(kinds & {OPTION, KLEENE, NOTHING})
    )


def _wildcard(*, many: bool, optional: bool) -> int:
    if many:
        return KLEENE if optional else PLUS
    return OPTION if optional else SINGLE


class Item(NamedTuple):
    """A vertex of the composition, and its sources."""

    kind: int
    left: int
    right: int
    plain: int = 1
    """Number of plain vertices in the sub-tree of a plain vertex."""


def merge(items: Sequence[Item]) -> list[Item]:
    """Merge each run of neighbouring wildcards that contains a `?`, `+` or `*`.

    The result is `+` if any member is required, else `*`. This widens the paper's promotion
    (`flong.patterns.reis.promote`), which only merges a wildcard and the `?` after it.

    >>> [item.kind for item in merge([Item(k, 0, 0) for k in (SINGLE, OPTION, PLAIN, OPTION)])]
    [2, 0, 3]
    """
    if all(item.kind == PLAIN for item in items):
        return list(items)
    merged: list[Item] = []
    for wild, run in groupby(items, key=lambda item: item.kind != PLAIN):
        group = list(run)
        kinds = {item.kind for item in group}
        if wild and len(group) > 1 and kinds != {SINGLE}:
            merged.append(several(optional=kinds <= {OPTION, KLEENE}))
        else:
            merged.extend(group)
    return merged


def several(*, optional: bool) -> Item:
    """Return a wildcard for several siblings: `*` if optional, else `+`."""
    return Item(_wildcard(many=True, optional=optional), NOTHING, NOTHING)


Promotion = Callable[[Sequence[Item]], list[Item]]
"""Merges wildcards among the children of a vertex."""


def compose(left: Pattern, right: Pattern, promote: Promotion = merge) -> Pattern:
    """Return the common pattern of two patterns, with wildcards where they differ.

    >>> from flong.tree import build_tree
    >>> from flong.patterns import pattern_of, write_text
    >>> pages = ["<h1>One</h1><p>a</p>", "<h1>Two</h1><p>b</p><p>c</p><p>d</p>"]
    >>> first, second = (pattern_of(build_tree(page)) for page in pages)
    >>> print(write_text(compose(first, second)), end="")
    body
      h1
        .
      p
        .
      *
    """
    if not _same_roots(left, right):
        return _lone(join(int(left.kind[0]), int(right.kind[0])))
    return _Composition(left, right, *_align(left, right), promote).build()


def compose_keeping(left: Pattern, right: Pattern, constants: float) -> Pattern | None:
    """Return the composition, or None early if it would have fewer constant vertices.

    >>> from flong.tree import build_tree
    >>> from flong.patterns import pattern_of
    >>> one, two = (pattern_of(build_tree(page)) for page in ("<h1>One</h1>", "<h1>Two</h1>"))
    >>> compose_keeping(one, two, 2) == compose(one, two), compose_keeping(one, two, 3)
    (True, None)
    """
    if not _same_roots(left, right):
        return None if constants > 0 else compose(left, right)
    partner, equal = _align(left, right)
    if np.count_nonzero((partner >= 0) & equal & (left.kind == PLAIN)) < constants:
        return None
    found = _Composition(left, right, partner, equal, merge).build()
    return found if found.constants >= constants else None


def _same_roots(left: Pattern, right: Pattern) -> bool:
    return bool(left.kind[0] == right.kind[0] == PLAIN and left.tag[0] == right.tag[0])


def _align(left: Pattern, right: Pattern) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Return for each vertex on the left its partner, or -1, and True if the two are equal."""
    from flong.patterns.kernel.align import compare_trees  # noqa: PLC0415  # the compiler takes long to import
    from flong.patterns.kernel.prepare import make_side  # noqa: PLC0415

    ours, theirs = make_side(left.arrays, ALIGN), make_side(right.arrays, ALIGN)
    _, spans = compare_trees(ALIGN, ours, theirs)
    return spans[:, 0], spans[:, 1] >= 0


def _lone(kind: int) -> Pattern:
    """Return a pattern that is one wildcard."""
    none = np.zeros(0, np.int64)
    return Pattern(
        kind=np.array([kind], np.int8),
        tag=np.array([WILDCARD], np.int32),
        parent=np.array([-1], np.int32),
        size=np.array([1], np.int32),
        class_start=np.zeros(2, np.int32),
        class_hash=none,
        text_hash=np.zeros(1, np.int64),
    )


class _Composition:
    """A composition in progress."""

    def __init__(
        self,
        left: Pattern,
        right: Pattern,
        partner: NDArray[np.int32],
        equal: NDArray[np.bool_],
        promote: Promotion,
    ) -> None:
        self.left, self.right, self.promote = left, right, promote
        self.partner, self.equal = partner.tolist(), equal.tolist()
        same = equal & (partner >= 0) & (left.kind == PLAIN)
        self.alike = self._alike(same, partner)
        self.plain = np.cumsum(np.append(0, same)).tolist()
        self.kinds = left.kind.tolist(), right.kind.tolist()
        self.sizes = left.size.tolist(), right.size.tolist()
        self.items: list[Item] = []
        self.parent: list[int] = []
        self.size: list[int] = []

    def build(self) -> Pattern:
        """Return the pattern, laid out in preorder."""
        stack = [(self._add(Item(PLAIN, 0, 0), -1), iter(self._children(0, 0)))]
        while stack:
            vertex, rest = stack[-1]
            item = next(rest, None)
            if item is None:
                self.size[vertex] = len(self.items) - vertex
                stack.pop()
            elif item.kind == PLAIN and self.alike[item.left]:
                self._add_alike(item, vertex)
            elif item.kind == PLAIN:
                stack.append((self._add(item, vertex), iter(self._children(item.left, item.right))))
            else:
                self._add(item, vertex)
        return self._pattern()

    def _add(self, item: Item, parent: int) -> int:
        self.items.append(item)
        self.parent.append(parent)
        self.size.append(1)
        return len(self.items) - 1

    def _alike(self, same: NDArray[np.bool_], partner: NDArray[np.int32]) -> list[bool]:
        """Return True for each vertex of the left side with an equal sub-tree on the right side.

        Its vertices are plain and mapped in order, so there is nothing to join.
        """
        same = same & (self.left.size == self.right.size[partner])
        offset = partner - np.arange(len(partner))
        broken = np.cumsum(np.append(False, ~same[1:] | (np.diff(offset) != 0)))
        last = np.arange(len(partner)) + self.left.size - 1
        alike: list[bool] = (same & (broken[last] == broken)).tolist()
        return alike

    def _add_alike(self, item: Item, parent: int) -> None:
        """Add a sub-tree that both sides have."""
        _, a, b, _ = item
        size, first = self.sizes[0][a], len(self.items)
        self.items += map(Item, repeat(PLAIN), range(a, a + size), range(b, b + size))
        self.parent.append(parent)
        above = self.left.parent[a + 1 : a + size] + (first - a)
        self.parent += above.tolist()
        self.size += self.sizes[0][a : a + size]

    def _kids(self, side: int, vertex: int) -> list[int]:
        sizes = self.sizes[side]
        kids, kid, end = [], vertex + 1, vertex + sizes[vertex]
        while kid < end:
            kids.append(kid)
            kid += sizes[kid]
        return kids

    def _children(self, a: int, b: int) -> list[Item]:
        """Return the children of two mapped vertices, joined in order and merged."""
        return self.promote(list(self._pairs(self._kids(0, a), self._kids(1, b))))

    def _pairs(self, ours: list[int], theirs: list[int]) -> Iterator[Item]:
        left, right = self.kinds
        rest = iter(theirs)
        for a in ours:
            b = self.partner[a]
            if b < 0:
                yield Item(join(left[a], NOTHING), a, NOTHING)
                continue
            for other in rest:
                if other == b:
                    break
                yield Item(join(NOTHING, right[other]), NOTHING, other)
            if self.equal[a] and left[a] == PLAIN:
                yield Item(PLAIN, a, b, self.plain[a + self.sizes[0][a]] - self.plain[a])
            else:
                yield Item(join(left[a], right[b]), a, b)
        for other in rest:
            yield Item(join(NOTHING, right[other]), NOTHING, other)

    def _classes(self) -> list[list[int]]:
        """Return the class hashes that both sides of each vertex have, sorted."""
        ours, theirs = self.left.class_start.tolist(), self.right.class_start.tolist()
        left, right = self.left.class_hash.tolist(), self.right.class_hash.tolist()
        found = []
        for kind, a, b, _ in self.items:
            one = left[ours[a] : ours[a + 1]] if kind == PLAIN else []
            other = right[theirs[b] : theirs[b + 1]] if one else []
            found.append(one if one == other else sorted({*one} & {*other}))
        return found

    def _pattern(self) -> Pattern:
        """Return the pattern; its classes are those of both sides."""
        left, classes = self.left, self._classes()
        source = np.array([item.left if item.kind == PLAIN else -1 for item in self.items])
        plain = source >= 0
        text_hash = np.where(plain, left.text_hash[source], 0)
        kept = {h for tokens in classes for h in tokens}
        constants = set(text_hash.tolist()) - {0}
        return Pattern(
            kind=np.array([item.kind for item in self.items], np.int8),
            tag=np.where(plain, left.tag[source], WILDCARD).astype(np.int32),
            parent=np.array(self.parent, np.int32),
            size=np.array(self.size, np.int32),
            class_start=np.cumsum([0, *map(len, classes)], dtype=np.int32),
            class_hash=np.array([h for tokens in classes for h in tokens], np.int64),
            text_hash=text_hash,
            names={h: name for h, name in left.names.items() if h in kept},
            texts={h: text for h, text in left.texts.items() if h in constants},
        )
