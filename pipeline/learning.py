"""The stage `learn`: stored pages in; clusters, patterns and the site's model out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from clustering import cluster_shapes
from extractors import WITNESSES
from patterns import ClusterOfPages, learn_site
from pipeline.command import LearningSettings, PipelineError
from pipeline.learned import Lesson, cluster_rows, pattern_row
from pipeline.sampling import sample_pages, shuffled
from pipeline.screen import tracked
from pipeline.stored import anchors_by_url, read_pages
from storage import ClusterRow, PageRow, Run, RunCounts, Site, Store
from trees import Costs, SitePage, shape_of


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
    mixed_clusters: int
    """Clusters that hold articles and other pages."""

    @property
    def summary(self) -> str:
        """Return it in a sentence."""
        found = (
            f"{self.pages} pages fall into {self.clusters} clusters and {self.patterns} patterns, "
            f"{self.article_patterns} of them of articles."
        )
        mixed = f" Articles and other pages share {self.mixed_clusters} of the clusters."
        return found + mixed if self.mixed_clusters else found


def learn(store: Store, site: Site, settings: LearningSettings) -> Learned:
    """Learn a site from its stored pages; everything is stored in one transaction."""
    known = sorted(store.page_rows(site, with_html=False), key=lambda row: shuffled(row.url))
    chosen = sample_pages(known, settings.sample_size)
    if not chosen:
        raise PipelineError(f"{site.name} has no stored page to learn from: crawl it first.")
    run = store.start_run(site, "learn")
    store.rebuild_anchors(site)
    rows: list[PageRow] = []
    pages: list[SitePage] = []
    numbers = [row.id for row in chosen]
    stored = tracked(store.page_rows(site, only=numbers), f"Reading {site.name}", len(numbers))
    for row, page in read_pages(stored, settings.page_seconds):
        rows.append(row)
        pages.append(page)
    clusters = cluster_shapes(
        [shape_of(page.tree) for page in pages],
        similarity=settings.similarity,
        costs=Costs(replace=settings.replace_cost),
    ).clusters
    model = learn_site(
        pages,
        [ClusterOfPages(members=c.members, distances=c.distances) for c in clusters],
        witnesses=WITNESSES.values(),
        anchors=anchors_by_url(store, site),
        linking_pages=len(store.urls(site)),
    )
    lesson = Lesson(rows=rows, trees=[page.tree for page in pages], clusters=clusters, model=model)
    found = cluster_rows(lesson, store.clusters(site))
    store.patiently(partial(_keep, store, site, run, lesson, found))
    return Learned(
        pages=len(pages),
        clusters=len(clusters),
        patterns=len(model.patterns),
        article_patterns=sum(known.kind != "other" for known in model.patterns),
        mixed_clusters=sum(row.kind == "mixed" for row in found),
    )


def _keep(store: Store, site: Site, run: Run, lesson: Lesson, found: Sequence[ClusterRow]) -> None:
    """Store what was learned, in one transaction."""
    model = lesson.model
    with store.transaction():
        ids = store.save_clusters(site, run, found)
        version = store.save_model(site, run, model.to_json())
        known = [pattern_row(lesson, pattern, ids, version) for pattern in model.patterns]
        store.save_patterns(site, run, known)
        store.finish_run(run, "done", RunCounts())
