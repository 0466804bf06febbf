"""The law of acceptance on clusters of real pages; skipped where they are not."""

import pytest

from benchmarks.corpus import find_sites
from clustering import cluster_pages
from patterns import compose_cluster, match, read_text, write_text
from patterns.pattern_codec import decode_pattern, encode_pattern
from trees import build_tree, skeleton_of

PAGES = 16
"""So many pages of each site are taken, in the corpus's mixed order."""


@pytest.fixture(scope="module")
def clusters():
    found = []
    for site in find_sites():
        trees = [build_tree(site.page(path).html) for path in site.paths[:PAGES]]
        grouped = cluster_pages([skeleton_of(tree) for tree in trees]).clusters
        found += [([trees[page] for page in each.members], each.distances) for each in grouped]
    return found or pytest.skip("no sites: set FLONG_SITES")


def test_the_patterns_of_a_cluster_accept_all_its_pages(clusters):
    for trees, distances in clusters:
        learned = compose_cluster(trees, distances)
        assert sorted(page for found in learned for page in found.pages) == list(range(len(trees)))
        for found in learned:
            assert all(match(found.pattern, trees[page]) for page in found.pages)


def test_the_patterns_of_real_pages_come_back_from_text_and_json(clusters):
    for trees, distances in clusters:
        for found in compose_cluster(trees, distances):
            text = write_text(found.pattern)
            again, _ = read_text(text)
            assert again == decode_pattern(encode_pattern(found.pattern)) == found.pattern
            assert write_text(again) == text
