"""What was learned, as rows: clusters that keep their ids, patterns one can read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flong.clustering import Clustering, Dendrogram, TrackedCluster, carry_over, write_dendrogram
from flong.model_document import PatternDocument
from flong.patterns import (
    PLAIN,
    ExtractionModel,
    LabelledPattern,
    Pattern,
    match,
    write_model,
    write_text,
)
from flong.site import Grouping
from flong.storage import ClusterRow, GroupingRow, MemberRow, PageRow, PatternRow, WildcardRow
from flong.tree import Tree

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
    grouping: Grouping
    """By what they are grouped."""
    grouped: Clustering
    """How they are grouped."""
    model: ExtractionModel
    """What was learned from them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedRows:
    """A learned site as it is stored."""

    clusters: Sequence[ClusterRow]
    """Its clusters."""
    data: str
    """What holds for the whole site."""
    grouping: GroupingRow
    """How its pages were grouped."""
    patterns: Sequence[PatternRow]
    """Its patterns, without the ids of their clusters and the version of the model."""
    cluster_of: Sequence[int]
    """Position of the cluster of each pattern."""


def learned_rows(
    result: LearningResult,
    old: Sequence[ClusterRow],
    fitted_pages: Mapping[int, frozenset[int]],
) -> LearnedRows:
    """Return what was learned as rows; clusters and patterns that were there keep their ids.

    `old` are the clusters in force; `fitted_pages` the pages that patterns in force fit, by
    pattern.
    """
    document, lasting = write_model(result.model), lasting_patterns(result, fitted_pages)
    return LearnedRows(
        clusters=cluster_rows(result, old),
        data=document.data,
        grouping=_grouping_row(result),
        patterns=[
            _pattern_row(result, known, replace(stored, id=lasting[known.number]))
            for known, stored in zip(result.model.patterns, document.patterns, strict=True)
        ],
        cluster_of=[known.cluster for known in result.model.patterns],
    )


def cluster_rows(result: LearningResult, old: Sequence[ClusterRow]) -> list[ClusterRow]:
    """Return a row for each cluster; one that was there before keeps its id."""
    pages, clusters = result.rows, result.grouped.clusters
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


def cluster_kinds(model: ExtractionModel, middles: Sequence[Tree]) -> list[str]:
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


def _grouping_row(result: LearningResult) -> GroupingRow:
    """Return how the pages were grouped, the leaves of the dendrogram by the ids of their pages."""
    found = result.grouped.dendrogram
    ids = np.array([row.id for row in result.rows])
    return GroupingRow(
        similarity=result.grouping.similarity,
        replace_cost=result.grouping.replace_cost,
        dendrogram=write_dendrogram(Dendrogram(ids[found.leaves], found.linkage)),
    )


def lasting_patterns(
    result: LearningResult, fitted_pages: Mapping[int, frozenset[int]]
) -> list[int | None]:
    """Return for each pattern the id of the one that it continues; None if it is new.

    It continues the one that fits most of its pages.
    """
    old = [TrackedCluster(pages, None) for pages in fitted_pages.values()]
    new = [
        TrackedCluster(frozenset(result.rows[at].id for at in known.members), None)
        for known in result.model.patterns
    ]
    ids, lasting = list(fitted_pages), carry_over(old, new)
    return [ids[lasting[at]] if at in lasting else None for at in range(len(new))]


def _pattern_row(
    result: LearningResult, known: LabelledPattern, document: PatternDocument
) -> PatternRow:
    """Return a row with its wildcards and the vertices that give fields."""
    pattern, roles = known.pattern, dict(document.roles)
    places = sorted({*pattern.wildcards, *roles})
    some = result.grouped.clusters[known.cluster].members[:SAMPLE]
    matches = [found for at in some if (found := match(pattern, result.trees[at])) is not None]
    return PatternRow(
        id=document.id,
        cluster_id=None,
        version=0,
        kind=known.kind,
        made_from=document.made_from,
        constants=pattern.constants,
        position=known.number,
        article_share=document.article_share,
        score=known.labels.body_score,
        text=write_text(pattern, {vertex: f"role={role}" for vertex, role in roles.items()}),
        labels=document.labels,
        data=document.data,
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
