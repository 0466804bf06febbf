"""Dendrogram: serialisation, restriction, joining and drawing, without recursion."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flong.clustering.page_distances import Positions

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Dendrogram:
    """Hierarchy of merges of pages."""

    leaves: Positions
    """Positions of the pages: leaf i of the linkage is page `leaves[i]`."""
    linkage: Floats
    """Linkage matrix in scipy's format: (one, other, distance, number of leaves) per merge."""

    def restricted(self, leaves: Sequence[int]) -> "Dendrogram":
        """Return the dendrogram of some of the leaves, in this order, with unchanged distances.

        >>> three = Dendrogram(np.array([5, 6, 7]), np.array([[0, 2, 0.1, 2], [1, 3, 0.3, 3]]))
        >>> three.restricted([7, 6]).linkage.tolist()
        [[0.0, 1.0, 0.3, 2.0]]
        """
        place = {leaf: at for at, leaf in enumerate(leaves)}
        nodes = [place.get(leaf) for leaf in self.leaves.tolist()]
        sizes = [1] * len(leaves)
        rows: list[tuple[float, ...]] = []
        for one, other, distance in self.linkage[:, :3].tolist():
            a, b = nodes[int(one)], nodes[int(other)]
            if a is None or b is None:
                nodes.append(b if a is None else a)
                continue
            nodes.append(len(sizes))
            sizes.append(sizes[a] + sizes[b])
            rows.append((min(a, b), max(a, b), distance, sizes[-1]))
        return Dendrogram(np.array(leaves, np.int64), np.array(rows).reshape(-1, 4))


def write_dendrogram(dendrogram: Dendrogram) -> str:
    """Return a dendrogram as JSON, with distances rounded to six digits.

    >>> write_dendrogram(Dendrogram(np.array([5, 6]), np.array([[0, 1, 0.1, 2]])))
    '{"leaves": [5, 6], "merges": [[0, 1, 0.1]]}'
    """
    merges = [
        [int(one), int(other), round(distance, 6)]
        for one, other, distance in dendrogram.linkage[:, :3].tolist()
    ]
    return json.dumps({"leaves": dendrogram.leaves.tolist(), "merges": merges})


def read_dendrogram(text: str) -> Dendrogram:
    """Parse the JSON written by `write_dendrogram`.

    >>> read_dendrogram('{"leaves": [5, 6], "merges": [[0, 1, 0.1]]}').linkage.tolist()
    [[0.0, 1.0, 0.1, 2.0]]
    """
    data = json.loads(text)
    sizes = [1] * len(data["leaves"])
    for one, other, _ in data["merges"]:
        sizes.append(sizes[one] + sizes[other])
    rows = np.zeros((len(data["merges"]), 4))
    rows[:, :3] = np.array(data["merges"]).reshape(-1, 3)
    rows[:, 3] = sizes[len(data["leaves"]) :]
    return Dendrogram(np.array(data["leaves"], np.int64), rows)


def join(parts: Sequence[Dendrogram]) -> Dendrogram:
    """Join dendrograms into one, at distance 1 (the maximum).

    >>> one = Dendrogram(np.array([4, 2]), np.array([[0, 1, 0.1, 2]]))
    >>> both = join([one, Dendrogram(np.array([7]), np.zeros((0, 4)))])
    >>> both.leaves.tolist(), both.linkage.tolist()
    ([4, 2, 7], [[0.0, 1.0, 0.1, 2.0], [2.0, 3.0, 1.0, 3.0]])
    """
    total = sum(len(part.leaves) for part in parts)
    rows = [np.zeros((0, 4))]
    tops: list[int] = []
    leaf, merge = 0, total
    for part in parts:
        moved = part.linkage.copy()
        inner = moved[:, :2] >= len(part.leaves)
        moved[:, :2] += np.where(inner, merge - len(part.leaves), leaf)
        leaf, merge = leaf + len(part.leaves), merge + len(moved)
        rows.append(moved)
        tops.append(merge - 1 if len(moved) else leaf - 1)
    merges, number = _by_distance(np.concatenate(rows), total)
    sizes = [len(part.leaves) for part in parts]
    leaves = np.concatenate([np.zeros(0, dtype=np.int64), *(part.leaves for part in parts)])
    return Dendrogram(leaves, np.concatenate([merges, _chain(number[tops], sizes, 2 * total)]))


def _by_distance(rows: Floats, total: int) -> tuple[Floats, NDArray[np.int64]]:
    """Return the merges sorted by distance, and the new number of each leaf and merge."""
    order = np.argsort(rows[:, 2], kind="stable")
    number = np.arange(total + len(rows))
    number[total + order] = total + np.arange(len(rows))
    rows = rows[order]
    rows[:, :2] = np.sort(number[rows[:, :2].astype(np.int64)], axis=1)
    return rows, number


def _chain(tops: NDArray[np.int64], sizes: list[int], after: int) -> Floats:
    """Return merges that join the tops one after the other; all end before `after` - 1."""
    rows = np.ones((max(len(tops) - 1, 0), 4))
    merge = after - len(tops)
    for row, top in zip(rows, tops[1:], strict=True):
        row[:2] = np.sort([tops[0], top])
        tops[0], merge = merge, merge + 1
    rows[:, 3] = np.cumsum(sizes)[1:]
    return rows


def draw_lines(dendrogram: Dendrogram) -> tuple[Positions, Floats]:
    """Return the pages from left to right, and the four corners of each merge's bracket.

    Corners are (x, height), with pages at x = 0, 1, 2, ... There is no recursion: scipy's
    `dendrogram` overflows the stack on long chains.

    >>> three = Dendrogram(np.array([5, 6, 7]), np.array([[0, 2, 0.1, 2], [1, 3, 0.3, 3]]))
    >>> pages, brackets = draw_lines(three)
    >>> pages.tolist(), brackets[1].tolist()
    ([6, 5, 7], [[0.0, 0.0], [0.0, 0.3], [1.5, 0.3], [1.5, 0.1]])
    """
    total, linkage = len(dendrogram.leaves), dendrogram.linkage
    order, stack = [], [total + len(linkage) - 1] if total else []
    while stack:
        node = stack.pop()
        if node < total:
            order.append(node)
        else:
            one, other = linkage[node - total, :2].astype(int).tolist()
            stack += [other, one]
    x, y = np.zeros(total + len(linkage)), np.zeros(total + len(linkage))
    x[order] = np.arange(total)
    brackets = np.empty((len(linkage), 4, 2))
    for row, (a, b, height) in enumerate(linkage[:, :3].tolist()):
        one, other, node = int(a), int(b), total + row
        left, right = x[one], x[other]
        brackets[row] = [(left, y[one]), (left, height), (right, height), (right, y[other])]
        x[node], y[node] = (left + right) / 2, height
    return dendrogram.leaves[order], brackets
