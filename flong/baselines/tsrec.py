"""TSReC hybrid: the content is the part of a page that a similar page does not share.

Y. Li, X. Meng, Q. Li, L. Wang, Hybrid method for automated news content extraction from the web
(WISE 2006), section 5. Sequence matching finds the common part (same tag, same text), tree
matching the regular part (same shape, other text). Known failures: regular parts without a rigid
form (F3) or without a counterpart (F4). Two repair rules handle plain prose (F1) and invisible text
(F2). The paper returns HTML; this module returns text leaves.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel, LCSseq

from flong.baselines.interface import Leaves
from flong.baselines.tag_hints import invisible
from flong.baselines.word_counts import below, sum_below
from flong.tree import TEXT, Tree

_NEIGHBOURS = 10
_MOST_ELEMENTS = 20_000
"""Maximum elements of a page; the alignment needs one bit per pair of elements, 50 MB."""

Positions = NDArray[np.intp]
Numbers = dict[tuple[int, ...], int]
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TagSequence:
    """The elements of a page in document order, each with its region code."""

    vertex: NDArray[np.intp]
    """Vertices of the tree."""
    begin: Codes
    """RC_b: number of opening and closing tags before the element; 0 for the root."""
    end: Codes
    """RC_e: number of tags before its closing tag."""
    parent: Codes
    """RC_p: begin of the parent; 0 for the root."""
    level: Codes
    """RC_l: number of ancestors."""
    content: NDArray[np.uint64]
    """Hash of name and own text."""

    def __len__(self) -> int:
        return len(self.vertex)

    def is_ancestor(self, one: int, other: int) -> bool:
        """Return True if one element encloses another, judged by their region codes.

        >>> from flong.tree import build_tree
        >>> sequence = tag_sequence(build_tree("<div><p>One</p></div><p>Two</p>"))
        >>> sequence.is_ancestor(1, 2), sequence.is_ancestor(1, 3)
        (True, False)
        """
        return bool(self.begin[one] < self.begin[other] and self.end[other] < self.end[one])


def tag_sequence(tree: Tree) -> TagSequence:
    """Return the TSReC of a page, in one pass over its vertices.

    Figure 3 of the paper swaps level and parent in line 12; here level is the number of ancestors.

    >>> from flong.tree import build_tree
    >>> codes = tag_sequence(build_tree("<div><p>One</p><p>Two</p></div>"))
    >>> np.stack([codes.begin, codes.end, codes.parent, codes.level], axis=1).tolist()
    [[0, 7, 0, 0], [1, 6, 0, 1], [2, 3, 1, 2], [4, 5, 1, 2]]
    """
    is_element = tree.tag != TEXT
    elements = np.flatnonzero(is_element)
    level = _levels(tree)[elements]
    # All elements before the k-th have opened, and all but its ancestors have closed.
    begin = 2 * np.arange(len(elements)) - level
    position = np.cumsum(is_element) - 1
    return TagSequence(
        vertex=elements,
        begin=begin,
        end=begin + 2 * sum_below(tree, is_element)[elements] - 1,
        parent=np.where(level > 0, begin[position[tree.parent[elements]]], 0),
        level=level,
        content=_contents(tree)[elements],
    )


def _levels(tree: Tree) -> Codes:
    """Return the number of ancestors of each vertex."""
    first = np.arange(len(tree))
    change = np.bincount(first + 1, minlength=len(tree) + 1)
    change -= np.bincount(first + tree.size, minlength=len(tree) + 1)
    return np.cumsum(change)[:-1]


def _contents(tree: Tree) -> NDArray[np.uint64]:
    """Return for each vertex a hash of its tag and of its child texts."""
    leaves = np.flatnonzero(tree.tag == TEXT)
    content = tree.tag.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    np.add.at(content, tree.parent[leaves], tree.text_hash[leaves].astype(np.uint64))
    return content


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Prepared:
    """A page prepared for matching."""

    tree: Tree
    """The page."""
    sequence: TagSequence
    """Its TSReC."""
    visible: Positions
    """Positions of the sequence that are compared."""
    words: NDArray[np.int64]
    """Number of words in each element's own text."""
    kinds: NDArray[np.int64]
    """Kind of each element's own text: 0 none, 1 plain, 2 linked, 3 both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Neighbouring sub-trees of the different part, under one parent."""

    members: list[int]
    """Positions in the sequence, including descendants."""
    shape: tuple[int, ...]
    """Shapes of the sub-trees, with runs of equal shapes compacted."""
    longest: int
    """Number of words in the longest text of one element."""


def prepare(tree: Tree, *, repair: bool = True) -> Prepared:
    """Prepare a page for matching; `repair` removes invisible text (rule 2)."""
    sequence = tag_sequence(tree)
    leaves = np.flatnonzero(tree.tag == TEXT)
    holders = tree.parent[leaves]
    words = np.bincount(holders, weights=tree.words[leaves], minlength=len(tree))
    links = np.bincount(holders, weights=tree.link_words[leaves], minlength=len(tree))
    kinds = 1 * (links < words) + 2 * (links > 0)
    hidden = below(tree, invisible(tree)) if repair else np.zeros(len(tree), dtype=np.bool_)
    return Prepared(
        tree=tree,
        sequence=sequence,
        visible=np.flatnonzero(~hidden[sequence.vertex]),
        words=words[sequence.vertex].astype(np.int64),
        kinds=kinds[sequence.vertex],
    )


