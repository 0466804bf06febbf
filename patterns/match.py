"""Matching: mapping a pattern to a page, and sub-trees to its wildcards (section 4.3).

The rules of Definition 7, first to last: every plain vertex maps to an equal one; every vertex of
the page maps or is taken by a wildcard; `.` takes one sub-tree, `+` one or more siblings; `?` and
`*` are used where possible, and each unused one costs 1; `+` and `*` take as many as possible,
leftmost first.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flong.patterns.kernel.layout import BOUNDED, INFINITE, PENALTY, STRICT, SideArrays
from flong.patterns.pattern import PLAIN, Arrays, Ints, Pattern
from flong.patterns.thresholds import THRESHOLDS
from flong.tree import Tree


@dataclass(frozen=True, eq=False, kw_only=True)
class Match:
    """A mapping of a pattern to a page."""

    pattern: Pattern
    """The pattern."""
    tree: Tree = field(repr=False)
    """The page."""
    start: Ints = field(repr=False)
    """First page vertex that each vertex of the pattern maps to or takes; -1 for none."""
    stop: Ints = field(repr=False)
    """End of the page vertices `start..stop` that it takes, which are sub-trees side by side."""
    cost: int
    """Number of `?` and `*` that take nothing."""
    left_over: int = 0
    """Vertices of both that a bounded match leaves over; 0 if the pattern accepts the page."""

    @property
    def bounded(self) -> bool:
        """Return True if the pattern accepts the page only with vertices left over."""
        return self.left_over > 0

    @cached_property
    def constants(self) -> int:
        """Return the number of plain vertices that map: the specificity of the match."""
        if not self.bounded:
            return self.pattern.constants
        return int(np.count_nonzero((self.pattern.kind == PLAIN) & (self.start >= 0)))

    @cached_property
    def owner(self) -> Ints:
        """Return for each page vertex the pattern vertex that maps to it or takes it, else -1."""
        owner = np.full(len(self.tree), -1, np.int32)
        plain = (self.pattern.kind == PLAIN) & (self.start >= 0)
        owner[self.start[plain]] = np.flatnonzero(plain)
        wild = np.flatnonzero((self.pattern.kind != PLAIN) & (self.start >= 0))
        lengths = self.stop[wild] - self.start[wild]
        past = np.cumsum(lengths) - lengths
        taken = np.arange(lengths.sum()) + np.repeat(self.start[wild] - past, lengths)
        owner[taken] = np.repeat(wild, lengths)
        return owner

    def taken(self, vertex: int) -> list[int]:
        """Return the roots of the sub-trees that a vertex of the pattern takes, in order."""
        roots, at, stop = [], int(self.start[vertex]), int(self.stop[vertex])
        while 0 <= at < stop:
            roots.append(at)
            at += int(self.tree.size[at])
        return roots


def match(pattern: Pattern, tree: Tree) -> Match | None:
    """Return the match of a pattern and a page, or None if the pattern does not accept it.

    Takes about linear time. Pages that need more than `kernel.layout.LIMIT` comparisons of siblings
    are not accepted.

    >>> from flong.tree import build_tree
    >>> from flong.patterns.compose import compose
    >>> from flong.patterns.pattern import pattern_of
    >>> one, two = build_tree("<h1>One</h1>"), build_tree("<h1>Two</h1><p>x</p>")
    >>> found = match(compose(pattern_of(one), pattern_of(two)), two)
    >>> [(found.pattern.name(v), found.taken(v)) for v in found.pattern.wildcards]
    [('.', [2]), ('?', [3])]
    """
    return fit(pattern, tree, page_side(tree))


def match_bounded(pattern: Pattern, tree: Tree, tolerance: float | None = None) -> Match | None:
    """Return the match that leaves the fewest vertices of pattern and page over.

    Return None if these are more than `tolerance` of all vertices. A page vertex that lacks classes
    counts as one.

    >>> from flong.tree import build_tree
    >>> from flong.patterns import pattern_of
    >>> one, two = build_tree("<h1>A</h1><p>b</p>"), build_tree("<h1>A</h1><p>b</p><hr>")
    >>> match(pattern_of(one), two), match_bounded(pattern_of(one), two).left_over
    (None, 1)
    """
    most = THRESHOLDS.bounded_match if tolerance is None else tolerance
    return fit(pattern, tree, page_side(tree), most)


def match_nearly(pattern: Pattern, tree: Tree) -> Match | None:
    """Return the strict match or, without one, the bounded match."""
    side = page_side(tree)
    return fit(pattern, tree, side) or fit(pattern, tree, side, THRESHOLDS.bounded_match)


def page_side(tree: Tree) -> SideArrays:
    """Return a page prepared for matching with any number of patterns."""
    from flong.patterns.kernel.prepare import make_side  # noqa: PLC0415  # the compiler takes long to import

    kind = np.zeros(len(tree), np.int8)
    columns = tree.tag, tree.size, tree.class_start, tree.class_hash, tree.text_hash
    return make_side(Arrays(kind, *columns), STRICT)


def fit(
    pattern: Pattern, tree: Tree, side: SideArrays, tolerance: float | None = None
) -> Match | None:
    """Return the match of a pattern and a prepared page; bounded if a tolerance is given."""
    from flong.patterns.kernel.align import compare_trees  # noqa: PLC0415  # the compiler takes long to import
    from flong.patterns.kernel.prepare import match_side  # noqa: PLC0415

    if pattern.kind[0] != PLAIN:
        cost, spans = 0, np.array([[0, len(tree)]], np.int32)
    elif tolerance is None:
        cost, spans = compare_trees(STRICT, match_side(pattern), side)
    else:
        most = int(tolerance * (len(pattern) + len(tree)))
        cost, spans = compare_trees(BOUNDED, match_side(pattern), side, most)
    if cost >= INFINITE:
        return None
    return Match(
        pattern=pattern,
        tree=tree,
        start=spans[:, 0],
        stop=spans[:, 1],
        cost=cost % PENALTY,
        left_over=cost // PENALTY,
    )
