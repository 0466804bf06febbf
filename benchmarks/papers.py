"""Tables and figures of the papers, on the real sites.

    python -m benchmarks.papers tsrec --pages 20
    python -m benchmarks.papers nowonweb --pages 300
    python -m benchmarks.papers coreex --pages 16
    python -m benchmarks.papers figure10 --pages 24 --figures docs/figures

`tsrec` is Table 1 of Li et al.: success or failure class of each site before (R1) and after (R2)
its two rules. `nowonweb` recognises news pages by the paper's procedure. `coreex` separates
articles from index pages by CoreEx's ratio. `figure10` is Reis et al.'s: the time to cluster with
RTDM and with the unrestricted top-down distance, one point per cluster. `--pages` limits the pages
per site: of each kind, or labelled pages of any kind for `nowonweb`.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from time import process_time

import numpy as np

from benchmarks.corpus import CorpusPage, CorpusSite, find_sites
from benchmarks.scoring import CORRECT_F1, body_f1
from benchmarks.tables import Rows, show
from flong.baselines import (
    EXTRACTORS,
    RECOGNITION,
    body_text,
    coreex,
    nowonweb,
    on_each_page,
    text_share,
    tsrec,
    twins,
)
from flong.clustering import Skeleton, cluster_pages, rtdm_distance, selkow_distance, skeleton_of
from flong.text import words
from flong.tree import SitePage, Tree, build_tree

FAILURES = ("F1", "F2", "F3", "F4")
"""No output; invisible text; regular parts without rigid form; without counterpart."""


def chosen(site: CorpusSite, kind: str, most: int) -> list[CorpusPage]:
    """Return a fixed choice of pages of a kind."""
    return [site.page(path) for path in site.paths if site.kind(path) == kind][:most]


def measure_tsrec(sites: Sequence[CorpusSite], pages: int) -> Rows:
    """Return a row per site: the result of its first page, and fractions over its pages."""
    rows: Rows = []
    for site in sites:
        found = list(_judge_tsrec(site, pages))
        row: dict[str, object] = {"site": site.slug, "pages": len(found)}
        for at, name in enumerate(("R1", "R2")):
            counts = Counter(each[at] for each in found)
            row[name] = found[0][at]
            row |= {f"{name} {kind}": counts[kind] / len(found) for kind in ("S", *FAILURES)}
        rows.append(row)
    return [*rows, _mean_row(rows)]


def _judge_tsrec(site: CorpusSite, pages: int) -> Iterator[tuple[str, str]]:
    """Yield success or failure of R1 and R2 for each page, compared with the most similar URL."""
    urls = [site.url(path) for path in site.paths]
    twin = dict(zip(site.paths, twins(urls), strict=True))
    for page in chosen(site, "article", pages):
        at = twin[page.path]
        if at is None:
            continue
        tree, other = build_tree(page.html), build_tree(site.page(site.paths[at]).html)
        truth = site.truth[page.path].body
        yield _fate(truth, tree, other, False), _fate(truth, tree, other, True)


def _fate(truth: str, tree: Tree, other: Tree, repair: bool) -> str:
    """Return S or the failure class of the paper."""
    found = tsrec(tree, other, repair=repair)
    if _is_right(truth, tree, found):
        return "S"
    if not repair and _is_right(truth, tree, tsrec(tree, other, long_text=1 << 30)):
        return "F2"
    expected = Counter(words(truth))
    held = (Counter(words(body_text(tree, found))) & expected).total()
    if 2 * held < expected.total():
        return "F1"
    places = {_path(other, leaf) for leaf in other.leaves()}
    extra = [leaf for leaf in found if not {*words(tree.text_of(leaf))} <= expected.keys()]
    known = sum(int(tree.words[leaf]) for leaf in extra if _path(tree, leaf) in places)
    return "F3" if 2 * known >= sum(int(tree.words[leaf]) for leaf in extra) else "F4"


def _is_right(truth: str, tree: Tree, found: tuple[int, ...]) -> bool:
    return body_f1(truth, body_text(tree, found)) >= CORRECT_F1


def _path(tree: Tree, leaf: int) -> tuple[int, ...]:
    """Return the tags from a leaf up to the root."""
    return tuple(int(tree.tag[vertex]) for vertex in tree.ancestors(leaf))


def url_shape(path: str) -> str:
    """Return the shape of a URL: numbers and names replaced by placeholders.

    >>> url_shape("2024/05/snow-falls/index.html"), url_shape("tag/snow/index.html")
    ('0/0/-/index.html', 'tag/-/index.html')
    """
    *folders, name = path.split("/")
    parts = [re.sub(r"\d+", "0", part) for part in folders]
    short = [
        part if at == 0 and "-" not in part else _kind_of(part) for at, part in enumerate(parts)
    ]
    return "/".join([*short, name if name.startswith("index.") else _kind_of(name)])


def _kind_of(part: str) -> str:
    return "0" if re.fullmatch(r"0(\.html?)?", part) else "-"


def measure_nowonweb(sites: Sequence[CorpusSite], pages: int) -> Rows:
    """Return precision and recall of recognition by site, by the paper's procedure and by truth.

    The paper compares its result with expressions for URLs. Pages on which both agree count as
    right; the others are judged by hand, here by the truth.
    """
    rows: Rows = []
    for site in sites:
        shapes = _article_shapes(site)
        labelled = [path for path in site.paths if site.kind(path) != "unlabelled"][:pages]
        trees = [build_tree(site.page(path).html) for path in labelled]
        truth = [site.kind(path) == "article" for path in labelled]
        by_url = [url_shape(path) in shapes for path in labelled]
        row: dict[str, object] = {"site": site.slug, "pages": len(labelled), "articles": sum(truth)}
        for name, limits in (("vote", None), ("recognition", RECOGNITION)):
            taken = [bool(nowonweb(tree, limits=limits)) for tree in trees]
            judged = [
                url if own == url else true
                for own, url, true in zip(taken, by_url, truth, strict=True)
            ]
            for procedure, expected in (("paper", judged), ("truth", truth)):
                precision, recall = _precision(taken, expected)
                row |= {f"{name} {procedure} P": precision, f"{name} {procedure} R": recall}
        rows.append(row)
    return [*rows, _mean_row(rows)]


def _article_shapes(site: CorpusSite) -> set[str]:
    """Return the shapes of URLs that are mostly articles, in place of the paper's expressions."""
    counts: dict[str, Counter[str]] = {}
    for path in site.paths:
        counts.setdefault(url_shape(path), Counter())[site.kind(path)] += 1
    return {shape for shape, kinds in counts.items() if kinds["article"] > kinds["other"]}


