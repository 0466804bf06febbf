"""Choice of a page's pattern: the most specific of those that accept it.

The paper takes the cheapest. But a `+` as root costs nothing and accepts every page.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from flong.patterns.match import Match, fit, page_side
from flong.patterns.pattern import PLAIN, Ints, Pattern
from flong.patterns.thresholds import THRESHOLDS
from flong.tree import Tree

TRIED = 3
"""Maximum number of patterns tried for a bounded match, those with most in common first."""

_TAGS = 257
"""Number of tags counted separately; the last stands for all unknown ones."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A pattern that was not chosen."""

    pattern: int
    """Its position."""
    reason: str
    """Reason, for people."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The pattern chosen for a page, with the reasons against the others."""

    best: int | None
    """Position of the chosen pattern; None if none fits."""
    match: Match | None = field(repr=False)
    """Its match; `match.bounded` if the pattern does not accept the page."""
    refuse: Callable[[], tuple[Refusal, ...]] = field(repr=False, compare=False)
    """Returns `others`; texts are made only on demand."""

    @cached_property
    def others(self) -> tuple[Refusal, ...]:
        """Return the other patterns, each with a reason."""
        return self.refuse()


class Chooser:
    r"""Patterns indexed by what their pages have in common, so that most are ruled out early.

    Texts, classes and tags of a page decide which patterns are matched at all. Those in `reserve`,
    made from a single page, are matched only if no other accepts the page.

    >>> from flong.tree import build_tree
    >>> from flong.patterns import pattern_of, read_text
    >>> page = build_tree("<h1>News</h1>")
    >>> choice = Chooser([read_text("body\n  +")[0], pattern_of(page)]).choose(page)
    >>> choice.best, choice.others[0].reason
    (1, 'less specific: 1 constants')
    """

    def __init__(self, patterns: Sequence[Pattern], reserve: Collection[int] = ()) -> None:
        self._patterns = patterns
        self._reserve = frozenset(reserve)
        self._order = sorted(
            range(len(patterns)), key=lambda at: (at in self._reserve, -patterns[at].constants, at)
        )
        self._marks = [_marks_of(pattern) for pattern in patterns]
        """For each pattern, the texts and classes that all of its pages have."""
        tags = [_count(pattern.tag[pattern.kind == PLAIN]) for pattern in patterns]
        self._tags = np.array(tags).reshape(len(tags), _TAGS)
        """A row for each pattern: its minimum number of vertices of each tag."""

    def choose(self, tree: Tree) -> Choice:
        """Return the most specific pattern that accepts a page, else the best bounded match.

        Most mapped constants first, then the lowest cost, then the first given.
        """
        marks, tags = _marks_of(tree), _count(tree.tag)
        has_tags: list[bool] = np.all(self._tags <= tags, axis=1).tolist()
        side = page_side(tree)
        found: dict[int, Match] = {}
        for at in self._order:
            if not has_tags[at] or not self._marks[at] <= marks:
                continue
            if found and self._is_less(at, found):
                break
            if match := fit(self._patterns[at], tree, side):
                found[at] = match
        if not found:
            for at in self._nearest(marks):
                least = max((_merit(found, other)[0] for other in found), default=0)
                if self._patterns[at].constants >= least and (
                    match := fit(self._patterns[at], tree, side, THRESHOLDS.bounded_match)
                ):
                    found[at] = match
        best = _best(found)
        return Choice(
            best=best,
            match=found[best] if best is not None else None,
            refuse=partial(self._refuse, found, marks),
        )

    def _is_less(self, at: int, found: Mapping[int, Match]) -> bool:
        """Return True if a pattern cannot be chosen because another accepts the page."""
        best = next(iter(found))
        reserved = at in self._reserve and best not in self._reserve
        return reserved or self._patterns[at].constants < self._patterns[best].constants

    def _nearest(self, marks: frozenset[int]) -> list[int]:
        """Return the patterns that share most texts and classes with a page."""
        shared = [len(marks & wanted) for wanted in self._marks]
        return sorted(range(len(shared)), key=lambda at: -shared[at])[:TRIED]

    def _refuse(self, found: Mapping[int, Match], marks: frozenset[int]) -> tuple[Refusal, ...]:
        """Return all patterns but the best, with reasons."""
        best = _best(found)
        return tuple(
            Refusal(pattern=at, reason=self._reason(at, found, marks))
            for at in range(len(self._patterns))
            if at != best
        )

    def _reason(self, at: int, found: Mapping[int, Match], marks: frozenset[int]) -> str:
        pattern = self._patterns[at]
        if at in found:
            return f"worse: {_report(found[at])}"
        if found and not next(iter(found.values())).bounded and self._is_less(at, found):
            if pattern.constants < self._patterns[next(iter(found))].constants:
                return f"less specific: {pattern.constants} constants"
            return "made from a single page, and another accepts the page"
        missing = self._marks[at] - marks
        return _lacking(pattern, min(missing)) if missing else "the page is built differently"


def choose(patterns: Sequence[Pattern], tree: Tree) -> Choice:
    """Return the pattern of a page; for many pages use a `Chooser`.

    >>> from flong.tree import build_tree
    >>> choose([], build_tree("<h1>News</h1>")).best is None
    True
    """
    return Chooser(patterns).choose(tree)


def _marks_of(page: Pattern | Tree) -> frozenset[int]:
    """Return the hashes of the texts and classes of a pattern or a page."""
    return frozenset([*page.text_hash.tolist(), *page.class_hash.tolist()]) - {0}


def _count(tag: Ints) -> Ints:
    """Return the number of vertices with each tag."""
    return np.bincount(np.minimum(tag, _TAGS - 1), minlength=_TAGS).astype(np.int32)


def _best(found: Mapping[int, Match]) -> int | None:
    if len(found) <= 1:
        return next(iter(found), None)
    return max(found, key=partial(_merit, found))


def _merit(found: Mapping[int, Match], at: int) -> tuple[int, int, int]:
    return found[at].constants - found[at].left_over, -found[at].cost, -at


def _report(match: Match) -> str:
    over = f", {match.left_over} vertices left over" if match.bounded else ""
    return f"{match.constants} constants, cost {match.cost}{over}"


def _lacking(pattern: Pattern, missing: int) -> str:
    """Return a text or class of the pattern that the page lacks, in words."""
    if missing in pattern.texts:
        return f"the page lacks the text {pattern.texts[missing]!r}"
    return f"the page lacks the class {pattern.names.get(missing, 'of an unknown name')}"
