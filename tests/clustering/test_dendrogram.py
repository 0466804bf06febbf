"""Dendrograms of any size can be drawn."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, dendrogram, is_valid_linkage, linkage
from scipy.spatial.distance import squareform

from flong.clustering import Dendrogram, draw_lines, read_dendrogram, write_dendrogram
from flong.clustering.dendrogram import join


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12, unique=True))
@settings(deadline=None)
def test_brackets_have_the_heights_of_scipy(points):
    merges = linkage(np.array(points)[:, None], "average")
    pages, brackets = draw_lines(Dendrogram(np.arange(len(points)), merges))
    drawn = dendrogram(merges, no_plot=True)
    assert sorted(pages.tolist()) == list(range(len(points)))
    assert np.allclose(sorted(brackets[:, 1, 1]), sorted(d[1] for d in drawn["dcoord"]))


def test_a_chain_of_5000_leaves_is_drawn_without_recursion():
    count = 5_000
    merges = np.array(
        [[0, 1, 0.0, 2]] + [[i + 1, count + i - 1, i / count, i + 2] for i in range(1, count - 1)]
    )
    pages, brackets = draw_lines(Dendrogram(np.arange(count), merges))
    assert (len(pages), brackets.shape) == (count, (count - 1, 4, 2))


def test_no_pages_give_an_empty_dendrogram():
    empty = join([])
    assert (len(empty.leaves), empty.linkage.shape) == (0, (0, 4))
    assert len(draw_lines(empty)[0]) == 0


POINTS = st.lists(st.floats(0, 1), min_size=2, max_size=12, unique=True)


@given(POINTS)
@settings(deadline=None)
def test_dendrogram_survives_a_json_round_trip(points):
    merges = linkage(np.array(points)[:, None], "average")
    again = read_dendrogram(write_dendrogram(Dendrogram(np.arange(len(points)) + 7, merges)))
    assert again.leaves.tolist() == [leaf + 7 for leaf in range(len(points))]
    assert np.allclose(again.linkage, merges, atol=1e-6)
    assert is_valid_linkage(again.linkage)


@given(POINTS, st.data())
@settings(deadline=None)
def test_restriction_keeps_cophenetic_distances(points, data):
    merges = linkage(np.array(points)[:, None], "average")
    whole = Dendrogram(np.arange(len(points)) + 7, merges)
    some = data.draw(st.permutations(range(len(points))))[: data.draw(st.integers(2, len(points)))]
    part = whole.restricted([leaf + 7 for leaf in some])
    assert is_valid_linkage(part.linkage)
    assert np.allclose(
        squareform(cophenet(part.linkage)), squareform(cophenet(merges))[np.ix_(some, some)]
    )


def test_empty_dendrogram_survives_a_json_round_trip():
    assert read_dendrogram(write_dendrogram(join([]))).linkage.shape == (0, 4)
