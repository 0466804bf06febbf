"""A site is learned from its pages: grouped by template, patterns composed and labelled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flong.baselines import WITNESSES, consensus
from flong.clustering import Clustering, Costs, cluster_pages, skeleton_of
from flong.patterns import Anchor, ClusterOfPages, Correction, Crew, ExtractionModel, learn_site
from flong.progress import Progress, unwatched
from flong.tree import SitePage


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """Which pages share a template."""

    similarity: float = 0.8
    """Pages at least so similar do."""
    replace_cost: int = 1
    """What it costs to give a vertex another tag; to remove or add one costs 1."""


def learn_pages(  # noqa: PLR0913 - a front door, as `learn_site` is
    pages: Sequence[SitePage],
    anchors: Mapping[str, Sequence[Anchor]],
    *,
    linking_pages: int,
    grouping: Grouping | None = None,
    tell: Progress = unwatched,
    corrections: Sequence[Correction] = (),
    crew: Crew | None = None,
) -> tuple[Clustering, ExtractionModel]:
    """Return how a site's pages are grouped, by position, and what was learned from them.

    `anchors` say what others call each page, by URL; `linking_pages` is the number of pages whose
    links were read for that. `corrections` count more than what the pages vote for.
    A `crew` shares the work.
    """
    grouping = grouping or Grouping()
    found = cluster_pages(
        [skeleton_of(page.tree) for page in pages],
        similarity=grouping.similarity,
        costs=Costs(replace=grouping.replace_cost),
        tell=tell,
    )
    model = learn_site(
        pages,
        [ClusterOfPages(members=c.members, distances=c.distances) for c in found.clusters],
        witnesses=WITNESSES.values(),
        anchors=anchors,
        linking_pages=linking_pages,
        fallback=consensus,
        tell=tell,
        corrections=corrections,
        crew=crew,
    )
    return found, model
