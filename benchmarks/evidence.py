"""Article or not, leaving one site out: whether fitted weights could replace those set by hand.

usage: python -m benchmarks.evidence [--pages N] [--worth] [--json]

Each real and each made-up site is learned, and what speaks for or against each labelled page is
written down beside what it is. A logistic regression (ridge penalty, each site and each of the two
kinds weighted alike) is then fitted to all sites but one, and judges that one, with what is to be
expected of its patterns learned as the program does. Printed are precision and recall of the fitted
weights on each site that was left out, beside those of the weights in use, which were set by hand
while looking at these sites; then the weights, and what precision and recall lose without each.
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
from patterns import ArticleFeatures, SiteNorms, SitePage, learn_prior
from trees import build_tree

Floats = NDArray[np.float64]

RIDGE = 3.0
"""Penalty on large weights, in pages: each site counts as a hundred."""
TURNS = 40
"""So many Newton steps are enough."""


def evidence(page: ArticleFeatures, norms: SiteNorms) -> dict[str, float]:
    """Return what speaks for or against a page, by name: 1 where it does, 0 where not."""
    dense = page.words < 250 * page.teasers and page.teasers >= 3
    head, anchor = page.like_head, page.like_anchor
    menu = page.in_menu and page.links >= 4
    some_og = 0.1 < norms.og_article < 0.95
    found = {
        "fewer than 15 words": page.words < 15,
        "15 to 40 words": 15 <= page.words < 40,
        "150 words or more": page.words >= 150,
        "a paragraph of 20 words": page.longest >= 20,
        "no paragraph of 12 words": page.longest < 12,
        "a third of it links": page.link_share > 0.35,
        "most of it links": page.link_share > 0.6,
        "linked headings, little text": dense,
        "a linked heading": page.teasers > 0 and not dense,
        "a quarter are titles of others": page.other_share >= 0.25,
        "more bodies than one": page.more_instances,
        "below a linked heading": page.below_teaser,
        "title like the head's": head is not None and head >= 0.9,
        "title unlike the head's": head is not None and head < 0.6,
        "title like links to it": anchor is not None and anchor >= 0.9,
        "title unlike links to it": anchor is not None and anchor < 0.5,
        "title of several pages": page.shared_title,
        "title is a link": page.linked_title and norms.linked_title < 0.1,
        "in a menu": menu and page.linked_by >= 0.25,
        "perhaps in a menu": menu and 0.1 <= page.linked_by < 0.25,
        "a headline as link to it": page.headline_anchor,
        "JSON-LD of an article": norms.json_ld > 0.1 and page.json_ld,
        "no JSON-LD of an article": norms.json_ld > 0.1 and not page.json_ld,
        "OpenGraph of an article": some_og and page.og_article,
        "no OpenGraph of an article": some_og and not page.og_article,
        "dated as articles are": norms.dated > 0.8 and page.dated,
        "undated as articles are not": norms.dated > 0.8 and not page.dated,
        "unsigned as articles are not": norms.signed > 0.8 and not page.signed,
        "built unlike the main articles": not page.like_main,
        "body by consensus": page.by_consensus,
    }
    return {name: float(seen) for name, seen in found.items()}


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Judged:
    """The labelled pages of one site."""

    site: str
    """Its name."""
    names: tuple[str, ...]
    """What the columns of `seen` are."""
    seen: Floats
    """What speaks for or against each page, a row each."""
    articles: NDArray[np.bool_]
    """Which are articles."""
    by_hand: NDArray[np.bool_]
    """Which are taken for articles by the weights in use."""
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
    rows = [evidence(one.features, model.context.norms) for one in seen]
    return Judged(
        site=half.site.slug,
        names=tuple(rows[0]),
        seen=np.array([list(row.values()) for row in rows]),
        articles=np.array([page.kind == "article" for page in pages]),
        by_hand=np.array([one.judgement.article for one in seen]),
        patterns=[one.choice.best for one in seen],
    )


def fit(sites: Sequence[Judged]) -> Floats:
    """Return the weights that tell the articles of some sites from their other pages; bias last.

    >>> one = Judged(site="a", names=("long",), seen=np.array([[1.0], [0.0]] * 9),
    ...              articles=np.array([True, False] * 9), by_hand=np.array([]), patterns=[])
    >>> weights = fit([one])
    >>> bool(weights[0] > 3), bool(weights[1] < -1)
    (True, True)
    """
    seen = np.concatenate([_with_bias(site.seen) for site in sites])
    truth = np.concatenate([site.articles for site in sites]).astype(float)
    shares = np.concatenate([_shares(site.articles) for site in sites])
    ridge = np.diag([*[RIDGE] * (seen.shape[1] - 1), 0.01])
    weights = np.zeros(seen.shape[1])
    for _ in range(TURNS):
        likely = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (shares * (likely - truth)) + ridge @ weights
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
    groups: dict[int | None, list[int]] = defaultdict(list)
    for at, pattern in enumerate(site.patterns):
        groups[pattern].append(at)
    for some in groups.values():
        own[some] += learn_prior(own[some].tolist(), weight=3.0, enough=0.0).points
    return own > 0


def precision_recall(truth: NDArray[np.bool_], found: NDArray[np.bool_]) -> tuple[float, float]:
    """Return precision and recall.

    >>> precision_recall(np.array([True, True, False]), np.array([True, False, False]))
    (1.0, 0.5)
    """
    right = int((truth & found).sum())
    return right / max(1, int(found.sum())), right / max(1, int(truth.sum()))


def leave_one_out(sites: Sequence[Judged]) -> list[tuple[float, float]]:
    """Return precision and recall on each site by weights fitted to all the others."""
    return [
        precision_recall(site.articles, judge(site, fit([*sites[:at], *sites[at + 1 :]])))
        for at, site in enumerate(sites)
    ]


def without(site: Judged, column: int) -> Judged:
    """Return a site on which one kind of evidence was not looked at."""
    kept = [at for at in range(len(site.names)) if at != column]
    return Judged(
        site=site.site,
        names=tuple(site.names[at] for at in kept),
        seen=site.seen[:, kept],
        articles=site.articles,
        by_hand=site.by_hand,
        patterns=site.patterns,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.evidence", description=(__doc__ or "").strip()
    )
    parser.add_argument("--pages", type=int, default=250, help="pages of each real site")
    parser.add_argument("--worth", action="store_true", help="also fit without each evidence")
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
    left_out = leave_one_out(sites)
    weights = dict(zip([*sites[0].names, "bias"], fit(sites).round(2).tolist(), strict=True))
    rows = {
        site.site: [*fitted, *precision_recall(site.articles, site.by_hand)]
        for site, fitted in zip(sites, left_out, strict=True)
    }
    rows["mean"] = np.mean(list(rows.values()), axis=0).tolist()
    if args.json:
        print(json.dumps({"corpus": digest(real), "sites": rows, "weights": weights}))
        return
    print(f"corpus {digest(real)}")
    print(f"{'site':16}{'fitted, left out':>20}{'set by hand':>16}   precision and recall of each")
    for name, row in rows.items():
        print(f"{name:16}{row[0]:12.3f}{row[1]:8.3f}{row[2]:8.3f}{row[3]:8.3f}")
    worth = worths(sites) if args.worth else {}
    for name, weight in sorted(weights.items(), key=lambda pair: -abs(pair[1])):
        print(f"{name:34}{weight:7.2f}{worth.get(name, '')}")


def worths(sites: Sequence[Judged]) -> dict[str, str]:
    """Return by how much precision and recall on sites left out fall without each evidence."""
    whole = np.mean(leave_one_out(sites), axis=0)
    found = {}
    for column, name in enumerate(sites[0].names):
        lost = whole - np.mean(leave_one_out([without(site, column) for site in sites]), axis=0)
        found[name] = f"{lost[0]:+9.4f}{lost[1]:+9.4f}"
    return found


if __name__ == "__main__":
    sys.exit(main())
