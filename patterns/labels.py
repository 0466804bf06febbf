"""Labels of one pattern, and how a page is read by them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flong.patterns.closing_paragraphs import ClosingParagraphs
from flong.patterns.page_titles import Breadcrumbs, PageNames
from flong.patterns.pattern import are_known, hash_of
from flong.patterns.person_names import Byline
from flong.patterns.selectors import Selector, Starts, find, find_all, first_leaf
from flong.patterns.thresholds import THRESHOLDS
from flong.patterns.title_election import comment_blocks, comments_end
from flong.states import CorrectedField
from flong.text import fold_text
from flong.tree import TEXT, Tree, remembered

Hashes = NDArray[np.int64]

Fallback = Callable[[Tree, NDArray[np.bool_] | None], tuple[int, Sequence[int]]]
"""Returns the text leaf of a page's title (or -1) and those of its body, as the single-page reader.

The vertices of the mask are hidden from it.
"""


@dataclass(frozen=True)
class Exclusions:
    """Parts of a container that are not body."""

    selectors: tuple[Selector, ...] = ()
    """Blocks, anywhere in the container."""
    trailing_links: bool = False
    """Exclude lines of links at the end, such as tags."""

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
        """Return the excluded blocks of a page.

        Some systems number comments in their ids, so a site may have very many selectors. Only
        those whose class or id the page has are searched for.
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


@dataclass(frozen=True, eq=False, kw_only=True)
class Labels:
    """Places of title, body and the other fields on the pages of one pattern."""

    title: Selector | None = None
    """Selector of the title; None if the pages have none of their own."""
    breadcrumbs: Breadcrumbs = field(default_factory=Breadcrumbs)
    """Breadcrumbs in front of the title, on its line."""
    title_score: float = 0.0
    """Mean points of the title (see `certain_title`)."""
    body: Selector | None = None
    """Container of the body; None if none agrees enough with the baselines."""
    body_score: float = 0.0
    """Agreement with the baselines, from 0 to 1."""
    voters: int = 0
    """Number of pages that elected the container."""
    instances: int = 1
    """Usual number of times that a page has the container's selector."""
    exclusions: Exclusions = field(default_factory=Exclusions)
    """Blocks in the container that are not body."""
    constants: Hashes = field(default_factory=lambda: np.array([], dtype=np.int64))
    """Sorted hashes of texts on at least `constant_pages` of the pages."""
    date: Selector | None = None
    """Place of the printed date of publication."""
    author: Byline | None = None
    """The byline."""
    standfirst: Selector | None = None
    """Place of the standfirst, unless the heads of the pages have one."""
    section: Selector | None = None
    """Place of the section's name, unless the heads of the pages have it."""
    tags: Selector | None = None
    """Place of the links to tags, unless the heads of the pages have them."""
    images: frozenset[str] = frozenset()
    """Pictures on several pages; they are not lead images."""
    publishers: frozenset[str] = frozenset()
    """Folded names that nearly all pages state as author, but no byline."""
    first_year: int = 0
    """Earliest year that several pages state; 0 if unknown. Earlier dates need another source."""
    month_first: bool = False
    """In figures, the month is before the day."""
    closing: ClosingParagraphs = field(default_factory=ClosingParagraphs)
    """Paragraphs that recur at the end of the site's bodies."""
    corrected: frozenset[CorrectedField] = frozenset()
    """Fields that a person has corrected; trusted against all evidence."""

    @property
    def _selectors(self) -> tuple[Selector | None, ...]:
        """Return the selectors of title, body, date and byline."""
        return self.title, self.body, self.date, self.author.selector if self.author else None

    @cached_property
    def named(self) -> tuple[Selector, ...]:
        """Return the selectors of title and body that need no match."""
        both = self.title, self.body
        return tuple(each for each in both if each is not None and each.vertex < 0)

    @cached_property
    def have_names(self) -> bool:
        """Return True if the selector of title or body has a class or an id."""
        return any(each.named for each in self.named)

    @cached_property
    def need_match(self) -> bool:
        """Return True if some labels are vertices of the pattern, so that a match is needed."""
        chosen = [*self._selectors, *self.exclusions.others]
        return any(each is not None and each.vertex >= 0 for each in chosen)

    def replace(self, **changes: Any) -> "Labels":
        """Return the labels with some changed."""
        return replace(self, **changes)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LabelledPage:
    """Title and body of one page, as found by the labels."""

    title: int
    """Text leaf of the title; -1 if not found."""
    container: int
    """The body's container; -1 if not found."""
    body: list[int]
    """Text leaves of the body, in document order."""
    instances: int
    """Number of containers on the page that are not inside of another."""


@remembered
def folded_text(tree: Tree, leaf: int) -> str:
    """Return the folded text of a leaf; cached, because titles are compared several times."""
    return fold_text(tree.text_of(leaf))


