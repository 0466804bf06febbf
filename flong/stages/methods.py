"""Methods of the papers on the stored pages of a site."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from flong.article import Article
from flong.baselines import EXTRACTORS, Extractor
from flong.clustering import cluster_pages, skeleton_of
from flong.console import progress_bar, told
from flong.patterns import PublishedPatterns, learn_as_published, raw_tree, write_text
from flong.stages.stored_pages import read_pages
from flong.storage import ArticleRow, PublishedPattern, Site, Store
from flong.tree import SitePage
from flong.workers.pool import PAGE_SECONDS


def store_published(store: Store, site: Site, seconds: float) -> list[PublishedPattern]:
    """Learn and store the patterns of Reis et al. (2004) from the pages of a site."""
    ids = store.pages.ids(site)
    with progress_bar(f"Reading {site.name}") as tell:
        found = read_pages(store, site, ids, seconds)
        pages = [page for _, page in told(found, tell, "pages", len(ids))]
        tell("patterns", 0, 0)
        patterns = learn_published(pages).patterns if pages else ()
    rows = [
        PublishedPattern(
            number=number,
            vertices=len(pattern),
            wildcards=len(pattern.wildcards),
            text=write_text(pattern),
        )
        for number, pattern in enumerate(patterns, 1)
    ]
    with store.locks.hold(site):
        store.templates.save_published(site, rows)
    return rows


def learn_published(pages: Sequence[SitePage], *, bridge: int = 3) -> PublishedPatterns:
    """Return the patterns of Reis et al. (2004): raw trees, clustered at 80 % similarity.

    `bridge` is the maximum number of vertices between wildcards that are merged, 3 in the paper.
    """
    trees = [raw_tree(page) for page in pages]
    clusters = cluster_pages([skeleton_of(tree, collapse=False) for tree in trees]).clusters
    return learn_as_published(trees, [cluster.members for cluster in clusters], bridge=bridge)


def by_paper(pages: Sequence[SitePage]) -> list[Article | None]:
    """Return the articles that the paper's patterns find on the pages they were learned from."""
    learned = learn_published(pages)
    return [learned.read(page) for page in pages]


METHODS: Mapping[str, Extractor] = {**EXTRACTORS, "paper": by_paper}
"""All methods by name, without flong's own."""


def articles_by(
    store: Store, site: Site, method: str, *, seconds: float = PAGE_SECONDS
) -> Iterator[ArticleRow]:
    """Yield the articles that a method finds on all pages of a site, without storing them.

    The methods compare pages with each other, so all pages are in memory.
    """
    find, page_ids = METHODS[method], store.pages.ids(site)
    rows, pages = [], []
    with progress_bar(f"Reading {site.name}") as tell:
        found = read_pages(store, site, page_ids, seconds)
        for row, page in told(found, tell, "pages", len(page_ids)):
            rows.append((row.id, row.first_seen))
            pages.append(page)
        tell(method, 0, 0)
        articles = find(pages)
    for (page_id, first_seen), article in zip(rows, articles, strict=True):
        if article is not None:
            yield ArticleRow(
                page_id=page_id,
                site=site.name,
                article=article,
                pattern_id=None,
                first_seen=first_seen,
                extracted_at=datetime.now(UTC),
            )
