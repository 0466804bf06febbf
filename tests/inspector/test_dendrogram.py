"""Dendrograms: distances, samples and layout."""

import re
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.clustering import read_dendrogram, rtdm_distance, skeleton_of
from flong.inspector.charts import drawing_lines, heat_picture, night_boxes, total_of
from flong.stages.dendrogram import (
    DendrogramCache,
    Drawing,
    Leaf,
    Merge,
    distance_matrix,
    draw_text,
    sample,
)
from flong.storage import DayOfWork, SiteMember
from flong.tree import build_tree
from tests.inspector.conftest import SITE

groups = st.lists(st.integers(1, 60), min_size=1, max_size=30).map(
    lambda sizes: [
        [SiteMember(number, 100 * number + page, "", int(page == 0)) for page in range(size)]
        for number, size in enumerate(sorted(sizes, reverse=True))
    ]
)


@given(groups, st.integers(1, 40))
def test_sample_contains_the_medoids_of_the_largest_groups(found, size):
    chosen = sample(found, size)
    assert len(chosen) == len(set(chosen)) == min(size, sum(map(len, found)))
    assert [m.cluster for m in chosen if m.medoid] == [group[0].cluster for group in found[:size]]


@given(groups)
def test_larger_groups_give_no_fewer_members(found):
    counts = [sum(m.cluster == group[0].cluster for m in sample(found, 50)) for group in found]
    assert counts == sorted(counts, reverse=True)


def test_distances_are_those_of_the_tree_distance():
    pages = ["<h1>a</h1><p>b", "<h1>a</h1><div><p>b</div>", "<ul><li>a<li><b>b</b></ul><hr>", "x"]
    matrix = distance_matrix(pages)
    skeletons = [skeleton_of(build_tree(page)) for page in pages]
    for one, other in combinations(range(len(pages)), 2):
        size = len(skeletons[one]) + len(skeletons[other])
        assert (
            matrix[one, other]
            == matrix[other, one]
            == rtdm_distance(skeletons[one], skeletons[other]) / size
        )
    assert not np.diagonal(matrix).any()


@pytest.fixture
def drawing(client, store):
    return DendrogramCache(store).drawing(store.sites.find("courier.example"))


def test_pages_of_a_cluster_stand_together(drawing):
    clusters = [leaf.cluster for leaf in drawing.leaves]
    blocks = 1 + sum(one != other for one, other in pairwise(clusters))
    assert blocks == drawing.clusters


def test_merges_below_the_cut_join_pages_of_one_cluster(drawing):
    low = [merge for merge in drawing.merges if merge.corners[1][1] < 0.1]
    assert low
    assert all(merge.rank is not None for merge in low)


def test_drawing_is_cached_per_model(store):
    dendrograms, site = DendrogramCache(store), store.sites.find("courier.example")
    assert dendrograms.drawing(site) is dendrograms.drawing(site)


def test_dendrogram_fits_its_box_and_the_heat_map_is_a_picture(drawing):
    lines = drawing_lines(drawing)
    assert len(lines.merges) == len(drawing.leaves) - 1
    assert 0 < lines.cut < lines.tree
    assert heat_picture(drawing).startswith("data:image/png;base64,")


def test_dendrogram_is_that_of_the_model(store, drawing):
    site = store.sites.find("courier.example")
    learned = store.templates.grouping(site)
    assert drawing.similarity == learned.similarity == 0.8
    stored = read_dendrogram(learned.dendrogram)
    heights = stored.restricted([leaf.page for leaf in drawing.leaves]).linkage[:, 2]
    drawn = [merge.corners[1][1] for merge in drawing.merges]
    assert sorted(drawn) == sorted(heights.tolist())


def test_dendrogram_as_text_counts_every_page_once(drawing):
    text = draw_text(drawing)
    lines = text.splitlines()[1:]
    more = sum(map(int, re.findall(r" and (\d+) more$", text, re.MULTILINE)))
    assert len(lines) + more == len(drawing.leaves)
    assert {line.count("cluster ") for line in lines} == {1}


def merge(corners, first, split, last):
    return Merge(corners=corners, first=first, split=split, last=last, rank=0)


def test_dendrogram_of_two_levels_is_drawn_as_text():
    leaves = [Leaf(page=n, url=f"/{n}", cluster=1, rank=0) for n in range(4)]
    merges = [
        merge([(0, 0), (0, 0.01), (1, 0.01), (1, 0)], 0, 1, 1),
        merge([(0.5, 0.01), (0.5, 0.3), (2, 0.3), (2, 0)], 0, 2, 2),
        merge([(1.25, 0.3), (1.25, 0.8), (3, 0.8), (3, 0)], 0, 3, 3),
    ]
    drawn = Drawing(
        leaves=leaves,
        merges=merges,
        distances=[],
        similarity=0.6,
        clusters=1,
        all_clusters=1,
        all_pages=4,
    )
    assert draw_text(drawn, width=10).splitlines() == [
        "    ▾ 60% similar",
        "───┬────┐   cluster 1  /0 and 1 more",
        "───┘    │   cluster 1  /2",
        "────────┘   cluster 1  /3",
    ]


@pytest.mark.parametrize("counts", [(0, 0, 0), (1000, 0, 0), (0, 3, 1), (1000, 1, 2000)])
def test_bars_of_nights_stay_in_their_chart(counts):
    new, changed, failed = counts
    night = DayOfWork(
        site=SITE, day="2026-05-01", runs=1, new=new, changed=changed, gone=0, failed=failed,
        articles=0, broken=0, drift=0.5,
    )  # fmt: skip
    boxes = night_boxes(night, max(total_of(night), 1))
    assert [count for _, count, _, _ in boxes] == [count for count in counts if count]
    assert all(-3 <= y <= 40 and tall > 0 for _, _, y, tall in boxes)
