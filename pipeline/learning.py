"""The stage `learn`: stored pages in; clusters, patterns and the site's model out."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clustering import cluster_shapes
from extractors import WITNESSES
from patterns import Anchor, ClusterOfPages, learn_site
from pipeline.command import LearningSettings, PipelineError
from pipeline.learned import Lesson, cluster_rows, pattern_row
from pipeline.sampling import sample_pages
from pipeline.screen import tracked
from storage import PageRow, RunCounts, Site, Store
from trees import SitePage, build_tree, shape_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What came of learning a site."""

    pages: int
    """Pages looked at."""
    clusters: int
    """Templates found."""
    patterns: int
    """Patterns composed."""
    article_patterns: int
    """Patterns whose pages are, at least partly, articles."""

    @property
    def summary(self) -> str:
        """Return it in a sentence."""
        return (
            f"{self.pages} pages fall into {self.clusters} clusters and {self.patterns} patterns, "
            f"{self.article_patterns} of them of articles."
        )


def learn(store: Store, site: Site, settings: LearningSettings) -> Learned:
    """Learn a site from its stored pages; everything is stored in one transaction."""
    chosen = sample_pages(list(store.page_rows(site, with_html=False)), settings.sample_size)
    if not chosen:
        raise PipelineError(f"{site.name} has no stored page to learn from: crawl it first.")
    run = store.start_run(site, "learn")
    store.rebuild_anchors(site)
    rows: list[PageRow] = []
    pages: list[SitePage] = []
    numbers = [row.id for row in chosen]
    for row in tracked(store.page_rows(site, only=numbers), f"Reading {site.name}", len(numbers)):
        rows.append(row)
        pages.append(SitePage(url=row.url, tree=build_tree(row.html)))
    clusters = cluster_shapes(
        [shape_of(page.tree) for page in pages], similarity=settings.similarity
    ).clusters
    model = learn_site(
        pages,
        [ClusterOfPages(members=c.members, distances=c.distances) for c in clusters],
        witnesses=WITNESSES.values(),
        anchors=anchors_by_url(store, site),
        linking_pages=len(store.urls(site)),
    )
    lesson = Lesson(rows=rows, trees=[page.tree for page in pages], clusters=clusters, model=model)
    with store.transaction():
        ids = store.save_clusters(site, run, cluster_rows(lesson, store.clusters(site)))
        version = store.save_model(site, run, model.to_json())
        known = [pattern_row(lesson, pattern, ids, version) for pattern in model.patterns]
        store.save_patterns(site, run, known)
        store.finish_run(run, "done", RunCounts())
    return Learned(
        pages=len(pages),
        clusters=len(clusters),
        patterns=len(model.patterns),
        article_patterns=sum(known.kind != "other" for known in model.patterns),
    )


def anchors_by_url(store: Store, site: Site) -> Mapping[str, Sequence[Anchor]]:
    """Return what others call each page of a site."""
    found: dict[str, list[Anchor]] = defaultdict(list)
    for anchor in store.anchors(site):
        if anchor.text:
            found[anchor.url].append(Anchor(anchor.text, anchor.pages, anchor.source))
    return found
