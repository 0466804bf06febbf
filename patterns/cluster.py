"""The patterns of one cluster of pages: as few as do not lose what the pages have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

from patterns.compose import compose
from patterns.match import match
from patterns.pattern import Pattern, pattern_of
from trees import Tree

FREE = 3
"""So many pages are composed before a page can be refused."""

LOSS = 0.1
"""Share of the constant vertices that one more page may destroy."""


@dataclass(frozen=True, kw_only=True)
class Learned:
    """One pattern of a cluster, and the pages it stands for."""

    pattern: Pattern
    """Accepts every one of its pages."""
    pages: tuple[int, ...]
    """Positions of the pages, the nearest to the medoid first."""
    composed: int
    """How many of them were composed; the rest was accepted by then."""


def compose_cluster(
    trees: Sequence[Tree], distances: Sequence[float] | None = None, *, bridge: int = 0
) -> list[Learned]:
    """Return patterns that together accept every page of a cluster, each page in one of them.

    Pages are taken by increasing distance to the medoid (else in the order given). A page that
    is not accepted yet is composed into the pattern, unless that would destroy more than a
    tenth of its constants; the refused pages make the next pattern. Largest first.

    >>> from trees import build_tree
    >>> pages = [build_tree(f"<h1>{title}</h1>") for title in ("One", "Two", "Three")]
    >>> [(found.pages, found.composed) for found in compose_cluster(pages)]
    [((0, 1, 2), 2)]
    """
    if distances is not None and len(distances) != len(trees):
        raise ValueError(f"{len(trees)} pages but {len(distances)} distances")
    key = (lambda page: distances[page]) if distances is not None else None
    waiting = sorted(range(len(trees)), key=key)
    learned = []
    while waiting:
        found, waiting = _learn_one(trees, waiting, bridge)
        learned.append(found)
    return sorted(learned, key=lambda found: -len(found.pages))


def _learn_one(trees: Sequence[Tree], waiting: list[int], bridge: int) -> tuple[Learned, list[int]]:
    """Return a pattern grown from the first page that waits, and the pages it refuses."""
    pattern, composed = pattern_of(trees[waiting[0]]), 1
    pages, refused = waiting[:1], []
    for page in waiting[1:]:
        if match(pattern, trees[page]) is None:
            wider = compose(pattern, pattern_of(trees[page]), bridge=bridge)
            if composed >= FREE and wider.constants < (1 - LOSS) * pattern.constants:
                refused.append(page)
                continue
            pattern, composed = wider, composed + 1
        pages.append(page)
    late = [page for page in refused if match(pattern, trees[page])]
    found = Learned(pattern=pattern, pages=(*pages, *late), composed=composed)
    return found, [page for page in refused if page not in set(late)]
