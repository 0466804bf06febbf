"""What labelling looks at: text leaves that could be a page's title, comments, teasers."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flong.patterns.page_titles import PageNames
from flong.patterns.selectors import Starts, Vertices
from flong.patterns.thresholds import THRESHOLDS, Thresholds
from flong.text import cached_if_short, fold_text
from flong.tree import TEXT, Tree, remembered, tag_number

Mask = NDArray[np.bool_]
"""One truth value per vertex of a tree."""

_FOLDED = 8192
"""Lines that are kept folded."""
_AROUND = 3
"""So many elements around a title are looked at: one of them is the heading."""

_H1 = tag_number("h1")
_HEADINGS = frozenset(map(tag_number, ("h1", "h2", "h3")))
_COMMENTS = re.compile(
    r"(comments?|comentarios?|commentaires?|kommentare?|commenti|respond|disqus|replies|discussion)"
    r"([-_].*)?|commentlist",
    re.IGNORECASE,
)
_COMMENT_BYTES = (
    b"comment",
    b"comentario",
    b"kommentar",
    b"respond",
    b"disqus",
    b"replies",
    b"discussion",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class PageCandidates:
    """One page, and what on it could be title, teaser or comment."""

    tree: Tree
    """The page."""
    page_names: PageNames
    """What it is called."""
    leaves: Vertices
    """Its text leaves, in document order."""
    comments: Mask
    """Vertices in comment blocks."""
    titles: dict[int, float]
    """How much speaks for each text leaf to be the title."""
    teasers: Mask
    """Vertices of small blocks with a linked headline that many pages of the site have."""
    starts: Starts | None = None
    """Where the vertices of the pattern are in this page; None without a match."""


def find_candidates(
    tree: Tree, page_names: PageNames, repeated: frozenset[int], starts: Starts | None = None
) -> PageCandidates:
    """Find the candidates on a page; `repeated` are hashes of texts that many pages have."""
    found = _find_candidates(tree, page_names, repeated, THRESHOLDS)
    return found if starts is None else replace(found, starts=starts)


@remembered
def _find_candidates(
    tree: Tree, page_names: PageNames, repeated: frozenset[int], in_force: Thresholds
) -> PageCandidates:
    """Find them once for the numbers that are `in_force`: by others there are other candidates."""
    leaves = np.flatnonzero(tree.tag == TEXT)
    comments = comment_blocks(tree)
    plain = np.where(comments[leaves], 0, tree.words[leaves] - tree.link_words[leaves])
    longest = int(leaves[plain.argmax()]) if len(leaves) else 0
    fitting = (tree.words[leaves] >= 1) & (tree.words[leaves] <= THRESHOLDS.longest_title)
    titles = {
        leaf: title_evidence(tree, leaf, page_names)
        + (THRESHOLDS.above_text if leaf <= longest else 0.0)
        - (
            THRESHOLDS.repeated_title
            if int(tree.text_hash[leaf]) in repeated and not _named(tree, leaf, page_names)
            else 0.0
        )
        for leaf in leaves[fitting & ~comments[leaves]].tolist()
    }
    return PageCandidates(
        tree=tree,
        page_names=page_names,
        leaves=leaves,
        comments=comments,
        titles=titles,
        teasers=teaser_blocks(tree, leaves, repeated),
    )


def teaser_blocks(tree: Tree, leaves: Vertices, repeated: frozenset[int]) -> Mask:
    """Return which vertices lie in small blocks with a linked headline that other pages have, too.

    Fewer than three such blocks on a page are no list of teasers.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<div><h3><a href=x>Rain in the north</a></h3><p>More</div>" * 3)
    >>> bool(teaser_blocks(tree, np.array(tree.leaves()), frozenset(tree.text_hash.tolist()))[1])
    True
    """
    found = np.zeros(len(tree), dtype=np.bool_)
    words = tree.words[leaves]
    linked = (words >= THRESHOLDS.headline_words) & (
        tree.link_words[leaves] >= THRESHOLDS.linked_headline * words
    )
    blocks = set()
    for leaf in leaves[linked].tolist():
        if int(tree.text_hash[leaf]) not in repeated:
            continue
        block = leaf
        while (around := int(tree.parent[block])) > 0 and tree.words[
            around
        ] <= THRESHOLDS.summary_words:
            block = around
        blocks.add(block)
    if len(blocks) >= THRESHOLDS.least_teasers:
        for block in blocks:
            found[block : block + int(tree.size[block])] = True
    return found


@cached_if_short(_FOLDED)
def folded_line(text: str) -> str:
    """Return the text folded: most short lines of a page are on others, too."""
    return fold_text(text)


def _named(tree: Tree, leaf: int, page_names: PageNames) -> bool:
    """Return whether a leaf is just what links to the page say: then others may well have it."""
    return page_names.by_anchors(folded_line(tree.text_of(leaf))) == 1


def title_evidence(tree: Tree, leaf: int, page_names: PageNames) -> float:
    """Return how much a leaf by itself looks like the title of a page with these names.

    >>> from flong.tree import build_tree
    >>> tree = build_tree("<h1>Rain</h1><p>Rain")
    >>> [title_evidence(tree, leaf, PageNames(heads=("rain",))) for leaf in (2, 4)]
    [1.25, 1.0]
    """
    folded = folded_line(tree.text_of(leaf))
    likeness = page_names.by_heads(folded)
    score = likeness + THRESHOLDS.by_links * page_names.by_anchors(folded)
    vertex = int(tree.parent[leaf])
    for _ in range(_AROUND):
        if vertex < 0:
            break
        if int(tree.tag[vertex]) in _HEADINGS:
            score += THRESHOLDS.in_heading
            break
        vertex = int(tree.parent[vertex])
    return score - (THRESHOLDS.linked_title if tree.link_words[leaf] else 0.0)


@remembered
def comment_blocks(tree: Tree) -> Mask:
    """Return which vertices lie in blocks that are named after comments and hold no `h1`.

    >>> from flong.tree import build_tree
    >>> comment_blocks(build_tree("<p>a</p><ol class=comment-list><li>b</ol>")).tolist()
    [False, False, False, True, True, True]
    """
    found = np.zeros(len(tree), dtype=np.bool_)
    headings = np.flatnonzero(tree.tag == _H1)
    for vertex in comment_vertices(tree):
        end = vertex + int(tree.size[vertex])
        if not ((headings > vertex) & (headings < end)).any():
            found[vertex:end] = True
    return found


@remembered
def comment_vertices(tree: Tree) -> list[int]:
    """Return the elements whose class or id speaks of comments, in document order."""
    elements = np.flatnonzero(tree.tag_start >= 0)
    offsets = sorted(_attributes_with(tree.source.data.lower(), _COMMENT_BYTES))
    at = np.searchsorted(tree.tag_start[elements], np.array(offsets, dtype=np.int64)) - 1
    found = []
    for vertex in dict.fromkeys(elements[at].tolist()):
        attributes = tree.attributes(vertex)
        tokens = f"{attributes.get('class', '')} {attributes.get('id', '')}".split()
        if vertex > 0 and any(_COMMENTS.fullmatch(token) for token in tokens):
            found.append(vertex)
    return found


def _attributes_with(data: bytes, words: Iterable[bytes]) -> set[int]:
    """Return where the classes and ids begin that have one of some words in them.

    >>> sorted(_attributes_with(b'<p id="a" class="my-comments"><p title="comment">', [b"comment"]))
    [10]
    """
    found = set()
    for word in words:
        quote, before, at = -1, 0, data.find(word)
        while at >= 0:
            quote = max(quote, data.rfind(b'"', before, at))
            for name in (b"class=", b"id="):
                if quote >= 0 and data.endswith(name, 0, quote):
                    found.add(quote - len(name))
            before, at = at, data.find(word, at + 1)
    return found


def count_texts(trees: Iterable[Tree]) -> Counter[int]:
    """Return for each text leaf's hash how many of the pages have it.

    >>> from flong.tree import build_tree
    >>> sorted(count_texts(map(build_tree, ["<p>a<p>b", "<p>a<p>a"])).values())
    [1, 2]
    """
    counts: Counter[int] = Counter()
    for tree in trees:
        counts.update(set(tree.text_hash[tree.tag == TEXT].tolist()))
    return counts
