"""The election of title and body: the pages of one pattern vote for selectors."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.patterns.ballots import Rated, elect, nominate
from flong.patterns.candidates import Mask, PageCandidates
from flong.patterns.pattern import are_known
from flong.patterns.selectors import (
    Selector,
    find,
    find_all,
    first_leaf,
    in_pattern,
    lead,
    plainness,
    selectors_of,
)
from flong.patterns.thresholds import THRESHOLDS
from flong.text import fold_text
from flong.tree import TEXT, Tree

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
    tried = nominate((_ballot(page, _title_vertices(page)) for page in pages), _TRIED)
    scores = _mean_titles(tried, pages)
    best = elect(
        Rated(selector, round(score, 2), plainness(selector))
        for selector, score in zip(tried, scores, strict=True)
    )
    if best is None:
        return None
    if usual is not None:
        [there] = _mean_titles([usual], pages)
        if there >= best.score - _leeway(len(pages)):
            return Elected(usual, round(there, 2))
    return Elected(best.choice, best.score)


def other_title(pages: Sequence[PageCandidates]) -> tuple[Selector, Selector] | None:
    """Return two selectors if some pages have their title certainly elsewhere than the others.

    First that of most pages, then that of at least three pages, a tenth of all, for which the first
    finds nothing like their title although they agree on another.
    """
    elected = elect_title(pages)
    if elected is None:
        return None
    apart = [page for page in pages if _disagrees(page, elected.selector)]
    if len(apart) < max(THRESHOLDS.least_repeats, THRESHOLDS.convention * len(pages)):
        return None
    other = elect_title(apart)
    certain = other is not None and other.score >= THRESHOLDS.certain_title
    return (elected.selector, other.selector) if other is not None and certain else None


def _disagrees(page: PageCandidates, selector: Selector) -> bool:
    best = max(page.titles.values(), default=0.0)
    certain = best >= THRESHOLDS.certain_title
    return certain and title_score(page, selector) < THRESHOLDS.title_floor * best


def _leeway(pages: int) -> float:
    """Return by how much what is usual on the site may be worse: more where few pages vote."""
    return max(THRESHOLDS.near_tie, THRESHOLDS.few_votes / pages)


def _title_vertices(candidates: PageCandidates) -> list[int]:
    """Return the elements around the three best title leaves of a page."""
    best = sorted(candidates.titles, key=lambda leaf: -candidates.titles[leaf])
    best = best[: THRESHOLDS.title_candidates]
    floor = THRESHOLDS.title_floor * candidates.titles[best[0]] if best else 0.0
    return [int(candidates.tree.parent[leaf]) for leaf in best if candidates.titles[leaf] >= floor]


def title_score(candidates: PageCandidates, selector: Selector) -> float:
    """Return how much the leaf that a selector finds looks like the title of a page."""
    return _title_at(candidates, find(candidates.tree, selector, candidates.starts))


def _title_at(candidates: PageCandidates, vertex: int) -> float:
    return candidates.titles.get(first_leaf(candidates.tree, vertex), 0.0)


def _mean_titles(selectors: Sequence[Selector], pages: Sequence[PageCandidates]) -> list[float]:
    """Return how much what each selector finds looks like the title, on the mean of all pages."""
    scores = []
    for page in pages:
        found = [find(page.tree, selector, page.starts) for selector in selectors]
        known = {vertex: _title_at(page, vertex) for vertex in {*found}}
        scores.append([known[vertex] for vertex in found])
    return [sum(each) / len(pages) for each in zip(*scores, strict=True)]


def _ballot(page: PageCandidates, vertices: Iterable[int]) -> Iterator[tuple[Selector, ...]]:
    """Yield the selectors that stand for some vertices of a page."""
    for vertex in vertices:
        yield selectors_of(page.tree, vertex)
        yield in_pattern(page.starts, vertex)


def clean(candidates: PageCandidates, title: Selector | None, constants: NDArray[np.int64]) -> Mask:
    """Return the vertices that are no body: comments, constants, all up to the title."""
    tree, ignored = candidates.tree, candidates.comments.copy()
    leaves = candidates.leaves
    ignored[leaves[are_known(tree.text_hash[leaves], constants)]] = True
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
        THRESHOLDS.least_repeats, THRESHOLDS.second_titles * len(pages)
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
    known = are_known(tree.text_hash[leaves], headlines)
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

    >>> from flong.tree import build_tree
    >>> text = "<p>" + "word " * 80
    >>> [begins_article(build_tree(page), at) for page, at in
    ...  ((f"<div><h2>A</h2>{text}</div>", 2), (f"<div>{text}<h2>A</h2>{text}</div>", 4))]
    [True, False]
    """
    for around in tree.ancestors(vertex):
        plain = int(tree.words[around] - tree.link_words[around])
        if plain >= THRESHOLDS.note_words:
            inside = np.arange(around, vertex)
            before = tree.words[inside[tree.tag[inside] == TEXT]].sum()
            return bool(before <= THRESHOLDS.text_before * plain)
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
    return any(second) if title.named else sum(second) >= THRESHOLDS.second_headings * len(pages)


