"""What inside the body's container is not body: the pages of one pattern decide.

A block is left out only if it has a name (class or id) or a telling tag, is on at least 15% of
the pages, and: the witnesses do not take it (unless it is program code, which they never take);
or its text is also on other articles (author boxes, prompts); or it is mostly links (related
articles, tags).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flong.patterns.candidates import comment_vertices
from flong.patterns.election import BaselineVotes, Sums
from flong.patterns.pattern import hash_of
from flong.patterns.selectors import (
    Selector,
    Starts,
    find,
    find_all,
    first_leaf,
    in_pattern,
    names_of,
)
from flong.patterns.thresholds import THRESHOLDS
from flong.tree import Tree, tag_number

_TELLING = frozenset(["aside", "footer", "form", "nav"])
_PRE = tag_number("pre")
_BOXES = frozenset(["article", "center", "div", "section"])
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())


@dataclass(slots=True)
class _Block:
    """What is known of the blocks of one name, summed over pages."""

    pages: int = 0
    words: float = 0.0
    taken: float = 0.0
    repeated: float = 0.0
    linked: float = 0.0
    before: float = 0.0
    code: float = 0.0
    woven: int = 0
    share: float = 0.0
    elsewhere: int = 0

    @property
    def recurs(self) -> bool:
        """Return whether nearly all of its text is on several pages."""
        return self.repeated > THRESHOLDS.recurring_box * self.words

    @property
    def is_code(self) -> bool:
        """Return whether most of it is program code, which no witness takes."""
        return self.code >= THRESHOLDS.code * self.words

    def unwanted(self, usual: float) -> bool:
        """Return whether it is no body; `usual` is the share of repeated text in the container."""
        linked, before = self.linked / self.words, self.before / self.words
        if self.woven > THRESHOLDS.woven_pages * self.pages:  # so are menus around a text
            return linked > THRESHOLDS.mostly_links and self.recurs
        often = max(THRESHOLDS.repeated_box, THRESHOLDS.repeated_excess * usual)
        short = self.words < THRESHOLDS.note_words * self.pages
        at_edge = min(before, 1 - before) < THRESHOLDS.edge
        return (
            (not self.is_code and self.taken < THRESHOLDS.untaken * self.words)
            or self.repeated > often * self.words
            or linked > THRESHOLDS.mostly_links
            or (at_edge and linked > THRESHOLDS.linked_text and short)
        )


@dataclass(frozen=True)
class Exclusions:
    """What is left out of a container."""

    selectors: tuple[Selector, ...] = ()
    """Blocks, wherever they are in it."""
    trailing_links: bool = False
    """Lines of links at its end, such as tags."""

    @cached_property
    def _classes(self) -> dict[int, list[Selector]]:
        """Selectors of a tag with a class, by the hash of the class."""
        return _by_hash((hash_of(p.token), p) for p in self.selectors if p.token and _is_simple(p))

    @cached_property
    def _idents(self) -> dict[int, list[Selector]]:
        """Selectors of a tag with an id, by the hash of the id."""
        simple = (p for p in self.selectors if not p.token and _is_simple(p))
        return _by_hash((hash_of(p.ident), p) for p in simple)

    @cached_property
    def others(self) -> tuple[Selector, ...]:
        """Return the selectors that are neither a tag with a class nor one with an id."""
        return tuple(selector for selector in self.selectors if not _is_simple(selector))

    def find(self, tree: Tree, starts: Starts | None) -> list[int]:
        """Return the blocks of a page that are left out.

        Systems number comments in their ids, so that a site may have very many selectors: only
        those are searched for whose class or id the page has.
        """
        selectors = [*self.others]
        if self._classes:
            for name in self._classes.keys() & set(tree.class_hash.tolist()):
                selectors += self._classes[name]
        if self._idents:
            for name in self._idents.keys() & tree.ids.keys():
                selectors += self._idents[name]
        return [at for each in selectors for at in find_all(tree, each, starts).tolist()]


def _by_hash(named: Iterable[tuple[int, Selector]]) -> dict[int, list[Selector]]:
    found: dict[int, list[Selector]] = {}
    for name, selector in named:
        found.setdefault(name, []).append(selector)
    return found


def _is_simple(selector: Selector) -> bool:
    return selector.named and selector.inside is None and selector.vertex < 0


def elect_exclusions(
    pages: Sequence[BaselineVotes], container: Selector, counts: Counter[int]
) -> Exclusions:
    """Return what to leave out of a container; `counts` says how many pages have each text."""
    blocks: dict[Selector, _Block] = {}
    live = trailing = 0
    text = repeated = 0.0
    for page in pages:
        inside = _Inside.of(page, container, counts)
        if inside is None:
            continue
        live += 1
        trailing += inside.ends_with_links()
        text += inside.words
        repeated += page.within(inside.repeated, inside.vertex)
        _count_blocks(inside, blocks)
    usual, most = repeated / max(text, 1.0), THRESHOLDS.most_of_text
    found = {
        selector: None
        for selector, block in blocks.items()
        if block.pages >= (2 if block.recurs else max(2, THRESHOLDS.box_pages * live))
        and block.words <= most * text
        and (block.recurs or block.share <= most * block.pages)
        and not block.elsewhere
        and block.unwanted(usual)
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
        """Return how many of some words each vertex has, from the container on to its end."""
        size = self.page.candidates.tree.size
        first = np.arange(self.vertex, self.vertex + int(size[self.vertex]))
        found: list[float] = (words[first + size[first]] - words[first]).tolist()
        return found

    @classmethod
    def of(cls, page: BaselineVotes, container: Selector, counts: Counter[int]) -> "_Inside | None":
        candidates = page.candidates
        tree = candidates.tree
        vertex = find(tree, container, candidates.starts)
        if vertex < 0 or not page.taken or page.within(page.kept, vertex) <= 0:
            return None
        shown = np.diff(page.kept)
        again = np.zeros(len(tree))
        again[candidates.leaves] = [
            counts[h] >= 2 for h in tree.text_hash[candidates.leaves].tolist()
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
        return bool(tree.link_words[shown[-1]] >= THRESHOLDS.mostly_links * tree.words[shown[-1]])

    def is_woven(self, vertices: Sequence[int]) -> bool:
        """Return whether blocks are spread over the text and say different things.

        The cells of a table, the lines of a list or a form are: they are the text.
        """
        tree, kept = self.page.candidates.tree, self.page.kept
        end = vertices[-1] + int(tree.size[vertices[-1]])
        spread = float(kept[end] - kept[vertices[0]]) / self.words
        if len(vertices) < THRESHOLDS.woven_blocks or spread <= THRESHOLDS.woven_span:
            return False
        return len({int(tree.text_hash[first_leaf(tree, vertex)]) for vertex in vertices}) > 1

    def blocks(self) -> Iterator[tuple[int, float]]:
        """Yield the elements that could be left out, with their words."""
        tree = self.page.candidates.tree
        starts = tree.tag_start[self.vertex :].tolist()
        for at, words in enumerate(self.within(self.page.kept)):
            vertex = self.vertex + at
            if at and words > 0 and starts[at] >= 0 and tree.name(vertex) not in _HEADINGS:
                yield vertex, words


def _count_blocks(inside: _Inside, blocks: dict[Selector, _Block]) -> None:
    page, seen = inside.page, dict[Selector, list[int]]()
    taken, repeated, linked, code = map(
        inside.within, (page.share, inside.repeated, inside.linked, inside.code)
    )
    for vertex, words in inside.blocks():
        at = vertex - inside.vertex
        before = float(page.kept[vertex] - page.kept[inside.vertex]) + words / 2
        for selector in _handles(page, vertex):
            if (block := blocks.get(selector)) is None:
                block = blocks[selector] = _Block()
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
                blocks.setdefault(selector, _Block()).elsewhere += 1
    for selector, vertices in seen.items():
        blocks[selector].woven += inside.is_woven(vertices)


def _handles(page: BaselineVotes, vertex: int) -> Sequence[Selector]:
    """Return the selectors by which a block can be left out.

    They are its names; for a nameless `div` or the like the pattern's vertex, never for a `p`.
    """
    selectors = names_of(page.candidates.tree, vertex)
    found = [selector for selector in selectors if selector.named or selector.tag in _TELLING]
    return found or (
        in_pattern(page.candidates.starts, vertex) if selectors[-1].tag in _BOXES else ()
    )


def _comments(pages: Sequence[BaselineVotes], container: Selector) -> Iterator[Selector]:
    """Yield the names of comment blocks that lie in the container."""
    for page in pages:
        candidates = page.candidates
        vertex = find(candidates.tree, container, candidates.starts)
        end = vertex + int(candidates.tree.size[vertex])
        for block in comment_vertices(candidates.tree):
            if 0 <= vertex < block < end and candidates.comments[block]:
                yield from (
                    selector
                    for selector in names_of(candidates.tree, block)[:-1]
                    if _tells(selector)
                )


def _tells(selector: Selector) -> bool:
    return any(
        word in (selector.token + selector.ident).lower()
        for word in ("omment", "espond", "isqus", "oment", "eplies", "iscussion")
    )
