"""Groups the pages of one site by the template that produced them.

Average linkage over RTDM distances, cut at a similarity. What scipy would give for the
matrix of all pages is found with less: pages of equal skeleton are measured once, and groups
of pages that no chain of near pages connects are linked one by one.
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
    """Pages that one template produced."""

    members: tuple[int, ...]
    """Positions of the pages, in the order they were given."""
    distances: tuple[float, ...]
    """Distance of each member to the medoid, from 0 to 1."""
    medoid: int
    """Position of the most typical page: the least mean distance to all others."""
    radius: float
    """Distance of the member that is furthest from the medoid."""
    quality: float
    """From -1 to 1: (b - a) / max(a, b), where a is the mean distance to the medoid and b the
    medoid's distance to the nearest other medoid (at most twice that of the cut)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """All clusters of a site."""

    clusters: tuple[Cluster, ...]
    """The largest first; every page is in exactly one."""
    labels: NDArray[np.int64]
    """The cluster of each page, as position in `clusters`."""
    dendrogram: Dendrogram
    """How the pages that were linked, not only matched to a medoid, join."""


def cluster_pages(  # noqa: PLR0913 - the front door: all that can be said about it
    skeletons: Sequence[Skeleton],
    *,
    similarity: float = 0.8,
    sample_size: int = 3000,
    strata: Sequence[Hashable] | None = None,
    costs: Costs = RTDM,
    tell: Progress = unwatched,
) -> Clustering:
    """Group pages whose skeletons are similar.

    Similarity is 1 - d / (n1 + n2). At most `sample_size` pages are linked at once, spread
    over `strata` (for example the pattern of the URL and the depth); the others join the
    cluster whose medoid is the nearest, and those that are near to none are linked in a
    further round. The result does not depend on the order of pages, except for which of
    several pages of equal skeleton is named as medoid, and for the choice of a sample. `tell` is
    told how many distances are measured.

    Time is at most quadratic in `sample_size` and else linear.

    >>> from flong.tree import build_tree
    >>> from flong.clustering import skeleton_of
    >>> pages = ["<h1>a</h1><p>b", "<h1>a</h1><p>b<p>c", "<ul><li>a<li>b</ul><div>c</div>"]
    >>> result = cluster_pages([skeleton_of(build_tree(page)) for page in pages])
    >>> [cluster.members for cluster in result.clusters], result.labels.tolist()
    ([(0, 1), (2,)], [0, 0, 1])
    """
    _check(skeletons, similarity, sample_size, strata)
    # Rounded: 1 - 0.8 is a little less than 0.2, and pages of just that distance are near.
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
    """Refuse arguments that make no sense."""
    if not 0 <= similarity <= 1:
        raise ValueError(f"similarity is from 0 to 1, not {similarity}")
    if sample_size < 1:
        raise ValueError(f"a sample has at least one page, not {sample_size}")
    if strata is not None and len(strata) != len(skeletons):
        raise ValueError(f"{len(skeletons)} pages cannot have {len(strata)} strata")


def _agglomerator(
    skeletons: Sequence[Skeleton], costs: Costs, cut: float, tell: Progress
) -> Agglomerator:
    """Return an agglomerator of the different skeletons, in the order of their hashes."""
    kinds = np.array([skeleton.kind[0] for skeleton in skeletons], dtype=np.int64)
    _, first, tree_of = np.unique(kinds, return_index=True, return_inverse=True)
    index = build_index([skeletons[page] for page in first])
    return Agglomerator(PageDistances(index=index, costs=costs, cut=cut, tell=tell), tree_of)


def _describe(agglomerator: Agglomerator) -> tuple[Cluster, ...]:
    """Return the clusters, the largest first, equal ones by their medoids' hashes."""
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
    """Return the silhouette of a page that is `spread` from its own and `apart` from others."""
    largest = max(spread, apart)
    return (apart - spread) / largest if largest else 1.0


@dataclass(frozen=True, slots=True)
class TrackedCluster:
    """A cluster as it is recognised."""

    members: frozenset[Hashable]
    """Keys of its pages."""
    medoid: Hashable
    """Key of its most typical page."""


def carry_over(old: Sequence[TrackedCluster], new: Sequence[TrackedCluster]) -> dict[int, int]:
    """Return which old cluster each new one continues, by position.

    An old cluster is continued by the new one that holds its medoid, else by one that holds
    other pages of it; where several claim the same, by the one with more pages in common.
    New clusters that continue none are missing.

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
