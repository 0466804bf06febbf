"""Composition: the pattern that accepts what either of two patterns accepts (section 4.2).

The law that is kept: every page that the left or the right pattern accepts, strictly, is
accepted by their composition.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import groupby, pairwise, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.patterns.kernel.layout import ALIGN
from flong.patterns.pattern import KLEENE, OPTION, PLAIN, PLUS, SINGLE, WILDCARD, Pattern

NOTHING = -1
"""The side of a pair on which there is no vertex."""


@cache
def join(left: int, right: int) -> int:
    """Return the wildcard that stands for two vertices mapped to each other: the paper's f.

    It is for several siblings if one of them is, and optional if one of them is or is missing.

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
    """A vertex of the composition, and where it comes from."""

    kind: int
    left: int
    right: int


def merge(items: Sequence[Item], bridge: int = 0, *, as_published: bool = False) -> list[Item]:
    """Return siblings with runs of neighbouring wildcards made one: the paper's promotion, widened.

    A run in which there is a `?`, `+` or `*` becomes `+` if any member is required, else `*`.
    With `bridge` wildcards with at most so many plain siblings between them, and those, too.
    As published only a wildcard and the `?` that follow it become one.

    >>> [item.kind for item in merge([Item(k, 0, 0) for k in (SINGLE, OPTION, PLAIN, OPTION)])]
    [2, 0, 3]
    """
    if all(item.kind == PLAIN for item in items):
        return list(items)
    merged: list[Item] = []
    for wild, run in groupby(_bridged(items, bridge), key=lambda item: item.kind != PLAIN):
        group = list(run)
        kinds = {item.kind for item in group}
        if wild and as_published and not any(map(_is_bridge, group)):
            merged.extend(_promoted(group))
        elif wild and len(group) > 1 and kinds != {SINGLE}:
            many = _wildcard(many=True, optional=kinds <= {OPTION, KLEENE})
            merged.append(Item(many, NOTHING, NOTHING))
        else:
            merged.extend(group)
    return merged


def _promoted(wildcards: Sequence[Item]) -> list[Item]:
    """Return neighbouring wildcards, each one with the `?` after it (section 4.2, to the letter).

    >>> [item.kind for item in _promoted([Item(k, 0, 0) for k in (OPTION, SINGLE, OPTION)])]
    [3, 2]
    """
    promoted: list[Item] = []
    for item in wildcards:
        if promoted and item.kind == OPTION:
            optional = promoted[-1].kind in (OPTION, KLEENE)
            promoted[-1] = Item(_wildcard(many=True, optional=optional), NOTHING, NOTHING)
        else:
            promoted.append(item)
    return promoted


def _is_bridge(item: Item) -> bool:
    """Return whether an item is a plain vertex that lies between two wildcards."""
    return item.left == item.right == NOTHING


def _bridged(items: Sequence[Item], bridge: int) -> list[Item]:
    """Return the items, those that lie in a short gap between two wildcards made wildcards."""
    wild = [at for at, item in enumerate(items) if item.kind != PLAIN]
    result = list(items)
    for before, after in pairwise(wild):
        if 0 < after - before - 1 <= bridge:
            for at in range(before + 1, after):
                result[at] = Item(PLUS, NOTHING, NOTHING)
    return result


def compose(
    left: Pattern, right: Pattern, *, bridge: int = 0, as_published: bool = False
) -> Pattern:
    """Return the pattern that both have in common, with wildcards where they differ.

    `bridge` merges wildcards across up to so many plain siblings (the paper's 3 swallows
    titles), `as_published` promotes them as printed; both are there for comparison.

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
    promote = partial(merge, bridge=bridge, as_published=as_published)
    return _Composition(left, right, *_align(left, right), promote).build()


def compose_keeping(
    left: Pattern, right: Pattern, constants: float, *, bridge: int = 0
) -> Pattern | None:
    """Return what `compose` does; None, and sooner, if it would have fewer constant vertices.

    >>> from flong.tree import build_tree
    >>> from flong.patterns import pattern_of
    >>> one, two = (pattern_of(build_tree(page)) for page in ("<h1>One</h1>", "<h1>Two</h1>"))
    >>> compose_keeping(one, two, 2) == compose(one, two), compose_keeping(one, two, 3)
    (True, None)
    """
    if not _same_roots(left, right):
        return None if constants > 0 else compose(left, right, bridge=bridge)
    partner, equal = _align(left, right)
    if np.count_nonzero((partner >= 0) & equal & (left.kind == PLAIN)) < constants:
        return None
    promote = partial(merge, bridge=bridge)
    found = _Composition(left, right, partner, equal, promote).build()
    return found if found.constants >= constants else None


def _same_roots(left: Pattern, right: Pattern) -> bool:
    return bool(left.kind[0] == right.kind[0] == PLAIN and left.tag[0] == right.tag[0])


def _align(left: Pattern, right: Pattern) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Return for each vertex on the left its partner, -1 for none, and whether they are equal."""
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
    """A composition under way."""

    def __init__(
        self,
        left: Pattern,
        right: Pattern,
        partner: NDArray[np.int32],
        equal: NDArray[np.bool_],
        promote: Callable[[Sequence[Item]], list[Item]],
    ) -> None:
        self.left, self.right, self.promote = left, right, promote
        self.partner, self.equal = partner.tolist(), equal.tolist()
        self.alike = self._alike(partner, equal)
        self.kinds = left.kind.tolist(), right.kind.tolist()
        self.sizes = left.size.tolist(), right.size.tolist()
        self.items: list[Item] = []
        self.parent: list[int] = []
        self.size: list[int] = []

    def build(self) -> Pattern:
        """Lay the composition out in preorder."""
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

    def _alike(self, partner: NDArray[np.int32], equal: NDArray[np.bool_]) -> list[bool]:
        """Return which vertices of the left side have a sub-tree that the right side has, too.

        All in it is plain and mapped in order: nothing is to be joined there.
        """
        same = equal & (partner >= 0) & (self.left.kind == PLAIN)
        same &= self.left.size == self.right.size[partner]
        offset = partner - np.arange(len(partner))
        broken = np.cumsum(np.append(False, ~same[1:] | (np.diff(offset) != 0)))
        last = np.arange(len(partner)) + self.left.size - 1
        alike: list[bool] = (same & (broken[last] == broken)).tolist()
        return alike

    def _add_alike(self, item: Item, parent: int) -> None:
        """Add a sub-tree that both sides have."""
        _, a, b = item
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
            plain = self.equal[a] and left[a] == PLAIN
            yield Item(PLAIN if plain else join(left[a], right[b]), a, b)
        for other in rest:
            yield Item(join(NOTHING, right[other]), NOTHING, other)

    def _classes(self) -> list[list[int]]:
        """Return the hashes of the classes that both sides of each vertex have, sorted."""
        ours, theirs = self.left.class_start.tolist(), self.right.class_start.tolist()
        left, right = self.left.class_hash.tolist(), self.right.class_hash.tolist()
        found = []
        for kind, a, b in self.items:
            one = left[ours[a] : ours[a + 1]] if kind == PLAIN else []
            other = right[theirs[b] : theirs[b + 1]] if one else []
            found.append(one if one == other else sorted({*one} & {*other}))
        return found

    def _pattern(self) -> Pattern:
        """Return the arrays of the composition; classes are those that both sides have."""
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
