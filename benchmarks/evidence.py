"""Article or not, leaving one site out: the weights of the evidence, fitted and judged.

usage: python -m benchmarks.evidence [--pages N] [--fit] [--json]

Each real and each generated site is learned twice, with its links and without them. The evidence of
each labelled page (`patterns/article_evidence.py`) is recorded with its kind. A logistic regression
is fitted to all sites but one and judges that one, with priors of its patterns learned as in
production. Its ridge penalty pulls each weight to its expected value; sites and kinds have equal
weight. The report lists:

- precision and recall on each site left out,
- the same for a fit without expected values, and for the shipped weights, fitted to all sites,
- the weights, and the loss on sites left out without each row.

`--fit` writes the weights and a fingerprint of the data to `patterns/article_weights.json`.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import digest, find_sites
from benchmarks.methods import NOW, Half, learn_half
from benchmarks.strangers import STRANGERS
from benchmarks.strangers.__main__ import write
from flong.patterns import EVIDENCE, THRESHOLDS, learn_prior
from flong.tree import SitePage, build_tree

Floats = NDArray[np.float64]

WEIGHTS = Path(__file__).parents[1] / "patterns" / "article_weights.json"

RIDGE, RIDGE_OF_TABLE = 3.0, 300.0
"""Ridge penalties towards zero and towards the expected weights, in pages; a site counts as 100.

Each is the best of 3, 10, 30, 100 and 300 on sites left out.
"""
TURNS = 12
"""Number of Newton steps."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Judged:
    """The labelled pages of one site."""

    site: str
    """Its name."""
    unlinked: bool = False
    """Learned without links."""
    seen: Floats
    """One row per page, one column per row of the table: 1 or 0."""
    articles: NDArray[np.bool_]
    """True for articles."""
    found: NDArray[np.bool_]
    """True for pages that flong classifies as articles."""
    patterns: Sequence[int | None]
    """The pattern of each page."""


def look_at(half: Half) -> Judged:
    """Learn a site and record the evidence of its labelled pages."""
    model = learn_half(half)
    pages = [page for page in half.judged if page.kind != "unlabelled"]
    seen = [
        model.examine(
            SitePage(url=page.url, tree=build_tree(page.html)),
            half.anchors.get(page.url, ()),
            now=NOW,
        )
        for page in pages
    ]
    norms = model.context.norms
    return Judged(
        site=half.site.slug,
        unlinked=not half.anchors,
        seen=np.array(
            [[float(row.is_seen(one.features, norms)) for row in EVIDENCE] for one in seen]
        ),
        articles=np.array([page.kind == "article" for page in pages]),
        found=np.array([one.judgement.article for one in seen]),
        patterns=[one.choice.best for one in seen],
    )


def fit(sites: Sequence[Judged], start: Floats | None = None) -> Floats:
    """Return the weights that separate the articles of some sites from other pages; bias last.

    They stay near `start`, if it is given, else near none.

    >>> one = Judged(site="a", seen=np.array([[1.0], [0.0]] * 9),
    ...              articles=np.array([True, False] * 9), found=np.array([]), patterns=[])
    >>> weights = fit([one])
    >>> bool(weights[0] > 3), bool(weights[1] < -1)
    (True, True)
    """
    seen = np.concatenate([_with_bias(site.seen) for site in sites])
    truth = np.concatenate([site.articles for site in sites]).astype(float)
    shares = np.concatenate([_shares(site.articles) for site in sites])
    if start is None:
        start, penalties = np.zeros(seen.shape[1]), [*[RIDGE] * (seen.shape[1] - 1), 0.01]
    else:
        penalties = [RIDGE_OF_TABLE] * seen.shape[1]
    ridge, weights = np.diag(penalties), start.copy()
    for _ in range(TURNS):
        likely = 1 / (1 + np.exp(-np.clip(seen @ weights, -30, 30)))
        slope = seen.T @ (shares * (likely - truth)) + ridge @ (weights - start)
        bend = seen.T @ (seen * (shares * likely * (1 - likely))[:, None]) + ridge
        weights -= np.linalg.solve(bend, slope)
    return weights


def _with_bias(seen: Floats) -> Floats:
    return np.hstack([seen, np.ones((len(seen), 1))])


def _shares(articles: NDArray[np.bool_]) -> Floats:
    """Return the weight of each page: articles and others of a site count as 50 each."""
    hits = max(1, int(articles.sum()))
    return np.where(articles, 50 / hits, 50 / max(1, len(articles) - hits))


def judge(site: Judged, weights: Floats) -> NDArray[np.bool_]:
    """Classify the pages of a site by weights and the priors of their patterns."""
    own = _with_bias(site.seen) @ weights
    weak = site.seen @ (weights[:-1] * [row.weak for row in EVIDENCE])
    groups: dict[int | None, list[int]] = defaultdict(list)
    for at, pattern in enumerate(site.patterns):
        groups[pattern].append(at)
    built = own - site.seen @ (weights[:-1] * [row.alone for row in EVIDENCE])
    for some in groups.values():
        prior = learn_prior(built[some].tolist(), weight=3.0, enough=0.0)
        own[some] += prior.points - (1 - prior.weight_of_weak) * weak[some]
    return own > 0


