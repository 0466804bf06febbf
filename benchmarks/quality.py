"""How right the articles are: our methods and public extractors on the same real pages.

usage: python -m benchmarks.quality [--sites A,B] [--methods flong,trafilatura,...|all]
                                    [--pages N] [--worst N] [--whole] [--json]

The columns correct, wrong and missed are those of the paper's Table 1 and add up to 1.
For each site one half of all pages is learned from, the other half extracted and scored. With
--whole all pages within three links of the home page are learned from and extracted, as the
commands do after a crawl; --pages N takes so many of them, for a quick look.
Public extractors run on the same pages, a sample unless --pages says otherwise: 80 articles
and 40 others a site; what they find is kept outside the project.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from rich.console import Console
from rich.table import Table

from benchmarks.corpus import CorpusPage, Site, digest, find_sites
from benchmarks.methods import (
    Half,
    Results,
    ask_extractor,
    extract_half,
    learn_half,
    parse_seconds,
    read_as_published,
)
from benchmarks.peers import PEERS, ask
from benchmarks.scoring import Figures, PageScore, mean, score
from extractors import EXTRACTORS
from items import Article, BlockKind, fold_text

OURS = {"flong": "vote", "paper-labels": "paper"}
"""Our methods and how they label; `paper-labels` puts the paper's labels on our patterns."""

PUBLISHED = {"paper": 3, "paper-unmerged": 0}
"""Reis et al. as printed: how many vertices may lie between wildcards that are made one."""

PEER_ARTICLES, PEER_OTHERS = 80, 40
"""So many pages of a site the public extractors are asked about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One method on one site."""

    method: str
    """Its name."""
    site: str
    """The site."""
    figures: Figures
    """How right it is."""
    pages_per_second: float
    """On one core, from the page's text to the article."""
    parses: float
    """Time as a multiple of the bare parse."""
    strict: float = 0.0
    """Share of the judged articles that a pattern accepts."""
    matched: float = 0.0
    """Share of those that a pattern fits at least nearly."""
    dates: float | None = None
    """Share of right days among the found articles whose date is known; None if none is."""
    minutes: float | None = None
    """Share of right minutes where the truth has one and the page prints it; None if none does."""
    authors: float | None = None
    """F1 of the names of authors, over the found articles whose authors are known."""
    structure: float | None = None
    """F1 of headings, items, quotations, cells and captions, where the truth has them."""


def measure(
    site: Site, methods: Sequence[str], pages: int | None, *, whole: bool = False
) -> tuple[list[Row], list[str]]:
    """Run the methods on one site; return their rows and the worst pages of ours, described."""
    rows, worst = [], []
    half = Half.whole(site, pages) if whole else Half.of(site, pages, pages)
    parse = parse_seconds(half.judged)
    for method in methods:
        if method in OURS:
            results = extract_half(half, learn_half(half, OURS[method]))
            row, scores = make_row(method, site, results, parse)
            worst += describe(site, results, scores) if method == "flong" else []
        elif method in PUBLISHED:
            row, _ = make_row(method, site, read_as_published(half, PUBLISHED[method]), parse)
        elif method in EXTRACTORS:
            row, _ = make_row(method, site, ask_extractor(half, method), parse)
        else:
            sample = Half(site, [], _sample(half), {}, 0)
            found, seconds = ask(method, site, sample.judged)
            row, _ = make_row(method, site, Results(found=found, seconds=seconds), parse)
        rows.append(row)
    return rows, worst


def _sample(half: Half) -> list[CorpusPage]:
    kinds = {"article": PEER_ARTICLES, "other": PEER_OTHERS}
    return [
        page
        for kind, most in kinds.items()
        for page in [page for page in half.judged if page.kind == kind][:most]
    ]


def make_row(
    method: str, site: Site, results: Results, parse: float
) -> tuple[Row, list[PageScore]]:
    """Score what a method found on one site; `parse` is the seconds of the bare parse of a page."""
    figures, scores = score(site.truth, results.found, site.other)
    fits = [results.matches.get(one.path, "none") for one in scores]
    count = max(len(scores), 1)
    return (
        Row(
            method=method,
            site=site.slug,
            figures=figures,
            pages_per_second=1 / max(results.seconds, 1e-9),
            parses=results.seconds / max(parse, 1e-9),
            strict=sum(fit == "strict" for fit in fits) / count,
            matched=sum(fit != "none" for fit in fits) / count,
            dates=_right_dates(site, results),
            minutes=_right_minutes(site, results),
            authors=_right_authors(site, results),
            structure=_right_structure(site, results),
        ),
        scores,
    )


def _right_dates(site: Site, results: Results) -> float | None:
    right = [
        article.published is not None and abs((article.published.date() - day).days) <= 1
        for path, article in results.articles.items()
        if path in site.truth and (day := site.truth[path].day) is not None
    ]
    return sum(right) / len(right) if right else None


def _right_minutes(site: Site, results: Results) -> float | None:
    """Return the share of right minutes.

    The truth is local time without a zone, so the time of day counts as the page writes it.
    """
    right = []
    for path, article in results.articles.items():
        time = site.truth[path].minute if path in site.truth else None
        html = site.page(path).html if time is not None else ""
        if time is None or not _in(html, time):
            continue
        near = article.published and abs((article.published.date() - time.date()).days) <= 1
        right.append(bool(near) and _in(article.published_text or "", time))
    return sum(right) / len(right) if right else None


def _in(text: str, time: datetime) -> bool:
    """Return whether a text has a time of day, on a clock of 24 hours or of 12."""
    return any(f"{time:{form}}".lstrip("0") in text for form in ("%H:%M", "%I:%M"))


