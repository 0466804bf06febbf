"""Election of the body: its container and the blocks in it that are not body (section 4.4).

The paper takes the longest passage. Here the baseline extractors vote on every page, without the
blocks that cannot be body (`clean`, `article_ends`). The container that agrees best with them over
all pages is elected (`CONTAINER`). Then each block inside it with a name or a telling tag is kept
or excluded (`EXCLUSION`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.patterns.election import Feature, FeatureTable, Rated, elect, shortlist
from flong.patterns.labels import Exclusions
from flong.patterns.pattern import are_known
from flong.patterns.selectors import (
    Selector,
    find,
    find_all,
    first_leaf,
    in_pattern,
    lead,
    names_of,
    plainness,
)
from flong.patterns.thresholds import THRESHOLDS
from flong.patterns.title_election import (
    TRIED,
    Elected,
    Mask,
    PageCandidates,
    comment_vertices,
    propose,
    title_score,
    usual_tolerance,
)
from flong.text import fold_text
from flong.tree import TEXT, Tree, tag_number

Sums = NDArray[np.float64]
"""Number of words before each vertex; a sub-tree's are a difference. Length n + 1."""

_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_NO_CONTAINERS = frozenset(
    "#text a blockquote dd dl dt figcaption h1 h2 h3 h4 h5 h6 li ol p pre span ul".split()
)
_TELLING = frozenset(["aside", "footer", "form", "nav"])
_PRE = tag_number("pre")
_BOXES = frozenset(["article", "center", "div", "section"])


def clean(candidates: PageCandidates, title: Selector | None, constants: NDArray[np.int64]) -> Mask:
    """Return the vertices that are not body: comments, constants, all up to the title."""
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
    """Return the vertex where a second article begins on each page, else its length.

    An article begins at a second title, or at the anchor text of another page. `headlines` are the
    sorted hashes of anchor texts. They count only if enough pages (`second_titles`) contain one,
    because a single page may quote a headline.
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
    """Return the first unlinked anchor text of another page that begins a text.

    Without one, return the number of vertices.
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
    """Return the title of a second article: another text at the same selector and depth.

    Without one, return the number of vertices.
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
    """Return True if a heading is at the beginning of a text of its own.

    The heading of a box inside a text is not.

    >>> from flong.tree import build_tree
    >>> text = "<p>" + "word " * 80
    >>> [begins_article(build_tree(page), at) for page, at in
    ...  ((f"<div><h2>A</h2>{text}</div>", 2), (f"<div>{text}<h2>A</h2>{text}</div>", 4))]
    [True, False]
    """
    for around in tree.ancestors(vertex):
        plain = int(tree.words[around] - tree.link_words[around])
        if plain >= THRESHOLDS.second_words:
            inside = np.arange(around, vertex)
            before = tree.words[inside[tree.tag[inside] == TEXT]].sum()
            return bool(before <= THRESHOLDS.text_before * plain)
    return False


def hold_several(pages: Sequence[PageCandidates], title: Selector | None) -> bool:
    """Return True if pages of a pattern contain further articles below the first.

    If the title's selector has a name, one such page is enough. Headings without a name also occur
    inside articles, so `second_headings` of the pages must have a second one. Other selectors, such
    as any `div` in a named one, are no evidence.
    """
    if title is None or not (title.named or title.tag in _HEADINGS):
        return False
    second = [second_article(candidates, title) < len(candidates.tree) for candidates in pages]
    return any(second) if title.named else sum(second) >= THRESHOLDS.second_headings * len(pages)


@dataclass(frozen=True, eq=False, kw_only=True)
class BaselineVotes:
    """The words of one page that the baselines take for its body."""

    candidates: PageCandidates
    """The page."""
    ignored: Mask
    """Vertices that are not body, whatever the baselines take."""
    kept: Sums
    """Words of the other vertices, including further articles below the first."""
    taken: tuple[Sums, ...]
    """Words that each baseline takes, without baselines that take none."""
    share: Sums
    """Words taken, on average over the baselines."""

    def score(self, vertex: int) -> float:
        """Return the mean F1 of a sub-tree's words and the words of each baseline."""
        if vertex < 0 or not self.taken:
            return 0.0
        kept = self.within(self.kept, vertex)
        taken = [(self.within(sums, vertex), float(sums[-1])) for sums in self.taken]
        return sum(2 * both / max(kept + whole, 1.0) for both, whole in taken) / len(taken)

    def within(self, sums: Sums, vertex: int) -> float:
        """Return a sub-tree's words."""
        return float(sums[vertex + int(self.candidates.tree.size[vertex])] - sums[vertex])


Baseline = Callable[[Tree, Mask], Iterable[int]]
"""Returns the text leaves of a page's body; ignores the vertices of the mask."""