@dataclass(frozen=True, eq=False, kw_only=True)
class BaselineVotes:
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


Baseline = Callable[[Tree, Mask], Iterable[int]]
"""Says which text leaves of a page are its body, when some vertices are not to be seen."""


def ask_baselines(
    candidates: PageCandidates, ignored: Mask, baselines: Iterable[Baseline], end: int
) -> BaselineVotes:
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
    if shown[candidates.teasers].sum() > THRESHOLDS.mostly_teasers * shown.sum():
        unseen = ignored.copy()
    unseen[end:] = True
    answers = []
    for witness in baselines:
        leaves = np.fromiter(witness(tree, unseen), dtype=np.intp)
        words = np.zeros(len(tree))
        words[leaves] = tree.words[leaves]
        if words.any():
            answers.append(words)
    share = np.mean(answers, axis=0) if answers else np.zeros(len(tree))
    return BaselineVotes(
        candidates=candidates,
        ignored=ignored,
        kept=_sums(shown),
        taken=tuple(map(_sums, answers)),
        share=_sums(share),
    )


def _sums(values: NDArray[np.float64]) -> Sums:
    return np.concatenate(([0.0], np.cumsum(values)))


def elect_body(pages: Sequence[BaselineVotes], usual: Selector | None = None) -> Elected | None:
    """Return the container that agrees best with the witnesses over all pages.

    Among those within .03 of the best the one with the least text, then the plainest; `usual`,
    where the site has its bodies elsewhere, wins if it is about as good.
    """
    live = [page for page in pages if page.taken]
    if not live:
        return None
    boxes: list[Rated[Selector]] = []
    pages_whole: list[Rated[Selector]] = []
    largest_box = 0.0
    tried = nominate((_ballot(page.candidates, _containers(page)) for page in live), _TRIED)
    for selector, found in zip(tried, _judge_containers(tried, live), strict=True):
        score = sum(one.score for one in found) / len(live)
        text = sum(one.words for one in found)
        often = sum(one.often for one in found)
        count = len(found) or 1
        preference = (count, -round(text / count), -often / count, *plainness(selector))
        if any(one.vertex for one in found):
            boxes.append(Rated(selector, score, preference))
            largest_box = max(largest_box, text) if len(found) == len(live) else largest_box
        else:
            pages_whole.append(Rated(selector, score - THRESHOLDS.whole_page, preference))
    whole = sum(float(page.kept[-1]) for page in live)
    if largest_box >= THRESHOLDS.large_box * whole:  # then the rest of the page is no body
        pages_whole = []
    rated = [*boxes, *pages_whole]
    elected = elect(rated, THRESHOLDS.near_tie)
    if elected is None:
        return None
    if usual is not None:
        own = [
            page.score(find(page.candidates.tree, usual, page.candidates.starts)) for page in live
        ]
        best = max(one.score for one in rated)
        if sum(own) / len(live) >= best - _leeway(len(live)):
            return Elected(usual, sum(own) / len(live))
    return Elected(elected.choice, elected.score)


class _Container(NamedTuple):
    """A container on one page."""

    vertex: int
    often: int
    score: float
    words: float


def _judge_containers(
    selectors: Sequence[Selector], pages: Sequence[BaselineVotes]
) -> list[list[_Container]]:
    """Return for each selector the containers on those of the pages that have one."""
    found: list[list[_Container]] = [[] for _ in selectors]
    for page in pages:
        tree, starts = page.candidates.tree, page.candidates.starts
        leads = [lead(tree, selector, starts) for selector in selectors]
        known = {each: _container(page, *each) for each in {*leads}}
        for containers, (vertex, often) in zip(found, leads, strict=True):
            if often:
                containers.append(known[vertex, often])
    return found


def _container(page: BaselineVotes, vertex: int, often: int) -> _Container:
    words = page.within(page.kept, vertex) if often else 0.0
    return _Container(vertex, often, page.score(vertex), words)


def _containers(page: BaselineVotes) -> list[int]:
    """Return the vertices that hold at least half of what the witnesses take.

    That may be the whole page: paragraphs right below `body`, beside its menus and footers. Then
    the title is where the body begins, and what recurs at its end where it ends.
    """
    tree = page.candidates.tree
    first = np.arange(len(tree))
    inside = page.share[first + tree.size] - page.share[first]
    large = np.flatnonzero(inside >= THRESHOLDS.container_text * page.share[-1]).tolist()
    return [v for v in large if tree.name(v) not in _NO_CONTAINERS]
