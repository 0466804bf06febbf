"""The election of title and body: the pages of one pattern vote for selectors."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from items import fold_text
from patterns.candidates import Mask, PageCandidates
from patterns.selectors import (
    Selector,
    find,
    find_all,
    first_leaf,
    in_pattern,
    plainness,
    selectors_of,
)
from patterns.thresholds import THRESHOLDS
from trees import TEXT, Tree

Sums = NDArray[np.float64]
"""Words up to each vertex, so that a sub-tree's are a difference; length n + 1."""

_TRIED = 250
"""So many selectors are tried at most."""
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_NO_CONTAINERS = frozenset(
    "#text a blockquote dd dl dt figcaption h1 h2 h3 h4 h5 h6 li ol p pre span ul".split()
)


@dataclass(frozen=True, slots=True)
class Elected:
    """A selector and how well it did."""

    selector: Selector
    """Where."""
    score: float
    """Mean over the pages."""


def elect_title(pages: Sequence[PageCandidates], usual: Selector | None = None) -> Elected | None:
    """Return the selector whose first leaf looks most like the title over all pages.

    `usual` is where the site has its titles elsewhere; it wins if it is about as good.
    """
    found = _nominated([_title_vertices(candidates) for candidates in pages], pages)
    scored = [(round(_mean(selector, pages, title_score), 2), selector) for selector in found]
    if not scored:
        return None
    score, selector = max(scored, key=lambda pair: (pair[0], plainness(pair[1])))
    if usual is not None:
        there = _mean(usual, pages, title_score)
        if there >= score - _leeway(len(pages)):
            return Elected(usual, round(there, 2))
    return Elected(selector, score)


def other_title(pages: Sequence[PageCandidates]) -> tuple[Selector, Selector] | None:
    """Return two selectors if some pages have their title certainly elsewhere than the others.

    First that of most pages, then that of at least three pages, a tenth of all, for which the first
    finds nothing like their title although they agree on another.
    """
    elected = elect_title(pages)
    if elected is None:
        return None
    apart = [page for page in pages if _disagrees(page, elected.selector)]
    if len(apart) < max(THRESHOLDS.several, THRESHOLDS.habit * len(pages)):
        return None
    other = elect_title(apart)
    certain = other is not None and other.score >= THRESHOLDS.certain_title
    return (elected.selector, other.selector) if other is not None and certain else None


def _disagrees(page: PageCandidates, selector: Selector) -> bool:
    best = max(page.titles.values(), default=0.0)
    certain = best >= THRESHOLDS.certain_title
    return certain and title_score(page, selector) < THRESHOLDS.majority * best


def _leeway(pages: int) -> float:
    """Return by how much what is usual on the site may be worse: more where few pages vote."""
    return max(THRESHOLDS.as_good, THRESHOLDS.few_votes / pages)


def _title_vertices(candidates: PageCandidates) -> list[int]:
    """Return the elements around the three best title leaves of a page."""
    best = sorted(candidates.titles, key=lambda leaf: -candidates.titles[leaf])
    best = best[: THRESHOLDS.several]
    floor = THRESHOLDS.majority * candidates.titles[best[0]] if best else 0.0
    return [int(candidates.tree.parent[leaf]) for leaf in best if candidates.titles[leaf] >= floor]


def title_score(candidates: PageCandidates, selector: Selector) -> float:
    """Return how much the leaf that a selector finds looks like the title of a page."""
    return candidates.titles.get(
        first_leaf(candidates.tree, find(candidates.tree, selector, candidates.starts)), 0.0
    )


def _mean(
    selector: Selector,
    pages: Sequence[PageCandidates],
    score: Callable[[PageCandidates, Selector], float],
) -> float:
    return sum(score(candidates, selector) for candidates in pages) / len(pages)


def _nominated(
    vertices: Iterable[Iterable[int]], pages: Sequence[PageCandidates]
) -> Iterator[Selector]:
    """Yield selectors that stand for such vertices on three pages of ten at least."""
    counts: Counter[Selector] = Counter()
    for candidates, page in zip(pages, vertices, strict=True):
        seen: dict[Selector, None] = {}
        for vertex in page:
            seen.update(dict.fromkeys(selectors_of(candidates.tree, vertex)))
            seen.update(dict.fromkeys(in_pattern(candidates.starts, vertex)))
        counts.update(seen.keys())
    for selector, often in counts.most_common(_TRIED):
        if often >= THRESHOLDS.nominated * len(pages):
            yield selector