def _precision(taken: Sequence[bool], expected: Sequence[bool]) -> tuple[float, float]:
    """Return precision and recall."""
    right = sum(a and b for a, b in zip(taken, expected, strict=True))
    return right / max(sum(taken), 1), right / max(sum(expected), 1)


def measure_coreex(sites: Sequence[CorpusSite], pages: int) -> Rows:
    """Return precision and recall of CoreEx's ratio, with the threshold set on other sites."""
    shares = {
        site.slug: [
            (text_share(build_tree(page.html)), kind == "article")
            for kind in ("article", "other")
            for page in chosen(site, kind, pages)
        ]
        for site in sites
    }
    rows: Rows = []
    for site in sites:
        others = [each for slug, rows_ in shares.items() if slug != site.slug for each in rows_]
        own, cut = shares[site.slug], _best_cut(others)
        taken = [value > cut for value, _ in own]
        precision, recall = _precision(taken, [is_article for _, is_article in own])
        rows.append(
            {
                "site": site.slug,
                "AUC": _auc(own),
                "precision": precision,
                "recall": recall,
                "cut": cut,
                **_coreex_bodies(site, pages),
            }
        )
    return [*rows, _mean_row(rows)]


def _coreex_bodies(site: CorpusSite, pages: int) -> dict[str, object]:
    """Return the mean body F1 with counted links, and with three linked words as one link."""
    found: dict[str, object] = {}
    articles = chosen(site, "article", pages)
    ready = [SitePage(url=page.url, tree=build_tree(page.html)) for page in articles]
    by_words = on_each_page("coreex", coreex)
    for name, method in (("links", EXTRACTORS["coreex"]), ("words", by_words)):
        bodies = [one.body if one else "" for one in method(ready)]
        scores = map(body_f1, (site.truth[page.path].body for page in articles), bodies)
        found[f"F1 {name}"] = fmean(scores)
    return found


