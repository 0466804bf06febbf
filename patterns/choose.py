"""Which of several patterns is the one of a page: the most specific that accepts it.

Not the cheapest: a lone `+` costs nothing and accepts every page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from patterns.match import TOLERANCE, Match, match, match_bounded
from patterns.pattern import Pattern
from trees import Tree


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The pattern chosen for a page, and why not the others."""

    best: int | None
    """Position of the chosen pattern; None if none fits even nearly."""
    match: Match | None = field(repr=False)
    """How it fits."""
    others: tuple[tuple[int, str], ...] = ()
    """The other patterns that were looked at, each with why it was not chosen."""


def choose(patterns: Sequence[Pattern], tree: Tree, *, tolerance: float = TOLERANCE) -> Choice:
    """Return the most specific pattern that accepts a page, else the one that nearly does.

    Most constant vertices matched come first, then the lowest cost. A bounded match is tried only
    if no pattern accepts; `choice.match.bounded` tells.

    >>> from trees import build_tree
    >>> from patterns import pattern_of, read_text
    >>> page = build_tree("<h1>News</h1>")
    >>> choose([read_text("body\\n  +")[0], pattern_of(page)], page).best
    1
    """
    order = sorted(range(len(patterns)), key=lambda at: -patterns[at].constants)
    others: list[tuple[int, str]] = []
    for at in order:
        found = match(patterns[at], tree)
        if found is not None:
            return _chosen(at, found, patterns, tree, others, order)
        others.append((at, "does not accept the page"))
    near = [(at, match_bounded(patterns[at], tree, tolerance)) for at in order]
    fitting = [(at, found) for at, found in near if found is not None]
    if not fitting:
        return Choice(best=None, match=None, others=tuple(others))
    best, found = max(
        fitting, key=lambda pair: (pair[1].constants - pair[1].left_over, -pair[1].cost)
    )
    return Choice(best=best, match=found, others=tuple(o for o in others if o[0] != best))


def _chosen(at, found, patterns, tree, others, order):  # type: ignore[no-untyped-def]
    return Choice(best=at, match=found, others=tuple(others))