def clean(candidates: PageCandidates, title: Selector | None, constants: NDArray[np.int64]) -> Mask:
    """Return the vertices that are no body: comments, constants, all up to the title."""
    tree, ignored = candidates.tree, candidates.comments.copy()
    leaves = candidates.leaves
    ignored[leaves[np.isin(tree.text_hash[leaves], constants)]] = True
    leaf = first_leaf(tree, find(tree, title, candidates.starts))
    certain = candidates.titles.get(leaf, 0.0) >= THRESHOLDS.certain_title
    if title is not None and leaf >= 0 and certain:
        ignored[leaves[leaves <= leaf]] = True
    return ignored


def article_ends(
    pages: Sequence[PageCandidates], title: Selector | None, headlines: NDArray[np.int64]
) -> list[int]:
    """Return where a further article begins on each page of a pattern; its length if none does.

    One begins at a second title, or at what links call another page: `headlines` are sorted hashes
    of that. A single page may quote a headline; a fifth of them, three at least, do not.
    """
    ends = [len(page.tree) for page in pages]
    if title is None:
        return ends
    named = [second_headline(page, title, headlines) for page in pages]
    if sum(map(int.__lt__, named, ends)) >= max(
        THRESHOLDS.several, THRESHOLDS.further * len(pages)
    ):
        ends = named
    if hold_several(pages, title):
        ends = list(map(min, ends, (second_article(page, title) for page in pages)))
    return [
        end if title_score(page, title) >= THRESHOLDS.certain_title else len(page.tree)
        for page, end in zip(pages, ends, strict=True)
    ]


def second_headline(
    candidates: PageCandidates, title: Selector, headlines: NDArray[np.int64]
) -> int:
    """Return where a text begins below what links call another page, itself no link.

    The number of vertices if none does.
    """
    tree, leaves = candidates.tree, candidates.leaves
    first = first_leaf(tree, find(tree, title, candidates.starts))
    known = np.isin(tree.text_hash[leaves], headlines)
    below = leaves[known & (tree.link_words[leaves] == 0) & (leaves > first)]
    own = {fold_text(tree.text_of(first)) if first >= 0 else "", *candidates.page_names.anchors}
    for leaf in below.tolist():
        if fold_text(tree.text_of(leaf)) not in own and begins_article(tree, leaf):
            return int(leaf)
    return len(tree)


def second_article(candidates: PageCandidates, title: Selector) -> int:
    """Return where a further article's title is: another text at the same selector and depth.

    The number of vertices if there is none.
    """
    tree = candidates.tree
    first, *others = find_all(tree, title, candidates.starts).tolist() or [-1]
    own = fold_text(tree.text_of(first_leaf(tree, first)))
    depth = len(list(tree.ancestors(first)))
    for vertex in others:
        leaf = first_leaf(tree, vertex)
        same = leaf >= 0 and len(list(tree.ancestors(vertex))) == depth
        if (same or begins_article(tree, vertex)) and fold_text(tree.text_of(leaf)) != own:
            return int(vertex)
    return len(tree)


def begins_article(tree: Tree, vertex: int) -> bool:
    """Return whether a heading stands at the beginning of a text of its own.

    A box with a linked headline amid a text does not.

    >>> from trees import build_tree
    >>> text = "<p>" + "word " * 80
    >>> [begins_article(build_tree(page), at) for page, at in
    ...  ((f"<div><h2>A</h2>{text}</div>", 2), (f"<div>{text}<h2>A</h2>{text}</div>", 4))]
    [True, False]
    """
    for around in tree.ancestors(vertex):
        plain = int(tree.words[around] - tree.link_words[around])
        if plain >= THRESHOLDS.article_words:
            inside = np.arange(around, vertex)
            before = tree.words[inside[tree.tag[inside] == TEXT]].sum()
            return bool(before <= THRESHOLDS.opening * plain)
    return False


def hold_several(pages: Sequence[PageCandidates], title: Selector | None) -> bool:
    """Return whether pages of a pattern hold further articles below the first.

    By a title with a name of its own one such page is enough; headings without a name are
    used inside articles, too, so that most pages must have a second one. What is neither, such as
    any `div` in a named one, tells nothing.
    """
    if title is None or not (title.named or title.tag in _HEADINGS):
        return False
    second = [second_article(candidates, title) < len(candidates.tree) for candidates in pages]
    return any(second) if title.named else sum(second) >= THRESHOLDS.mostly * len(pages)


