"""Group the pages of one site by the template that produced them.

Average linkage over RTDM distances, cut at a similarity. The result equals scipy's for the full
matrix, with less work: pages with equal skeletons are measured once, and connected components of
near pages are linked separately.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flong.clustering.agglomerative import Agglomerator
from flong.clustering.dendrogram import Dendrogram, join
from flong.clustering.page_distances import PageDistances, positions_by
from flong.clustering.sample import spread
from flong.clustering.skeleton import Skeleton
from flong.clustering.subtree_distances import RTDM, Costs
from flong.clustering.subtree_index import build_index
from flong.progress import Progress, unwatched

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Pages produced by one template."""

    members: tuple[int, ...]
    """Positions of the pages in the input, in order."""
    distances: tuple[float, ...]
    """Distance of each member to the medoid, from 0 to 1."""
    medoid: int
    """Position of the medoid: the page with the smallest mean distance to all others."""
    radius: float
    """Maximum distance of a member to the medoid."""
    quality: float
    """Silhouette from -1 to 1: (b - a) / max(a, b).

    a is the mean distance to the medoid, b the medoid's distance to the nearest other medoid, at
    most twice the cut.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """All clusters of a site."""

    clusters: tuple[Cluster, ...]
    """Clusters, largest first; every page is in exactly one."""
    labels: NDArray[np.int64]
    """Cluster of each page, as a position in `clusters`."""
    dendrogram: Dendrogram
    """Merges of the linked pages, without those assigned to a medoid."""


def cluster_pages(  # noqa: PLR0913 - public API: all options of clustering
    skeletons: Sequence[Skeleton],
    *,
    similarity: float = 0.8,
    sample_size: int = 3000,
    strata: Sequence[Hashable] | None = None,
    costs: Costs = RTDM,
    tell: Progress = unwatched,
) -> Clustering:
    """Group pages by the similarity of their skeletons.

    Similarity is 1 - d / (n1 + n2). At most `sample_size` pages are linked per round, spread over
    `strata` (such as URL shape and depth). Other pages join the cluster of the nearest medoid.
    Pages without a near medoid are linked in another round.

    The result does not depend on the order of pages, except for the choice of the sample and of a
    medoid among equal skeletons. `tell` receives the number of measured distances. Time is
    quadratic in `sample_size` and otherwise linear.

    >>> from flong.tree import build_tree
    >>> from flong.clustering import skeleton_of
    >>> pages = ["<h1>a</h1><p>b", "<h1>a</h1><p>b<p>c", "<ul><li>a<li>b</ul><div>c</div>"]
    >>> result = cluster_pages([skeleton_of(build_tree(page)) for page in pages])
    >>> [cluster.members for cluster in result.clusters], result.labels.tolist()
    ([(0, 1), (2,)], [0, 0, 1])
    """
    _check(skeletons, similarity, sample_size, strata)
    # Rounded: 1 - 0.8 is slightly less than 0.2, which would exclude pages at exactly that
    # distance.
    agglomerator = _agglomerator(skeletons, costs, round(1 - similarity, 12), tell)
    names = strata if strata is not None else [0] * len(skeletons)
    while len(rest := agglomerator.rest()):
        agglomerator.link(rest[spread([names[page] for page in rest], sample_size)])
        agglomerator.assign()
    clusters = _describe(agglomerator)
    labels = np.zeros(len(skeletons), dtype=np.int64)
    for number, cluster in enumerate(clusters):
        labels[list(cluster.members)] = number
    logger.info("%d pages fall into %d clusters", len(skeletons), len(clusters))
    return Clustering(clusters=clusters, labels=labels, dendrogram=join(agglomerator.dendrograms))


def _check(
    skeletons: Sequence[Skeleton],
    similarity: float,
    sample_size: int,
    strata: Sequence[Hashable] | None,
) -> None:
    """Raise `ValueError` for invalid arguments."""
    if not 0 <= similarity <= 1:
        raise ValueError(f"similarity must be from 0 to 1, not {similarity}")
    if sample_size < 1:
        raise ValueError(f"sample_size must be 1 or more, not {sample_size}")
    if strata is not None and len(strata) != len(skeletons):
        raise ValueError(f"strata must have {len(skeletons)} entries, not {len(strata)}")


def _agglomerator(
    skeletons: Sequence[Skeleton], costs: Costs, cut: float, tell: Progress
) -> Agglomerator:
    """Return an agglomerator for the distinct skeletons, in the order of their hashes."""
    kinds = np.array([skeleton.kind[0] for skeleton in skeletons], dtype=np.int64)
    _, first, tree_of = np.unique(kinds, return_index=True, return_inverse=True)
    index = build_index([skeletons[page] for page in first])
    return Agglomerator(PageDistances(index=index, costs=costs, cut=cut, tell=tell), tree_of)


def _describe(agglomerator: Agglomerator) -> tuple[Cluster, ...]:
    """Return the clusters, largest first; ties are ordered by the medoid's hash."""
    group_of = agglomerator.group_of[agglomerator.tree_of]
    members = positions_by(group_of, len(agglomerator.groups))
    clusters = []
    for group, pages, apart in zip(
        agglomerator.groups, members, agglomerator.separations(), strict=True
    ):
        distance = agglomerator.distance[agglomerator.tree_of[pages]]
        medoid = pages[np.argmax(agglomerator.tree_of[pages] == group.medoid)]
        cluster = Cluster(
            members=tuple(pages.tolist()),
            distances=tuple(distance.tolist()),
            medoid=int(medoid),
            radius=float(distance.max()),
            quality=_quality(float(distance.mean()), float(apart)),
        )
        clusters.append((-len(pages), group.medoid, cluster))
    return tuple(cluster for *_, cluster in sorted(clusters, key=lambda row: row[:2]))


def _quality(spread: float, apart: float) -> float:
    """Return the silhouette for the distances to the own cluster and to the nearest other."""
    largest = max(spread, apart)
    return (apart - spread) / largest if largest else 1.0


@dataclass(frozen=True, slots=True)
class TrackedCluster:
    """A cluster with stable page keys, for comparison between runs."""

    members: frozenset[Hashable]
    """Keys of its pages."""
    medoid: Hashable
    """Key of its medoid."""


def carry_over(old: Sequence[TrackedCluster], new: Sequence[TrackedCluster]) -> dict[int, int]:
    """Return the old cluster that each new one continues, by position.

    An old cluster is continued by the new one that contains its medoid, else by one that contains
    other pages of it. Conflicts go to the one with more common pages. New clusters without a
    predecessor are omitted.

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