def with_title(
    labelled: LabelledPage,
    tree: Tree,
    labels: Labels,
    page_names: PageNames,
    fallback: Fallback | None = None,
) -> LabelledPage:
    """Return the page with the title from its head if the label's title is not trusted.

    A title is trusted if it is like the head title or, with a certain label, like an anchor text of
    the page. Without a head title, anchor texts are searched for outside links, not in menus. The
    fallback names pages without a label, and those that nothing else names.
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
    unknown = not page_names.heads and not headlines and labels.title_score < THRESHOLDS.least_score
    other = -1
    if fallback is not None and (labels.title is None or unknown):
        other, _ = fallback(tree, None)
    if other < 0:
        other = _leaf_with(tree, page_names.heads)
    if other < 0 and headlines:
        other = _leaf_with(tree, headlines, unlinked=True)
    if other < 0:
        return labelled
    body = [leaf for leaf in labelled.body if leaf > other] or labelled.body
    return replace(labelled, title=other, body=body)


def _leaf_with(tree: Tree, texts: Sequence[str], *, unlinked: bool = False) -> int:
    """Return the first text leaf equal to one of some folded texts, or -1."""
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
    """Return True if the labels yield a body that the baselines agree with.

    The baselines are compared only if the container is doubtful over all pages of its pattern, if
    too few pages elected it, or if hardly any of its text is left. In a template of cartoons the
    container of an article may hold one line; in a small template a text on three pages becomes a
    constant.
    """
    if not labelled.body or fallback is None:
        return bool(labelled.body)
    inside = np.arange(labelled.container, labelled.container + tree.size[labelled.container])
    inside = inside[(tree.tag[inside] == TEXT) & ~comment_blocks(tree)[inside]]
    least = THRESHOLDS.least_left * int(tree.words[inside].sum())
    several = labels.voters >= THRESHOLDS.least_repeats or CorrectedField.BODY in labels.corrected
    trusted = several and labels.body_score >= THRESHOLDS.trusted_container
    if trusted and tree.words[labelled.body].sum() >= least:
        return True
    _, leaves = fallback(tree, None)
    return not leaves or agreement(tree, labelled.body, leaves) >= THRESHOLDS.baseline_agreement


def agreement(tree: Tree, one: Sequence[int], other: Sequence[int]) -> float:
    """Return the F1 of the words of two choices of text leaves.

    >>> from flong.tree import build_tree
    >>> agreement(build_tree("<p>a b</p><p>c d"), [2], [2, 4])
    0.6666666666666666
    """
    both, *each = (int(tree.words[list(some)].sum()) for some in ({*one} & {*other}, one, other))
    return 2 * both / max(sum(each), 1)


def without_boilerplate(fallback: Fallback, boilerplate: Hashes) -> Fallback:
    """Return the fallback, from which texts that most pages of the site have are hidden.

    On a page without an article, a subscription form may be the longest text. Answers are cached,
    because two patterns may be tried on a page.
    """
    known: dict[int, tuple[int, Sequence[int]]] = {}

    def ask(tree: Tree, ignored: NDArray[np.bool_] | None = None) -> tuple[int, Sequence[int]]:
        if id(tree) not in known:
            hidden = (tree.tag == TEXT) & are_known(tree.text_hash, boilerplate)
            known[id(tree)] = fallback(tree, hidden if ignored is None else hidden | ignored)
        return known[id(tree)]

    return ask


def read_by_fallback(
    labelled: LabelledPage,
    tree: Tree,
    fallback: Fallback,
    labels: Labels,
    starts: Starts | None = None,
) -> LabelledPage:
    """Return the page with the body of the fallback, without the byline."""
    _, leaves = fallback(tree, None)
    body = [leaf for leaf in leaves if leaf > labelled.title] or [*leaves]
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
    """Return True if the labels find title and body, and the body about as often as usual."""
    return (
        labelled.title >= 0 and bool(labelled.body) and labelled.instances <= labels.instances + 1
    )


def read_page(tree: Tree, labels: Labels, starts: Starts | None = None) -> LabelledPage:
    """Return title and body of one page as found by the labels of its pattern."""
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
    """Return the text leaves of a container without constants and excluded blocks."""
    end = container + int(tree.size[container])
    is_body = tree.tag[:end] == TEXT
    byline = labels.author.selector if labels.author else None
    lines = [find(tree, selector, starts) for selector in (labels.date, byline)]
    lines = [vertex for vertex in lines if tree.words[vertex] <= THRESHOLDS.byline_words]
    for vertex in [*labels.exclusions.find(tree, starts), *lines]:
        if container < vertex < end and not is_body[vertex]:
            is_body[vertex : comments_end(tree, vertex)] = False
    leaves = np.flatnonzero(is_body[container:]) + container
    found: list[int] = leaves[~are_known(tree.text_hash[leaves], labels.constants)].tolist()
    return found


def _is_linked(tree: Tree, leaf: int) -> bool:
    return bool(tree.link_words[leaf] >= THRESHOLDS.link_line * tree.words[leaf])


def _without_headline(tree: Tree, title: int, body: list[int]) -> list[int]:
    """Return the body without a headline repeated at its beginning."""
    if title < 0 or not body or tree.words[body[0]] != tree.words[title]:
        return body
    same = fold_text(tree.text_of(body[0])) == folded_text(tree, title)
    return body[1:] if same else body


def count_apart(tree: Tree, selector: Selector, starts: Starts | None = None) -> int:
    """Return the number of a selector's vertices that are not inside of another."""
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
    apart = np.flatnonzero(starts[1:] != ends[:-1])  # adjacent leaves are joined
    first, last = [0, *(apart + 1).tolist()], [*apart.tolist(), -1]
    pieces = zip(starts[first].tolist(), ends[last].tolist(), strict=True)
    return b"".join([tree.text[start:end] for start, end in pieces]).decode().removesuffix("\n")
