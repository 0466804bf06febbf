"""The labels of one pattern, and how a page is read with them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flong.patterns.closing_paragraphs import ClosingParagraphs
from flong.patterns.exclusions import Exclusions
from flong.patterns.page_titles import PageNames
from flong.patterns.pattern import are_known
from flong.patterns.person_names import Byline
from flong.patterns.selectors import Selector, Starts, find, find_all, first_leaf
from flong.patterns.thresholds import THRESHOLDS
from flong.states import CorrectedField
from flong.text import fold_text
from flong.tree import TEXT, Tree, remembered

Hashes = NDArray[np.int64]

Fallback = Callable[[Tree], Sequence[int]]
"""Says which text leaves of a page are its body, where no label does: the witnesses' consensus."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Labels:
    """Where title and body are on the pages of one pattern."""

    title: Selector | None = None
    """Its first text leaf is the title; None if the pages have none of their own."""
    title_score: float = 0.0
    """Mean evidence for it; .8 is certain."""
    body: Selector | None = None
    """The container of the body; None if no selector agrees enough with the witnesses."""
    body_score: float = 0.0
    """How well the witnesses agree with it, from 0 to 1."""
    instances: int = 1
    """How often the container's selector is on an ordinary page."""
    exclusions: Exclusions = field(default_factory=Exclusions)
    """What in the container is no body."""
    constants: Hashes = field(default_factory=lambda: np.array([], dtype=np.int64))
    """Sorted hashes of texts that half of the pages have."""
    date: Selector | None = None
    """Where the date of publication is printed."""
    author: Byline | None = None
    """Where the byline is, and what of it are names."""
    standfirst: Selector | None = None
    """Where a sentence stands that sums the article up, if the heads of the pages have none."""
    section: Selector | None = None
    """Where the section is named, if the heads of the pages do not."""
    tags: Selector | None = None
    """Where links to its tags are, if the heads of the pages have none."""
    images: frozenset[str] = frozenset()
    """Pictures that several pages have: none of them leads an article."""
    month_first: bool = False
    """Dates in figures have the month first."""
    closing: ClosingParagraphs = field(default_factory=ClosingParagraphs)
    """What bodies of the whole site end with that is none of them."""
    corrected: frozenset[CorrectedField] = frozenset()
    """What a person has said, and is believed whatever else speaks against it."""

    @property
    def _selectors(self) -> tuple[Selector | None, ...]:
        """Return by what title, body, date and byline are found."""
        return self.title, self.body, self.date, self.author.selector if self.author else None

    @cached_property
    def named(self) -> tuple[Selector, ...]:
        """Return by what title and body are found without a match."""
        both = self.title, self.body
        return tuple(each for each in both if each is not None and each.vertex < 0)

    @cached_property
    def need_match(self) -> bool:
        """Return whether a page cannot be read with them before it is matched with the pattern."""
        chosen = [*self._selectors, *self.exclusions.others]
        return any(each is not None and each.vertex >= 0 for each in chosen)

    def replace(self, **changes: Any) -> "Labels":
        """Return the labels with some of them changed."""
        return replace(self, **changes)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LabelledPage:
    """What the labels give on one page."""

    title: int
    """The text leaf of the title; -1 if not found."""
    container: int
    """The body's container; -1 if not found."""
    body: list[int]
    """The text leaves of the body, in document order."""
    instances: int
    """How often the container's selector is on the page, those inside another not counted."""


@remembered
def folded_text(tree: Tree, leaf: int) -> str:
    """Return the text of a leaf that is compared several times, such as the title, folded."""
    return fold_text(tree.text_of(leaf))


def with_title(
    labelled: LabelledPage, tree: Tree, labels: Labels, page_names: PageNames
) -> LabelledPage:
    """Return a page whose title is what the page's head says, if the label is not believed.

    It is not where the page has none, or what is there is nothing like the head (and, where the
    label is certain, nothing like what others call the page). If the head says nothing, what others
    call the page is looked for, outside links: a menu may have it, too.
    """
    if labelled.title >= 0:
        if CorrectedField.TITLE in labels.corrected:
            return labelled
        folded = folded_text(tree, labelled.title)
        if page_names.by_heads(folded) >= THRESHOLDS.like_head:
            return labelled
        if labels.title_score >= THRESHOLDS.certain_title and (
            page_names.by_anchors(folded) >= THRESHOLDS.like_anchor or not page_names.anchors
        ):
            return labelled
    headlines = [text for text in page_names.anchors if len(text.split()) >= THRESHOLDS.title_words]
    if not page_names.heads and not headlines:
        return labelled
    other = _leaf_with(tree, page_names.heads)
    if other < 0 and headlines:
        other = _leaf_with(tree, headlines, unlinked=True)
    if other < 0:
        return labelled
    body = [leaf for leaf in labelled.body if leaf > other] or labelled.body
    return replace(labelled, title=other, body=body)


def _leaf_with(tree: Tree, texts: Sequence[str], *, unlinked: bool = False) -> int:
    """Return the first text leaf that says just one of some folded texts, -1 if none does."""
    is_leaf = tree.tag == TEXT
    if unlinked:
        is_leaf &= tree.link_words == 0
    for text in texts:
        for leaf in np.flatnonzero(is_leaf & (tree.words == len(text.split()))).tolist():
            if fold_text(tree.text_of(leaf)) == text:
                return int(leaf)
    return -1


