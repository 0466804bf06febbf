"""Stratified sampling of pages, for sites too large to compare all pairs."""

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeVar
from urllib.parse import urlsplit
from zlib import crc32

T = TypeVar("T")


def spread(strata: Sequence[Hashable], size: int) -> list[int]:
    """Return the positions of at most `size` pages, spread evenly over the strata.

    All strata give the same number of pages, except those that are exhausted. Within a stratum, the
    pages are spread evenly.

    >>> spread(["blog", "blog", "blog", "blog", "tag", "home"], 4)
    [0, 3, 4, 5]
    """
    if size < 0:
        raise ValueError(f"size must be 0 or more, not {size}")
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
    """Return `count` of the items, evenly spaced, including the first and the last.

    >>> evenly("abcdefg", 3), evenly("abc", 1)
    (['a', 'd', 'g'], ['a'])
    """
    if count < 2:
        return list(things[:count])
    step = (len(things) - 1) / (count - 1)
    return [things[round(i * step)] for i in range(count)]


_NUMBER = re.compile(r"\d+")


def url_shape(url: str) -> str:
    """Return the shape of a URL: first folder, number of folders, extension, query names.

    >>> url_shape("https://a.example/2024/05/rain-in-may.html")
    '/#/ 3 .html'
    >>> url_shape("https://a.example/story.php?id=7&page=2")
    '/story.php 1 .php?id&page'
    """
    parts = urlsplit(url)
    folders = [part for part in parts.path.split("/") if part]
    first = _NUMBER.sub("#", folders[0]) if folders else ""
    ending = re.search(r"\.\w{2,5}$", parts.path)
    names = "&".join(sorted(pair.partition("=")[0] for pair in parts.query.split("&") if pair))
    slash = "/" if len(folders) > 1 else ""
    return (
        f"/{first}{slash} {len(folders)} {ending[0] if ending else ''}{'?' if names else ''}{names}"
    )


def shuffled(url: str) -> tuple[int, str]:
    """Return a sort key that puts URLs into a fixed pseudo-random order.

    Learning depends slightly on the order of pages. This key makes it independent of the crawl
    order and mixes the sections of a site.
    """
    path = urlsplit(url)._replace(scheme="", netloc="").geturl()
    return crc32(path.encode()), url


def sample_pages(pages: Sequence[tuple[str, int]], size: int) -> list[int]:
    """Return the positions of at most `size` pages, given by URL and depth, in learning order.

    The sample is stratified by URL shape and depth, so that rare templates are included.

    >>> len(sample_pages([(f"https://a.example/{n}", 1) for n in range(9)], 5))
    5
    """
    order = sorted(range(len(pages)), key=lambda at: shuffled(pages[at][0]))
    if len(order) <= size:
        return order
    kinds = [(url_shape(url), depth) for url, depth in (pages[at] for at in order)]
    return [order[at] for at in spread(kinds, size)]
