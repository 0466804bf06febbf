"""Which pages of a large site are learned from."""

import re
from collections import defaultdict, deque
from collections.abc import Sequence
from urllib.parse import urlsplit

from storage import PageRow

_NUMBER = re.compile(r"\d+")


def url_shape(url: str) -> str:
    """Return what addresses of one kind have in common: first folder, length, numbers.

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


def sample_pages(rows: Sequence[PageRow], size: int) -> list[PageRow]:
    """Return at most `size` pages, spread over the kinds of addresses and depths, in order.

    Each kind gives one page in turn, the latest first, until there are enough: a template that
    few pages have is not lost among those that many have.
    """
    if len(rows) <= size:
        return list(rows)
    kinds: dict[tuple[str, int], list[PageRow]] = defaultdict(list)
    for row in rows:
        kinds[url_shape(row.url), row.depth].append(row)
    waiting = deque(kinds.values())
    chosen: list[PageRow] = []
    while len(chosen) < size:
        kind = waiting.popleft()
        chosen.append(kind.pop())
        if kind:
            waiting.append(kind)
    return sorted(chosen, key=lambda row: row.id)