def tsrec(tree: Tree, reference: Tree, *, repair: bool = True, long_text: int = 25) -> Leaves:
    """Return the text leaves of a page that are neither common nor regular.

    With `repair` (R2 in the paper's Table 1) invisible text is removed first, and a group with a
    text of at least `long_text` words is never taken for regular. Without it (R1) plain prose
    on both pages is. The alignment takes the product of both sizes over 64; the rest is linear.

    >>> from flong.tree import build_tree
    >>> page = "<ul><li>Home</ul><div><p>{0} today,<p>{0} again</div><p>Imprint</p>"
    >>> news, other = build_tree(page.format("Snow")), build_tree(page.format("Rain"))
    >>> [news.text_of(leaf) for leaf in tsrec(news, other, long_text=2)]
    ['Snow today,', 'Snow again']
    >>> tsrec(news, other, repair=False)
    ()
    """
    pages = prepare(tree, repair=repair), prepare(reference, repair=repair)
    return match(*pages, long_text=long_text if repair else None)


def match(page: Prepared, reference: Prepared, *, long_text: int | None = 25) -> Leaves:
    """Return the result of `tsrec` for prepared pages; `long_text=None` disables rule 1."""
    if max(len(page.visible), len(reference.visible)) > _MOST_ELEMENTS:
        return ()
    common = LCSseq.opcodes(
        page.sequence.content[page.visible].tolist(),
        reference.sequence.content[reference.visible].tolist(),
    ).as_matching_blocks()
    numbers: Numbers = {}
    groups = _groups(page, [(block.a, block.size) for block in common], numbers)
    others = _groups(reference, [(block.b, block.size) for block in common], numbers)
    regular = _regular(groups, others, long_text)
    content = [group.members for group, dull in zip(groups, regular, strict=True) if not dull]
    chosen = page.sequence.vertex[[position for members in content for position in members]]
    leaves = np.flatnonzero(page.tree.tag == TEXT)
    return tuple(leaves[np.isin(page.tree.parent[leaves], chosen)].tolist())


def twins(urls: Sequence[str]) -> list[int | None]:
    """Return for each URL the position of the most similar other URL, or None without another.

    Only neighbours in alphabetical order are compared, so the time is that of sorting.

    >>> twins(["/news/1", "/about", "/news/2"])
    [2, 0, 0]
    """
    order = sorted(range(len(urls)), key=lambda position: urls[position])
    twin: list[int | None] = [None] * len(urls)
    for rank, position in enumerate(order):
        around = order[max(0, rank - _NEIGHBOURS) : rank + _NEIGHBOURS + 1]
        around.remove(position)
        twin[position] = max(
            around,
            key=lambda other: Indel.normalized_similarity(urls[position], urls[other]),
            default=None,
        )
    return twin


def _groups(page: Prepared, common: list[tuple[int, int]], numbers: Numbers) -> list[_Group]:
    """Return the different part as groups of sibling sub-trees (the paper's Figures 8 and 10).

    Figure 10 never removes compared siblings; here a run of siblings of one shape counts once,
    on every level. `numbers` gives equal shapes of both pages the same number.
    """
    sequence, different = page.sequence, _different(page.visible, common)
    inside = _nest(sequence, different)
    shapes: dict[int, int] = {}
    for position in reversed(different.tolist()):
        parts = _compact(shapes[child] for child in inside[position])
        tag = int(page.tree.tag[sequence.vertex[position]])
        key = (tag, int(page.kinds[position]), *parts)
        shapes[position] = numbers.setdefault(key, len(numbers))
    groups, begins = [], sequence.begin[different]
    for _, run in groupby(inside[-1], lambda p: (sequence.parent[p], sequence.level[p])):
        roots = list(run)
        region = [sequence.begin[roots[0]], sequence.end[roots[-1]]]
        first, end = np.searchsorted(begins, region)
        members = different[first:end].tolist()
        shape = tuple(_compact(shapes[root] for root in roots))
        longest = int(page.words[members].max())
        groups.append(_Group(members=members, shape=shape, longest=longest))
    return groups


def _different(positions: Positions, common: list[tuple[int, int]]) -> Positions:
    """Return the positions outside all common blocks."""
    kept = np.ones(len(positions), dtype=np.bool_)
    for start, size in common:
        kept[start : start + size] = False
    return positions[kept]


def _nest(sequence: TagSequence, different: Positions) -> dict[int, list[int]]:
    """Return the children of each position within the different part; roots are under -1."""
    inside: dict[int, list[int]] = defaultdict(list)
    around = [-1]
    for position in different.tolist():
        while len(around) > 1 and sequence.end[around[-1]] < sequence.begin[position]:
            around.pop()
        inside[around[-1]].append(position)
        around.append(position)
    return inside


def _compact(shapes: Iterator[int]) -> list[int]:
    """Return the shapes with each run of equal shapes replaced by one."""
    return [shape for shape, _ in groupby(shapes)]


def _regular(groups: list[_Group], others: list[_Group], long_text: int | None) -> list[bool]:
    """Return True for each group with a partner of the same shape in the other page, in order."""
    places: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for place, other in enumerate(others):
        places[other.shape].append(place)
    after, regular = 0, []
    for group in groups:
        found = places[group.shape]
        at = bisect_left(found, after)
        kept = long_text is not None and group.longest >= long_text
        regular.append(not kept and at < len(found))
        if regular[-1]:
            after = found[at] + 1
    return regular
