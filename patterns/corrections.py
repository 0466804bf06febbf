"""Corrections: labels set by a person, which override the votes of a template's pages.

A correction is made on one page. It holds for the pattern of that page, and for other patterns of
its cluster whose pages have the corrected element.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flong.patterns.article_evidence import Point
from flong.patterns.labels import Exclusions, Labels
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
    """A correction of one page."""

    url: str
    """URL of the page."""
    field: CorrectedField
    """The corrected field."""
    kind: CorrectionKind = CorrectionKind.IS
    """The element is the field, or is no part of it."""
    place: str = ""
    """XPath of the element. `/html/body` stands for the page and those like it, an empty string for
    this page only."""
    selector: Selector | None = None
    """Selector for other pages. Without one the matched vertex of the pattern is used or, for a
    block that is no body, its words."""

    def vertex_on(self, tree: Tree) -> int:
        """Return the element on its own page, or -1 if it is gone."""
        if self.selector is not None:
            return find(tree, self.selector)
        found = vertex_at(tree, self.place)
        return -1 if found is None else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """All corrections that hold for the pages of one pattern."""

    selectors: Mapping[CorrectedField, Selector] = field(default_factory=dict)
    """Selectors of the corrected fields."""
    blocks: tuple[Selector, ...] = ()
    """Selectors of blocks that are not body."""
    texts: frozenset[int] = frozenset()
    """Hashes of texts that are never body."""
    no_article: bool = False
    """The pages are not articles."""

    def over(self, labels: Labels) -> Labels:
        """Return labels with the corrected fields replaced."""
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
"""No corrections."""


NAMED = Point(1.0, "its title was corrected")
"""Weight of a corrected title: that of one like the head title."""
REFUSED = Point(-100.0, "pages like it were marked as not articles")


def points_of_corrections(labels: Labels) -> tuple[Point, ...]:
    """Return the evidence from corrections of a pattern."""
    if CorrectedField.ARTICLE in labels.corrected:
        return (REFUSED,)
    return (NAMED,) if CorrectedField.TITLE in labels.corrected else ()


REFUSED_PAGE = Point(-100.0, "it was marked as not an article")


def refused_urls(corrections: Iterable[Correction]) -> frozenset[str]:
    """Return the pages that a person has marked as not articles, each by itself."""
    about = (c for c in corrections if c.field is CorrectedField.ARTICLE and not c.place)
    return frozenset(correction.url for correction in about)


Own = tuple[Tree, Starts | None]
"""A corrected page, and the vertices that its pattern maps to."""


def overrides_of(
    said: Iterable[tuple[Correction, Own | None]], sample: Sequence[Tree]
) -> Overrides:
    """Return the corrections that hold for one pattern of a cluster.

    Each correction comes with its page if the pattern is that of the page. `sample` are pages of
    the pattern. Of contradicting corrections the later one wins, and one from a page of the pattern
    wins over others.
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
    """Return the selector that makes a correction hold for a pattern, or None."""
    if correction.selector is None:
        # On other pages a paragraph is at another place, but it has the same words.
        is_block = correction.kind is CorrectionKind.IS_NOT
        if own is None or not correction.place or is_block:
            return None
        return next(iter(in_pattern(own[1], correction.vertex_on(own[0]))), None)
    found = sum(find(tree, correction.selector) >= 0 for tree in sample)
    return correction.selector if own or found > THRESHOLDS.corrected_pages * len(sample) else None


def _texts_at(correction: Correction, tree: Tree) -> frozenset[int]:
    """Return the texts of a block without a name, to find it by these."""
    vertex = correction.vertex_on(tree)
    leaves = tree.leaves(vertex) if vertex >= 0 else []
    return frozenset(int(tree.text_hash[leaf]) for leaf in leaves)


def choose_selector(
    tree: Tree, vertex: int, pages: Sequence[Tree], *, first: bool = True
) -> Selector | None:
    """Return the selector that finds an element of a page on most others of its template.

    Return None if neither the element nor one around it has a name. If `first` is False, the
    element may be any of those that the selector finds.

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
    """Return True if a selector may stand for one of the elements that it finds.

    An element without a name, such as a paragraph of the text, must be the only one.
    """
    if first or not selector.named:
        return [*found[: 1 if first else None]] == [vertex]
    return vertex in found