def ask_baselines(
    candidates: PageCandidates, ignored: Mask, baselines: Iterable[Baseline], end: int
) -> BaselineVotes:
    """Return the votes of the baselines for one page.

    Vertices >= `end`, where a further article begins, are hidden from them; a container that
    includes these agrees less. Teasers of other pages are hidden, too, unless they are most of the
    page (`mostly_teasers`).
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
    for baseline in baselines:
        leaves = np.fromiter(baseline(tree, unseen), dtype=np.intp)
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


class ContainerVotes(NamedTuple):
    """The votes for one candidate container, over all pages."""

    agreement: float
    """Mean F1 of its words and those that the baselines take."""
    is_page: bool
    """It is the whole page wherever it is found."""


CONTAINER = FeatureTable[ContainerVotes](
    "container",
    Feature(
        "words of the baselines", 1.0, "it contains what the baselines take, and little else",
        lambda seen: seen.agreement,
    ),
    Feature(
        "the whole page", -0.1, "menus and footers are in it, too",
        lambda seen: seen.is_page,
    ),
)  # fmt: skip
"""Features of a candidate container. Agreement is the mean F1 of the words."""


def elect_body(pages: Sequence[BaselineVotes], usual: Selector | None = None) -> Elected | None:
    """Return the container that agrees best with the baselines over all pages.

    Near-ties (`near_tie`) are decided by the number of pages that have it, by less text, fewer
    instances per page and the plainer selector. `usual` is the selector of bodies elsewhere on the
    site; it wins near-ties.
    """
    live = [page for page in pages if page.taken]
    if not live:
        return None
    boxes: list[Rated[Selector]] = []
    pages_whole: list[Rated[Selector]] = []
    largest_box = 0.0
    tried = shortlist((propose(page.candidates, _containers(page)) for page in live), TRIED)
    for selector, found in zip(tried, _find_containers(tried, live), strict=True):
        is_page = not any(one.vertex for one in found)
        agreement = sum(one.score for one in found) / len(live)
        text = sum(one.words for one in found)
        count = len(found) or 1
        often = sum(one.often for one in found)
        preference = (count, -round(text / count), -often / count, *plainness(selector))
        score = CONTAINER.score(ContainerVotes(agreement, is_page))
        (pages_whole if is_page else boxes).append(Rated(selector, score, preference))
        if len(found) == len(live) and not is_page:
            largest_box = max(largest_box, text)
    whole = sum(float(page.kept[-1]) for page in live)
    if largest_box >= THRESHOLDS.large_box * whole:  # the rest of the page is not body
        pages_whole = []
    rated = [*boxes, *pages_whole]
    elected = elect(rated, tolerance=THRESHOLDS.near_tie)
    if elected is None:
        return None
    if usual is not None:
        own = [
            page.score(find(page.candidates.tree, usual, page.candidates.starts)) for page in live
        ]
        best = max(one.score for one in rated)
        if sum(own) / len(live) >= best - usual_tolerance(len(live)):
            return Elected(usual, sum(own) / len(live))
    return Elected(elected.choice, elected.score)


class _Container(NamedTuple):
    """A candidate container on one page."""

    vertex: int
    often: int
    score: float
    words: float


def _find_containers(
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
    """Return the vertices with at least `container_text` of the words that the baselines take.

    The whole page can be one: paragraphs directly below `body`, beside menus and footers. The body
    then begins at the title and ends at the recurring text below it.
    """
    tree = page.candidates.tree
    first = np.arange(len(tree))
    inside = page.share[first + tree.size] - page.share[first]
    large = np.flatnonzero(inside >= THRESHOLDS.container_text * page.share[-1]).tolist()
    return [v for v in large if tree.name(v) not in _NO_CONTAINERS]


@dataclass(slots=True)
class Block:
    """The blocks of one name inside the container, summed over pages."""

    pages: int = 0
    """Pages with such a block."""
    words: float = 0.0
    taken: float = 0.0
    """Words that the baselines take, on average."""
    repeated: float = 0.0
    """Words of texts that are on several pages."""
    linked: float = 0.0
    """Words in links."""
    before: float = 0.0
    """Position in the container from 0 to 1, times words."""
    code: float = 0.0
    """Words of program code."""
    woven: int = 0
    """Pages on which the blocks are woven into the text."""
    share: float = 0.0
    """Fraction of the container's words, summed over pages."""
    elsewhere: int = 0
    """Pages on which the same vertex of the pattern is not such a block."""

    @property
    def recurs(self) -> bool:
        """Return True if nearly all of its text is on several pages."""
        return self.repeated > THRESHOLDS.recurring_box * self.words

    @property
    def is_code(self) -> bool:
        """Return True if most of it is program code, which no baseline takes."""
        return self.code >= THRESHOLDS.code * self.words

    @property
    def is_linked(self) -> bool:
        """Return True if most of it is links."""
        return self.linked / self.words > THRESHOLDS.link_box

    @property
    def is_short_edge(self) -> bool:
        """Return True if it is short, partly links, and at the start or end of the text."""
        before = self.before / self.words
        return (
            min(before, 1 - before) < THRESHOLDS.edge
            and self.linked / self.words > THRESHOLDS.edge_links
            and self.words < THRESHOLDS.edge_words * self.pages
        )

    @property
    def is_woven(self) -> bool:
        """Return True if it is part of the text: cells of a table, lines of a list or form."""
        return self.woven > THRESHOLDS.woven_pages * self.pages


