"""Reis et al. as printed, from the pages of a site to their articles."""

from collections.abc import Mapping, Sequence

from flong.article import Article
from flong.baselines import EXTRACTORS, Extractor
from flong.clustering import cluster_pages, skeleton_of
from flong.patterns import PublishedPatterns, learn_as_published, raw_tree
from flong.tree import SitePage


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
