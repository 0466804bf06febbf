"""Which place holds the title and which the body: the pages of one pattern vote."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from items import fold_text
from patterns.looks import Look, Mask
from patterns.places import (
    Place,
    find,
    find_all,
    first_leaf,
    in_pattern,
    places_of,
    plainness,
)
from trees import TEXT, Tree

Sums = NDArray[np.float64]
"""Words up to each vertex, so that a sub-tree's are a difference; length n + 1."""

CERTAIN = 0.8
"""Evidence from which a leaf is certainly the title of its page."""

_TRIED = 250
_MOST_TEASERS = 0.7
"""Share of the text that may be teasers; a page with more is nothing else."""
_ARTICLE = 60
"""Words outside links that a further article has at least."""
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_NO_CONTAINERS = frozenset(
    "#text a blockquote dd dl dt figcaption h1 h2 h3 h4 h5 h6 li ol p pre span ul".split()
)


@dataclass(frozen=True, slots=True)
class Elected:
    """A place and how well it did."""

    place: Place
    """Where."""
    score: float
    """Mean over the pages."""


def vote_title(looks: Sequence[Look], usual: Place | None = None) -> Elected | None:
    """Return the place whose first leaf looks most like the title over all pages.

    `usual` is where the site has its titles elsewhere; it wins if it is about as good.
    """
    found = _candidates([_title_vertices(look) for look in looks], looks)
    scored = [(round(_mean(place, looks, _title_score), 2), place) for place in found]
    if not scored:
        return None
    score, place = max(scored, key=lambda pair: (pair[0], plainness(pair[1])))
    if usual is not None:
        there = _mean(usual, looks, _title_score)
        if there >= score - _leeway(len(looks)):
            return Elected(usual, round(there, 2))
    return Elected(place, score)


def _leeway(pages: int) -> float:
    """Return by how much what is usual on the site may be worse: more where few pages vote."""
    return max(0.03, 0.5 / pages)


def _title_vertices(look: Look) -> list[int]:
    """Return the elements around the three best title leaves of a page."""
    best = sorted(look.titles, key=lambda leaf: -look.titles[leaf])[:3]
    floor = 0.5 * look.titles[best[0]] if best else 0.0
    return [int(look.tree.parent[leaf]) for leaf in best if look.titles[leaf] >= floor]


def _title_score(look: Look, place: Place) -> float:
    return look.titles.get(first_leaf(look.tree, find(look.tree, place, look.starts)), 0.0)


def _mean(place: Place, looks: Sequence[Look], score: Callable[[Look, Place], float]) -> float:
    return sum(score(look, place) for look in looks) / len(looks)


def _candidates(vertices: Iterable[Iterable[int]], looks: Sequence[Look]) -> Iterator[Place]:
    """Yield places that stand for such vertices on three pages of ten at least."""
    counts: Counter[Place] = Counter()
    for look, page in zip(looks, vertices, strict=True):
        seen: dict[Place, None] = {}
        for vertex in page:
            seen.update(dict.fromkeys(places_of(look.tree, vertex)))
            seen.update(dict.fromkeys(in_pattern(look.starts, vertex)))
        counts.update(seen.keys())
    for place, pages in counts.most_common(_TRIED):
        if pages >= 0.3 * len(looks):
            yield place


def clean(look: Look, title: Place | None, constants: NDArray[np.int64], *, several: bool) -> Mask:
    """Return the vertices that are no body: comments, constants, all up to the title.

    And all from a second leaf like the title on, where pages hold `several` articles.
    """
    tree, ignored = look.tree, look.comments.copy()
    leaves = look.leaves
    ignored[leaves[np.isin(tree.text_hash[leaves], constants)]] = True
    leaf = first_leaf(tree, find(tree, title, look.starts))
    if title is not None and leaf >= 0 and look.titles.get(leaf, 0.0) >= CERTAIN:
        ignored[leaves[leaves <= leaf]] = True
        if several:
            ignored[leaves[leaves >= second_article(look, title)]] = True
    return ignored


def second_article(look: Look, title: Place) -> int:
    """Return where a further article's title is: another text at the same place and depth.

    The number of vertices if there is none.
    """
    tree = look.tree
    first, *others = find_all(tree, title, look.starts).tolist() or [-1]
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
        if plain >= _ARTICLE:
            inside = np.arange(around, vertex)
            before = tree.words[inside[tree.tag[inside] == TEXT]].sum()
            return bool(before <= 0.2 * plain)
    return False


