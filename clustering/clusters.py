"""Groups the pages of one site by the template that produced them.

Average linkage over RTDM distances, cut at a similarity. What scipy would give for the
matrix of all pages is found with less: pages of equal shape are measured once, and groups
of pages that no chain of near pages connects are linked one by one.
"""

import logging
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clustering.dendrogram import Dendrogram, join
from clustering.distances import Distances
from clustering.linker import Linker
from clustering.partition import positions_by
from clustering.sample import spread
from trees import RTDM, Costs, Shape, plant

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


def cluster_shapes(
    shapes: Sequence[Shape],
    *,
    similarity: float = 0.8,
    sample_size: int = 3000,
    strata: Sequence[Hashable] | None = None,
    costs: Costs = RTDM,
) -> Clustering:
    """Group pages whose shapes are similar.

    Similarity is 1 - d / (n1 + n2). At most `sample_size` pages are linked at once, spread
    over `strata` (for example the pattern of the address and the depth); the others join the
    cluster whose medoid is the nearest, and those that are near to none are linked in a
    further round. The result does not depend on the order of pages, except for which of
    several pages of equal shape is named as medoid, and for the choice of a sample.

    Time is at most quadratic in `sample_size` and else linear.

    >>> from trees import build_tree, shape_of
    >>> pages = ["<h1>a</h1><p>b", "<h1>a</h1><p>b<p>c", "<ul><li>a<li>b</ul><div>c</div>"]
    >>> result = cluster_shapes([shape_of(build_tree(page)) for page in pages])
    >>> [cluster.members for cluster in result.clusters], result.labels.tolist()
    ([(0, 1), (2,)], [0, 0, 1])
    """
    _check(shapes, similarity, sample_size, strata)
    # Rounded: 1 - 0.8 is a little less than 0.2, and pages of just that distance are near.
    linker = _linker(shapes, costs, round(1 - similarity, 12))
    names = strata if strata is not None else [0] * len(shapes)
    while len(rest := linker.rest()):
        linker.link(rest[spread([names[page] for page in rest], sample_size)])
        linker.assign()
    clusters = _describe(linker)
    labels = np.zeros(len(shapes), dtype=np.int64)
    for number, cluster in enumerate(clusters):
        labels[list(cluster.members)] = number
    logger.info("%d pages fall into %d clusters", len(shapes), len(clusters))
    return Clustering(clusters=clusters, labels=labels, dendrogram=join(linker.dendrograms))


def _check(
    shapes: Sequence[Shape],
    similarity: float,
    sample_size: int,
    strata: Sequence[Hashable] | None,
) -> None:
    """Refuse arguments that make no sense."""
    if not 0 <= similarity <= 1:
        raise ValueError(f"similarity is from 0 to 1, not {similarity}")
    if sample_size < 1:
        raise ValueError(f"a sample has at least one page, not {sample_size}")
    if strata is not None and len(strata) != len(shapes):
        raise ValueError(f"{len(shapes)} pages cannot have {len(strata)} strata")


def _linker(shapes: Sequence[Shape], costs: Costs, cut: float) -> Linker:
    """Return a linker of the different shapes, in the order of their hashes."""
    kinds = np.array([shape.kind[0] for shape in shapes], dtype=np.int64)
    _, first, tree_of = np.unique(kinds, return_index=True, return_inverse=True)
    forest = plant([shapes[page] for page in first])
    return Linker(Distances(forest=forest, costs=costs, cut=cut), tree_of)


def _describe(linker: Linker) -> tuple[Cluster, ...]:
    """Return the clusters, the largest first, equal ones by their medoids' hashes."""
    group_of = linker.group_of[linker.tree_of]
    members = positions_by(group_of, len(linker.groups))
    clusters = []
    for group, pages, apart in zip(linker.groups, members, linker.separations(), strict=True):
        distance = linker.distance[linker.tree_of[pages]]
        medoid = pages[np.argmax(linker.tree_of[pages] == group.medoid)]
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
