"""How long one distance takes, by algorithm and number of vertices."""

import time
from collections.abc import Callable, Mapping, Sequence
from statistics import median

import apted
import numpy as np
import zss

from benchmarks.corpus import CorpusSite
from flong.clustering import (
    RTDM,
    STM,
    Costs,
    Skeleton,
    SubtreeDistances,
    build_index,
    rtdm_distance,
    selkow_distance,
    skeleton_of,
)
from flong.tree import build_tree

REPEATS = 5
"""Algorithms take turns so many times; the median of each is taken."""
SLOW_LIMIT = 300
"""Above so many vertices the general algorithms take minutes."""


def raw_skeletons(sites: Sequence[CorpusSite], each: int) -> dict[str, list[Skeleton]]:
    """Return trees with all vertices of each site, each skeleton once."""
    found = {}
    for site in sites:
        trees = (build_tree(site.page(path).html) for path in site.paths[:each])
        skeletons = (skeleton_of(tree, collapse=False) for tree in trees)
        found[site.slug] = list(
            {int(skeleton.kind[0]): skeleton for skeleton in skeletons}.values()
        )
    return found


def of_about(skeletons: Sequence[Skeleton], vertices: int) -> list[Skeleton]:
    """Return the trees within a sixth of so many vertices."""
    return [s for s in skeletons if 5 * vertices <= 6 * len(s) <= 7 * vertices]


def time_distances(groups: Sequence[Sequence[Skeleton]], costs: Costs = RTDM) -> tuple[float, int]:
    """Return seconds and pairs: all pairs within each group, with one memo for a group."""
    seconds, pairs = 0.0, 0
    for group in groups:
        one, other = np.triu_indices(len(group), 1)
        start = time.process_time()
        SubtreeDistances(build_index(group), costs).measure(one, other)
        seconds += time.process_time() - start
        pairs += len(one)
    return seconds, pairs


def time_pairs(
    groups: Sequence[Sequence[Skeleton]], measure: Callable[[Skeleton, Skeleton], object], most: int
) -> tuple[float, int]:
    """Return seconds and pairs: some pairs within the groups, each measured alone."""
    pairs = [(g[i], g[j]) for g in groups for i in range(len(g)) for j in range(i)]
    pairs = pairs[:: max(1, len(pairs) // most)][:most]
    start = time.process_time()
    for one, other in pairs:
        measure(one, other)
    return time.process_time() - start, len(pairs)


def zss_distance(one: Skeleton, other: Skeleton) -> float:
    """Zhang and Shasha's general tree edit distance, as the library `zss` has it."""
    return float(zss.simple_distance(_zss_tree(one), _zss_tree(other)))


def _zss_tree(skeleton: Skeleton) -> zss.Node:
    nodes = [zss.Node(str(label)) for label in skeleton.label.tolist()]
    for parent, child in _edges(skeleton):
        nodes[parent].addkid(nodes[child])
    return nodes[0]


def apted_distance(one: Skeleton, other: Skeleton) -> float:
    """Pawlik and Augsten's general tree edit distance, as the library `apted` has it."""
    return float(apted.APTED(_apted_tree(one), _apted_tree(other)).compute_edit_distance())


def _apted_tree(skeleton: Skeleton) -> apted.helpers.Tree:
    nodes = [apted.helpers.Tree(str(label)) for label in skeleton.label.tolist()]
    for parent, child in _edges(skeleton):
        nodes[parent].children.append(nodes[child])
    return nodes[0]


def _edges(skeleton: Skeleton) -> list[tuple[int, int]]:
    """Return parents and children, children from left to right."""
    found, path = [], [0]
    for vertex in range(1, len(skeleton)):
        while path[-1] + skeleton.size[path[-1]] <= vertex:
            path.pop()
        found.append((path[-1], vertex))
        path.append(vertex)
    return found


def _warm_up() -> None:
    """Have everything compiled or loaded before the clock runs."""
    skeletons = [skeleton_of(build_tree("<div><p>x</div><hr>" * n)) for n in range(1, 4)]
    time_distances([skeletons], STM)
    time_pairs([skeletons], rtdm_distance, 2)
    time_pairs([skeletons], selkow_distance, 2)


def measure_sizes(sites: Sequence[CorpusSite], sizes: Sequence[int]) -> list[dict[str, object]]:
    """Return seconds a pair of each algorithm on raw trees of about so many vertices."""
    skeletons = raw_skeletons(sites, 400)
    _warm_up()
    rows: list[dict[str, object]] = []
    for size in sizes:
        groups = [g for group in skeletons.values() if len(g := of_about(group, size)) > 1]
        if not groups:
            continue
        seconds = _time(groups, slow=size <= SLOW_LIMIT)
        ours, pairs = seconds["RTDM, a site at once"]
        rows += [_row(size, name, *found, ours / pairs) for name, found in seconds.items()]
    return rows


def _time(groups: Sequence[Sequence[Skeleton]], *, slow: bool) -> dict[str, tuple[float, int]]:
    """Return seconds and pairs of each algorithm; of the general ones only on request."""
    seconds = _medians(
        {
            "RTDM, a site at once": lambda: time_distances(groups),
            "Simple Tree Matching, a site at once": lambda: time_distances(groups, STM),
            "RTDM, one pair": lambda: time_pairs(groups, rtdm_distance, 100),
            "Selkow/Chawathe": lambda: time_pairs(groups, selkow_distance, 100),
        }
    )
    if slow:
        seconds["apted"] = time_pairs(groups, apted_distance, 2)
        seconds["zss"] = time_pairs(groups, zss_distance, 1)
    return seconds


def _medians(
    steps: Mapping[str, Callable[[], tuple[float, int]]],
) -> dict[str, tuple[float, int]]:
    """Return the median seconds of each step, and its pairs."""
    turns = [{name: step() for name, step in steps.items()} for _ in range(REPEATS)]
    return {name: (median(turn[name][0] for turn in turns), turns[0][name][1]) for name in steps}


def _row(size: int, name: str, seconds: float, pairs: int, ours: float) -> dict[str, object]:
    each = seconds / pairs
    return {
        "vertices": size,
        "algorithm": name,
        "pairs": pairs,
        "µs a pair": 1e6 * each,
        "times RTDM": each / ours,
    }
