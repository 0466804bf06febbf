"""Entries of a live blog, found in a body by the times of day at their beginning."""

import re
from bisect import bisect
from collections.abc import Sequence
from typing import NamedTuple

from flong.article import clock_of, is_clock
from flong.patterns.thresholds import THRESHOLDS
from flong.tree import Tree, tag_number

_LIKELY = re.compile(r"\W{0,3}\d")
_LONGEST = 24
"""Maximum characters of a time of day."""
_HEADINGS = frozenset(tag_number(f"h{level}") for level in range(1, 7))
_CELLS = frozenset([tag_number("td"), tag_number("th")])


class LiveEntries(NamedTuple):
    """Entries of one body, in the order of the page."""

    starts: tuple[int, ...]
    """First vertex of each entry."""
    end: int
    """End of the last entry, as a vertex."""
    times: frozenset[int]
    """Text leaves that are a time of day and nothing else."""
    around: int
    """Innermost element around each entry, or around all of them."""

    def number(self, vertex: int) -> int:
        """Return the number of the entry that a vertex is in, from 1; 0 for none."""
        return bisect(self.starts, vertex) if vertex < self.end else 0


def find_entries(tree: Tree, leaves: Sequence[int], texts: Sequence[str]) -> LiveEntries | None:
    """Return the entries of a body, given as leaves with their texts; None without any.

    Each entry begins with a line or heading that is or begins with a time of day. Tables of times
    do not count.
    """
    likely = [at for at, text in enumerate(texts) if _LIKELY.match(text)]
    if len(likely) < THRESHOLDS.live_entries:
        return None
    kinds = {at: _kind(tree, leaves[at], texts[at]) for at in likely}
    for kind in ("time", "heading"):
        at = [at for at, found in kinds.items() if found == kind]
        entries = _entries(tree, leaves, at) if len(at) >= THRESHOLDS.live_entries else None
        if entries is not None:
            return entries._replace(times=entries.times if kind == "time" else frozenset())
    return None


def _kind(tree: Tree, leaf: int, text: str) -> str:
    """Return `time` for a time of day, `heading` for a heading that begins with one, or nothing."""
    around = int(tree.parent[leaf])
    if int(tree.tag[around]) in _CELLS:
        return ""
    if len(text) <= _LONGEST and is_clock(text):
        return "time"
    return "heading" if int(tree.tag[around]) in _HEADINGS and clock_of(text) else ""


def _entries(tree: Tree, leaves: Sequence[int], at: Sequence[int]) -> LiveEntries | None:
    """Return the entries that these leaves begin; None if they are not separate."""
    timed = [leaves[each] for each in at]
    whole = _around_both(tree, timed[0], timed[-1])
    starts = [_below(tree, leaf, whole) for leaf in timed]
    if len({*starts}) < len(starts):
        return None
    ends = [start + int(tree.size[start]) for start in starts]
    between = (leaf for leaf in leaves if starts[0] <= leaf < starts[-1])
    is_flat = any(leaf >= ends[bisect(starts, leaf) - 1] for leaf in between)
    end = whole + int(tree.size[whole]) if is_flat else ends[-1]
    inside = sum(starts[0] <= leaf < end for leaf in leaves)
    if inside < THRESHOLDS.live_text * len(leaves) or inside < 2 * len(starts):
        return None
    if is_flat:
        starts = _with_headings(tree, leaves, starts, whole)
    around = whole if is_flat else starts[0]
    return LiveEntries(tuple(starts), end, frozenset(timed), around)


def _with_headings(tree: Tree, leaves: Sequence[int], starts: list[int], whole: int) -> list[int]:
    """Return the starts of entries, moved to the headings before their times if all have one."""
    before = [max((leaf for leaf in leaves if leaf < start), default=-1) for start in starts]
    heads = [int(tree.parent[leaf]) if leaf >= 0 else -1 for leaf in before]
    if any(head < 0 or int(tree.tag[head]) not in _HEADINGS for head in heads):
        return starts
    return [_below(tree, head, whole) for head in heads]


def _around_both(tree: Tree, one: int, other: int) -> int:
    """Return the innermost element around two leaves, the first before the other."""
    vertex = int(tree.parent[one])
    while vertex + int(tree.size[vertex]) <= other:
        vertex = int(tree.parent[vertex])
    return vertex


def _below(tree: Tree, vertex: int, whole: int) -> int:
    """Return the ancestor of a vertex that is a child of an element around both."""
    while int(tree.parent[vertex]) != whole:
        vertex = int(tree.parent[vertex])
    return vertex
