"""Which pages to learn from when there are more than can be compared with each other."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")


def spread(strata: Sequence[Hashable], size: int) -> list[int]:
    """Return the positions of at most `size` pages, spread evenly over the strata.

    Every stratum gives as many as any other until it has no more; which of its pages it
    gives is spread evenly over their order.

    >>> spread(["blog", "blog", "blog", "blog", "tag", "home"], 4)
    [0, 3, 4, 5]
    """
    if size < 0:
        raise ValueError(f"a sample has 0 pages or more, not {size}")
    members: dict[Hashable, list[int]] = defaultdict(list)
    for position, stratum in enumerate(strata):
        members[stratum].append(position)
    chosen: list[int] = []
    left = size
    smallest_first = sorted(members.values(), key=lambda pages: (len(pages), pages[0]))
    for done, pages in enumerate(smallest_first):
        quota = min(len(pages), -(-left // (len(members) - done)))
        chosen += evenly(pages, quota)
        left -= quota
    return sorted(chosen)


def evenly(things: Sequence[T], count: int) -> list[T]:
    """Return so many of the things, the first and the last among them.

    >>> evenly("abcdefg", 3), evenly("abc", 1)
    (['a', 'd', 'g'], ['a'])
    """
    if count < 2:
        return list(things[:count])
    step = (len(things) - 1) / (count - 1)
    return [things[round(i * step)] for i in range(count)]