class BlockInContainer(NamedTuple):
    """A block and the container that it may be excluded from."""

    block: Block
    live: int
    """Pages with the container."""
    text: float
    """Words of the container on all pages."""
    repeated: float
    """Fraction of them in texts that are on several pages."""

    @property
    def is_repeated(self) -> bool:
        """Return True if more of the block's text recurs than usual in the container."""
        often = max(THRESHOLDS.repeated_box, THRESHOLDS.repeated_excess * self.repeated)
        return self.block.repeated > often * self.block.words

    @property
    def is_rare(self) -> bool:
        """Return True if too few pages have the block."""
        least = 2 if self.block.recurs else max(2, THRESHOLDS.box_pages * self.live)
        return self.block.pages < least

    @property
    def is_large(self) -> bool:
        """Return True if much of the text is in the block."""
        block, most = self.block, THRESHOLDS.most_of_text
        share = 0.0 if block.recurs else block.share
        return block.words > most * self.text or share > most * block.pages


EXCLUSION = FeatureTable[BlockInContainer](
    "exclusion",
    Feature(
        "not taken by the baselines", 1.0, "they agree that it is not body; code they never take",
        lambda seen: not seen.block.is_code
        and seen.block.taken < THRESHOLDS.untaken * seen.block.words,
    ),
    Feature(
        "its text recurs", 1.0, "author boxes and prompts are on many pages",
        lambda seen: seen.is_repeated,
    ),
    Feature(
        "mostly links", 1.0, "related articles and tags are links",
        lambda seen: seen.block.is_linked,
    ),
    Feature(
        "a short box at the edge with links", 1.0, "navigation is above and below the text",
        lambda seen: seen.block.is_short_edge,
    ),
    Feature(
        "woven into the text", -9.0, "cells and lines are text, unless they are a recurring menu",
        lambda seen: seen.block.is_woven and not (seen.block.is_linked and seen.block.recurs),
    ),
    Feature(
        "on few pages", -9.0, "single blocks are no part of the template",
        lambda seen: seen.is_rare,
    ),
    Feature(
        "much of the text", -9.0, "an article without it would be mutilated",
        lambda seen: seen.is_large,
    ),
    Feature(
        "a paragraph on other pages", -9.0, "the vertex of the pattern holds text elsewhere",
        lambda seen: seen.block.elsewhere > 0,
    ),
)  # fmt: skip
"""Features of a block that is to be excluded. One reason for is enough, one against prevents it."""


def elect_exclusions(
    pages: Sequence[BaselineVotes], container: Selector, shared: frozenset[int]
) -> Exclusions:
    """Return the blocks to exclude from a container: all that have more points for than against.

    `shared` are the hashes of texts on several pages.
    """
    blocks: dict[Selector, Block] = {}
    live = trailing = 0
    text = repeated = 0.0
    for page in pages:
        inside = _Inside.of(page, container, shared)
        if inside is None:
            continue
        live += 1
        trailing += inside.ends_with_links()
        text += inside.words
        repeated += page.within(inside.repeated, inside.vertex)
        _count_blocks(inside, blocks)
    usual = repeated / max(text, 1.0)
    found = {
        selector: None
        for selector, block in blocks.items()
        if block.pages and EXCLUSION.score(BlockInContainer(block, live, text, usual)) > 0
    }
    found.update(dict.fromkeys(_comments(pages, container)))
    trailing_links = live > 0 and trailing >= THRESHOLDS.trailing_links * live
    return Exclusions(tuple(found), trailing_links=trailing_links)