def _right_authors(site: Site, results: Results) -> float | None:
    shared = named = 0
    for path, article in results.articles.items():
        truth = site.truth.get(path)
        if truth is not None and truth.author:
            expected = {*map(fold_text, truth.author.split(";"))}
            found = {*map(fold_text, article.authors)}
            shared += len(expected & found)
            named += len(expected) + len(found)
    return 2 * shared / named if named else None


def _right_structure(site: Site, results: Results) -> float | None:
    shared = named = 0
    for path, article in results.articles.items():
        truth = site.truth.get(path)
        if truth is not None and truth.blocks:
            expected = Counter((kind, fold_text(text)) for kind, text in truth.blocks)
            kinds = {kind for kind, _ in truth.blocks}
            found = Counter(each for each in _structure_of(article) if each[0] in kinds)
            shared += (expected & found).total()
            named += expected.total() + found.total()
    return 2 * shared / named if named else None


def _structure_of(article: Article) -> Iterator[tuple[str, str]]:
    """Yield the blocks of an article that are no plain paragraphs, as the truth names them."""
    for block in article.blocks:
        tags = {box.tag for box in block.boxes}
        kind = {BlockKind.HEADING: "h", BlockKind.IMAGE: "figure"}.get(block.kind)
        named = {"li": "ul", "blockquote": "quote", "table": "table"}
        kind = kind or next((name for tag, name in named.items() if tag in tags), None)
        if kind is not None and block.words:
            yield kind, fold_text(block.words)


def describe(site: Site, results: Results, scores: Sequence[PageScore]) -> list[str]:
    """Return the pages that are not right, the worst first, with why."""
    wrong = sorted((s for s in scores if not s.correct), key=lambda s: s.body + s.title)
    lines = [
        f"{site.slug} {one.path}: "
        + ("missed" if not one.found else f"title {'right' if one.title else 'wrong'}")
        + f", body {one.body:.2f} ({results.reasons.get(one.path, '')})"
        for one in wrong
    ]
    false = [path for path, found in results.found.items() if found and path in site.other]
    return lines + [
        f"{site.slug} {path}: taken for an article ({results.reasons.get(path, '')})"
        for path in false
    ]


def mean_row(rows: Sequence[Row]) -> Row:
    """Return the averages of one method over sites."""
    count = len(rows)

    def average(values: Sequence[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return sum(known) / len(known) if known else None

    seconds = sum(1 / row.pages_per_second for row in rows) / count
    return Row(
        method=rows[0].method,
        site="mean",
        figures=mean([row.figures for row in rows]),
        pages_per_second=1 / seconds,
        parses=sum(row.parses for row in rows) / count,
        strict=sum(row.strict for row in rows) / count,
        matched=sum(row.matched for row in rows) / count,
        dates=average([row.dates for row in rows]),
        minutes=average([row.minutes for row in rows]),
        authors=average([row.authors for row in rows]),
        structure=average([row.structure for row in rows]),
    )


def table(rows: Sequence[Row]) -> Table:
    """Return rows as a table for the terminal."""
    shown = Table()
    names = (
        "correct,wrong,missed,body F1,title,precision,recall,"
        "strict,matched,dates,minutes,authors,structure"
    )
    for name in ("site", "method", *names.split(","), "pages/s", "x parse"):
        shown.add_column(name, justify="left" if name in ("site", "method") else "right")
    for row in rows:
        f = row.figures
        values = (f.correct, f.wrong, f.missed, f.body_f1, f.title, f.precision, f.recall)
        extra = (row.strict, row.matched, row.dates, row.minutes, row.authors, row.structure)
        shown.add_row(
            row.site,
            row.method,
            *(f"{value:.3f}" for value in values),
            *(
                "-" if value is None or row.method not in OURS else f"{value:.3f}"
                for value in extra
            ),
            f"{row.pages_per_second:.0f}",
            f"{row.parses:.1f}",
        )
    return shown


def _as_json(row: Row) -> dict[str, object]:
    shares = {"wrong": row.figures.wrong, "missed": row.figures.missed}
    return asdict(row) | {"figures": asdict(row.figures) | shares}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.quality", description=(__doc__ or "").strip())
    parser.add_argument("--sites", default="", help="names of sites, separated by commas")
    parser.add_argument("--methods", default="flong", help="names of methods, or all")
    parser.add_argument("--pages", type=int, help="judge so many articles and others of a site")
    parser.add_argument("--worst", type=int, default=20, help="list so many wrong pages")
    parser.add_argument("--whole", action="store_true", help="all pages that a crawl reaches")
    parser.add_argument("--json", action="store_true", help="write a JSON object")
    args = parser.parse_args(arguments)
    sites = find_sites([name for name in args.sites.split(",") if name])
    if not sites:
        print("there is no corpus: set FLONG_SITES", file=sys.stderr)
        return 2
    known = [*OURS, *PUBLISHED, *EXTRACTORS, *PEERS]
    methods = known if args.methods == "all" else args.methods.split(",")
    if not {*methods} <= {*known}:
        parser.error(f"--methods {args.methods!r}: there are {', '.join(known)}, and all")
    rows: list[Row] = []
    worst: list[str] = []
    for site in sites:
        some, wrong = measure(site, methods, args.pages, whole=args.whole)
        rows += some
        worst += wrong
        print(f"{site.slug} is done", file=sys.stderr)
    rows += [mean_row([row for row in rows if row.method == method]) for method in methods]
    if args.json:
        print(json.dumps({"corpus": digest(sites), "rows": [_as_json(row) for row in rows]}))
    else:
        Console(width=160).print(table(rows))
        print(*worst[: args.worst], sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
