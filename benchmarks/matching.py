"""How many held-out pages the patterns of a site accept, and what composing and matching cost.

Run `python -m benchmarks.matching [--pages N] [SITE...]`: each site is learned from one half of
its pages, articles and others, and the other half is matched. *Strict* is the share accepted,
*near* the share with bounded matches too, *body* the share of articles whose body has a container
of its own in the pattern. Times are CPU time in milliseconds: to compose, per page learned; to
choose among the site's patterns, per page held out; to match a page to its own pattern.
"""

import argparse
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from statistics import mean, median
from typing import TypeVar

import numpy as np

from benchmarks.corpus import CorpusSite, find_sites
from flong.clustering import Cluster, cluster_pages, skeleton_of
from flong.patterns import PLAIN, ClusterPattern, Match, choose, compose_cluster, match
from flong.tree import TEXT, Tree, build_tree

Result = TypeVar("Result")

_NO_WORD = re.compile(r"\W+")


@dataclass(frozen=True, kw_only=True)
class MatchingRow:
    """What was measured on one site."""

    vertices: float
    """Median size of a page."""
    patterns: float
    """How many patterns the site has."""
    composed: float
    """Share of the learned pages that were composed, not only accepted."""
    strict: float
    """Share of the held-out articles that are accepted."""
    near: float
    """The same with bounded matches."""
    body: float
    """Share of the held-out articles whose body's container is a vertex of the pattern."""
    strict_other: float
    """Share of the held-out other pages that are accepted."""
    near_other: float
    """The same with bounded matches."""
    compose_ms: float
    """To learn, per page."""
    choose_ms: float
    """To choose, per page."""
    match_ms: float
    """To match a page to the pattern chosen, median."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each site, and the mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300, help="most pages of a kind and half")
    parser.add_argument("sites", nargs="*", metavar="SITE")
    options = parser.parse_args(arguments)
    names = [field.name for field in fields(MatchingRow)]
    print(f"{'':16}" + "".join(f"{name:>13}" for name in names))
    rows = []
    for site in find_sites(options.sites):
        rows.append([getattr(measure(site, options.pages), name) for name in names])
        _print_row(site.slug, rows[-1])
    if rows:
        _print_row("mean", [mean(column) for column in zip(*rows, strict=True)])


def _print_row(name: str, values: Sequence[float]) -> None:
    print(f"{name:16}" + "".join(f"{value:13.3f}" for value in values), flush=True)


def measure(site: CorpusSite, most: int) -> MatchingRow:
    """Learn a site from one half and match the other."""
    paths, held_out = (_sample(site, half, most) for half in site.halves())
    trees = _build(site, paths)
    clusters = cluster_pages([skeleton_of(tree) for tree in trees]).clusters
    compose_time, learned = _timed(lambda: [_compose(trees, cluster) for cluster in clusters])
    patterns = [found for group in learned for found in group]
    pages = _build(site, held_out)
    choose_time, choices = _timed(
        lambda: [choose([found.pattern for found in patterns], page) for page in pages]
    )
    matches = [choice.match for choice in choices if choice.match]
    kinds = np.array([site.kind(path) == "article" for path in held_out])
    accepted = np.array([bool(choice.match and not choice.match.bounded) for choice in choices])
    fitting = np.array([choice.match is not None for choice in choices])
    bodies = [
        has_body(choice.match, site.truth[path].body)
        for path, choice in zip(held_out, choices, strict=True)
        if path in site.truth and choice.match
    ]
    return MatchingRow(
        vertices=median(map(len, pages)),
        patterns=len(patterns),
        composed=sum(found.composed for found in patterns) / len(trees),
        strict=float(accepted[kinds].mean()),
        near=float(fitting[kinds].mean()),
        body=mean(bodies or [0]),
        strict_other=float(accepted[~kinds].mean()),
        near_other=float(fitting[~kinds].mean()),
        compose_ms=1000 * compose_time / len(trees),
        choose_ms=1000 * choose_time / len(pages),
        match_ms=1000 * median(_match_time(found) for found in matches),
    )


def _sample(site: CorpusSite, paths: Sequence[str], most: int) -> list[str]:
    """Return some articles and some pages that are none."""
    articles = [path for path in paths if site.kind(path) == "article"]
    others = [path for path in paths if site.kind(path) == "other"]
    return articles[:most] + others[:most]


def _build(site: CorpusSite, paths: Sequence[str]) -> list[Tree]:
    return [build_tree(site.page(path).html) for path in paths]


def _compose(trees: Sequence[Tree], cluster: Cluster) -> list[ClusterPattern]:
    return compose_cluster([trees[page] for page in cluster.members], cluster.distances)


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def _match_time(found: Match) -> float:
    """Return the time of the fastest of three matches of a page."""
    return min(_timed(lambda: match(found.pattern, found.tree))[0] for _ in range(3))


def has_body(found: Match, body: str) -> bool:
    r"""Return whether the smallest block with nine tenths of the body is a vertex of the pattern.

    A block is an element that holds other elements, so that a lone paragraph is none.

    >>> from flong.patterns import pattern_of, read_text
    >>> page = build_tree("<div><p>A first sentence.</p><p>A second sentence.</p></div>")
    >>> one, other = pattern_of(page), read_text("body\n  .")[0]
    >>> [has_body(match(p, page), "A first sentence. A second sentence.") for p in (one, other)]
    [True, False]
    """
    tree, wanted = found.tree, _NO_WORD.sub("", body)
    length = np.zeros(len(tree) + 1)
    for leaf in tree.leaves():
        text = _NO_WORD.sub("", tree.text_of(leaf))
        length[leaf + 1] = len(text) if text in wanted else 0
    before = np.cumsum(length)
    ends = np.arange(len(tree)) + tree.size
    enough = before[ends] - before[:-1] >= 0.9 * before[-1]
    blocks = np.zeros(len(tree), bool)
    blocks[tree.parent[1:][tree.tag[1:] != TEXT]] = True
    owner = found.owner[np.flatnonzero(enough & blocks)[-1]] if blocks.any() else 0
    return bool(owner >= 0 and found.pattern.kind[owner] == PLAIN)


if __name__ == "__main__":
    main()
