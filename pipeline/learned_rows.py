"""What was learned, as rows: clusters that keep their ids, patterns one can read."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clustering import Cluster, TrackedCluster, carry_over
from patterns import PLAIN, LabelledPattern, Pattern, SiteModel, match, write_json, write_text
from storage import ClusterRow, MemberRow, PageRow, PatternRow, WildcardRow
from trees import Tree

LINKED = 0.35
"""A page with at least this share of its words in links is a listing."""
FEW = 0.05
"""A share of the pages of a cluster below this does not count."""
SAMPLE = 30
"""Pages of a cluster by which the coverage of wildcards is measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningResult:
    """A learned site on its way into the database; pages, rows and trees by position."""

    rows: Sequence[PageRow]
    """The pages learned from."""
    trees: Sequence[Tree]
    """Their trees."""
    clusters: Sequence[Cluster]
    """How they are grouped."""
    model: SiteModel
    """What was learned from them."""


def cluster_rows(result: LearningResult, old: Sequence[ClusterRow]) -> list[ClusterRow]:
    """Return a row for each cluster; one that was there before keeps its id."""
    pages, clusters = result.rows, result.clusters
    lasting = carry_over(
        [TrackedCluster(frozenset(m.page_id for m in row.members), row.medoid_id) for row in old],
        [
            TrackedCluster(
                frozenset(pages[at].id for at in cluster.members), pages[cluster.medoid].id
            )
            for cluster in clusters
        ],
    )
    kinds = cluster_kinds(result.model, [result.trees[c.medoid] for c in clusters])
    return [
        ClusterRow(
            id=old[lasting[at]].id if at in lasting else None,
            kind=kinds[at],
            medoid_id=pages[cluster.medoid].id,
            radius=cluster.radius,
            members=tuple(
                MemberRow(page_id=pages[page].id, distance=distance)
                for page, distance in zip(cluster.members, cluster.distances, strict=True)
            ),
        )
        for at, cluster in enumerate(clusters)
    ]


def cluster_kinds(model: SiteModel, middles: Sequence[Tree]) -> list[str]:
    """Return what each cluster is: `article`, `mixed`, `listing` or `other`.

    A cluster is mixed when a twentieth of its pages or more are articles and as many are not,
    as far as its patterns judged them. A listing is known by the links of its page in the middle.
    """
    cluster = [known.cluster for known in model.patterns]
    pages = np.array([known.pages for known in model.patterns])
    articles = pages * [known.articles for known in model.patterns]
    shares = np.bincount(cluster, articles) / np.bincount(cluster, pages)
    return [_kind(share, tree) for share, tree in zip(shares, middles, strict=True)]


def _kind(share: float, middle: Tree) -> str:
    if share >= FEW:
        return "article" if share > 1 - FEW else "mixed"
    return "listing" if middle.link_words[0] >= LINKED * middle.words[0] > 0 else "other"


def pattern_row(
    result: LearningResult, known: LabelledPattern, cluster_ids: Sequence[int], version: int
) -> PatternRow:
    """Return a row for a pattern, with its wildcards and the vertices that give fields."""
    pattern, roles = known.pattern, dict(known.roles)
    places = sorted({*pattern.wildcards, *roles})
    some = result.clusters[known.cluster].members[:SAMPLE]
    matches = [found for at in some if (found := match(pattern, result.trees[at])) is not None]
    return PatternRow(
        cluster_id=cluster_ids[known.cluster],
        version=version,
        kind=known.kind,
        made_from=known.pages,
        constants=pattern.constants,
        score=known.labels.body_score,
        text=write_text(pattern, {vertex: f"role={role}" for vertex, role in roles.items()}),
        data=write_json(pattern),
        wildcards=tuple(
            WildcardRow(
                vertex=vertex,
                path=vertex_path(pattern, vertex),
                kind="n" if pattern.kind[vertex] == PLAIN else pattern.name(vertex),
                role=roles.get(vertex),
                coverage=sum(bool(found.taken(vertex)) for found in matches) / (len(matches) or 1),
            )
            for vertex in places
        ),
    )


def vertex_path(pattern: Pattern, vertex: int) -> str:
    """Return where a vertex is in its pattern, as names from the root down."""
    names = [pattern.name(vertex), *(pattern.name(above) for above in pattern.ancestors(vertex))]
    return " > ".join(reversed(names))
