"""Dendrogram of a sample of a site's pages, beside an ordered heat map of their distances.

It is the dendrogram that the site was learned with. Distances are not stored: those of the sample
are measured when they are shown, and cached until the site is learned again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import optimal_leaf_ordering

from flong.clustering import (
    Costs,
    Dendrogram,
    SubtreeDistances,
    build_index,
    draw_lines,
    evenly,
    read_dendrogram,
    skeleton_of,
)
from flong.storage import Site, SiteMember, Store
from flong.tree import build_tree

LEAVES = 80
"""Maximum number of pages in a drawing."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A page in the drawing."""

    page: int
    """Its id."""
    url: str
    """Its URL."""
    cluster: int
    """Id of its cluster."""
    rank: int
    """Rank of its cluster among those of the site, 0 for the largest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Two groups of pages that are joined."""

    corners: list[tuple[float, float]]
    """The bracket: four corners (position among the leaves, distance)."""
    first: int
    """Position of the first page of the first group."""
    split: int
    """Position of the first page of the second group."""
    last: int
    """Position of the last page of the second group."""
    rank: int | None
    """Rank of the cluster of all its pages; None if they belong to several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A sample of a site's pages, ordered so that similar pages are neighbours."""

    leaves: list[Leaf]
    """The pages, in order."""
    merges: list[Merge]
    """The joins, the smallest distance first."""
    distances: list[list[float]]
    """Distance matrix, from 0 to 1."""
    similarity: float
    """Similarity at which it is cut into templates."""
    clusters: int
    """Number of clusters in the drawing."""
    all_clusters: int
    """Number of clusters of the site."""
    all_pages: int
    """Number of pages of all clusters."""