def hold_several(looks: Sequence[Look], title: Place | None) -> bool:
    """Return whether pages of a pattern hold further articles below the first.

    By a title with a name of its own one such page is enough; headings without a name are
    used inside articles, too, so that most pages must have a second one. What is neither, such as
    any `div` in a named one, tells nothing.
    """
    if title is None or not (title.named or title.tag in _HEADINGS):
        return False
    second = [second_article(look, title) < len(look.tree) for look in looks]
    return any(second) if title.named else sum(second) >= 0.6 * len(looks)


@dataclass(frozen=True, eq=False, kw_only=True)
class Testimony:
    """What the witnesses take for the body of one page."""

    look: Look
    """The page."""
    ignored: Mask
    """What they were not shown."""
    kept: Sums
    """Words that they were shown."""
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
        return float(sums[vertex + int(self.look.tree.size[vertex])] - sums[vertex])


Witness = Callable[[Tree, Mask], Iterable[int]]
"""Says which text leaves of a page are its body, when some vertices are not to be seen."""


def hear(look: Look, ignored: Mask, witnesses: Iterable[Witness]) -> Testimony:
    """Ask the witnesses about one page.

    They do not see teasers of other pages, unless little is left without them.
    """
    tree = look.tree
    shown = np.zeros(len(tree))
    visible = look.leaves[~ignored[look.leaves]]
    shown[visible] = tree.words[visible]
    unseen = ignored | look.teasers
    if shown[look.teasers].sum() > _MOST_TEASERS * shown.sum():
        unseen = ignored
    answers = []
    for witness in witnesses:
        leaves = np.fromiter(witness(tree, unseen), dtype=np.intp)
        words = np.zeros(len(tree))
        words[leaves] = tree.words[leaves]
        if words.any():
            answers.append(words)
    share = np.mean(answers, axis=0) if answers else np.zeros(len(tree))
    return Testimony(
        look=look,
        ignored=ignored,
        kept=_sums(shown),
        taken=tuple(map(_sums, answers)),
        share=_sums(share),
    )


def _sums(values: NDArray[np.float64]) -> Sums:
    return np.concatenate(([0.0], np.cumsum(values)))


def vote_body(pages: Sequence[Testimony], usual: Place | None = None) -> Elected | None:
    """Return the container that agrees best with the witnesses over all pages.

    Among those within .03 of the best the one with the least text, then the plainest; `usual`,
    where the site has its bodies elsewhere, wins if it is about as good.
    """
    live = [page for page in pages if page.taken]
    if not live:
        return None
    looks = [page.look for page in live]
    scored = []
    for place in _candidates(map(_containers, live), looks):
        there = [(page, find_all(page.look.tree, place, page.look.starts)) for page in live]
        found = [(page, vertices) for page, vertices in there if len(vertices)]
        score = sum(page.score(int(vertices[0])) for page, vertices in found) / len(live)
        text = sum(page.within(page.kept, int(vertices[0])) for page, vertices in found)
        often = sum(len(vertices) for _, vertices in found)
        count = len(found) or 1
        scored.append((score, (-count, round(text / count), often / count), place))
    if not scored:
        return None
    best = max(score for score, _, _ in scored)
    if usual is not None:
        own = [page.score(find(page.look.tree, usual, page.look.starts)) for page in live]
        if sum(own) / len(live) >= best - _leeway(len(live)):
            return Elected(usual, sum(own) / len(live))
    near = [row for row in scored if row[0] >= best - 0.03]
    score, _, place = min(near, key=lambda row: (row[1], *(-x for x in plainness(row[2]))))
    return Elected(place, score)


def _containers(page: Testimony) -> list[int]:
    """Return the vertices that hold at least half of what the witnesses take."""
    tree = page.look.tree
    first = np.arange(len(tree))
    inside = page.share[first + tree.size] - page.share[first]
    large = np.flatnonzero(inside >= 0.5 * page.share[-1]).tolist()
    return [v for v in large if v > 0 and tree.name(v) not in _NO_CONTAINERS]