@dataclass(frozen=True, eq=False, kw_only=True)
class Testimony:
    """What the witnesses take for the body of one page."""

    candidates: PageCandidates
    """The page."""
    ignored: Mask
    """What is no body, whatever they say."""
    kept: Sums
    """Words that are left, in further articles below the first, too."""
    taken: tuple[Sums, ...]
    """Words that each witness takes; those that take none are not here."""
    share: Sums
    """Words taken, on the average over the witnesses."""

    def score(self, vertex: int) -> float:
        """Return the mean F1 of a sub-tree's words with what the witnesses take."""
        if vertex < 0 or not self.taken:
            return 0.0
        kept = self.within(self.kept, vertex)
        taken = [(self.within(sums, vertex), float(sums[-1])) for sums in self.taken]
        return sum(2 * both / max(kept + whole, 1.0) for both, whole in taken) / len(taken)

    def within(self, sums: Sums, vertex: int) -> float:
        """Return a sub-tree's words."""
        return float(sums[vertex + int(self.candidates.tree.size[vertex])] - sums[vertex])


Witness = Callable[[Tree, Mask], Iterable[int]]
"""Says which text leaves of a page are its body, when some vertices are not to be seen."""


def hear(
    candidates: PageCandidates, ignored: Mask, witnesses: Iterable[Witness], end: int
) -> Testimony:
    """Ask the witnesses about one page.

    They do not see what lies from `end` on, where a further article begins: a container that holds
    it, too, agrees with them the less. Nor do they see teasers of other pages, unless little is
    left without them.
    """
    tree = candidates.tree
    shown = np.zeros(len(tree))
    visible = candidates.leaves[~ignored[candidates.leaves]]
    shown[visible] = tree.words[visible]
    unseen = ignored | candidates.teasers
    if shown[candidates.teasers].sum() > THRESHOLDS.most_teasers * shown.sum():
        unseen = ignored.copy()
    unseen[end:] = True
    answers = []
    for witness in witnesses:
        leaves = np.fromiter(witness(tree, unseen), dtype=np.intp)
        words = np.zeros(len(tree))
        words[leaves] = tree.words[leaves]
        if words.any():
            answers.append(words)
    share = np.mean(answers, axis=0) if answers else np.zeros(len(tree))
    return Testimony(
        candidates=candidates,
        ignored=ignored,
        kept=_sums(shown),
        taken=tuple(map(_sums, answers)),
        share=_sums(share),
    )


def _sums(values: NDArray[np.float64]) -> Sums:
    return np.concatenate(([0.0], np.cumsum(values)))


def elect_body(pages: Sequence[Testimony], usual: Selector | None = None) -> Elected | None:
    """Return the container that agrees best with the witnesses over all pages.

    Among those within .03 of the best the one with the least text, then the plainest; `usual`,
    where the site has its bodies elsewhere, wins if it is about as good.
    """
    live = [page for page in pages if page.taken]
    if not live:
        return None
    seen = [page.candidates for page in live]
    scored = []
    largest_box = 0.0
    for selector in _nominated(map(_containers, live), seen):
        there = [
            (page, find_all(page.candidates.tree, selector, page.candidates.starts))
            for page in live
        ]
        found = [(page, vertices) for page, vertices in there if len(vertices)]
        score = sum(page.score(int(vertices[0])) for page, vertices in found) / len(live)
        text = sum(page.within(page.kept, int(vertices[0])) for page, vertices in found)
        often = sum(len(vertices) for _, vertices in found)
        count = len(found) or 1
        is_page = not any(int(vertices[0]) for _, vertices in found)
        if is_page:
            score -= THRESHOLDS.whole_page
        elif len(found) == len(live):
            largest_box = max(largest_box, text)
        rank = (-count, round(text / count), often / count)
        scored.append((score, rank, selector, is_page))
    whole = sum(float(page.kept[-1]) for page in live)
    if largest_box >= THRESHOLDS.mostly * whole:  # then the rest of the page is no body
        scored = [row for row in scored if not row[3]]
    if not scored:
        return None
    best = max(score for score, *_ in scored)
    if usual is not None:
        own = [
            page.score(find(page.candidates.tree, usual, page.candidates.starts)) for page in live
        ]
        if sum(own) / len(live) >= best - _leeway(len(live)):
            return Elected(usual, sum(own) / len(live))
    near = [row for row in scored if row[0] >= best - THRESHOLDS.as_good]
    score, _, selector, _ = min(near, key=lambda row: (row[1], *(-x for x in plainness(row[2]))))
    return Elected(selector, score)


def _containers(page: Testimony) -> list[int]:
    """Return the vertices that hold at least half of what the witnesses take.

    That may be the whole page: paragraphs right below `body`, beside its menus and footers. Then
    the title is where the body begins, and what recurs at its end where it ends.
    """
    tree = page.candidates.tree
    first = np.arange(len(tree))
    inside = page.share[first + tree.size] - page.share[first]
    large = np.flatnonzero(inside >= THRESHOLDS.majority * page.share[-1]).tolist()
    return [v for v in large if tree.name(v) not in _NO_CONTAINERS]
