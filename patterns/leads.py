"""Where the selectors that stand for election lead on each of the pages that vote."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from patterns.pattern import hash_of
from patterns.selectors import Selector, Starts
from trees import Tree, tag_number

_NO_IDS: NDArray[np.int64] = np.zeros(0, np.int64)


class _Page(Protocol):
    """A page, perhaps with its match."""

    @property
    def tree(self) -> Tree:
        """The page."""

    @property
    def starts(self) -> Starts | None:
        """Where the vertices of its pattern are."""


def find_leads(
    selectors: Sequence[Selector], pages: Iterable[_Page]
) -> list[list[tuple[int, int]]]:
    """Return for each page where each selector leads: to which vertex first, and to how many.

    The vertex is -1 where it leads nowhere. Selectors lie in at most one other, which lies in none.
    It is what `find_all` gives for each of them, found at once.
    """
    from patterns.kernel.selection import Elements, Names, follow  # noqa: PLC0415  # the compiler takes long to import

    plain = [each._replace(inside=None, vertex=-1) for each in selectors]
    outer = [each.inside for each in selectors if each.inside is not None]
    number = {name: at for at, name in enumerate(dict.fromkeys([*plain, *outer]))}
    names = Names(
        np.array([tag_number(name.tag) if name.tag else -1 for name in number], np.int32),
        np.array([hash_of(name.token) if name.token else 0 for name in number], np.int64),
        np.array([hash_of(name.ident) if name.ident else 0 for name in number], np.int64),
    )
    pairs = [
        (number[name], number.get(each.inside, -1))
        for name, each in zip(plain, selectors, strict=True)
    ]
    asked = np.array(pairs, np.int32).reshape(-1, 2)
    vertices = np.array([each.vertex for each in selectors], np.int64)
    matched = np.flatnonzero(vertices >= 0)
    found = []
    for page in pages:
        tree, leads = page.tree, np.empty((len(selectors), 2), np.int32)
        ids = tree.id_hash if names.ident.any() else _NO_IDS
        elements = Elements(tree.tag, tree.size, tree.class_start, tree.class_hash, ids)
        follow(elements, names, asked, np.empty((len(number), len(tree) + 1), np.int32), leads)
        if len(matched):
            starts = page.starts
            leads[matched, 0] = -1 if starts is None else starts[vertices[matched]]
            leads[matched, 1] = leads[matched, 0] >= 0
        found.append([*map(tuple, leads.tolist())])
    return found
