"""Candidates on one page, and the election of the title (section 4.4 of the paper).

The paper takes the passage that is near the body and shares its words. Here each text leaf is
compared with the page's head title and with the texts of links to it (`TITLE`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.patterns.election import Feature, FeatureTable, Rated, elect, shortlist
from flong.patterns.page_titles import PageNames
from flong.patterns.selectors import (
    Selector,
    Starts,
    Vertices,
    find,
    first_leaf,
    in_pattern,
    plainness,
    selectors_of,
)
from flong.patterns.thresholds import THRESHOLDS, Thresholds
from flong.text import cached_if_short, fold_text
from flong.tree import TEXT, Tree, remembered, tag_number

Mask = NDArray[np.bool_]
"""One truth value per vertex of a tree."""

TRIED = 250
"""Maximum number of selectors that are scored."""
_FOLDED = 8192
"""Size of the cache of folded lines."""
_AROUND = 3
"""Maximum number of elements between a title and its heading, including the heading."""

_H1, _H6 = tag_number("h1"), tag_number("h6")
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


class TitleLeaf(NamedTuple):
    """A text leaf that may be the title of its page."""

    tree: Tree
    leaf: int
    page_names: PageNames
    folded: str
    """Its text, folded."""
    longest: int
    """The text leaf with the most words outside links."""
    repeated: frozenset[int]
    """Hashes of texts that many pages have."""

    @property
    def in_heading(self) -> bool:
        """Return True if the leaf is in a heading."""
        around = islice(self.tree.ancestors(self.leaf), _AROUND)
        return any(int(self.tree.tag[vertex]) in _HEADINGS for vertex in around)

    @property
    def is_repeated(self) -> bool:
        """Return True if many pages have the text, and it is not the anchor text of this one."""
        text = int(self.tree.text_hash[self.leaf])
        return text in self.repeated and self.page_names.by_anchors(self.folded) != 1


TITLE = FeatureTable[TitleLeaf](
    "title",
    Feature(
        "like the head title", 1.0, "the head names the page",
        lambda seen: seen.page_names.by_heads(seen.folded),
    ),
    Feature(
        "like an anchor text", 0.7, "links name the page they lead to",
        lambda seen: seen.page_names.by_anchors(seen.folded),
    ),
    Feature("in a heading", 0.25, "titles are headings", lambda seen: seen.in_heading),
    Feature(
        "a link", -0.1, "titles of other pages are links",
        lambda seen: bool(seen.tree.link_words[seen.leaf]),
    ),
    Feature(
        "above the longest text", 0.15, "the title is above the body",
        lambda seen: seen.leaf <= seen.longest,
    ),
    Feature(
        "on many pages", -0.4, "a text of many pages identifies no page",
        lambda seen: seen.is_repeated,
    ),
)  # fmt: skip
"""Features of a text leaf as the title of its page."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PageCandidates:
    """One page with its candidates for the title, its teasers and its comments."""

    tree: Tree
    """The page."""
    page_names: PageNames
    """Head titles and anchor texts of the page."""
    leaves: Vertices
    """Text leaves, in document order."""
    comments: Mask
    """Vertices in comment blocks."""
    titles: dict[int, float]
    """Points of each text leaf that may be the title."""
    teasers: Mask
    """Vertices of small blocks with a linked headline that many pages of the site have."""
    starts: Starts | None = None
    """Position of each vertex of the pattern in this page; None without a match."""


def find_candidates(
    tree: Tree, page_names: PageNames, repeated: frozenset[int], starts: Starts | None = None
) -> PageCandidates:
    """Find the candidates on a page; `repeated` are hashes of texts that many pages have."""
    found = _find_candidates(tree, page_names, repeated, THRESHOLDS, TITLE.features)
    return found if starts is None else replace(found, starts=starts)


