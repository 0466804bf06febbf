"""What was learned, as rows: clusters that keep their numbers, patterns one can read."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from clustering import Cluster, Known, carry_over
from patterns import PLAIN, LabelledPattern, Pattern, SiteModel, write_json, write_text
from storage import ClusterRow, MemberRow, PageRow, PatternRow, WildcardRow


def cluster_rows(
    pages: Sequence[PageRow],
    clusters: Sequence[Cluster],
    model: SiteModel,
    old: Sequence[ClusterRow],
) -> list[ClusterRow]:
    """Return a row for each cluster; one that was there before keeps its number."""
    lasting = carry_over(
        [Known(frozenset(m.page_id for m in row.members), row.medoid_id) for row in old],
        [
            Known(frozenset(pages[at].id for at in cluster.members), pages[cluster.medoid].id)
            for cluster in clusters
        ],
    )
    kinds = _kinds(model)
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


def _kinds(model: SiteModel) -> dict[int, str]:
    """Return what each cluster is: what most of its pages are."""
    pages: dict[int, Counter[str]] = defaultdict(Counter)
    for known in model.patterns:
        pages[known.cluster][known.kind] += known.pages
    return {cluster: kinds.most_common(1)[0][0] for cluster, kinds in pages.items()}


def pattern_row(known: LabelledPattern, cluster_ids: Sequence[int], version: int) -> PatternRow:
    """Return a row for a pattern, with its wildcards and the vertices that give fields."""
    pattern, roles = known.pattern, dict(known.roles)
    places = sorted({*pattern.wildcards, *roles})
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
            )
            for vertex in places
        ),
    )


def vertex_path(pattern: Pattern, vertex: int) -> str:
    """Return where a vertex is in its pattern, as names from the root down."""
    names = [pattern.name(vertex), *(pattern.name(above) for above in pattern.ancestors(vertex))]
    return " > ".join(reversed(names))
