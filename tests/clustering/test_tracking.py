"""Clusters keep their names from night to night."""

from hypothesis import given
from hypothesis import strategies as st

from flong.clustering import TrackedCluster, carry_over, spread


def known(text):
    """The first letter is the medoid."""
    return TrackedCluster(frozenset(text), text[0])


pages = st.lists(st.integers(0, 5), min_size=1, max_size=30)


def partition(labels):
    return [
        TrackedCluster(frozenset(i for i, x in enumerate(labels) if x == k), labels.index(k))
        for k in sorted(set(labels))
    ]


@given(pages)
def test_unchanged_clusters_keep_their_identity_in_any_order(labels):
    clusters = partition(labels)
    assert carry_over(clusters, clusters[::-1]) == {
        i: len(clusters) - 1 - i for i in range(len(clusters))
    }


@given(pages, pages)
def test_no_identity_is_assigned_twice(old, new):
    found = carry_over(partition(old), partition(new))
    assert len(set(found.values())) == len(found)


def test_cluster_that_grew_or_shrank_keeps_its_identity():
    assert carry_over([known("abc")], [known("bcdefg")]) == {0: 0}


def test_split_cluster_continues_in_the_part_with_its_medoid():
    assert carry_over([known("abcde")], [known("bcde"), known("a")]) == {1: 0}


def test_joined_cluster_continues_the_larger_one():
    assert carry_over([known("ab"), known("xyz")], [known("abxyz")]) == {0: 1}


def test_clusters_without_a_common_page_are_new():
    assert carry_over([known("ab")], [known("cd")]) == {}
    assert carry_over([], [known("cd")]) == carry_over([known("ab")], []) == {}


@given(st.lists(st.sampled_from("abcd")), st.integers(0, 20))
def test_sample_has_the_requested_size_and_every_stratum(strata, size):
    chosen = spread(strata, size)
    assert len(chosen) == len(set(chosen)) == min(size, len(strata))
    if size >= len(set(strata)):
        assert {strata[i] for i in chosen} == set(strata)


def test_a_small_stratum_is_taken_whole():
    chosen = spread(["many"] * 90 + ["few"] * 5, 20)
    assert chosen[-5:] == [90, 91, 92, 93, 94]
    assert (chosen[0], chosen[-6]) == (0, 89)
