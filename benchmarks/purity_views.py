"""How the view of a tree and the linkage change which pages fall together."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Literal

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.metrics import adjusted_rand_score

from benchmarks.corpus import CorpusSite
from flong.clustering import Skeleton, SubtreeDistances, build_index, skeleton_of
from flong.tree import Tree, build_tree, stable_hash

ARTICLES, OTHERS = 80, 40
CUT = 0.2
LINKAGES: tuple[Literal["average", "complete", "single"], ...] = ("average", "complete", "single")


def collapse_runs(tree: Tree) -> Skeleton:
    """Return a tree in which only the first of neighbouring equal sub-trees is kept.

    >>> print(collapse_runs(build_tree("<p>a<p>b<div>c</div><p>d")))
    body(p(#text) div(#text) p(#text))
    """
    kind = [0] * len(tree)
    size = [1] * len(tree)
    kept: list[list[int]] = [[] for _ in kind]
    for vertex in reversed(range(len(tree))):
        for child in tree.children(vertex):
            if not kept[vertex] or kind[kept[vertex][-1]] != kind[child]:
                kept[vertex].append(child)
        below = [kind[child] for child in kept[vertex]]
        kind[vertex] = stable_hash(repr((int(tree.tag[vertex]), below)).encode())
        size[vertex] += sum(size[child] for child in kept[vertex])
    order, stack = [], [0]
    while stack:
        order.append(stack.pop())
        stack += reversed(kept[order[-1]])
    return Skeleton(
        label=tree.tag[order],
        size=np.array(size, dtype=np.int32)[order],
        kind=np.array(kind, dtype=np.int64)[order],
    )


VIEWS: Mapping[str, Callable[[Tree], Skeleton]] = {
    "all vertices": lambda tree: skeleton_of(tree, collapse=False),
    "runs of equal siblings are one": collapse_runs,
    "ours": skeleton_of,
}


def compare_views(sites: Sequence[CorpusSite]) -> list[dict[str, object]]:
    """Return the mean ARI over the sites for each view and linkage."""
    scores = [_score(site) for site in sites]
    return [
        {"view": view, **{way: fmean(score[view, way] for score in scores) for way in LINKAGES}}
        for view in VIEWS
    ]


def _score(site: CorpusSite) -> dict[tuple[str, str], float]:
    """Return the ARI of a sample of one site by view and linkage."""
    articles = [path for path in site.paths if site.kind(path) == "article"][:ARTICLES]
    others = [path for path in site.paths if site.kind(path) == "other"][:OTHERS]
    trees = [build_tree(site.page(path).html) for path in articles + others]
    truth = [1] * len(articles) + [0] * len(others)
    found: dict[tuple[str, str], float] = {}
    for name, view in VIEWS.items():
        index = build_index(list(map(view, trees)))
        one, other = np.triu_indices(len(trees), 1)
        size = index.size[index.root]
        apart = SubtreeDistances(index).measure(one, other) / (size[one] + size[other])
        for way in LINKAGES:
            labels = fcluster(linkage(apart, way), CUT, "distance")
            found[name, way] = float(adjusted_rand_score(truth, labels))
    return found
