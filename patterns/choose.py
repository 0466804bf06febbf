"""Which of several patterns is the one of a page: the most specific that accepts it.

Not the cheapest: a lone `+` costs nothing and accepts every page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from patterns.labels import among
from patterns.match import TOLERANCE, Match, fit, page_side
from patterns.pattern import Pattern, count_tags
from trees import Tree

TRIED = 3
"""So many patterns are tried for a bounded match, those with most in common first."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A pattern that was not chosen."""

    pattern: int
    """Its position."""
    reason: str
    """Why not, in words."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The pattern chosen for a page, and why not the others."""

    best: int | None
    """Position of the chosen pattern; None if none fits even nearly."""
    match: Match | None = field(repr=False)
    """How it fits; `match.bounded` if only nearly."""
    others: tuple[Refusal, ...] = ()
    """Every other pattern."""


def choose(patterns: Sequence[Pattern], tree: Tree, *, tolerance: float = TOLERANCE) -> Choice:
    r"""Return the most specific pattern that accepts a page, else the one that nearly does.

    Most constant vertices matched come first, then the lowest cost, then the first given. What
    texts, classes and tags a page has rules out most patterns before they are matched.

    >>> from trees import build_tree
    >>> from patterns import pattern_of, read_text
    >>> page = build_tree("<h1>News</h1>")
    >>> choice = choose([read_text("body\n  +")[0], pattern_of(page)], page)
    >>> choice.best, choice.others[0].reason
    (1, 'less specific: 1 constants')
    """
    marks, tags = np.sort(np.concatenate([tree.text_hash, tree.class_hash])), count_tags(tree.tag)
    side = page_side(tree)
    found: dict[int, Match] = {}
    reasons: dict[int, str] = {}
    for at in sorted(range(len(patterns)), key=lambda at: (-patterns[at].constants, at)):
        pattern = patterns[at]
        if found and pattern.constants < max(match.constants for match in found.values()):
            reasons[at] = f"less specific: {pattern.constants} constants"
        elif not (has := among(pattern.mark_list, marks)).all():
            reasons[at] = _lacking(pattern, int(pattern.mark_list[has.argmin()]))
        elif (pattern.tag_counts <= tags).all() and (match := fit(pattern, tree, side)):
            found[at] = match
        else:
            reasons[at] = "the page is built differently"
    if not found:
        shared = {at: int(among(patterns[at].mark_list, marks).sum()) for at in reasons}
        nearest = sorted(reasons, key=lambda at: (-shared[at], at))[:TRIED]
        tried = {at: fit(patterns[at], tree, side, tolerance) for at in nearest}
        found = {at: match for at, match in tried.items() if match}
    return _choice(found, reasons)


def _choice(found: dict[int, Match], reasons: dict[int, str]) -> Choice:
    """Return the best of the patterns that fit, and why not the others."""
    if not found:
        others = [Refusal(pattern=at, reason=reason) for at, reason in sorted(reasons.items())]
        return Choice(best=None, match=None, others=tuple(others))

    def merit(at: int) -> tuple[int, int, int]:
        return found[at].constants - found[at].left_over, -found[at].cost, -at

    best = max(found, key=merit)
    reasons = {**reasons, **{at: f"worse: {_report(match)}" for at, match in found.items()}}
    others = [
        Refusal(pattern=at, reason=reason) for at, reason in sorted(reasons.items()) if at != best
    ]
    return Choice(best=best, match=found[best], others=tuple(others))


def _report(match: Match) -> str:
    over = f", {match.left_over} vertices left over" if match.bounded else ""
    return f"{match.constants} constants, cost {match.cost}{over}"


def _lacking(pattern: Pattern, missing: int) -> str:
    """Name a text or class that the pattern wants and the page has not."""
    if missing in pattern.texts:
        return f"the page lacks the text {pattern.texts[missing]!r}"
    return f"the page lacks the class {pattern.names.get(missing, 'of an unknown name')}"
