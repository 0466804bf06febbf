"""Clusters compared with scipy on the whole matrix, and their guarantees."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, is_valid_linkage, linkage
from scipy.spatial.distance import squareform

from benchmarks.corpus import find_sites
from flong.clustering import (
    STM,
    SubtreeDistances,
    build_index,
    cluster_pages,
    rtdm_distance,
    skeleton_of,
)
from flong.clustering.agglomerative import untie
from flong.tree import build_tree
from tests.tree.random_trees import flat, nested, skeleton
from tests.waiting import cpu_limit

sites = st.lists(nested("abc", 12), min_size=1, max_size=14).map(
    lambda ts: [skeleton(t) for t in ts]
)
cuts = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.5])


def whole_matrix(skeletons):
    """Every distance, with ties broken only by the skeletons."""
    sizes = np.array([len(s) for s in skeletons])
    one, other = (i.ravel() for i in np.indices((len(skeletons), len(skeletons))))
    found = SubtreeDistances(build_index(skeletons)).measure(one, other).reshape(len(skeletons), -1)
    return untie(found / (sizes[:, None] + sizes), np.array([s.kind[0] for s in skeletons]))


def scipy_groups(skeletons, cut):
    """Clusters that scipy finds in the whole matrix."""
    if len(skeletons) == 1:
        return {frozenset([0])}
    merges = linkage(squareform(whole_matrix(skeletons), checks=False), "average")
    labels = fcluster(merges, cut + 2e-9, "distance")
    return {frozenset(np.flatnonzero(labels == k).tolist()) for k in labels}


def groups(result):
    return {frozenset(c.members) for c in result.clusters}


@given(sites, cuts)
@settings(max_examples=200, deadline=None)
def test_clusters_equal_those_of_scipy(skeletons, cut):
    assert groups(cluster_pages(skeletons, similarity=1 - cut)) == scipy_groups(skeletons, cut)


@given(sites, st.randoms())
@settings(max_examples=50, deadline=None)
def test_clusters_do_not_depend_on_the_order_of_pages(skeletons, random):
    order = list(range(len(skeletons)))
    random.shuffle(order)
    shuffled = cluster_pages([skeletons[i] for i in order])
    back = {frozenset(order[i] for i in group) for group in groups(shuffled)}
    assert back == groups(cluster_pages(skeletons))


@given(sites, st.integers(1, 14))
@settings(max_examples=100, deadline=None)
def test_every_page_is_in_exactly_one_cluster(skeletons, sample_size):
    result = cluster_pages(skeletons, sample_size=sample_size)
    assert sorted(i for c in result.clusters for i in c.members) == list(range(len(skeletons)))
    for number, cluster in enumerate(result.clusters):
        assert (result.labels[list(cluster.members)] == number).all()
    sizes = [len(c.members) for c in result.clusters]
    assert sizes == sorted(sizes, reverse=True)


@given(sites)
@settings(max_examples=100, deadline=None)
def test_medoid_distances_radius_and_quality_are_correct(skeletons):
    result = cluster_pages(skeletons)
    matrix = whole_matrix(skeletons)
    for cluster in result.clusters:
        members = list(cluster.members)
        among = matrix[np.ix_(members, members)].mean(axis=0)
        assert among[members.index(cluster.medoid)] <= among.min() + 1e-8
        assert np.allclose(cluster.distances, matrix[cluster.medoid, members], atol=1e-8)
        assert cluster.radius == max(cluster.distances)
        assert -1 <= cluster.quality <= 1


@given(sites)
@settings(max_examples=100, deadline=None)
def test_cutting_the_dendrogram_with_scipy_gives_the_clusters(skeletons):
    result = cluster_pages(skeletons)
    tree = result.dendrogram
    assert sorted(tree.leaves.tolist()) == list(range(len(skeletons)))
    if len(skeletons) > 1:
        assert is_valid_linkage(tree.linkage)
        labels = fcluster(tree.linkage, 0.2 + 2e-9, "distance")
        found = {frozenset(tree.leaves[labels == k].tolist()) for k in labels}
        assert found == groups(result)


def test_similarity_equal_to_the_threshold_is_enough():
    short, long = "<hr><h1>a</h1><h2>b</h2>", "<hr><h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4>"
    skeletons = [skeleton_of(build_tree(page)) for page in (short, long)]
    assert rtdm_distance(*skeletons) / (len(skeletons[0]) + len(skeletons[1])) == 0.2
    assert len(cluster_pages(skeletons, similarity=0.8).clusters) == 1


def test_pages_beyond_the_sample_join_the_nearest_medoid():
    article, listing = ("<h1>a</h1>" + "<div><p>a</div>" * 3, "<ul><li>a</ul>" + "<h2>b</h2>")
    extra = [f"<section>{'<hr>' * (i > 0)}</section>" for i in range(2)]
    pages = [part + extra[i % 2] for i in range(10) for part in (article, listing)]
    skeletons = [skeleton_of(build_tree(p)) for p in pages]
    assert groups(cluster_pages(skeletons, sample_size=4)) == groups(cluster_pages(skeletons))


def test_simple_tree_matching_can_be_chosen():
    skeletons = [skeleton_of(build_tree(f"<div><{t}></div>" * 2)) for t in ("hr", "img")]
    near, far = (
        cluster_pages(skeletons, similarity=0.75),
        cluster_pages(skeletons, similarity=0.75, costs=STM),
    )
    assert (len(near.clusters), len(far.clusters)) == (1, 2)


def test_clusters_do_not_depend_on_the_number_of_threads(monkeypatch):
    monkeypatch.setattr("flong.clustering.page_distances._WORTH_SHARING", 0)
    blocks = ("<hr>", "<div>a</div>", "<ul><li>a</ul>", "<section><p>a</section>", "<nav>a</nav>")
    pages = ["".join(some) for k in (2, 4) for some in permutations(blocks, k)]
    skeletons = [skeleton_of(build_tree(page)) for page in pages]
    monkeypatch.setattr("flong.clustering.page_distances._cores", lambda: 1)
    alone = cluster_pages(skeletons)
    monkeypatch.setattr("flong.clustering.page_distances._cores", lambda: 3)
    shared = cluster_pages(skeletons)
    assert shared.labels.tolist() == alone.labels.tolist()
    assert len(alone.clusters) > 1


def test_no_pages_give_no_clusters():
    result = cluster_pages([])
    assert result.clusters == ()
    assert len(result.labels) == len(result.dendrogram.leaves) == 0


def test_single_page_is_a_cluster():
    (cluster,) = cluster_pages([skeleton_of(build_tree(""))]).clusters
    assert (cluster.members, cluster.medoid, cluster.radius) == ((0,), 0, 0)


def test_equal_pages_are_one_cluster():
    (cluster,) = cluster_pages([skeleton_of(build_tree("<p>x"))] * 500).clusters
    assert (len(cluster.members), cluster.radius) == (500, 0)


def test_huge_and_deep_pages_are_clustered():
    deep = flat(np.full(5_000, 1000), np.arange(5_000, 0, -1))
    wide = flat(np.r_[1000, np.full(99_999, 1001)], np.r_[100_000, np.ones(99_999)])
    page = skeleton_of(build_tree("<p>x"))
    with cpu_limit(60):
        assert len(cluster_pages([deep, wide, page, wide, deep]).clusters) == 3


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"similarity": 1.5}, "similarity must be from 0 to 1, not 1.5"),
        ({"sample_size": 0}, "sample_size must be 1 or more, not 0"),
        ({"strata": [1, 2]}, "strata must have 0 entries, not 2"),
    ],
)
def test_invalid_arguments_are_refused(arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        cluster_pages([], **arguments)


@pytest.mark.parametrize("name", ["malilive", "f1blog", "paraguayos"])
def test_clusters_equal_those_of_scipy_on_real_pages(name):
    found = [site for site in find_sites() if site.slug == name]
    if not found:
        pytest.skip("the real sites are not here (FLONG_SITES)")
    paths = found[0].paths[:120]
    skeletons = [skeleton_of(build_tree(found[0].page(path).html)) for path in paths]
    assert groups(cluster_pages(skeletons)) == scipy_groups(skeletons, 0.2)
    assert rtdm_distance(skeletons[0], skeletons[1]) == rtdm_distance(skeletons[1], skeletons[0])