def _auc(rows: Sequence[tuple[float, bool]]) -> float:
    """Return the fraction of pairs in which the article has the higher value."""
    values = np.array([value for value, _ in rows])
    truth = np.array([is_article for _, is_article in rows])
    pairs = values[truth][:, None] - values[~truth][None]
    return float(((pairs > 0) + 0.5 * (pairs == 0)).mean()) if pairs.size else 1.0


def _best_cut(rows: Sequence[tuple[float, bool]]) -> float:
    """Return the threshold with the best sum of the fractions of right articles and others."""
    order = sorted(rows)
    articles = sum(is_article for _, is_article in order)
    best, cut, lost, gone = -1.0, 0.0, 0, 0
    for value, is_article in order:
        lost, gone = lost + is_article, gone + (not is_article)
        right = (articles - lost) / max(articles, 1) + gone / max(len(order) - articles, 1)
        if right > best:
            best, cut = right, value
    return cut


def measure_figure10(sites: Sequence[CorpusSite], pages: int) -> Rows:
    """Return the time per pair within each cluster, by both algorithms, on raw trees."""
    _warm_up()
    rows: Rows = []
    for site in sites:
        trees = [build_tree(site.page(path).html) for path in site.paths[:pages]]
        raw = [skeleton_of(tree, collapse=False) for tree in trees]
        for each in cluster_pages([skeleton_of(tree) for tree in trees]).clusters:
            members = [raw[at] for at in each.members]
            if len(members) < 2 or len(members[0]) < 10:
                continue
            vertices = fmean(map(len, members))
            seconds = [_pair_seconds(members, d) for d in (rtdm_distance, selkow_distance)]
            rows.append(
                {
                    "site": site.slug,
                    "pages": len(members),
                    "vertices": vertices,
                    "RTDM ms a pair": 1000 * seconds[0],
                    "top-down ms a pair": 1000 * seconds[1],
                    "times": seconds[1] / seconds[0],
                }
            )
    return rows


def _pair_seconds(
    members: Sequence[Skeleton], distance: Callable[[Skeleton, Skeleton], object], most: int = 40
) -> float:
    pairs = [(a, b) for at, a in enumerate(members) for b in members[:at]]
    pairs = pairs[:: max(1, len(pairs) // most)]
    times = []
    for _ in range(3):
        start = process_time()
        for one, other in pairs:
            distance(one, other)
        times.append(process_time() - start)
    return min(times) / len(pairs)


def _warm_up() -> None:
    """Compile before measuring."""
    one, other = (skeleton_of(build_tree("<div><p>x</div><hr>" * n)) for n in (2, 3))
    rtdm_distance(one, other)
    selkow_distance(one, other)


def _mean_row(rows: Rows) -> dict[str, object]:
    """Return the means of numeric columns, and the number of S of the others."""
    mean: dict[str, object] = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        numbers = [value for value in values if isinstance(value, (int, float))]
        share = sum(value == "S" for value in values)
        mean[name] = fmean(numbers) if numbers else f"{share}/{len(rows)} S"
    return mean | {"site": "mean"}


PARTS: Mapping[str, tuple[str, Callable[[Sequence[CorpusSite], int], Rows]]] = {
    "tsrec": ("TSReC, Table 1", measure_tsrec),
    "nowonweb": ("NowOnWeb: recognition of news pages", measure_nowonweb),
    "coreex": ("CoreEx: articles and index pages", measure_coreex),
    "figure10": ("Reis et al., Figure 10", measure_figure10),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.papers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", help=f"any of {', '.join(PARTS)}; default: all")
    parser.add_argument("--sites", nargs="+", default=[], metavar="SITE", help="default: all")
    parser.add_argument("--pages", type=int, default=20, help="maximum per site (and kind)")
    parser.add_argument("--figures", type=Path, metavar="DIR", help="draw Figure 10 there")
    options = parser.parse_args(arguments)
    if not {*options.parts} <= {*PARTS}:
        parser.error(f"{' '.join(options.parts)}: there are {', '.join(PARTS)}")
    sites = find_sites(options.sites)
    if not sites:
        print("there is no corpus: set FLONG_SITES", file=sys.stderr)
        return 2
    for part in options.parts or PARTS:
        title, measure = PARTS[part]
        rows = measure(sites, options.pages)
        show(title, rows)
        if part == "figure10" and options.figures:
            from benchmarks.figures import draw_clusters  # noqa: PLC0415 - needs matplotlib

            draw_clusters(rows, options.figures / "clusters.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
