"""Search start tags for hints without parsing every attribute of the page."""

import re
from bisect import bisect_right

import numpy as np

from flong.baselines.interface import Mask
from flong.tree import Tree

_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def vertices_with(tree: Tree, *hints: bytes) -> list[int]:
    """Return the vertices whose start tag contains one of the strings, in document order.

    >>> from flong.tree import build_tree
    >>> vertices_with(build_tree("<p>bold<div class=bold>text</div>"), b"bold")
    [3]
    """
    data = tree.source.data
    found = [place for hint in hints for place in _places(data, hint)]
    if not found:
        return []
    elements = (tree.tag_start >= 0).nonzero()[0]
    starts: list[int] = tree.tag_start[elements].tolist()
    owners = {bisect_right(starts, place) - 1 for place in found}
    return [
        int(elements[owner])
        for owner in sorted(owners)
        if owner >= 0 and _tag_has(data, starts[owner], hints)
    ]


def invisible(tree: Tree) -> Mask:
    """Return True for each element that its own attributes hide.

    >>> from flong.tree import build_tree
    >>> invisible(build_tree("<p style='display: none'>Menu<p hidden>More<p>Text")).tolist()
    [False, True, False, True, False, False, False]
    """
    found = np.zeros(len(tree), dtype=np.bool_)
    for vertex in vertices_with(tree, b"hidden", b"none"):
        attributes = tree.attributes(vertex)
        found[vertex] = "hidden" in attributes or bool(_HIDING.search(attributes.get("style", "")))
    return found


def _places(data: bytes, hint: bytes) -> list[int]:
    """Return the positions of a string."""
    places, place = list[int](), data.find(hint)
    while place >= 0:
        places.append(place)
        place = data.find(hint, place + len(hint))
    return places


def _tag_has(data: bytes, start: int, hints: tuple[bytes, ...]) -> bool:
    """Return True if the tag that begins here contains one of the strings."""
    tag = data[start : data.index(b">", start)]
    return any(hint in tag for hint in hints)
