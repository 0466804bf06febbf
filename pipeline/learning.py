"""The stage `learn`: stored pages in; clusters, patterns and the site's model out."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial

from extractors import agree
from items import RunStatus
from learned import Grouping, learn_pages, sample_pages
from pipeline.console import progress_bar, told
from pipeline.errors import PipelineError
from pipeline.learned_rows import LearnedRows, LearningResult, learned_rows
from pipeline.learning_settings import LearningSettings
from pipeline.memory import give_back_memory
from pipeline.stored_pages import anchors_by_url, read_pages
from storage import PageRow, Run, RunCounts, Site, Store
from trees import SitePage, Tree

AGREED, LONG = 0.6, 100
"""So much must the other methods agree, and so many words have, for a text to be called one."""

TIDIED = 100
"""Pages that are read before free memory is given back."""


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
    readable: int = 0
    """Where no pattern is of articles: pages on which the other methods agree on a long text."""

    @property
    def summary(self) -> str:
        """Return it in a sentence."""
        found = (
            f"{self.pages} pages fall into {self.clusters} clusters and {self.patterns} patterns, "
            f"{self.article_patterns} of them of articles."
        )
        mixed = f" Articles and other pages share {self.mixed_clusters} of the clusters."
        alarm = (
            f" Yet the other methods read a text on {self.readable} of the pages: that they are no "
            "articles may be wrong, and scrapy explain says why for each."
        )
        return found + mixed * bool(self.mixed_clusters) + alarm * bool(self.readable)


def learn(
    store: Store,
    site: Site,
    settings: LearningSettings,
    *,
    night: Run | None = None,
    drifted: Collection[int] = (),
) -> Learned:
    """Learn a site from its stored pages, perhaps in a night; all is stored in one transaction.

    Patterns keep their ids, but for the `drifted` ones: what was usual of them is so no longer.
    """
    known = list(store.pages.rows(site, with_html=False))
    sample = sample_pages([(row.url, row.depth) for row in known], settings.sample_size)
    chosen = [known[at] for at in sample]
    if not chosen:
        raise PipelineError(f"{site.name} has no stored page to learn from: crawl it first.")
    with (
        store.runs.attend(
            store.runs.start(site, "learn", night_id=night.id if night else None)
        ) as run,
        progress_bar(f"Learning {site.name}") as tell,
    ):
        store.anchors.rebuild(site)
        rows: list[PageRow] = []
        pages: list[SitePage] = []
        by_number = {row.id: row for row in chosen}
        found_again = store.pages.sound_rows(site, only=list(by_number))
        stored = told(found_again, tell, "pages", len(by_number))
        for row, page in read_pages(stored, settings.page_seconds):
            rows.append(by_number[row.id])  # without the document
            pages.append(replace(page, tree=page.tree.packed()))
            if len(pages) % TIDIED == 0:
                give_back_memory()
        grouping = Grouping(similarity=settings.similarity, replace_cost=settings.replace_cost)
        grouped, model = learn_pages(
            pages,
            anchors_by_url(store, site, [page.url for page in pages]),
            linking_pages=len(store.pages.urls(site)),
            grouping=grouping,
            tell=tell,
        )
        trees = [page.tree for page in pages]
        result = LearningResult(
            rows=rows, trees=trees, grouping=grouping, grouped=grouped, model=model
        )
        tell("storing", 0, 0)
        fitted = store.patterns.fitted_pages(site)
        lasting = {at: pages for at, pages in fitted.items() if at not in drifted}
        found = learned_rows(result, store.clusters.of(site), lasting)
        store.retry_while_busy(partial(_keep, store, site, run, found))
    article_patterns = sum(known.kind != "other" for known in model.patterns)
    return Learned(
        pages=len(pages),
        clusters=len(found.clusters),
        patterns=len(model.patterns),
        article_patterns=article_patterns,
        mixed_clusters=sum(row.kind == "mixed" for row in found.clusters),
        readable=0 if article_patterns else sum(map(_is_readable, trees)),
    )


def _is_readable(tree: Tree) -> bool:
    """Return whether the other methods agree on a long text of a page."""
    leaves, agreement = agree(tree)
    return agreement >= AGREED and int(tree.words[list(leaves)].sum()) >= LONG


def _keep(store: Store, site: Site, run: Run, found: LearnedRows) -> None:
    """Store what was learned, in one transaction."""
    with store.transaction():
        ids = store.clusters.save(site, run, found.clusters)
        version = store.models.save(site, run, found.data, found.grouping)
        patterns = [
            replace(row, cluster_id=ids[cluster], version=version)
            for row, cluster in zip(found.patterns, found.cluster_of, strict=True)
        ]
        store.patterns.save(site, run, patterns)
        store.runs.finish(run, RunStatus.DONE, RunCounts())