@dataclass(frozen=True, eq=False, slots=True)
class _Inside:
    """The container on one page."""

    page: BaselineVotes
    vertex: int
    words: float
    repeated: Sums
    linked: Sums
    code: Sums

    def within(self, words: Sums) -> list[float]:
        """Return the number of words in each vertex of the container."""
        size = self.page.candidates.tree.size
        first = np.arange(self.vertex, self.vertex + int(size[self.vertex]))
        found: list[float] = (words[first + size[first]] - words[first]).tolist()
        return found

    @classmethod
    def of(
        cls, page: BaselineVotes, container: Selector, shared: frozenset[int]
    ) -> "_Inside | None":
        candidates = page.candidates
        tree = candidates.tree
        vertex = find(tree, container, candidates.starts)
        if vertex < 0 or not page.taken or page.within(page.kept, vertex) <= 0:
            return None
        shown = np.diff(page.kept)
        again = np.zeros(len(tree))
        again[candidates.leaves] = [
            text in shared for text in tree.text_hash[candidates.leaves].tolist()
        ]
        return cls(
            page,
            vertex,
            page.within(page.kept, vertex),
            np.concatenate(([0.0], np.cumsum(shown * again))),
            np.concatenate(([0.0], np.cumsum(np.where(shown > 0, tree.link_words, 0)))),
            np.concatenate(([0.0], np.cumsum(shown * (tree.tag[tree.parent] == _PRE)))),
        )

    def ends_with_links(self) -> bool:
        tree = self.page.candidates.tree
        end = self.vertex + int(tree.size[self.vertex])
        shown = np.flatnonzero(np.diff(self.page.kept)[self.vertex : end]) + self.vertex
        return bool(tree.link_words[shown[-1]] >= THRESHOLDS.link_line * tree.words[shown[-1]])

    def is_woven(self, vertices: Sequence[int]) -> bool:
        """Return True if blocks span the text and differ, as the cells of a table do."""
        tree, kept = self.page.candidates.tree, self.page.kept
        end = vertices[-1] + int(tree.size[vertices[-1]])
        spread = float(kept[end] - kept[vertices[0]]) / self.words
        if len(vertices) < THRESHOLDS.woven_blocks or spread <= THRESHOLDS.woven_span:
            return False
        return len({int(tree.text_hash[first_leaf(tree, vertex)]) for vertex in vertices}) > 1

    def blocks(self) -> Iterator[tuple[int, float]]:
        """Yield the elements that can be excluded, with their words."""
        tree = self.page.candidates.tree
        starts = tree.tag_start[self.vertex :].tolist()
        for at, words in enumerate(self.within(self.page.kept)):
            vertex = self.vertex + at
            if at and words > 0 and starts[at] >= 0 and tree.name(vertex) not in _HEADINGS:
                yield vertex, words


def _count_blocks(inside: _Inside, blocks: dict[Selector, Block]) -> None:
    page, seen = inside.page, dict[Selector, list[int]]()
    taken, repeated, linked, code = map(
        inside.within, (page.share, inside.repeated, inside.linked, inside.code)
    )
    for vertex, words in inside.blocks():
        at = vertex - inside.vertex
        before = float(page.kept[vertex] - page.kept[inside.vertex]) + words / 2
        for selector in _handles(page, vertex):
            if (block := blocks.get(selector)) is None:
                block = blocks[selector] = Block()
            block.pages += selector not in seen
            block.words += words
            block.share += words / inside.words
            block.taken += taken[at]
            block.repeated += repeated[at]
            block.linked += linked[at]
            block.code += code[at]
            block.before += before / inside.words * words
            seen.setdefault(selector, []).append(vertex)
        # A vertex of the pattern that is a box here may be a paragraph on another page.
        for selector in in_pattern(page.candidates.starts, vertex):
            if selector not in seen:
                blocks.setdefault(selector, Block()).elsewhere += 1
    for selector, vertices in seen.items():
        blocks[selector].woven += inside.is_woven(vertices)


def _handles(page: BaselineVotes, vertex: int) -> Sequence[Selector]:
    """Return the selectors that can exclude a block.

    They are its names. For a nameless `div` or the like it is the vertex of the pattern; a nameless
    `p` has none.
    """
    selectors = names_of(page.candidates.tree, vertex)
    found = [selector for selector in selectors if selector.named or selector.tag in _TELLING]
    return found or (
        in_pattern(page.candidates.starts, vertex) if selectors[-1].tag in _BOXES else ()
    )


def _comments(pages: Sequence[BaselineVotes], container: Selector) -> Iterator[Selector]:
    """Yield the names of comment blocks inside the container."""
    for page in pages:
        candidates = page.candidates
        vertex = find(candidates.tree, container, candidates.starts)
        end = vertex + int(candidates.tree.size[vertex])
        for block in comment_vertices(candidates.tree):
            if 0 <= vertex < block < end and candidates.comments[block]:
                yield from (
                    selector
                    for selector in names_of(candidates.tree, block)[:-1]
                    if _names_comments(selector)
                )


def _names_comments(selector: Selector) -> bool:
    return any(
        word in (selector.token + selector.ident).lower()
        for word in ("omment", "espond", "isqus", "oment", "eplies", "iscussion")
    )
