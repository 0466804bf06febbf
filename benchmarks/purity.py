"""Clusters of the real sites compared with the truth about their pages.

    python -m benchmarks.purity
    python -m benchmarks.purity --sites rubima f1blog --similarity 0.9 --fast --json

ARI and V compare all clusters with the two kinds, article and other. Sites whose other pages have
several templates cannot reach 1. "main" is the cluster with most articles. Its columns are the ARI
of main against the rest, the fraction of articles in it, the same for the longest tenth of
articles, and its fraction of articles. A cluster is mixed if at least a twentieth of its judged
pages are articles and as many are not. It is noticed if `learn`, without the truth, labels it
mixed. --fast skips this.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from sklearn.metrics import adjusted_rand_score, v_measure_score

from benchmarks.corpus import CorpusPage, CorpusSite, find_sites
from benchmarks.methods import named_anchors
from benchmarks.tables import show
from flong.baselines import BASELINES
from flong.clustering import RTDM, STM, Clustering, Costs, cluster_pages, skeleton_of
from flong.patterns import ClusterOfPages, learn_site
from flong.stages.learned_rows import FEW, cluster_kinds
from flong.tree import SitePage, Tree, build_tree

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class ClusterPurity:
    """One cluster of judged pages."""

    pages: int
    """Judged pages in it."""
    mixed: bool
    """It has pages of both kinds."""
    noticed: bool
    """`learn` labels it mixed."""


def judge(
    site: CorpusSite, similarity: float, costs: Costs, fast: bool
) -> tuple[Row, list[ClusterPurity]]:
    """Return the figures of one site, and its clusters unless `fast`."""
    pages = [site.page(path) for path in site.paths]
    trees = [build_tree(page.html) for page in pages]
    found = cluster_pages(list(map(skeleton_of, trees)), similarity=similarity, costs=costs)
    kinds = np.array([page.kind for page in pages])
    judged = np.flatnonzero(kinds != "unlabelled")
    article, label = kinds[judged] == "article", found.labels[judged]
    row = _figures(site, found, article, label)
    row["articles in main"], row["longest in main"] = _in_main(site, article, label)
    row["main is articles"] = float(article[label == _main(article, label)].mean())
    row["mixed"] = float(_mixed(article, label)[label].mean())
    if fast:
        return row, []
    noticed = np.array(_kinds(site, pages, trees, found)) == "mixed"
    verdicts = [
        ClusterPurity(int(count), bool(mixed), bool(noticed[number]))
        for number, (count, mixed) in enumerate(
            zip(np.bincount(label), _mixed(article, label), strict=True)
        )
        if count
    ]
    row["mixed clusters"] = sum(one.mixed for one in verdicts)
    row["noticed"] = sum(one.mixed and one.noticed for one in verdicts)
    row["falsely"] = sum(one.noticed and not one.mixed for one in verdicts)
    return row, verdicts


def _figures(
    site: CorpusSite, found: Clustering, article: NDArray[np.bool_], label: NDArray[np.int64]
) -> Row:
    return {
        "site": site.slug,
        "pages": len(found.labels),
        "clusters": len(found.clusters),
        "ARI": float(adjusted_rand_score(article, label)),
        "ARI of main": float(adjusted_rand_score(article, label == _main(article, label))),
        "V": float(v_measure_score(article, label)),
    }


def _main(article: NDArray[np.bool_], label: NDArray[np.int64]) -> int:
    """Return the cluster with most articles."""
    return int(np.bincount(label[article]).argmax())


def _in_main(
    site: CorpusSite, article: NDArray[np.bool_], label: NDArray[np.int64]
) -> tuple[float, float]:
    """Return the fractions of all articles and of the longest tenth in the main cluster."""
    lengths = np.array([len(site.truth[path].body) for path in site.paths if path in site.truth])
    inside = label[article] == _main(article, label)
    return float(inside.mean()), float(inside[lengths >= np.quantile(lengths, 0.9)].mean())


def _mixed(article: NDArray[np.bool_], label: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return True for each mixed cluster.

    >>> _mixed(np.array([True, False, True, True]), np.array([0, 0, 1, 1])).tolist()
    [True, False]
    """
    share = np.bincount(label, article) / np.maximum(np.bincount(label), 1)
    return np.asarray((share >= FEW) & (share <= 1 - FEW))


def _kinds(
    site: CorpusSite, pages: Sequence[CorpusPage], trees: Sequence[Tree], found: Clustering
) -> Sequence[str]:
    """Return the kind of each cluster as learned."""
    model = learn_site(
        [SitePage(url=p.url, tree=tree) for p, tree in zip(pages, trees, strict=True)],
        [ClusterOfPages(members=c.members, distances=c.distances) for c in found.clusters],
        baselines=BASELINES.values(),
        anchors=named_anchors(site, pages),
        linking_pages=len(pages),
    )
    return cluster_kinds(model, [trees[cluster.medoid] for cluster in found.clusters])


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the sites and print a table."""
    options = _parser().parse_args(arguments)
    sites = find_sites(options.sites)
    if not sites:
        print("no sites: set FLONG_SITES to the directory that holds them")
        return 1
    rows, notes = _judge_all(sites, options)
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        show(f"Clusters at {options.similarity:.0%} similarity ({options.distance})", rows)
        print(notes)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.purity",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sites", nargs="+", default=[], metavar="SITE", help="default: all")
    parser.add_argument("--similarity", type=float, default=0.8)
    parser.add_argument("--distance", choices=["rtdm", "stm"], default="rtdm")
    parser.add_argument("--fast", action="store_true", help="do not learn the sites")
    parser.add_argument("--json", action="store_true", help="for programs")
    return parser


def _judge_all(sites: Sequence[CorpusSite], options: argparse.Namespace) -> tuple[list[Row], str]:
    costs = STM if options.distance == "stm" else RTDM
    judged = [
        judge(site, options.similarity, costs, options.fast)
        for site in track(sites, disable=options.json, transient=True)
    ]
    rows = [row for row, _ in judged]
    verdicts = [one for _, some in judged for one in some]
    return [*rows, _mean(rows)], _noticed(verdicts) if verdicts else ""


def _mean(rows: Sequence[Row]) -> Row:
    """Return the means of all figures."""
    whole = {
        name: fmean(float(str(row[name])) for row in rows) for name in rows[0] if name != "site"
    }
    return {"site": "mean", **whole}


def _noticed(verdicts: Sequence[ClusterPurity]) -> str:
    """Return a sentence about the noticed mixed clusters."""
    mixed = [one for one in verdicts if one.mixed]
    noticed = [one for one in verdicts if one.noticed]
    right = [one for one in mixed if one.noticed]
    return (
        f"Of {len(verdicts)} clusters {len(mixed)} are mixed and {len(noticed)} are noticed, "
        f"{len(right)} rightly; in pages: {_pages(mixed)}, {_pages(noticed)}, {_pages(right)}."
    )


def _pages(verdicts: Sequence[ClusterPurity]) -> int:
    return sum(one.pages for one in verdicts)


if __name__ == "__main__":
    raise SystemExit(main())
