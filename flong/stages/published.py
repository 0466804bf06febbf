"""Reis et al. (2004) as printed, on stored pages; the database is only read."""

from collections.abc import Mapping, Sequence
from typing import IO

from flong.article import Article
from flong.baselines import EXTRACTORS, Extractor
from flong.clustering import cluster_pages, skeleton_of
from flong.console import progress_bar, told
from flong.patterns import PublishedPatterns, learn_as_published, raw_tree, write_text
from flong.stages.stored_pages import read_pages
from flong.storage import Site, Store
from flong.tree import SitePage


def write_published(store: Store, site: Site, stream: IO[bytes], seconds: float) -> int:
    """Write the paper's patterns of a site's pages in readable form; return how many there are."""
    ids = store.pages.ids(site)
    with progress_bar(f"Reading {site.name}") as tell:
        found = read_pages(store, site, ids, seconds)
        pages = [page for _, page in told(found, tell, "pages", len(ids))]
        tell("patterns", 0, 0)
        patterns = learn_published(pages).patterns if pages else ()
    for number, pattern in enumerate(patterns, 1):
        head = f"# {site.name}, pattern {number}: {len(pattern)} vertices, "
        head += f"{len(pattern.wildcards)} of them wildcards\n"
        stream.write((head + write_text(pattern) + "\n").encode())
    return len(patterns)


def learn_published(pages: Sequence[SitePage], *, bridge: int = 3) -> PublishedPatterns:
    """Return the patterns of a site's pages: raw trees, clustered at 80 % similarity.

    `bridge` is how many vertices may lie between wildcards that are made one; the paper's is 3.
    """
    trees = [raw_tree(page) for page in pages]
    clusters = cluster_pages([skeleton_of(tree, collapse=False) for tree in trees]).clusters
    return learn_as_published(trees, [cluster.members for cluster in clusters], bridge=bridge)


def by_paper(pages: Sequence[SitePage]) -> list[Article | None]:
    """Return the articles that the paper's patterns of these pages find on them."""
    learned = learn_published(pages)
    return [learned.read(page) for page in pages]


METHODS: Mapping[str, Extractor] = {**EXTRACTORS, "paper": by_paper}
"""All methods that read the pages of a site beside the learned site itself, by name."""
