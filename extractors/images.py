"""Which picture of a page belongs to its article (NowOnWeb, section 4)."""

import re
from collections.abc import Mapping
from urllib.parse import urljoin

import numpy as np

from extractors.method import Leaves
from items import words
from trees import SitePage, tag_number

_PICTURE = tag_number("img")
_NEAR = 20
"""Vertices above the body in which a picture is still next to it."""
_DECORATION = re.compile(
    r"ads?|avatar|banner|blank|button|emoji|gravatar|icons?|loader|logo|pixel|smil\w+|spacer|sprite"
)
_FORMATS = {"jpg": 1.0, "jpeg": 1.0, "webp": 1.0, "avif": 1.0, "png": 0.5, "gif": -1.0, "svg": -2.0}


def find_image(page: SitePage, body: Leaves, title: str) -> str | None:
    """Return the address of the picture in or next to the body that looks most like news.

    What counts: position, `alt` in common with the title, size, format, and what the address
    says; None if no picture has more for it than against it.

    >>> from trees import build_tree
    >>> tree = build_tree("<img src=logo.png><p>Text<img src=snow.jpg width=600></p>")
    >>> find_image(SitePage(url="http://a.org/", tree=tree), (3,), "Snow")
    'http://a.org/snow.jpg'
    """
    if not body:
        return None
    tree, best, address = page.tree, 0.0, None
    first, last = max(0, body[0] - _NEAR), body[-1] + 2
    for vertex in (first + np.flatnonzero(tree.tag[first : last + 1] == _PICTURE)).tolist():
        attributes = tree.attributes(vertex)
        points = _points(attributes, title) + (1.0 if vertex > body[0] else 0.5)
        absolute = _absolute(page.url, _source(attributes))
        if absolute and points > best:
            best, address = points, absolute
    return address


def _source(attributes: Mapping[str, str]) -> str:
    """Return where the picture is; lazy pages name it elsewhere than in `src`."""
    sources = (attributes.get(name, "") for name in ("data-src", "data-lazy-src", "src"))
    return next((source for source in sources if source and not source.startswith("data:")), "")


def _points(attributes: Mapping[str, str], title: str) -> float:
    """Return what a picture says for itself, wherever it stands."""
    path = _source(attributes).partition("?")[0].lower()
    points = _FORMATS.get(path.rpartition(".")[2], 0.0)
    if any(map(_DECORATION.fullmatch, re.split(r"[^a-z]+", path))):
        points -= 3.0
    if set(words(attributes.get("alt", ""))) & set(words(title)):
        points += 1.0
    sizes = [_pixels(attributes.get(side, "")) for side in ("width", "height")]
    known = [size for size in sizes if size is not None]
    if known:
        points += 1.0 if min(known) >= 150 else -3.0
    return points


def _pixels(size: str) -> int | None:
    """Return a size in pixels; None if it is not given so."""
    found = re.fullmatch(r"\s*(\d{1,5})\s*(px)?\s*", size)
    return int(found[1]) if found else None


def _absolute(base: str, address: str) -> str | None:
    """Return an address as seen from the page; None if there is none, or nonsense."""
    try:
        return urljoin(base, address.strip()) if address else None
    except ValueError:
        return None
