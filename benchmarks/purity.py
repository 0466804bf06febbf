"""Clusters of the real sites against what is known about their pages.

    python -m benchmarks.purity
    python -m benchmarks.purity --sites rubima f1blog --similarity 0.9 --json

ARI and V compare all clusters with the two kinds, article and other: sites whose other pages
have several templates cannot reach 1. "main" is the cluster with most articles: ARI of main
compares it and all the rest with the two kinds; then come the share of articles in it, that of
the longest tenth of articles, and the share of it that is articles.
"mixed" is the share of judged pages in clusters where both kinds have at least a tenth.
"""

import argparse
import json
from collections.abc import Sequence
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from sklearn.metrics import adjusted_rand_score, v_measure_score

from benchmarks.corpus import Site, find_sites
from benchmarks.speed import show
from clustering import cluster_shapes
from trees import RTDM, STM, Costs, build_tree, shape_of

Row = dict[str, object]


def judge(site: Site, similarity: float, costs: Costs) -> Row:
    """Return the figures of one site."""
    shapes = [shape_of(build_tree(site.page(path).html)) for path in site.paths]
    found = cluster_shapes(shapes, similarity=similarity, costs=costs)
    kinds = np.array([site.kind(path) for path in site.paths])
    judged = np.flatnonzero(kinds != "unlabelled")
    article, label = kinds[judged] == "article", found.labels[judged]
    lengths = np.array([len(site.truth[p].body) if p in site.truth else 0 for p in site.paths])
    main = np.bincount(label[article]).argmax()
    long = article & (lengths[judged] >= np.quantile(lengths[kinds == "article"], 0.9))
    return {
        "site": site.slug,
        "pages": len(shapes),
        "clusters": len(found.clusters),
        "ARI": float(adjusted_rand_score(article, label)),
        "ARI of main": float(adjusted_rand_score(article, label == main)),
        "V": float(v_measure_score(article, label)),
        "articles in main": float((label[article] == main).mean()),
        "longest in main": float((label[long] == main).mean()),
        "main is articles": float(article[label == main].mean()),
        "mixed": mixed_share(article, label),
    }


def mixed_share(article: NDArray[np.bool_], label: NDArray[np.int64]) -> float:
    """Return the share of pages in clusters where both kinds have at least a tenth.

    >>> mixed_share(np.array([True, False, True, True]), np.array([0, 0, 1, 1]))
    0.5
    """
    share = np.bincount(label, article) / np.maximum(np.bincount(label), 1)
    return float(((share >= 0.1) & (share <= 0.9))[label].mean())


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the sites and print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.purity",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sites", nargs="+", default=[], metavar="SITE", help="default: all")
    parser.add_argument("--similarity", type=float, default=0.8)
    parser.add_argument("--distance", choices=["rtdm", "stm"], default="rtdm")
    parser.add_argument("--json", action="store_true", help="for programs")
    options = parser.parse_args(arguments)
    costs = STM if options.distance == "stm" else RTDM
    sites = find_sites(options.sites)
    if not sites:
        print("no sites: set FLONG_SITES to the directory that holds them")
        return 1
    rows = [
        judge(site, options.similarity, costs)
        for site in track(sites, disable=options.json, transient=True)
    ]
    rows.append(_mean(rows))
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        show(f"Clusters at {options.similarity:.0%} similarity ({options.distance})", rows)
    return 0


def _mean(rows: Sequence[Row]) -> Row:
    """Return the means of all figures."""
    whole = {
        name: fmean(float(str(row[name])) for row in rows) for name in rows[0] if name != "site"
    }
    return {"site": "mean", **whole}


if __name__ == "__main__":
    raise SystemExit(main())
