"""The labels of one pattern, and how a page is read with them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from items import fold_text
from patterns.exclusions import Exclusions
from patterns.headlines import Called
from patterns.names import LONGEST, Byline
from patterns.places import Place, Starts, find, find_all, first_leaf
from trees import TEXT, Tree

Hashes = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Labels:
    """Where title and body are on the pages of one pattern."""

    title: Place | None = None
    """Its first text leaf is the title; None if the pages have none of their own."""
    title_score: float = 0.0
    """Mean evidence for it; .8 is certain."""
    body: Place | None = None
    """The container of the body; None if no place agrees with the witnesses."""
    body_score: float = 0.0
    """How well the witnesses agree with it, from 0 to 1."""
    instances: int = 1
    """How often the container's place is on an ordinary page."""
    exclusions: Exclusions = field(default_factory=Exclusions)
    """What in the container is no body."""
    constants: Hashes = field(default_factory=lambda: np.array([], dtype=np.int64))
    """Sorted hashes of texts that half of the pages have."""
    date: Place | None = None
    """Where the date of publication is printed."""
    author: Byline | None = None
    """Where the byline is, and what of it are names."""
    images: frozenset[str] = frozenset()
    """Pictures that several pages have: none of them leads an article."""
    month_first: bool = False
    """Dates in figures have the month first."""

    def replace(self, **changes: Any) -> "Labels":
        """Return the labels with some of them changed."""
        return replace(self, **changes)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Reading:
    """What the labels give on one page."""

    title: int
    """The text leaf of the title; -1 if not found."""
    container: int
    """The body's container; -1 if not found."""
    body: list[int]
    """The text leaves of the body, in document order."""
    instances: int
    """How often the container's place is on the page, those inside another not counted."""


def with_title(reading: Reading, tree: Tree, labels: Labels, called: Called) -> Reading:
    """Return a reading whose title is what the page's head says, if the label is not believed.

    It is not where the page has none, or what is there is nothing like the head (and, where the
    label is certain, nothing like what others call the page).
    """
    if reading.title >= 0:
        folded = fold_text(tree.text_of(reading.title))
        if called.by_heads(folded) >= 0.5:
            return reading
        if labels.title_score >= 0.8 and (called.by_anchors(folded) >= 0.3 or not called.anchors):
            return reading
    for head in called.heads:
        words = len(head.split())
        for other in np.flatnonzero((tree.tag == TEXT) & (tree.words == words)).tolist():
            if fold_text(tree.text_of(other)) == head:
                body = [leaf for leaf in reading.body if leaf > other] or reading.body
                return replace(reading, title=int(other), body=body)
    return reading


def fits(reading: Reading, labels: Labels) -> bool:
    """Return whether a page has title and body where the labels say, the body about once."""
    return reading.title >= 0 and bool(reading.body) and reading.instances <= labels.instances + 1


def read_page(tree: Tree, labels: Labels, starts: Starts | None = None) -> Reading:
    """Return what the labels of a pattern give on one page."""
    title = first_leaf(tree, find(tree, labels.title, starts))
    found = find_all(tree, labels.body, starts) if labels.body else np.array([], dtype=np.intp)
    if not len(found):
        return Reading(title=title, container=-1, body=[], instances=0)
    container = int(found[0])
    body = _body(tree, container, labels, starts)
    if title >= 0 and labels.title_score >= 0.8:
        body = [leaf for leaf in body if leaf > title] or body
    body = _without_headline(tree, title, body)
    return Reading(
        title=title, container=container, body=body, instances=apart(tree, found.tolist())
    )


def _body(tree: Tree, container: int, labels: Labels, starts: Starts | None) -> list[int]:
    from patterns.kernel.pages import Block, keep_leaves  # noqa: PLC0415  # the compiler takes long to import

    exclusions, size = labels.exclusions, int(tree.size[container])
    tokens, tags = exclusions.tokens
    out = [
        vertex
        for place in exclusions.others
        for vertex in find_all(tree, place, starts).tolist()
        if vertex > container
    ]
    out += _lines_out(tree, labels, starts)
    block = Block(
        first=container,
        end=container + size,
        blocks=np.array(out, np.intp),
        tokens=tokens,
        tags=tags,
        known=labels.constants,
    )
    arrays = tree.tag, tree.size, tree.text_hash, tree.class_start, tree.class_hash
    kept = np.empty(size, np.intp)
    leaves: list[int] = kept[: keep_leaves(block, arrays, kept)].tolist()
    if exclusions.trailing_links:
        while leaves and tree.link_words[leaves[-1]] >= 0.6 * tree.words[leaves[-1]]:
            leaves.pop()
    return leaves


def _lines_out(tree: Tree, labels: Labels, starts: Starts | None) -> list[int]:
    """Return the lines with date and byline: they are no body, even amid it."""
    places = (labels.date, labels.author.place if labels.author else None)
    found = [find(tree, place, starts) for place in places]
    return [vertex for vertex in found if vertex >= 0 and tree.words[vertex] <= LONGEST]


def _without_headline(tree: Tree, title: int, body: list[int]) -> list[int]:
    """Return the body without the headline said once more at its beginning."""
    if title < 0 or not body or tree.words[body[0]] != tree.words[title]:
        return body
    same = fold_text(tree.text_of(body[0])) == fold_text(tree.text_of(title))
    return body[1:] if same else body


def apart(tree: Tree, vertices: Sequence[int]) -> int:
    """Return how many of the vertices do not lie in one before."""
    count, end = 0, -1
    for vertex in vertices:
        if vertex >= end:
            count, end = count + 1, vertex + int(tree.size[vertex])
    return count


def text_of_leaves(tree: Tree, leaves: Sequence[int]) -> str:
    r"""Return the text of some leaves, a line per paragraph, heading, item or quotation.

    >>> from trees import build_tree
    >>> tree = build_tree("<h2>One</h2><p>Two<br>three</p>")
    >>> text_of_leaves(tree, tree.leaves())
    'One\nTwo\nthree'
    """
    if not len(leaves):
        return ""
    chosen = np.array(leaves, dtype=np.intp)
    starts, ends = tree.start[chosen], tree.end[chosen]
    apart = np.flatnonzero(starts[1:] != ends[:-1])  # others side by side are in one piece
    first, last = [0, *(apart + 1).tolist()], [*apart.tolist(), -1]
    pieces = zip(starts[first].tolist(), ends[last].tolist(), strict=True)
    return b"".join([tree.text[start:end] for start, end in pieces]).decode().removesuffix("\n")
