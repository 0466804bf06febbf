"""The stage `learn`: stored pages in; clusters, patterns and the site's model out."""

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

from flong.baselines import agree
from flong.clustering import sample_pages
from flong.console import progress_bar, show_compiling, told
from flong.errors import PipelineError
from flong.program import program
from flong.progress import Progress
from flong.site import Grouping, learn_pages
from flong.stages.article_merge import merge_corrected
from flong.stages.corrections import corrections_of, is_learned, unmet
from flong.stages.extraction import extract
from flong.stages.learned_rows import LearnedRows, LearningResult, learned_rows
from flong.stages.learning_settings import LearningSettings
from flong.stages.stored_pages import anchors_by_url, read_pages
from flong.states import RunStatus
from flong.storage import PageRow, Run, RunCounts, Site, Store
from flong.tree import SitePage, Tree
from flong.workers.memory import give_back_memory, without_collection
from flong.workers.pool import wait_for_workers

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
    look: tuple[str, ...] = ()
    """Corrections that the pages would no longer follow, a sentence each."""

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
            f"articles may be wrong, and {program()} explain says why for each."
        )
        if self.look:
            return " ".join(self.look)
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
    corrections = corrections_of(store, site)
    chosen = _sample(store, site, settings.sample_size, {each.url for each in corrections})
    if not chosen:
        raise PipelineError(f"{site.name} has no stored page to learn from: crawl it first.")
    with (
        store.runs.attend(
            store.runs.start(site, "learn", night_id=night.id if night else None)
        ) as run,
        progress_bar(f"Learning {site.name}") as tell,
        without_collection(),
    ):
        wait_for_workers(show_compiling)
        store.anchors.rebuild(site)
        rows, pages = _read_trees(store, site, chosen, settings, tell)
        anchors = anchors_by_url(store, site, [page.url for page in pages])
        grouping = Grouping(similarity=settings.similarity, replace_cost=settings.replace_cost)
        linking_pages = len(store.pages.urls(site))
        grouped, model = learn_pages(
            pages,
            anchors,
            linking_pages=linking_pages,
            grouping=grouping,
            tell=tell,
            corrections=corrections,
        )
        look = unmet(model, pages, anchors, corrections)
        result = LearningResult(
            rows=rows,
            trees=[page.tree for page in pages],
            grouping=grouping,
            grouped=grouped,
            model=model,
        )
        tell("storing", 0, 0)
        fitted = store.patterns.fitted_pages(site)
        lasting = {at: pages for at, pages in fitted.items() if at not in drifted}
        found = learned_rows(result, store.clusters.of(site), lasting)
        if look and is_learned(store, site):
            look += (f"What was learned about {site.name} before is kept.",)
            store.runs.finish(run, RunStatus.DONE, RunCounts(), note=" ".join(look)[:500])
        else:
            store.retry_while_busy(partial(_keep, store, site, run, found))
    article_patterns = sum(known.kind != "other" for known in model.patterns)
    return Learned(
        pages=len(pages),
        clusters=len(found.clusters),
        patterns=len(model.patterns),
        article_patterns=article_patterns,
        mixed_clusters=sum(row.kind == "mixed" for row in found.clusters),
        readable=0 if article_patterns else sum(map(_is_readable, result.trees)),
        look=look,
    )


def _sample(store: Store, site: Site, size: int, also: Set[str]) -> list[PageRow]:
    """Return the pages that are learned from, without their documents; some in any case."""
    known = list(store.pages.rows(site, with_html=False))
    sample = sample_pages([(row.url, row.depth) for row in known], size)
    added = [at for at, row in enumerate(known) if row.url in also]
    return [known[at] for at in dict.fromkeys([*sample, *added])]


def _read_trees(
    store: Store, site: Site, chosen: Sequence[PageRow], settings: LearningSettings, tell: Progress
) -> tuple[list[PageRow], list[SitePage]]:
    """Return the pages that could be read, as rows without their documents and as trees."""
    by_id = {row.id: row for row in chosen}
    rows: list[PageRow] = []
    pages: list[SitePage] = []
    found = read_pages(store, site, [*by_id], settings.page_seconds, settings.jobs)
    for row, page in told(found, tell, "pages", len(by_id)):
        rows.append(by_id[row.id])
        pages.append(page)
        if len(pages) % TIDIED == 0:
            give_back_memory()
    return rows, pages


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


def apply_corrections(store: Store, site: Site, settings: LearningSettings) -> tuple[str, bool]:
    """Learn a site with its corrections and read its pages anew; return what came of it.

    True if all went well: if a correction cannot be met, what was learned before is kept.
    """
    learned = learn(store, site, settings)
    if learned.look:
        return learned.summary, False
    read = extract(store, site, merge=merge_corrected, seconds=settings.page_seconds)
    return f"{learned.summary} {read.summary}", True
