"""A cluster is the same cluster tomorrow, whatever number it gets."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrackedCluster:
    """A cluster as it is recognised."""

    members: frozenset[Hashable]
    """Keys of its pages."""
    medoid: Hashable
    """Key of its most typical page."""


def carry_over(old: Sequence[TrackedCluster], new: Sequence[TrackedCluster]) -> dict[int, int]:
    """Return which old cluster each new one continues, by position.

    An old cluster is continued by the new one that holds its medoid, else by one that holds
    other pages of it; where several claim the same, by the one with more pages in common.
    New clusters that continue none are missing.

    >>> old = [TrackedCluster(frozenset("abc"), "a"), TrackedCluster(frozenset("xy"), "x")]
    >>> new = [TrackedCluster(frozenset(pages), pages[-1]) for pages in ("xyz", "abd", "q")]
    >>> carry_over(old, new)
    {0: 1, 1: 0}
    """
    holders: dict[Hashable, list[int]] = defaultdict(list)
    for position, cluster in enumerate(new):
        for key in cluster.members:
            holders[key].append(position)
    claims = []
    for then, cluster in enumerate(old):
        shared = Counter(now for key in cluster.members for now in holders.get(key, ()))
        medoid = holders.get(cluster.medoid, ())
        claims += [(now in medoid, shared[now], then, now) for now in {*shared, *medoid}]
    found: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, then, now in sorted(claims, key=lambda c: (not c[0], -c[1], c[2], c[3])):
        if now not in found and then not in taken:
            found[now] = then
            taken.add(then)
    return dict(sorted(found.items()))
