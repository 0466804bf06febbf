"""Corrections: what a person says about a page, which counts more than what its template votes for.

A correction is made on one page and holds for the pages that are built like it: for the pattern of
that page, and for the other patterns of its cluster whose pages have the corrected element.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flong.patterns.article_evidence import Point
from flong.patterns.exclusions import Exclusions
from flong.patterns.labels import Labels
from flong.patterns.person_names import Byline
from flong.patterns.selectors import (
    Selector,
    Starts,
    find,
    find_all,
    in_pattern,
    plainness,
    selectors_of,
    vertex_at,
)
from flong.patterns.thresholds import THRESHOLDS
from flong.states import CorrectedField, CorrectionKind
from flong.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a person says about a page."""

    url: str
    """The page."""
    field: CorrectedField
    """What it is about."""
    kind: CorrectionKind = CorrectionKind.IS
    """Whether the element is that, or is not (a part of) that."""
    place: str = ""
    """XPath of the element; `/html/body` for all of a page and of those like it; empty for this
    page alone, whatever others are."""
    selector: Selector | None = None
    """How it is found on other pages; None for the vertex of the pattern that it is matched to, or,
    if it is no part of the body, for its words."""

    def vertex_on(self, tree: Tree) -> int:
        """Return the element on its own page, -1 if it is there no longer."""
        if self.selector is not None:
            return find(tree, self.selector)
        found = vertex_at(tree, self.place)
        return -1 if found is None else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What corrections say about the pages of one pattern."""

    selectors: Mapping[CorrectedField, Selector] = field(default_factory=dict)
    """Where title, body, date and authors are, as far as that was corrected."""
    blocks: tuple[Selector, ...] = ()
    """What in the container is no body."""
    texts: frozenset[int] = frozenset()
    """Hashes of texts that are no body, wherever they stand."""
    no_article: bool = False
    """The pages are no articles."""

    def over(self, labels: Labels) -> Labels:
        """Return labels that say what was corrected, whatever else they say."""
        changed: dict[str, Any] = {name.value: found for name, found in self.selectors.items()}
        changed |= {f"{name}_score": 1.0 for name in ("title", "body") if name in changed}
        if "author" in changed:
            changed["author"] = Byline(changed["author"], varies=True)
        if self.blocks:
            known = labels.exclusions
            blocks = dict.fromkeys((*known.selectors, *self.blocks))
            changed["exclusions"] = Exclusions(tuple(blocks), known.trailing_links)
        if self.texts:
            changed["constants"] = np.union1d(labels.constants, sorted(self.texts))
        return labels.replace(**changed, corrected=self._fields)

    @property
    def _fields(self) -> frozenset[CorrectedField]:
        body = {CorrectedField.BODY} if self.blocks or self.texts else set()
        page = {CorrectedField.ARTICLE} if self.no_article else set()
        return frozenset({*self.selectors, *body, *page})


NO_OVERRIDES = Overrides()
"""Nothing was corrected."""


NAMED = Point(1.0, "a correction says where its title is")
"""Weighs what a likeness with the head of the page would."""
REFUSED = Point(-100.0, "a correction says that pages like it are no articles")


def points_of_corrections(labels: Labels) -> tuple[Point, ...]:
    """Return what corrections say about whether pages are articles."""
    if CorrectedField.ARTICLE in labels.corrected:
        return (REFUSED,)
    return (NAMED,) if CorrectedField.TITLE in labels.corrected else ()


REFUSED_PAGE = Point(-100.0, "a correction says that it is no article")


def refused_urls(corrections: Iterable[Correction]) -> frozenset[str]:
    """Return the pages that are no articles, whatever those like them are."""
    about = (c for c in corrections if c.field is CorrectedField.ARTICLE and not c.place)
    return frozenset(correction.url for correction in about)


Own = tuple[Tree, Starts | None]
"""A corrected page, and where the vertices of its pattern are."""


def overrides_of(
    said: Iterable[tuple[Correction, Own | None]], sample: Sequence[Tree]
) -> Overrides:
    """Return what the corrections of a cluster say about one of its patterns.

    Each comes with its page if that is one of the pattern's; `sample` are some of these. Of two
    that say different things the later wins, but none over one that was made on such a page.
    """
    found = Overrides()
    for correction, own in sorted(said, key=lambda pair: pair[1] is not None):
        selector = _selector_in(correction, own, sample)
        if correction.field is CorrectedField.ARTICLE and own and correction.place:
            found = replace(found, no_article=True)
        elif selector is not None and correction.kind is CorrectionKind.IS_NOT:
            found = replace(found, blocks=(*found.blocks, selector))
        elif correction.kind is CorrectionKind.IS_NOT and correction.place and own:
            found = replace(found, texts=found.texts | _texts_at(correction, own[0]))
        elif selector is not None:
            selectors = {**found.selectors, correction.field: selector}
            found = replace(found, selectors=selectors)
    return found


def _selector_in(
    correction: Correction, own: Own | None, sample: Sequence[Tree]
) -> Selector | None:
    """Return by what a correction holds for a pattern; None if it does not."""
    if correction.selector is None:
        # The place of a paragraph amid a text means nothing on other pages, its words do.
        is_block = correction.kind is CorrectionKind.IS_NOT
        if own is None or not correction.place or is_block:
            return None
        return next(iter(in_pattern(own[1], correction.vertex_on(own[0]))), None)
    found = sum(find(tree, correction.selector) >= 0 for tree in sample)
    return correction.selector if own or found > THRESHOLDS.usual_place * len(sample) else None


def _texts_at(correction: Correction, tree: Tree) -> frozenset[int]:
    """Return the texts of a block that has no name, by which it is known again."""
    vertex = correction.vertex_on(tree)
    leaves = tree.leaves(vertex) if vertex >= 0 else []
    return frozenset(int(tree.text_hash[leaf]) for leaf in leaves)


def choose_selector(
    tree: Tree, vertex: int, pages: Sequence[Tree], *, first: bool = True
) -> Selector | None:
    """Return the selector by which an element of a page is best found on others of its template.

    None if it has no name of its own, nor is in something that has one. Unless it must be the
    `first` that the selector finds, it may be one of several of its name.

    >>> from flong.tree import build_tree
    >>> one, two = (build_tree(f"<h1>News</h1><p class='lead a{n}'>{n}") for n in (1, 2))
    >>> str(choose_selector(one, 3, [one, two]))
    'p.lead'
    """
    named = [
        selector
        for selector in dict.fromkeys(selectors_of(tree, vertex))
        if (selector.named or selector.inside is not None)
        and _stands_for(find_all(tree, selector).tolist(), vertex, selector, first=first)
    ]
    often = {selector: sum(find(page, selector) >= 0 for page in pages) for selector in named}
    most = max(often.values(), default=0)
    fit = [
        selector
        for selector, pages_with in often.items()
        if pages_with >= THRESHOLDS.plainer_selector * most
    ]
    return max(fit, key=plainness, default=None)


def _stands_for(found: Sequence[int], vertex: int, selector: Selector, *, first: bool) -> bool:
    """Tell whether a selector that finds some elements of a page may stand for one of them.

    What has no name of its own, as a paragraph of the text, must be the only one.
    """
    if first or not selector.named:
        return [*found[: 1 if first else None]] == [vertex]
    return vertex in found
