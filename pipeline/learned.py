"""What was learned, as rows: clusters that keep their numbers, patterns one can read."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from clustering import Cluster, Known, carry_over
from patterns import PLAIN, LabelledPattern, Pattern, SiteModel, match, write_json, write_text
from storage import ClusterRow, MemberRow, PageRow, PatternRow, WildcardRow
from trees import Tree

LINKED = 0.35
"""A page with at least this share of its words in links is a listing."""
SAMPLE = 30
"""Pages of a cluster by which the coverage of wildcards is measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A learned site on its way into the database; pages, rows and trees by position."""

    rows: Sequence[PageRow]
    """The pages learned from."""
    trees: Sequence[Tree]
    """Their trees."""
    clusters: Sequence[Cluster]
    """How they are grouped."""
    model: SiteModel
    """What was learned from them."""


def cluster_rows(lesson: Lesson, old: Sequence[ClusterRow]) -> list[ClusterRow]:
    """Return a row for each cluster; one that was there before keeps its number."""
    pages, clusters = lesson.rows, lesson.clusters
    lasting = carry_over(
        [Known(frozenset(m.page_id for m in row.members), row.medoid_id) for row in old],
        [
            Known(frozenset(pages[at].id for at in cluster.members), pages[cluster.medoid].id)
            for cluster in clusters
        ],
    )
    kinds = _kinds(lesson)
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


def _kinds(lesson: Lesson) -> list[str]:
    """Return what each cluster is: what most of its pages are, or a listing."""
    pages: dict[int, Counter[str]] = defaultdict(Counter)
    for known in lesson.model.patterns:
        pages[known.cluster][known.kind] += known.pages
    kinds = [pages[at].most_common(1)[0][0] for at in range(len(lesson.clusters))]
    middles = [lesson.trees[cluster.medoid] for cluster in lesson.clusters]
    return [
        "listing" if kind == "other" and tree.link_words[0] >= LINKED * tree.words[0] > 0 else kind
        for kind, tree in zip(kinds, middles, strict=True)
    ]


def pattern_row(
    lesson: Lesson, known: LabelledPattern, cluster_ids: Sequence[int], version: int
) -> PatternRow:
    """Return a row for a pattern, with its wildcards and the vertices that give fields."""
    pattern, roles = known.pattern, dict(known.roles)
    places = sorted({*pattern.wildcards, *roles})
    some = lesson.clusters[known.cluster].members[:SAMPLE]
    matches = [found for at in some if (found := match(pattern, lesson.trees[at])) is not None]
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
