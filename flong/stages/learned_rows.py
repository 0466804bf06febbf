"""Database rows of a learned site: clusters and patterns keep their ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flong.clustering import Clustering, Dendrogram, TrackedCluster, carry_over, write_dendrogram
from flong.model_document import PatternDocument
from flong.patterns import (
    PLAIN,
    ExtractionModel,
    LabelledPattern,
    Match,
    Pattern,
    match,
    write_model,
    write_text,
)
from flong.site import Grouping
from flong.states import TemplateKind
from flong.storage import ClusterRow, GroupingRow, MemberRow, PageRow, PatternRow, VertexRow
from flong.tree import Tree

LINKED = 0.35
"""Minimum fraction of the words of a listing that are in links."""
FEW = 0.05
"""Fraction of the pages of a cluster that is ignored when its kind is determined."""
SAMPLE = 30
"""Maximum number of pages of a cluster for measuring the coverage of wildcards."""
EXAMPLE = 100
"""Maximum number of characters of an example of a matched text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningResult:
    """Result of learning; pages, rows and trees are in the same order."""

    rows: Sequence[PageRow]
    """Pages that the site was learned from."""
    trees: Sequence[Tree]
    """Their trees."""
    grouping: Grouping
    """Parameters of the clustering."""
    grouped: Clustering
    """Clusters and dendrogram."""
    model: ExtractionModel
    """The model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedRows:
    """Rows of a learned site."""

    clusters: Sequence[ClusterRow]
    """Clusters."""
    data: str
    """Site-wide part of the model, as JSON."""
    grouping: GroupingRow
    """Parameters and dendrogram of the clustering."""
    patterns: Sequence[PatternRow]
    """Patterns, without the ids of their clusters and the version of the model."""
    cluster_of: Sequence[int]
    """Position of the cluster of each pattern."""


def learned_rows(
    result: LearningResult,
    old: Sequence[ClusterRow],
    fitted_pages: Mapping[int, frozenset[int]],
) -> LearnedRows:
    """Return the rows of a learned site; clusters and patterns that continue keep their ids.

    `old` has the current clusters, `fitted_pages` the pages that each current pattern fits.
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
    """Return a row for each cluster; a cluster that continues an old one keeps its id."""
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


def cluster_kinds(model: ExtractionModel, middles: Sequence[Tree]) -> list[TemplateKind]:
    """Return the kind of each cluster, from the share of articles that its patterns found.

    A cluster is mixed if neither articles nor other pages are fewer than `FEW` of its pages. A
    listing is recognised by the links of its medoid.
    """
    cluster = [known.cluster for known in model.patterns]
    pages = np.array([known.pages for known in model.patterns])
    articles = pages * [known.articles for known in model.patterns]
    shares = np.bincount(cluster, articles) / np.bincount(cluster, pages)
    return [_kind(share, tree) for share, tree in zip(shares, middles, strict=True)]


def _kind(share: float, middle: Tree) -> TemplateKind:
    if share >= FEW:
        return TemplateKind.ARTICLE if share > 1 - FEW else TemplateKind.MIXED
    is_listing = middle.link_words[0] >= LINKED * middle.words[0] > 0
    return TemplateKind.LISTING if is_listing else TemplateKind.OTHER


def _grouping_row(result: LearningResult) -> GroupingRow:
    """Return the row of the clustering; leaves of the dendrogram are page ids."""
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
    """Return the id of the old pattern that each pattern continues; None for new ones.

    A pattern continues the one that fits most of its pages.
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
    """Return the row of a pattern, with its wildcards and the vertices of fields."""
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
        vertices=tuple(
            VertexRow(
                vertex=vertex,
                path=vertex_path(pattern, vertex),
                kind="n" if pattern.kind[vertex] == PLAIN else pattern.name(vertex),
                role=roles.get(vertex),
                coverage=sum(bool(found.taken(vertex)) for found in matches) / (len(matches) or 1),
                example=_example(matches, vertex),
            )
            for vertex in places
        ),
        pages=tuple(result.rows[at].id for at in known.members),
    )


def _example(matches: Sequence[Match], vertex: int) -> str:
    """Return the beginning of the first text that a vertex matched, or ""."""
    texts = (found.tree.text_of(root) for found in matches for root in found.taken(vertex))
    return next((" ".join(text.split())[:EXAMPLE] for text in texts if text.strip()), "")


def vertex_path(pattern: Pattern, vertex: int) -> str:
    """Return the path of a vertex in its pattern, as names from the root."""
    names = [pattern.name(vertex), *(pattern.name(above) for above in pattern.ancestors(vertex))]
    return " > ".join(reversed(names))
