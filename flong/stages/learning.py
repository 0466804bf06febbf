"""The stage `learn`: clusters, patterns and the site's model from stored pages."""

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import replace
from functools import partial

from flong.baselines import agree
from flong.clustering import sample_pages
from flong.console import progress_bar, show_compiling, told
from flong.errors import PipelineError
from flong.findings import Finding, sentence
from flong.progress import Progress
from flong.site import Grouping, learn_pages
from flong.stages.article_merge import merge_corrected
from flong.stages.corrections import corrections_of, is_learned, unmet
from flong.stages.extraction import extract
from flong.stages.hints import find_hint
from flong.stages.learned_rows import LearnedRows, LearningResult, learned_rows
from flong.stages.learning_settings import LearningSettings
from flong.stages.stored_pages import read_pages
from flong.states import FindingKind, RunKind, RunStatus, TemplateKind
from flong.storage import PageRow, Run, RunCounts, Site, Store
from flong.tree import SitePage, Tree
from flong.workers.memory import give_back_memory, without_collection
from flong.workers.pool import wait_for_workers

AGREED, LONG = 0.6, 100
"""Minimum agreement of the baselines, and minimum number of words, on a readable page."""

TIDIED = 100
"""Number of pages between two trims of free memory."""


def learn(
    store: Store,
    site: Site,
    settings: LearningSettings,
    *,
    night: Run | None = None,
    drifted: Collection[int] = (),
) -> list[Finding]:
    """Learn a site from its stored pages in one transaction; return the result as findings.

    If a correction is not met, and the site was learned before, the earlier patterns are kept.
    Patterns keep their ids, except `drifted` ones: their history is no baseline any more.
    """
    corrections = corrections_of(store, site)
    chosen = _sample(store, site, settings.sample_size, {each.url for each in corrections})
    if not chosen:
        raise PipelineError(f"{site.name} has no stored page to learn from: crawl it first.")
    with (
        store.runs.attend(
            store.runs.start(site, RunKind.LEARN, night_id=night.id if night else None)
        ) as run,
        progress_bar(f"Learning {site.name}") as tell,
        without_collection(),
    ):
        wait_for_workers(show_compiling)
        store.links.rebuild_anchors(site)
        rows, pages = _read_trees(store, site, chosen, settings, tell)
        anchors = store.links.anchors_by_url(site, [page.url for page in pages])
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
        findings = unmet(site, model, pages, anchors, corrections)
        result = LearningResult(
            rows=rows,
            trees=[page.tree for page in pages],
            grouping=grouping,
            grouped=grouped,
            model=model,
        )
        tell("storing", 0, 0)
        fitted = store.templates.fitted_pages(site)
        lasting = {at: pages for at, pages in fitted.items() if at not in drifted}
        found = learned_rows(result, store.templates.clusters(site), lasting)
        if findings and is_learned(store, site):
            store.runs.finish(run, RunStatus.DONE, RunCounts())
            return [*findings, Finding(kind=FindingKind.MODEL_KEPT, site=site.name)]
        store.retry_while_busy(partial(_keep, store, site, run, found))
    counts = {
        "pages": len(pages),
        "clusters": len(found.clusters),
        "patterns": len(model.patterns),
        "article_patterns": sum(known.kind is not TemplateKind.OTHER for known in model.patterns),
        "mixed_clusters": sum(row.kind is TemplateKind.MIXED for row in found.clusters),
    }
    learned = Finding(kind=FindingKind.LEARNED, site=site.name, counts=counts)
    if not counts["article_patterns"]:
        findings += _find_reasons(store, site, result.trees)
    return [learned, *findings]


def _find_reasons(store: Store, site: Site, trees: Sequence[Tree]) -> Iterator[Finding]:
    """Yield findings about a site without a pattern of articles."""
    yield Finding(kind=FindingKind.NO_ARTICLE_PATTERN, site=site.name)
    readable = sum(map(_is_readable, trees))
    if readable:
        yield Finding(kind=FindingKind.READABLE, site=site.name, counts={"pages": readable})
    hint = find_hint(store, site, few_articles=True)
    if hint is not None:
        yield hint


def _sample(store: Store, site: Site, size: int, also: Set[str]) -> list[PageRow]:
    """Return a sample of pages, without their documents; it contains the URLs of `also`."""
    known = list(store.pages.rows(site, with_html=False))
    sample = sample_pages([(row.url, row.depth) for row in known], size)
    added = [at for at, row in enumerate(known) if row.url in also]
    return [known[at] for at in dict.fromkeys([*sample, *added])]


def _read_trees(
    store: Store, site: Site, chosen: Sequence[PageRow], settings: LearningSettings, tell: Progress
) -> tuple[list[PageRow], list[SitePage]]:
    """Return the readable pages, as rows without documents and as trees."""
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
    """Return True if the baselines agree on a long text of a page."""
    leaves, agreement = agree(tree)
    return agreement >= AGREED and int(tree.words[list(leaves)].sum()) >= LONG


def _keep(store: Store, site: Site, run: Run, found: LearnedRows) -> None:
    """Store a learned site in one transaction."""
    with store.transaction():
        ids = store.templates.save_clusters(site, run, found.clusters)
        version = store.templates.save_model(site, run, found.data, found.grouping)
        patterns = [
            replace(row, cluster_id=ids[cluster], version=version)
            for row, cluster in zip(found.patterns, found.cluster_of, strict=True)
        ]
        store.templates.save_patterns(site, run, patterns)
        store.runs.finish(run, RunStatus.DONE, RunCounts())


def apply_corrections(store: Store, site: Site, settings: LearningSettings) -> tuple[str, bool]:
    """Learn a site with its corrections and extract it; return a message, and True if all are met.

    If a correction is not met, the earlier patterns are kept.
    """
    found = learn(store, site, settings)
    words = " ".join(map(sentence, found))
    if any(finding.kind is FindingKind.CORRECTION_UNMET for finding in found):
        return words, False
    read = extract(store, site, merge=merge_corrected, seconds=settings.page_seconds)
    return f"{words} {read.summary}", True