class DendrogramCache:
    """Drawings of sites, one for the latest model of each."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._kept: dict[int, tuple[int, Drawing | None]] = {}

    def drawing(self, site: Site) -> Drawing | None:
        """Return the drawing of a site; None if it has fewer than two clustered pages."""
        version = self._store.templates.model_version(site)
        with self._lock:
            kept = self._kept.get(site.id)
            if kept is None or kept[0] != version:
                kept = self._kept[site.id] = version, self._draw(site)
            return kept[1]

    def _draw(self, site: Site) -> Drawing | None:
        learned = self._store.templates.grouping(site)
        if learned is None:
            return None
        dendrogram = read_dendrogram(learned.dendrogram)
        linked = frozenset(dendrogram.leaves.tolist())
        groups: dict[int, list[SiteMember]] = {}
        for member in self._store.overview.clustered_pages(site):
            groups.setdefault(member.cluster, []).append(member)
        ranks = {cluster_id: rank for rank, cluster_id in enumerate(groups)}
        drawn = [[each for each in group if each.page in linked] for group in groups.values()]
        chosen = {member.page: member for member in sample([group for group in drawn if group])}
        if len(chosen) < 2:
            return None
        rows = list(self._store.pages.rows(site, only=list(chosen)))
        distances = distance_matrix([row.html for row in rows], learned.replace_cost)
        merges = dendrogram.restricted([row.id for row in rows]).linkage
        order, brackets = _arrange(merges, distances, [ranks[chosen[r.id].cluster] for r in rows])
        leaves = [chosen[rows[at].id] for at in order]
        return Drawing(
            leaves=[
                Leaf(page=leaf.page, url=leaf.url, cluster=leaf.cluster, rank=ranks[leaf.cluster])
                for leaf in leaves
            ],
            merges=brackets,
            distances=distances[np.ix_(order, order)].round(3).tolist(),
            similarity=learned.similarity,
            clusters=len({leaf.cluster for leaf in leaves}),
            all_clusters=len(groups),
            all_pages=sum(map(len, groups.values())),
        )


def sample(groups: Sequence[list[SiteMember]], size: int = LEAVES) -> list[SiteMember]:
    """Return members of the groups, more from larger groups.

    Each group contributes its first member, and others at even intervals. If there are more than
    `size` groups, the last ones contribute no member.

    >>> pages = [SiteMember(1, page, "", 0) for page in range(9)], [SiteMember(2, 9, "", 0)]
    >>> [member.page for member in sample(pages, 4)]
    [0, 4, 8, 9]
    """
    shown = groups[:size]
    quotas = [1] * len(shown)
    heap = [(-len(group) / 2, at) for at, group in enumerate(shown)]
    heapify(heap)
    for _ in range(min(size, sum(map(len, shown))) - len(shown)):
        at = heap[0][1]
        quotas[at] += 1
        more = -len(shown[at]) / (quotas[at] + 1) if quotas[at] < len(shown[at]) else 0.0
        heapreplace(heap, (more, at))
    return [
        member
        for group, quota in zip(shown, quotas, strict=True)
        for member in evenly(group, quota)
    ]


def distance_matrix(pages: Sequence[str], replace_cost: int = 1) -> Floats:
    """Return the distances between pages that clustering uses, from 0 to 1.

    >>> distance_matrix(["<h1>a</h1>", "<h1>b</h1>", "<ul><li>c</ul>"]).round(2).tolist()
    [[0.0, 0.0, 0.5], [0.0, 0.0, 0.5], [0.5, 0.5, 0.0]]
    """
    index = build_index([skeleton_of(build_tree(html)) for html in pages])
    size = index.size[index.root]
    one, other = np.triu_indices(len(pages), 1)
    distances = SubtreeDistances(index, Costs(replace=replace_cost))
    found = distances.measure(one, other) / (size[one] + size[other])
    matrix = np.zeros((len(pages), len(pages)))
    matrix[one, other] = matrix[other, one] = found
    return matrix


def _arrange(linkage: Floats, distances: Floats, ranks: list[int]) -> tuple[list[int], list[Merge]]:
    """Return the order of the pages, and their joins."""
    condensed = distances[np.triu_indices(len(distances), 1)]
    joined = optimal_leaf_ordering(linkage, condensed)
    order, brackets = draw_lines(Dendrogram(np.arange(len(distances)), joined))
    positions = np.argsort(order).tolist()
    spans = [(position, position) for position in positions]
    colours: list[int | None] = list(ranks)
    merges = []
    for (one, other), corners in zip(joined[:, :2].astype(int).tolist(), brackets, strict=True):
        colours.append(colours[one] if colours[one] == colours[other] else None)
        spans.append((spans[one][0], spans[other][1]))
        merge = Merge(
            corners=[(float(x), float(y)) for x, y in corners],
            first=spans[one][0],
            split=spans[other][0],
            last=spans[other][1],
            rank=colours[-1],
        )
        merges.append(merge)
    return order.tolist(), merges


BRANCHES = {"┐": "┬", "┘": "┴", "│": "├"}
"""Corners of brackets whose line continues to the right."""


def draw_text(drawing: Drawing, width: int = 60) -> str:
    """Return the dendrogram as lines of text, with distances growing to the right.

    The first line marks the cut. Pages whose distance is too small to be drawn share a line.
    """
    names = _rows(drawing, width)
    row_of = [row for row, (_, pages) in enumerate(names) for _ in range(pages)]
    canvas = [[" "] * (width + 1) for _ in names]
    ends = {(at, at): (row, 0) for at, row in enumerate(row_of)}
    for merge in drawing.merges:
        column = round(merge.corners[1][1] * width)
        one, other = ends[merge.first, merge.split - 1], ends[merge.split, merge.last]
        if one[0] == other[0]:  # they share a line
            ends[merge.first, merge.last] = one[0], 0
            continue
        ends[merge.first, merge.last] = (one[0] + other[0]) // 2, column
        for row in canvas[one[0] + 1 : other[0]]:
            row[column] = "│"
        for (at, start), corner in ((one, "┐"), (other, "┘")):
            row = canvas[at]
            row[start] = BRANCHES.get(row[start], "─")
            row[start + 1 : column] = "─" * (column - start - 1)
            row[column] = corner
    cut = f"{' ' * round((1 - drawing.similarity) * width)}▾ {drawing.similarity:.0%} similar"
    lines = (f"{''.join(row)} {name}" for row, (name, _) in zip(canvas, names, strict=True))
    return "\n".join([cut, *lines])


def _rows(drawing: Drawing, width: int) -> list[tuple[str, int]]:
    """Return the label of each line, and the number of pages that share it."""
    inner = {
        at
        for merge in drawing.merges
        if round(merge.corners[1][1] * width) < 2
        for at in range(merge.first + 1, merge.last + 1)
    }
    rows: list[tuple[str, int]] = []
    for at, leaf in enumerate(drawing.leaves):
        if at in inner:
            name, pages = rows[-1]
            rows[-1] = name, pages + 1
        else:
            rows.append((f"cluster {leaf.cluster}  {leaf.url}", 1))
    return [(name if pages == 1 else f"{name} and {pages - 1} more", pages) for name, pages in rows]
