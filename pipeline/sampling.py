"""Which pages of a large site are learned from."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from clustering import spread
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
    """Return at most `size` pages, spread over the kinds of addresses and depths.

    A template that few pages have is so not lost among those that many have.
    """
    if len(rows) <= size:
        return list(rows)
    return [rows[at] for at in spread([(url_shape(row.url), row.depth) for row in rows], size)]