def precision_recall(truth: NDArray[np.bool_], found: NDArray[np.bool_]) -> tuple[float, float]:
    """Return precision and recall.

    >>> precision_recall(np.array([True, True, False]), np.array([True, False, False]))
    (1.0, 0.5)
    """
    right = int((truth & found).sum())
    return right / max(1, int(found.sum())), right / max(1, int(truth.sum()))


def expected() -> Floats:
    """Return the expected weights; bias last."""
    return np.array([*(row.expected for row in EVIDENCE), -THRESHOLDS.enough])


def leave_one_out(sites: Sequence[Judged], start: Floats | None = None) -> list[Floats]:
    """Return for each site the weights fitted to all other sites."""
    names = {site.site for site in sites}
    fitted = {name: fit([one for one in sites if one.site != name], start) for name in names}
    return [fitted[site.site] for site in sites]


def figures(
    sites: Sequence[Judged], weights: Sequence[Floats], without: int | None = None
) -> Floats:
    """Return precision and recall on each site by its own weights, optionally without one row."""
    rows = []
    for site, own in zip(sites, weights, strict=True):
        used = own.copy()
        if without is not None:
            used[without] = 0.0
        rows.append(precision_recall(site.articles, judge(site, used)))
    return np.array(rows)


def gather(pages: int) -> tuple[list[Judged], str]:
    """Record all sites, with and without links; also return a fingerprint of the real sites."""
    real = find_sites([])
    with tempfile.TemporaryDirectory() as folder:
        halves = [Half.whole(site, pages) for site in real]
        halves += [Half.of(write(paper, Path(folder))) for paper in STRANGERS]
        sites = []
        for half in halves:
            sites += [look_at(half), look_at(replace(half, anchors={}, linking=0))]
            print(f"{half.site.slug} is done", file=sys.stderr)
    return sites, digest(real)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.evidence", description=(__doc__ or "").strip()
    )
    parser.add_argument("--pages", type=int, default=250, help="pages of each real site")
    parser.add_argument("--fit", action="store_true", help=f"write {WEIGHTS.name}")
    parser.add_argument("--json", action="store_true", help="write a JSON object")
    args = parser.parse_args(arguments)
    report(*gather(args.pages), args)
    return 0


def report(sites: Sequence[Judged], corpus: str, args: argparse.Namespace) -> None:
    """Print the results; write the weights with `--fit`."""
    folds, start = leave_one_out(sites, expected()), expected()
    left_out = figures(sites, folds)
    columns = np.hstack([left_out, figures(sites, leave_one_out(sites)), _of_program(sites)])
    names = [f"{site.site}{', no links' if site.unlinked else ''}" for site in sites]
    weights = fit(sites, start).round(2).tolist()
    said = {
        "corpus": corpus,
        "sites": len(sites),
        "pages": sum(len(site.articles) for site in sites),
        "ridge": RIDGE_OF_TABLE,
        "left_out": _means(left_out, [not site.unlinked for site in sites]),
        "left_out_no_links": _means(left_out, [site.unlinked for site in sites]),
        "weights": {row.name: weight for row, weight in zip(EVIDENCE, weights, strict=False)},
    }
    if args.fit:
        WEIGHTS.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    if args.json:
        print(json.dumps(said | {"rows": dict(zip(names, columns.tolist(), strict=True))}))
        return
    print(f"corpus {corpus}; precision and recall of each")
    print(f"{'site':26}{'fitted, left out':>18}{'from nothing':>16}{'the program':>16}")
    for name, row in zip([*names, "mean"], [*columns, columns.mean(axis=0)], strict=True):
        print(f"{name:26}" + "".join(f"{value:9.3f}" for value in row))
    print(f"{'evidence':40}{'expected':>9}{'fitted':>8}{'pages':>7}   lost without it")
    for at, one in enumerate(EVIDENCE):
        lost = 100 * (left_out - figures(sites, folds, at)).mean(axis=0)
        often = sum(int(site.seen[:, at].sum()) for site in sites)
        print(f"{one.name:40}{one.expected:9.2f}{weights[at]:8.2f}{often:7}", end="")
        print("".join(f"{points:+8.2f}" for points in lost))


def _means(rows: Floats, chosen: Sequence[bool]) -> dict[str, float]:
    means = rows[np.array(chosen)].mean(axis=0).round(3).tolist()
    return dict(zip(("precision", "recall"), means, strict=True))


def _of_program(sites: Sequence[Judged]) -> Floats:
    return np.array([precision_recall(site.articles, site.found) for site in sites])


if __name__ == "__main__":
    sys.exit(main())
