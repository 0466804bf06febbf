"""Patterns of one cluster: as few as keep the constants that its pages share."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flong.patterns.compose import compose_keeping
from flong.patterns.match import Match, match
from flong.patterns.pattern import PLAIN, Pattern, pattern_of
from flong.patterns.thresholds import THRESHOLDS
from flong.tree import TEXT, Tree


@dataclass(frozen=True, kw_only=True)
class ClusterPattern:
    """One pattern of a cluster, and its pages."""

    pattern: Pattern
    """The pattern; it accepts all of its pages."""
    pages: tuple[int, ...]
    """Positions of the pages, the nearest to the medoid first."""
    composed: int
    """Number of composed pages; the pattern already accepted the others."""


def compose_cluster(
    trees: Sequence[Tree], distances: Sequence[float] | None = None
) -> list[ClusterPattern]:
    """Return patterns that together accept every page of a cluster, each page in one of them.

    Pages are taken by increasing distance to the medoid, else in the order given. A page that the
    pattern does not accept is composed into it, unless that would destroy too much of the pattern.
    The refused pages make the next pattern. Largest first.

    >>> from flong.tree import build_tree
    >>> pages = [build_tree(f"<h1>{title}</h1>") for title in ("One", "Two", "Three")]
    >>> [(found.pages, found.composed) for found in compose_cluster(pages)]
    [((0, 1, 2), 2)]
    """
    if distances is not None and len(distances) != len(trees):
        raise ValueError(f"{len(trees)} pages but {len(distances)} distances")
    waiting = list(range(len(trees)))
    if distances is not None:
        waiting.sort(key=distances.__getitem__)
    learned = []
    while waiting:
        found, waiting = _learn_one(trees, waiting)
        learned.append(found)
    return sorted(learned, key=lambda found: -len(found.pages))


def _learn_one(trees: Sequence[Tree], waiting: list[int]) -> tuple[ClusterPattern, list[int]]:
    """Return a pattern grown from the first page that waits, and the pages it refuses."""
    seed = trees[waiting[0]]
    pattern, composed = pattern_of(seed), 1
    pages, refused = waiting[:1], []
    for page in waiting[1:]:
        if match(pattern, trees[page]) is None:
            # The composition takes names and texts from its left side.
            other = pattern_of(trees[page], readable=False)
            least = (
                (1 - THRESHOLDS.constant_loss) * pattern.constants
                if composed >= THRESHOLDS.free_pages
                else 0.0
            )
            wider = compose_keeping(pattern, other, least)
            if wider is None or (
                composed >= THRESHOLDS.free_pages and _loses_spine(pattern, wider, seed)
            ):
                refused.append(page)
                continue
            pattern, composed = wider, composed + 1
        pages.append(page)
    late = {page for page in refused if match(pattern, trees[page])}
    found = ClusterPattern(pattern=pattern, pages=(*pages, *sorted(late)), composed=composed)
    return found, [page for page in refused if page not in late]


def _loses_spine(pattern: Pattern, wider: Pattern, seed: Tree) -> bool:
    """Return True if too much of the seed's changing text loses its container."""
    before, after = match(pattern, seed), match(wider, seed)
    return (
        before is not None
        and after is not None
        and _spine_lost(before, after) > THRESHOLDS.container_loss
    )


def _spine_lost(before: Match, after: Match) -> float:
    """Return the largest fraction of the text taken by wildcards in one container that was lost."""
    tree = after.tree
    taken = (tree.tag == TEXT) & (after.pattern.kind[after.owner] != PLAIN)
    words = np.concatenate([[0], np.cumsum(np.where(taken, tree.words, 0))])
    container = np.zeros(len(tree), bool)
    container[tree.parent[1:][tree.tag[1:] != TEXT]] = True
    lost = [v for v in _mapped(before) - _mapped(after) if container[v]]
    held = max((words[v + tree.size[v]] - words[v] for v in lost), default=0)
    return float(held / max(1, words[-1]))


def _mapped(match: Match) -> set[int]:
    """Return the vertices of the page that plain vertices map to."""
    return set(match.start[match.pattern.kind == PLAIN].tolist())
