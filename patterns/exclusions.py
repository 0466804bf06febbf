"""What inside the body's container is not body: the pages of one pattern decide.

A block is left out only if it has a name (class or id) or a telling tag, is on at least 15% of
the pages, and: the witnesses do not take it (unless it is program code, which they never take);
or its text is also on other articles (author boxes, prompts); or it is mostly links (related
articles, tags).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from patterns.looks import comment_vertices
from patterns.pattern import hash_of
from patterns.places import Place, find, in_pattern, names_of
from patterns.votes import Sums, Testimony
from trees import tag_number

_TELLING = frozenset(["aside", "footer", "form", "nav"])
_PRE = tag_number("pre")
_MOST = 0.4
"""A block with a larger share of all text is the body, whatever speaks against it."""

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

    def unwanted(self, usual: float) -> bool:
        """Return whether it is no body; `usual` is the share of repeated text in the container."""
        linked, before = self.linked / self.words, self.before / self.words
        at_edge = before < 0.15 or before > 0.85
        return (
            (self.taken < 0.25 * self.words and self.code < 0.5 * self.words)
            or self.repeated > max(0.35, 3 * usual) * self.words
            or linked > 0.6
            or (at_edge and linked > 0.3 and self.words < 40 * self.pages)
        )


@dataclass(frozen=True)
class Exclusions:
    """What is left out of a container."""

    places: tuple[Place, ...] = ()
    """Blocks, wherever they are in it."""
    trailing_links: bool = False
    """Lines of links at its end, such as tags."""

    @cached_property
    def tokens(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return hashes of class tokens, sorted, and the tag that goes with each.

        They say all about the places that are a tag with a class: one look at a page finds them.
        """
        rows = sorted((hash_of(p.token), tag_number(p.tag)) for p in self.places if _is_simple(p))
        tokens, tags = zip(*rows, strict=True) if rows else ((), ())
        return np.array(tokens, np.int64), np.array(tags, np.int32)

    @cached_property
    def others(self) -> tuple[Place, ...]:
        """Return the places that are not."""
        return tuple(place for place in self.places if not _is_simple(place))


def _is_simple(place: Place) -> bool:
    return bool(place.token) and place.inside is None and place.vertex < 0


def vote_exclusions(
    pages: Sequence[Testimony], container: Place, counts: Counter[int]
) -> Exclusions:
    """Return what to leave out of a container; `counts` says how many pages have each text."""
    blocks: dict[Place, _Block] = {}
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
    usual = repeated / max(text, 1.0)
    found = {
        place: None
        for place, block in blocks.items()
        if block.pages >= max(2, (0.15 if block.repeated < 0.9 * block.words else 0.0) * live)
        and block.words <= _MOST * text
        and block.unwanted(usual)
    }
    found.update(dict.fromkeys(_comments(pages, container)))
    return Exclusions(tuple(found), trailing_links=live > 0 and trailing >= 0.9 * live)


@dataclass(frozen=True, eq=False, slots=True)
class _Inside:
    """The container on one page."""

    page: Testimony
    vertex: int
    words: float
    repeated: Sums
    linked: Sums
    code: Sums

    @classmethod
    def of(cls, page: Testimony, container: Place, counts: Counter[int]) -> "_Inside | None":
        look = page.look
        tree = look.tree
        vertex = find(tree, container, look.starts)
        if vertex < 0 or not page.taken or page.within(page.kept, vertex) <= 0:
            return None
        shown = np.diff(page.kept)
        again = np.zeros(len(tree))
        again[look.leaves] = [counts[h] >= 2 for h in tree.text_hash[look.leaves].tolist()]
        return cls(
            page,
            vertex,
            page.within(page.kept, vertex),
            np.concatenate(([0.0], np.cumsum(shown * again))),
            np.concatenate(([0.0], np.cumsum(np.where(shown > 0, tree.link_words, 0)))),
            np.concatenate(([0.0], np.cumsum(shown * (tree.tag[tree.parent] == _PRE)))),
        )

    def ends_with_links(self) -> bool:
        tree = self.page.look.tree
        end = self.vertex + int(tree.size[self.vertex])
        shown = np.flatnonzero(np.diff(self.page.kept)[self.vertex : end]) + self.vertex
        return bool(tree.link_words[shown[-1]] >= 0.6 * tree.words[shown[-1]])

    def blocks(self) -> Iterator[tuple[int, float]]:
        """Yield the elements that could be left out, with their words."""
        tree = self.page.look.tree
        for vertex in range(self.vertex + 1, self.vertex + int(tree.size[self.vertex])):
            if tree.tag_start[vertex] < 0 or tree.name(vertex) in _HEADINGS:
                continue
            words = self.page.within(self.page.kept, vertex)
            if words > 0:
                yield vertex, words


def _count_blocks(inside: _Inside, blocks: dict[Place, _Block]) -> None:
    page, seen = inside.page, set()
    for vertex, words in inside.blocks():
        before = float(page.kept[vertex] - page.kept[inside.vertex]) + words / 2
        for place in _handles(page, vertex):
            block = blocks.setdefault(place, _Block())
            block.pages += place not in seen
            block.words += words
            block.taken += page.within(page.share, vertex)
            block.repeated += page.within(inside.repeated, vertex)
            block.linked += page.within(inside.linked, vertex)
            block.code += page.within(inside.code, vertex)
            block.before += before / inside.words * words
            seen.add(place)


def _handles(page: Testimony, vertex: int) -> list[Place]:
    """Return the places by which a block can be left out.

    They are its names; for a nameless `div` or the like the pattern's vertex, never for a `p`.
    """
    places = names_of(page.look.tree, vertex)
    found = [place for place in places if place.named or place.tag in _TELLING]
    return found or (in_pattern(page.look.starts, vertex) if places[-1].tag in _BOXES else [])


def _comments(pages: Sequence[Testimony], container: Place) -> Iterator[Place]:
    """Yield the names of comment blocks that lie in the container."""
    for page in pages:
        look = page.look
        vertex = find(look.tree, container, look.starts)
        end = vertex + int(look.tree.size[vertex])
        for block in comment_vertices(look.tree):
            if 0 <= vertex < block < end and look.comments[block]:
                yield from (place for place in names_of(look.tree, block)[:-1] if _tells(place))


def _tells(place: Place) -> bool:
    return any(
        word in (place.token + place.ident).lower()
        for word in ("omment", "espond", "isqus", "oment", "eplies", "iscussion")
    )