def is_believed(
    labelled: LabelledPage, tree: Tree, labels: Labels, fallback: Fallback | None
) -> bool:
    """Return whether the labels give a body, and one that the witnesses do not contradict.

    They are asked if the container is doubtful over all pages of its pattern (pages of cartoons may
    make a template whose container holds one line of ordinary articles), or if hardly anything is
    left of it (a text that three pages of a small template have is taken for a constant).
    """
    if not labelled.body or fallback is None:
        return bool(labelled.body)
    least = THRESHOLDS.least_left * int(tree.words[labelled.container])
    trusted = labels.body_score >= THRESHOLDS.trusted_container
    if trusted and _has_words(tree, labelled.body, least):
        return True
    leaves = list(fallback(tree))
    return not leaves or agreement(tree, labelled.body, leaves) >= THRESHOLDS.baseline_agreement


def _has_words(tree: Tree, leaves: Sequence[int], least: float) -> bool:
    """Return whether some text leaves have so many words together; mostly the first do."""
    count = 0
    for leaf in leaves:
        count += int(tree.words[leaf])
        if count >= least:
            return True
    return count >= least


def agreement(tree: Tree, one: Sequence[int], other: Sequence[int]) -> float:
    """Return the F1 of the words of two choices of text leaves.

    >>> from flong.tree import build_tree
    >>> agreement(build_tree("<p>a b</p><p>c d"), [2], [2, 4])
    0.6666666666666666
    """
    both, *each = (int(tree.words[list(some)].sum()) for some in ({*one} & {*other}, one, other))
    return 2 * both / max(sum(each), 1)


def without_boilerplate(fallback: Fallback, boilerplate: Hashes) -> Fallback:
    """Return what the witnesses say of a page, less the texts that most pages of its site have.

    On a page without an article, a form to subscribe is the longest text there is.
    """

    def ask(tree: Tree) -> Sequence[int]:
        leaves = _asked(tree, fallback)
        if not leaves or not len(boilerplate):
            return leaves
        known = are_known(tree.text_hash[leaves], boilerplate).tolist()
        return [leaf for leaf, everywhere in zip(leaves, known, strict=True) if not everywhere]

    return ask


@remembered
def _asked(tree: Tree, fallback: Fallback) -> list[int]:
    """Return what the witnesses say of a page; they are asked again if two patterns are tried."""
    return list(fallback(tree))


def read_by_consensus(
    labelled: LabelledPage,
    tree: Tree,
    fallback: Fallback,
    labels: Labels,
    starts: Starts | None = None,
) -> LabelledPage:
    """Return a page without a body by its labels with the one that the witnesses agree on.

    They do not know the byline, the labels may.
    """
    leaves = list(fallback(tree))
    body = [leaf for leaf in leaves if leaf > labelled.title] or leaves
    authors = list(labels.author.read(tree, starts)) if labels.author else []
    if labels.author is not None and authors:
        body = [
            leaf
            for leaf in body
            if tree.words[leaf] > THRESHOLDS.byline_words
            or labels.author.names(tree.text_of(leaf)) != authors
        ] or body
    return replace(labelled, container=-1, body=body, instances=1)


def fits(labelled: LabelledPage, labels: Labels) -> bool:
    """Return whether a page has title and body where the labels say, the body about once."""
    return (
        labelled.title >= 0 and bool(labelled.body) and labelled.instances <= labels.instances + 1
    )


def read_page(tree: Tree, labels: Labels, starts: Starts | None = None) -> LabelledPage:
    """Return what the labels of a pattern give on one page."""
    title = first_leaf(tree, find(tree, labels.title, starts))
    container = find(tree, labels.body, starts)
    if labels.body is None or container < 0:
        return LabelledPage(title=title, container=-1, body=[], instances=0)
    instances = count_apart(tree, labels.body, starts)
    body = _body_leaves(tree, labels, container, starts)
    if labels.exclusions.trailing_links:
        while body and _is_linked(tree, body[-1]):
            body.pop()
    if title >= 0 and labels.title_score >= THRESHOLDS.certain_title:
        body = [leaf for leaf in body if leaf > title] or body
    body = labels.closing.trim(tree, _without_headline(tree, title, body))
    return LabelledPage(title=title, container=container, body=body, instances=instances)


def _body_leaves(tree: Tree, labels: Labels, container: int, starts: Starts | None) -> list[int]:
    """Return the text leaves of a container, without constants and blocks that are no body."""
    end = container + int(tree.size[container])
    is_body = tree.tag[:end] == TEXT
    byline = labels.author.selector if labels.author else None
    lines = [find(tree, selector, starts) for selector in (labels.date, byline)]
    lines = [vertex for vertex in lines if tree.words[vertex] <= THRESHOLDS.byline_words]
    for vertex in [*labels.exclusions.find(tree, starts), *lines]:
        if container < vertex < end and not is_body[vertex]:
            is_body[vertex : vertex + int(tree.size[vertex])] = False
    leaves = np.flatnonzero(is_body[container:]) + container
    found: list[int] = leaves[~are_known(tree.text_hash[leaves], labels.constants)].tolist()
    return found


def _is_linked(tree: Tree, leaf: int) -> bool:
    return bool(tree.link_words[leaf] >= THRESHOLDS.mostly_links * tree.words[leaf])


def _without_headline(tree: Tree, title: int, body: list[int]) -> list[int]:
    """Return the body without the headline said once more at its beginning."""
    if title < 0 or not body or tree.words[body[0]] != tree.words[title]:
        return body
    same = fold_text(tree.text_of(body[0])) == folded_text(tree, title)
    return body[1:] if same else body


def count_apart(tree: Tree, selector: Selector, starts: Starts | None = None) -> int:
    """Return how many of the vertices that a selector stands for do not lie in one before."""
    count = end = 0
    for vertex in find_all(tree, selector, starts).tolist():
        if vertex >= end:
            count, end = count + 1, vertex + int(tree.size[vertex])
    return count


def text_of_leaves(tree: Tree, leaves: Sequence[int]) -> str:
    r"""Return the text of some leaves, a line per paragraph, heading, item or quotation.

    >>> from flong.tree import build_tree
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
