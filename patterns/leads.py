"""Where several selectors lead on each of many pages: those that stand for election, or labels."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from flong.patterns import kernel
from flong.patterns.pattern import hash_of
from flong.patterns.selectors import Lead, Selector, Starts, known_leads, lead
from flong.tree import Tree, tag_number

NO_IDS: NDArray[np.int64] = np.zeros(0, np.int64)
"""In place of the ids of a page that nobody asks for."""


class _Page(Protocol):
    """A page, perhaps with its match."""

    @property
    def tree(self) -> Tree:
        """The page."""

    @property
    def starts(self) -> Starts | None:
        """Where the vertices of its pattern are."""


class _Names:
    """The selectors of an election as arrays."""

    def __init__(self, selectors: Sequence[Selector]) -> None:
        inner = [each._replace(inside=None, vertex=-1) for each in selectors]
        outer = [each.inside for each in selectors]
        number = {name: at for at, name in enumerate(dict.fromkeys([*inner, *filter(None, outer)]))}
        pairs = [(number[a], number[b] if b else -1) for a, b in zip(inner, outer, strict=True)]
        self.selectors = np.array(pairs, np.int32).reshape(-1, 2)
        self.table = kernel.selection.Names(
            np.array([tag_number(name.tag) if name.tag else -1 for name in number], np.int32),
            np.array([hash_of(name.token) if name.token else 0 for name in number], np.int64),
            np.array([hash_of(name.ident) if name.ident else 0 for name in number], np.int64),
        )
        self.asks_for_ids = bool(self.table.ident.any())
        vertices = np.array([each.vertex for each in selectors], np.int64)
        self._matched = np.flatnonzero(vertices >= 0)
        self._vertices = vertices[self._matched]

    def by_match(self, starts: Starts | None, leads: NDArray[np.int32]) -> None:
        """Write where those selectors lead that are vertices of the pattern."""
        if len(self._matched):
            first = -1 if starts is None else starts[self._vertices]
            leads[self._matched, 0] = first
            leads[self._matched, 1] = leads[self._matched, 0] >= 0

    def follow(self, tree: Tree) -> NDArray[np.int32]:
        """Return where those lead that are found by name: the first vertex, and how many."""
        leads = np.empty((len(self.selectors), 3), np.int32)
        ids = tree.id_hash if self.asks_for_ids else NO_IDS
        elements = kernel.selection.Elements(
            tree.tag, tree.size, tree.class_start, tree.class_hash, ids
        )
        named = np.empty((len(self.table.tag), len(tree) + 1), np.int32)
        kernel.selection.follow(elements, self.table, self.selectors, named, leads)
        return leads


class Places:
    """Selectors that are asked about on many pages, each page in one pass."""

    def __init__(self, selectors: Sequence[Selector | None]) -> None:
        chosen = [(at, each) for at, each in enumerate(selectors) if each is not None]
        named = [(at, each) for at, each in chosen if _is_named(each)]
        self._others = [(at, each) for at, each in chosen if not _is_named(each)]
        self._named = [each for _, each in named]
        self._rows = [at for at, _ in named]
        self._nowhere = np.array([[-1, 0, 0]] * len(selectors), np.int32)
        names = _Names(self._named)
        self.asks_for_ids = names.asks_for_ids
        self.asked = tuple(names.table), np.full((len(selectors), 2), -1, np.int32)
        """The names, and for each selector its name and the one it lies in; -1 for none."""
        self.asked[1][self._rows] = names.selectors
        self.names = max(1, len(names.table.tag))
        """So many rows of vertices are needed."""

    def leads_of_others(self, tree: Tree, starts: Starts | None) -> NDArray[np.int32]:
        """Return room for where each leads, and in it where those do that have no name."""
        leads = self._nowhere.copy()
        for at, selector in self._others:
            first, often = lead(tree, selector, starts)
            leads[at] = first, often, often
        return leads

    def remember(self, tree: Tree, leads: Sequence[Sequence[int]]) -> None:
        """Keep where they lead on a page, so that who asks for one (`find`) need not look."""
        known = known_leads(tree)
        for selector, at in zip(self._named, self._rows, strict=True):
            first, often, _ = leads[at]
            known[selector] = first, often


def _is_named(selector: Selector) -> bool:
    """Return whether a selector is found by its name, which lies in at most one other."""
    return selector.vertex < 0 and (selector.inside is None or selector.inside.inside is None)


def find_leads(selectors: Sequence[Selector], pages: Iterable[_Page]) -> list[list[Lead]]:
    """Return for each page where each selector leads: to which vertex first, and to how many.

    The vertex is -1 where it leads nowhere. Selectors lie in at most one other, which lies in none.
    It is what `find_all` gives for each of them, found at once.
    """
    names = _Names(selectors)
    found = []
    for page in pages:
        leads = names.follow(page.tree)
        names.by_match(page.starts, leads)
        found.append([(first, often) for first, often, _ in leads.tolist()])
    return found