@remembered
def _find_candidates(
    tree: Tree,
    page_names: PageNames,
    repeated: frozenset[int],
    _thresholds: Thresholds,
    _features: tuple[Feature[TitleLeaf], ...],
) -> PageCandidates:
    """Find the candidates; cached per tree for the thresholds and features in use."""
    leaves = np.flatnonzero(tree.tag == TEXT)
    comments = comment_blocks(tree)
    plain = np.where(comments[leaves], 0, tree.words[leaves] - tree.link_words[leaves])
    longest = int(leaves[plain.argmax()]) if len(leaves) else 0
    fitting = (tree.words[leaves] >= 1) & (tree.words[leaves] <= THRESHOLDS.longest_title)
    titles = {
        leaf: TITLE.score(
            TitleLeaf(tree, leaf, page_names, folded_line(tree.text_of(leaf)), longest, repeated)
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


@cached_if_short(_FOLDED)
def folded_line(text: str) -> str:
    """Return the text folded; cached, because most short lines of a page are on others, too."""
    return fold_text(text)


@dataclass(frozen=True, slots=True)
class Elected:
    """A selector and its score."""

    selector: Selector
    """Selector of the title or of the body's container."""
    score: float
    """Mean points over the pages."""


def elect_title(pages: Sequence[PageCandidates], usual: Selector | None = None) -> Elected | None:
    """Return the selector whose first leaf has the most points, on the mean of all pages.

    `usual` is the selector of titles elsewhere on the site; it wins near-ties.
    """
    tried = shortlist((propose(page, _title_vertices(page)) for page in pages), TRIED)
    scores = _mean_scores(tried, pages)
    best = elect(
        Rated(selector, round(score, 2), plainness(selector))
        for selector, score in zip(tried, scores, strict=True)
    )
    if best is None:
        return None
    if usual is not None:
        [there] = _mean_scores([usual], pages)
        if there >= best.score - usual_tolerance(len(pages)):
            return Elected(usual, round(there, 2))
    return Elected(best.choice, best.score)


def other_title(pages: Sequence[PageCandidates]) -> tuple[Selector, Selector] | None:
    """Return two selectors if some pages certainly have their title elsewhere than the others.

    The first is the elected one. The second is elected by the pages on which the first finds
    nothing like their best title. Enough pages must be of these (`divided_titles`).
    """
    elected = elect_title(pages)
    if elected is None:
        return None
    apart = [page for page in pages if _disagrees(page, elected.selector)]
    if len(apart) < max(THRESHOLDS.least_repeats, THRESHOLDS.divided_titles * len(pages)):
        return None
    other = elect_title(apart)
    certain = other is not None and other.score >= THRESHOLDS.certain_title
    return (elected.selector, other.selector) if other is not None and certain else None


def title_score(candidates: PageCandidates, selector: Selector) -> float:
    """Return the points of the leaf that a selector finds on a page."""
    return _score_at(candidates, find(candidates.tree, selector, candidates.starts))


def usual_tolerance(pages: int) -> float:
    """Return how much worse the site's usual place may be; few voting pages allow more."""
    return max(THRESHOLDS.near_tie, THRESHOLDS.few_votes / pages)


def propose(page: PageCandidates, vertices: Iterable[int]) -> Iterator[tuple[Selector, ...]]:
    """Yield the selectors that lead to some vertices of a page."""
    for vertex in vertices:
        yield selectors_of(page.tree, vertex)
        yield in_pattern(page.starts, vertex)


def _disagrees(page: PageCandidates, selector: Selector) -> bool:
    best = max(page.titles.values(), default=0.0)
    certain = best >= THRESHOLDS.certain_title
    return certain and title_score(page, selector) < THRESHOLDS.title_elsewhere * best


def _title_vertices(candidates: PageCandidates) -> list[int]:
    """Return the elements around the best title leaves of a page."""
    best = sorted(candidates.titles, key=lambda leaf: -candidates.titles[leaf])
    best = best[: THRESHOLDS.title_candidates]
    floor = THRESHOLDS.title_floor * candidates.titles[best[0]] if best else 0.0
    return [int(candidates.tree.parent[leaf]) for leaf in best if candidates.titles[leaf] >= floor]


def _score_at(candidates: PageCandidates, vertex: int) -> float:
    return candidates.titles.get(first_leaf(candidates.tree, vertex), 0.0)


def _mean_scores(selectors: Sequence[Selector], pages: Sequence[PageCandidates]) -> list[float]:
    """Return the mean points of each selector over all pages."""
    scores = []
    for page in pages:
        found = [find(page.tree, selector, page.starts) for selector in selectors]
        known = {vertex: _score_at(page, vertex) for vertex in {*found}}
        scores.append([known[vertex] for vertex in found])
    return [sum(each) / len(pages) for each in zip(*scores, strict=True)]


def teaser_blocks(tree: Tree, leaves: Vertices, repeated: frozenset[int]) -> Mask:
    """Return the vertices in small blocks with a linked headline that other pages have, too.

    A page with fewer than `least_teasers` such blocks has no list of teasers.

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
        ] <= THRESHOLDS.teaser_words:
            block = around
        blocks.add(block)
    if len(blocks) >= THRESHOLDS.least_teasers:
        for block in blocks:
            found[block : block + int(tree.size[block])] = True
    return found


@remembered
def comment_blocks(tree: Tree) -> Mask:
    """Return the vertices in blocks that are named after comments and contain no `h1`.

    >>> from flong.tree import build_tree
    >>> comment_blocks(build_tree("<p>a</p><ol class=comment-list><li>b</ol>")).tolist()
    [False, False, False, True, True, True]
    """
    found = np.zeros(len(tree), dtype=np.bool_)
    headings = np.flatnonzero(tree.tag == _H1)
    for vertex in comment_vertices(tree):
        end = comments_end(tree, vertex)
        if not ((headings > vertex) & (headings < end)).any():
            found[vertex:end] = True
    return found


def comments_end(tree: Tree, vertex: int) -> int:
    """Return the end of the comments that an element named after them holds.

    Below a heading of this name they are its siblings, if a text is above it.

    >>> from flong.tree import build_tree
    >>> text = "word " * 40
    >>> comments_end(build_tree(f"<p>{text}</p><h3 id=comments>One reply</h3><p>Why?"), 3)
    7
    """
    if _H1 <= tree.tag[vertex] <= _H6:
        plain = (tree.words - tree.link_words)[:vertex]
        lines = (tree.tag[:vertex] == TEXT) & (plain >= THRESHOLDS.line_words)
        if plain[lines].sum() >= THRESHOLDS.note_words:
            vertex = int(tree.parent[vertex])
    return vertex + int(tree.size[vertex])


@remembered
def comment_vertices(tree: Tree) -> list[int]:
    """Return the elements whose class or id names comments, in document order."""
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
    """Return the offsets of class and id attributes that contain one of some words.

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
    """Return the number of pages that have each text, by the text's hash.

    >>> from flong.tree import build_tree
    >>> sorted(count_texts(map(build_tree, ["<p>a<p>b", "<p>a<p>a"])).values())
    [1, 2]
    """
    counts: Counter[int] = Counter()
    for tree in trees:
        counts.update(set(tree.text_hash[tree.tag == TEXT].tolist()))
    return counts
