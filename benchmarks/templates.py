"""Contribution of clusters and patterns: learn the same pages with and without them.

usage: python -m benchmarks.templates [--sites A,B] [--pages N] [--variants "A;B"]

Each site is learned from the first half of its pages and judged on the second half, at most N
articles and N other pages in each half. Only the named step changes. Elections, exclusions and the
article classifier stay flong's, except in the last two variants. The last column is the fraction of
articles whose body label is a vertex of the pattern; all other labels are selectors, which work
without a pattern.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, reduce

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.methods import (
    Clustered,
    Half,
    Results,
    ask_extractor,
    clustered,
    extract_half,
    learn_clustered,
    read_as_published,
)
from benchmarks.papers import url_shape
from benchmarks.scoring import ArticleFigures, score
from benchmarks.tables import Rows, show
from flong.clustering import cluster_pages, skeleton_of
from flong.patterns import (
    ClusterOfPages,
    ClusterPattern,
    ExtractionModel,
    compose_cluster,
    learn,
    pattern_of,
)
from flong.patterns.compose import compose
from flong.patterns.reis import BRIDGE, promote
from flong.tree import Tree, build_tree

Composer = Callable[[Sequence[Tree], Sequence[float] | None], list[ClusterPattern]]


def compose_nothing(
    trees: Sequence[Tree], _: Sequence[float] | None = None
) -> list[ClusterPattern]:
    """Return one pattern that accepts every page and has no constants but the root.

    >>> [found.pattern.constants for found in compose_nothing([build_tree("<p>a")])]
    [1]
    """
    empty, full = (pattern_of(build_tree(html)) for html in ("", "<p>a</p><p>b</p>"))
    anything = compose(empty, full)
    return [ClusterPattern(pattern=anything, pages=tuple(range(len(trees))), composed=2)]


def compose_as_printed(
    trees: Sequence[Tree], _: Sequence[float] | None = None
) -> list[ClusterPattern]:
    """Return one pattern for all pages, composed as printed (Reis et al. 2004, section 4.2).

    >>> pages = [build_tree(f"<h1>{title}</h1>") for title in ("One", "Two")]
    >>> [found.pages for found in compose_as_printed(pages)]
    [(0, 1)]
    """
    whole = reduce(partial(compose, promote=promote), map(pattern_of, trees))
    return [ClusterPattern(pattern=whole, pages=tuple(range(len(trees))), composed=len(trees))]


@contextmanager
def composing(composer: Composer) -> Iterator[None]:
    """Learn with another composition of clusters."""
    vars(learn)["compose_cluster"] = composer
    try:
        yield
    finally:
        vars(learn)["compose_cluster"] = compose_cluster


def one_cluster(_: Half, found: Clustered) -> Clustered:
    """Return all pages as one cluster."""
    pages, _clusters = found
    return pages, [ClusterOfPages(members=tuple(range(len(pages))))]


def clusters_by_url(half: Half, found: Clustered) -> Clustered:
    """Return the pages grouped by the shape of their URLs, the largest group first."""
    groups: dict[str, list[int]] = defaultdict(list)
    for position, page in enumerate(half.learning):
        groups[url_shape(page.path)].append(position)
    largest = sorted(groups.values(), key=len, reverse=True)
    return found[0], [ClusterOfPages(members=tuple(members)) for members in largest]


def clusters_of_raw_trees(half: Half, found: Clustered) -> Clustered:
    """Return the pages clustered as in the paper: 80 % similarity of all vertices of raw trees."""
    raw = [build_tree(page.html, raw=True) for page in half.learning]
    clusters = cluster_pages([skeleton_of(tree, collapse=False) for tree in raw]).clusters
    return found[0], [ClusterOfPages(members=c.members, distances=c.distances) for c in clusters]


def clusters_by_rtdm(_: Half, found: Clustered) -> Clustered:
    """Return the clusters unchanged."""
    return found


VARIANTS: Mapping[str, tuple[Callable[[Half, Clustered], Clustered], Composer]] = {
    "flong": (clusters_by_rtdm, compose_cluster),
    "one cluster": (one_cluster, compose_cluster),
    "clusters by URL": (clusters_by_url, compose_cluster),
    "clusters of raw trees": (clusters_of_raw_trees, compose_cluster),
    "patterns as printed": (clusters_by_rtdm, compose_as_printed),
    "no patterns": (one_cluster, compose_nothing),
}
"""Grouping of pages and composition of each group, by name.

