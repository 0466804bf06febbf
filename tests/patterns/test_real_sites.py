"""Patterns of real pages accept them; skipped without the pages."""

import pytest

from benchmarks.corpus import find_sites
from flong.clustering import cluster_pages, skeleton_of
from flong.patterns import compose_cluster, match, read_text, write_text
from flong.tree import build_tree

pytestmark = pytest.mark.soak

PAGES = 16
"""So many pages of each site are taken, in the corpus's mixed order."""


@pytest.fixture(scope="module")
def clusters():
    """The pages of each cluster, and the patterns composed of them."""
    found = []
    for site in find_sites():
        trees = [build_tree(site.page(path).html) for path in site.paths[:PAGES]]
        grouped = cluster_pages([skeleton_of(tree) for tree in trees]).clusters
        for each in grouped:
            members = [trees[page] for page in each.members]
            found.append((members, compose_cluster(members, each.distances)))
    return found or pytest.skip("no sites: set FLONG_SITES")


def test_the_patterns_of_a_cluster_accept_all_its_pages(clusters):
    for trees, learned in clusters:
        assert sorted(page for found in learned for page in found.pages) == list(range(len(trees)))
        for found in learned:
            assert all(match(found.pattern, trees[page]) for page in found.pages)


def test_patterns_of_real_pages_survive_text(clusters):
    for _, learned in clusters:
        for found in learned:
            text = write_text(found.pattern)
            again, _ = read_text(text)
            assert again == found.pattern
            assert write_text(again) == text
