"""The kernel against brute force over all mappings, and the laws of a distance."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flong.clustering import (
    STM,
    Costs,
    SubtreeDistances,
    build_index,
    map_trees,
    rtdm_distance,
    selkow_distance,
    simple_tree_matching,
)
from tests.tree.random_trees import count, flat, nested, skeleton
from tests.waiting import cpu_limit

costs = st.builds(Costs, st.integers(0, 3), st.integers(0, 3), st.integers(0, 4))


def alignments(ours, theirs):
    """Every way to pair some of ours with some of theirs in order."""
    for k in range(min(len(ours), len(theirs)) + 1):
        for some in combinations(range(len(ours)), k):
            for others in combinations(range(len(theirs)), k):
                yield list(zip(some, others, strict=True))


def cheapest(a, b, costs, restricted):
    """The cost of the best of all top-down mappings with the roots mapped, by trying them all."""
    change = 0 if a[0] == b[0] else costs.replace
    ours, theirs = a[1], b[1]
    closed = restricted and a[0] != b[0]
    return change + min(
        sum(cheapest(ours[i], theirs[j], costs, restricted) for i, j in way)
        + costs.delete * sum(count(t) for i, t in enumerate(ours) if i not in dict(way))
        + costs.insert * sum(count(t) for j, t in enumerate(theirs) if j not in {j for _, j in way})
        for way in alignments([] if closed else ours, theirs)
    )


def most_matched(a, b):
    """Vertices of the largest top-down matching of equal labels, by trying all."""
    if a[0] != b[0]:
        return 0
    ways = alignments(a[1], b[1])
    return 1 + max(sum(most_matched(a[1][i], b[1][j]) for i, j in way) for way in ways)


@given(nested(), nested(), costs)
@settings(max_examples=75, deadline=None)
def test_distance_equals_the_cheapest_restricted_mapping(a, b, costs):
    assert rtdm_distance(skeleton(a), skeleton(b), costs) == cheapest(a, b, costs, restricted=True)


def by_table(a, b, costs):
    """The distance of two trees with equal roots, by the recurrence of the paper as it is."""
    ours, theirs = a[1], b[1]
    last = np.cumsum([0, *(costs.insert * count(tree) for tree in theirs)]).tolist()
    for one in ours:
        row = [last[0] + costs.delete * count(one)]
        for j, other in enumerate(theirs):
            added = row[j] + costs.insert * count(other)
            removed = last[j + 1] + costs.delete * count(one)
            row.append(min(added, removed, last[j] + subtree_change(one, other, costs)))
        last = row
    return last[-1]


def subtree_change(a, b, costs):
    if a[0] == b[0]:
        return by_table(a, b, costs)
    return costs.replace + costs.delete * (count(a) - 1) + costs.insert * (count(b) - 1)


below = ((), (("a", ()),), (("b", ()),) * 2)
kids = st.sampled_from([(name, some) for name in "abc" for some in below])
wide = st.lists(kids, min_size=20, max_size=50).map(lambda children: ("a", tuple(children)))


@given(wide, wide, costs, st.integers(0, 60))
@settings(max_examples=40, deadline=None)
def test_long_child_lists_are_aligned_as_in_the_paper(a, b, costs, limit):
    expected = by_table(a, b, costs)
    assert rtdm_distance(skeleton(a), skeleton(b), costs) == expected
    distances = SubtreeDistances(build_index([skeleton(a), skeleton(b)]), costs)
    (found,) = distances.measure(np.array([0]), np.array([1]), np.array([limit]))
    assert found == min(expected, limit + 1)


def test_many_different_children_are_aligned():
    a = ("a", tuple((chr(200 + i), (("x", ()),) * (i % 3)) for i in range(300)))
    b = ("a", a[1][150:] + a[1][:150] + a[1][::-1])
    assert rtdm_distance(skeleton(a), skeleton(b)) == by_table(a, b, Costs())


@given(nested(), nested(), costs)
@settings(max_examples=100, deadline=None)
def test_selkow_distance_equals_the_cheapest_unrestricted_mapping(a, b, costs):
    assert selkow_distance(skeleton(a), skeleton(b), costs) == cheapest(
        a, b, costs, restricted=False
    )


@given(nested("abc"), nested("abc"))
@settings(max_examples=100, deadline=None)
def test_simple_tree_matching_finds_the_largest_matching(a, b):
    assert simple_tree_matching(skeleton(a), skeleton(b)) == most_matched(a, b)


@given(nested("abc", 30), nested("abc", 30), nested("abc", 30), st.sampled_from([Costs(), STM]))
@settings(max_examples=150, deadline=None)
def test_rtdm_is_a_metric(a, b, c, costs):
    trees = [skeleton(t) for t in (a, b, c)]
    distances = SubtreeDistances(build_index(trees), costs)
    first, second = (i.ravel() for i in np.indices((3, 3)))
    d = distances.measure(first, second).reshape(3, 3)
    sizes = np.array([len(t) for t in trees])
    assert (d == d.T).all()
    assert ((d == 0) == (distances.index.root[:, None] == distances.index.root)).all()
    assert d[0, 2] <= d[0, 1] + d[1, 2]
    assert (abs(sizes[:, None] - sizes) <= d).all()
    assert (d <= sizes[:, None] + sizes).all()
    assert all(
        selkow_distance(trees[i], trees[j], costs) <= d[i, j] for i in range(3) for j in range(3)
    )


@given(nested("abc", 20), nested("abc", 20), st.integers(0, 40))
@settings(max_examples=100, deadline=None)
def test_distance_above_the_limit_is_limit_plus_one(a, b, limit):
    distances = SubtreeDistances(build_index([skeleton(a), skeleton(b)]))
    pair = np.array([0]), np.array([1])
    limited = distances.measure(*pair, limits=np.array([limit]))
    assert limited == min(rtdm_distance(skeleton(a), skeleton(b)), limit + 1)
    assert distances.measure(*pair) == rtdm_distance(skeleton(a), skeleton(b))


@given(st.lists(nested("abcd", 20), min_size=2, max_size=12))
@settings(max_examples=50, deadline=None)
def test_memo_does_not_change_distances(trees):
    skeletons = [skeleton(t) for t in trees]
    first, second = np.triu_indices(len(skeletons), 1)
    found = SubtreeDistances(build_index(skeletons)).measure(first, second)
    assert found.tolist() == [
        rtdm_distance(skeletons[i], skeletons[j]) for i, j in zip(first, second, strict=True)
    ]


@given(st.lists(nested("abc", 30), min_size=1, max_size=6), costs)
@settings(max_examples=100, deadline=None)
def test_no_distance_is_below_its_lower_bound(trees, costs):
    distances = SubtreeDistances(build_index([skeleton(t) for t in trees]), costs)
    everyone = np.arange(len(trees))
    for one in range(len(trees)):
        assert (
            distances.lower_bounds(one) <= distances.measure(np.full_like(everyone, one), everyone)
        ).all()


def mapping_cost(a, b, pairs, costs):
    replaced = sum(a.label[i] != b.label[j] for i, j in pairs)
    kept = len(pairs)
    return (
        costs.replace * replaced + costs.delete * (len(a) - kept) + costs.insert * (len(b) - kept)
    )


def parents(skeleton):
    found = [-1] * len(skeleton)
    for v in range(len(skeleton)):
        for w in range(v + 1, v + skeleton.size[v]):
            found[w] = v
    return found


@given(nested("abc", 20), nested("abc", 20), costs)
@settings(max_examples=150, deadline=None)
def test_mapping_is_valid_and_costs_the_distance(a, b, costs):
    one, two = skeleton(a), skeleton(b)
    pairs = map_trees(one, two, costs)
    assert mapping_cost(one, two, pairs, costs) == rtdm_distance(one, two, costs)
    above = parents(one), parents(two)
    partner = dict(pairs)
    assert len(partner) == len(set(partner.values())) == len(pairs)
    assert [j for _, j in pairs] == sorted(j for _, j in pairs)
    for i, j in pairs[1:]:
        assert partner[above[0][i]] == above[1][j]
        assert one.label[above[0][i]] == two.label[above[1][j]]


def test_full_memo_does_not_change_distances(monkeypatch):
    monkeypatch.setattr("flong.clustering.subtree_distances._LARGEST_MEMO", 1 << 13)
    rng = np.random.default_rng(1)
    skeletons = [random_skeleton(rng, 300) for _ in range(30)]
    first, second = np.triu_indices(30, 1)
    found = SubtreeDistances(build_index(skeletons)).measure(first, second)
    assert found[::20].tolist() == [
        rtdm_distance(skeletons[i], skeletons[j])
        for i, j in zip(first[::20], second[::20], strict=True)
    ]


def random_skeleton(rng, size):
    """A random tree: each vertex hangs somewhere on the rightmost path."""
    depth = [0]
    for _ in range(size - 1):
        depth.append(int(rng.integers(1, depth[-1] + 2)))
    sizes = [
        next((w for w in range(v + 1, size) if depth[w] <= depth[v]), size) - v for v in range(size)
    ]
    return flat(rng.integers(1000, 1006, size), sizes)


def test_deep_and_large_trees_are_measured():
    deep = flat(np.full(5_000, 1000), np.arange(5_000, 0, -1))
    other = flat(np.r_[np.full(4_999, 1000), 1001], np.arange(5_000, 0, -1))
    with cpu_limit(20):
        assert rtdm_distance(deep, other) == 1
        assert len(map_trees(deep, deep)) == 5_000
    wide = flat(np.r_[1000, np.full(99_999, 1001)], np.r_[100_000, np.ones(99_999)])
    longer = flat(np.r_[1000, np.full(99_998, 1001), 1002], np.r_[100_000, np.ones(99_999)])
    with cpu_limit(20):
        assert rtdm_distance(wide, longer) == 1


def test_single_vertex_is_a_tree():
    one, two = flat([1000], [1]), flat([1001], [1])
    assert (rtdm_distance(one, one), rtdm_distance(one, two), selkow_distance(one, two)) == (
        0,
        1,
        1,
    )
    assert map_trees(one, two) == [(0, 0)]
    assert build_index([]).root.tolist() == []


def test_negative_costs_are_refused():
    with pytest.raises(ValueError, match="costs must be 0 or more"):
        rtdm_distance(flat([1000], [1]), flat([1000], [1]), Costs(delete=-1))