Without patterns there is one group: only a pattern assigns a new page to its group.
"""
OTHERS: Mapping[str, Callable[[Half], Results]] = {
    "all as printed (Reis et al.)": partial(read_as_published, bridge=BRIDGE),
    "as printed, without the merge": partial(read_as_published, bridge=0),
    "nothing learned (consensus)": partial(ask_extractor, name="consensus"),
}
"""Methods without flong's learning, by name."""


def cut(half: Half, most: int) -> Half:
    """Return a site with at most this many articles and other pages in each half."""
    learning = [
        page
        for kind in ("article", "other")
        for page in [page for page in half.learning if page.kind == kind][:most]
    ]
    return Half(half.site, learning, half.judged, half.anchors, half.linking)


def measure(site: CorpusSite, most: int, names: Sequence[str]) -> Rows:
    """Return a row per variant for one site."""
    half = cut(Half.of(site, most, most), most)
    found, rows = clustered(half), []
    for name in names:
        share: float | None = None
        if name in VARIANTS:
            group, composer = VARIANTS[name]
            with composing(composer):
                model = learn_clustered(half, group(half, found))
            results, share = extract_half(half, model), vertex_labels(model)
        else:
            results = OTHERS[name](half)
        figures, _ = score(site.truth, results.found, site.other, site.captions)
        rows.append({"site": site.slug, "variant": name, **_columns(figures), "vertex": share})
    return rows


def _columns(figures: ArticleFigures) -> dict[str, object]:
    names = ("correct", "body_f1", "title", "precision", "recall")
    return {name: getattr(figures, name) for name in names}


def vertex_labels(model: ExtractionModel) -> float:
    """Return the fraction of articles whose body label is a vertex of the pattern."""
    by_vertex = total = 0.0
    for known in model.patterns:
        articles, body = known.articles * known.pages, known.labels.body
        total += articles
        by_vertex += articles * (body is not None and body.vertex >= 0)
    return by_vertex / max(total, 1.0)


def means(rows: Rows, names: Sequence[str]) -> Rows:
    """Return the mean of each variant over sites, and its worst site."""
    found: Rows = []
    for name in names:
        own = [row for row in rows if row["variant"] == name]
        row: dict[str, object] = {"site": "mean", "variant": name}
        for column in own[0]:
            values = [float(str(each[column])) for each in own if _is_number(each[column])]
            if column not in row:
                row[column] = sum(values) / len(values) if values else None
        worst = min(own, key=lambda each: float(str(each["correct"])))
        found.append(row | {"worst": f"{worst['site']} {worst['correct']:.3f}"})
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, float)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.templates", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--sites", default="", help="names of sites, separated by commas")
    parser.add_argument("--pages", type=int, default=60, help="per half and kind; default: 60")
    parser.add_argument("--variants", default="", help="names, separated by semicolons")
    args = parser.parse_args(arguments)
    sites = find_sites([name for name in args.sites.split(",") if name])
    if not sites:
        print("No corpus found. Set FLONG_SITES.", file=sys.stderr)
        return 2
    known = [*VARIANTS, *OTHERS]
    names = args.variants.split(";") if args.variants else known
    if not {*names} <= {*known}:
        parser.error(f"--variants {args.variants!r}: choose from {'; '.join(known)}")
    rows: Rows = []
    for site in sites:
        own = measure(site, args.pages, names)
        show(site.slug, own)
        rows += own
    show(f"Means of {len(sites)} sites", means(rows, names))
    return 0


if __name__ == "__main__":
    sys.exit(main())
