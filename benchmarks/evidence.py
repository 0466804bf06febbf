"""Article or not, leaving one site out: fitted weights beside those of the table in use.

usage: python -m benchmarks.evidence [--pages N] [--worth] [--json]

Each real and each made-up site is learned, and which evidence of the program's own table
(`patterns/article_evidence.py`) each labelled page shows is written down beside what it is. A
logistic regression (ridge penalty, each site and each of the two kinds weighted alike) is then
fitted to all sites but one, and judges that one, with what is to be expected of its patterns
learned as the program does: once from nothing, once starting from the table, from which it may move
as far as the data insist. Printed are precision and recall of both on each site that was left out,
beside those of the table, whose weights were set by hand while looking at these sites; then the
weights, and what precision and recall the table loses without each row.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import Site, digest, find_sites
from benchmarks.methods import NOW, Half, learn_half
from benchmarks.strangers import STRANGERS
from benchmarks.strangers.__main__ import write
from extractors import consensus
from patterns import ENOUGH, EVIDENCE, SitePage, learn_prior
from trees import build_tree

Floats = NDArray[np.float64]

RIDGE, RIDGE_OF_TABLE = 3.0, 100.0
"""Penalty on weights far from none, and far from the table's, in pages: each site counts as a
hundred. Each is the best of 3, 10, 30, 100 and 300 on sites left out."""
TURNS = 40
"""So many Newton steps are enough."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Judged:
    """The labelled pages of one site."""

    site: str
    """Its name."""
    seen: Floats
    """Which rows of the table each page shows, 1 or 0."""
    articles: NDArray[np.bool_]
    """Which are articles."""
    found: NDArray[np.bool_]
    """Which the program takes for articles."""
    patterns: Sequence[int | None]
    """The pattern of each page."""


def look_at(half: Half) -> Judged:
    """Learn a site and write down what is seen on its labelled pages."""
    model = learn_half(half)
    pages = [page for page in half.judged if page.kind != "unlabelled"]
    seen = [
        model.examine(
            SitePage(url=page.url, tree=build_tree(page.html)),
            half.anchors.get(page.url, ()),
            now=NOW,
            fallback=consensus,
        )
        for page in pages
    ]
    norms = model.context.norms
    return Judged(
        site=half.site.slug,
        seen=np.array(
            [[float(row.is_seen(one.features, norms)) for row in EVIDENCE] for one in seen]
        ),
        articles=np.array([page.kind == "article" for page in pages]),
        found=np.array([one.judgement.article for one in seen]),
        patterns=[one.choice.best for one in seen],
    )


def fit(sites: Sequence[Judged], start: Floats | None = None) -> Floats:
    """Return the weights that tell the articles of some sites from their other pages; bias last.

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
    """Return what each page counts: articles and others of a site 50 each in all."""
    hits = max(1, int(articles.sum()))
    return np.where(articles, 50 / hits, 50 / max(1, len(articles) - hits))


def judge(site: Judged, weights: Floats) -> NDArray[np.bool_]:
    """Return which pages of a site are articles, by weights and by what their patterns are like."""
    own = _with_bias(site.seen) @ weights
    weak = site.seen @ (weights[:-1] * [row.weak for row in EVIDENCE])
    groups: dict[int | None, list[int]] = defaultdict(list)
    for at, pattern in enumerate(site.patterns):
        groups[pattern].append(at)
    for some in groups.values():
        prior = learn_prior(own[some].tolist(), weight=3.0, enough=0.0)
        own[some] += prior.points - (1 - prior.weight_of_weak) * weak[some]
    return own > 0


def precision_recall(truth: NDArray[np.bool_], found: NDArray[np.bool_]) -> tuple[float, float]:
    """Return precision and recall.

    >>> precision_recall(np.array([True, True, False]), np.array([True, False, False]))
    (1.0, 0.5)
    """
    right = int((truth & found).sum())
    return right / max(1, int(found.sum())), right / max(1, int(truth.sum()))


def leave_one_out(
    sites: Sequence[Judged], start: Floats | None = None
) -> list[tuple[float, float]]:
    """Return precision and recall on each site by weights fitted to all the others."""
    return [
        precision_recall(site.articles, judge(site, fit([*sites[:at], *sites[at + 1 :]], start)))
        for at, site in enumerate(sites)
    ]


def table_weights(without: int | None = None) -> Floats:
    """Return the weights of the table, one of them 0 if wanted; bias last."""
    weights = [0.0 if at == without else row.points for at, row in enumerate(EVIDENCE)]
    return np.array([*weights, -ENOUGH])


def of_table(sites: Sequence[Judged], without: int | None = None) -> Floats:
    """Return mean precision and recall of the table, perhaps without one row."""
    weights = table_weights(without)
    found = [precision_recall(one.articles, judge(one, weights)) for one in sites]
    means: Floats = np.mean(found, axis=0)
    return means


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.evidence", description=(__doc__ or "").strip()
    )
    parser.add_argument("--pages", type=int, default=250, help="pages of each real site")
    parser.add_argument("--worth", action="store_true", help="also say what each row is worth")
    parser.add_argument("--json", action="store_true", help="write a JSON object")
    args = parser.parse_args(arguments)
    real = find_sites([])
    with tempfile.TemporaryDirectory() as folder:
        halves = [(site, Half.whole(site, args.pages)) for site in real]
        made_up = [write(paper, Path(folder)) for paper in STRANGERS]
        halves += [(site, Half.of(site)) for site in made_up]
        sites = []
        for _, half in halves:
            sites.append(look_at(half))
            print(f"{half.site.slug} is done", file=sys.stderr)
    report(sites, real, args)
    return 0


def report(sites: Sequence[Judged], real: Sequence[Site], args: argparse.Namespace) -> None:
    """Print what was found."""
    table = table_weights()
    columns = leave_one_out(sites), leave_one_out(sites, table)
    rows = {
        site.site: [*fitted, *moved, *precision_recall(site.articles, site.found)]
        for site, fitted, moved in zip(sites, *columns, strict=True)
    }
    rows["mean"] = np.mean(list(rows.values()), axis=0).tolist()
    names = [row.name for row in EVIDENCE]
    weights = dict(zip([*names, "bias"], fit(sites, table).round(2).tolist(), strict=True))
    if args.json:
        print(json.dumps({"corpus": digest(real), "sites": rows, "weights": weights}))
        return
    print(f"corpus {digest(real)}; precision and recall of each")
    print(f"{'site':16}{'fitted, left out':>20}{'from the table':>18}{'the table':>16}")
    for name, row in rows.items():
        print(f"{name:16}{row[0]:12.3f}{row[1]:8.3f}{row[2]:10.3f}{row[3]:8.3f}", end="")
        print(f"{row[4]:8.3f}{row[5]:8.3f}")
    whole = of_table(sites)
    print(f"{'evidence':44}{'table':>7}{'fitted':>8}   loss of precision and recall without it")
    for at, one in enumerate(EVIDENCE):
        lost = whole - of_table(sites, at) if args.worth else ()
        worth = "".join(f"{share:+9.4f}" for share in lost)
        print(f"{one.name:44}{one.points:7.2f}{weights[one.name]:8.2f}{worth}")


if __name__ == "__main__":
    sys.exit(main())
