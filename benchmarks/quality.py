"""Quality of articles: flong, the baselines and public extractors on the same real pages.

usage: python -m benchmarks.quality [--sites A,B] [--methods flong,trafilatura,...|all]
                                    [--pages N] [--worst N] [--whole] [--json]

The columns correct, wrong and missed are those of the paper's Table 1 and add up to 1. One half of
each site is learned from, the other half is extracted and scored. With --whole, all pages within
three links of the home page are learned from and extracted, as after a crawl. --pages N limits the
judged pages. Public extractors read a sample of 80 articles and 40 others of each site, unless
--pages is given; their results are cached outside the project.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from rich.console import Console
from rich.table import Table

from benchmarks.corpus import CorpusPage, CorpusSite, digest, find_sites
from benchmarks.field_scores import FIELDS, figure, judge_fields, reading_of
from benchmarks.methods import (
    PEERS,
    Half,
    Results,
    ask_extractor,
    ask_peer,
    extract_half,
    learn_half,
    parse_seconds,
    read_as_published,
)
from benchmarks.scoring import ArticleFigures, PageScore, mean, score
from flong.baselines import EXTRACTORS

OURS = "flong"
"""Name of the method under test."""

PUBLISHED = {"paper": 3, "paper-unmerged": 0}
"""Reis et al. as printed, by maximum number of vertices between merged wildcards."""

PEER_ARTICLES, PEER_OTHERS = 80, 40
"""Maximum pages per site for the public extractors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityRow:
    """One method on one site."""

    method: str
    """Its name."""
    site: str
    """The site."""
    figures: ArticleFigures
    """Figures of title, body and recognition."""
    pages_per_second: float
    """Pages per second on one core, from the page's text to the article."""
    parses: float
    """Time as a multiple of the bare parse."""
    strict: float = 0.0
    """Fraction of the judged articles that a pattern accepts."""
    matched: float = 0.0
    """Fraction of the judged articles that a pattern fits at least nearly."""
    fields: Mapping[str, float | None] = field(default_factory=dict)
    """Figures of the other fields and of the structure, by name, over found articles with truth.

    None if the truth of the site lacks the field.
    """


def measure(
    site: CorpusSite, methods: Sequence[str], pages: int | None, *, whole: bool = False
) -> tuple[list[QualityRow], list[str]]:
    """Run the methods on one site; return their rows, and descriptions of flong's worst pages."""
    rows, worst = [], []
    half = Half.whole(site, pages) if whole else Half.of(site, pages, pages)
    parse = parse_seconds(half.judged)
    for method in methods:
        if method == OURS:
            results = extract_half(half, learn_half(half))
            row, scores = make_row(method, site, results, parse)
            worst += describe(site, results, scores)
        elif method in PUBLISHED:
            row, _ = make_row(method, site, read_as_published(half, PUBLISHED[method]), parse)
        elif method in EXTRACTORS:
            row, _ = make_row(method, site, ask_extractor(half, method), parse)
        else:
            sample = Half(site, [], _sample(half), {}, 0)
            found, seconds = ask_peer(method, site, sample.judged)
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
    method: str, site: CorpusSite, results: Results, parse: float
) -> tuple[QualityRow, list[PageScore]]:
    """Score the results of a method on one site; `parse` is the bare parse in seconds per page."""
    figures, scores = score(site.truth, results.found, site.other, site.captions)
    fits = [results.matches.get(one.path, "none") for one in scores]
    count = max(len(scores), 1)
    return (
        QualityRow(
            method=method,
            site=site.slug,
            figures=figures,
            pages_per_second=1 / max(results.seconds, 1e-9),
            parses=results.seconds / max(parse, 1e-9),
            strict=sum(fit == "strict" for fit in fits) / count,
            matched=sum(fit != "none" for fit in fits) / count,
            fields=_fields(site, results),
        ),
        scores,
    )


def _fields(site: CorpusSite, results: Results) -> dict[str, float | None]:
    """Return the figures of fields and structure."""
    readings = {path: reading_of(article) for path, article in results.articles.items()}
    tallies = judge_fields(site, readings)
    return {name: figure(name, tally) for name, tally in tallies.items()}


def describe(site: CorpusSite, results: Results, scores: Sequence[PageScore]) -> list[str]:
    """Return the wrong pages with reasons, worst first."""
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


def mean_row(rows: Sequence[QualityRow]) -> QualityRow:
    """Return the averages of one method over sites."""
    count = len(rows)

    def average(values: Sequence[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return sum(known) / len(known) if known else None

    seconds = sum(1 / row.pages_per_second for row in rows) / count
    return QualityRow(
        method=rows[0].method,
        site="mean",
        figures=mean([row.figures for row in rows]),
        pages_per_second=1 / seconds,
        parses=sum(row.parses for row in rows) / count,
        strict=sum(row.strict for row in rows) / count,
        matched=sum(row.matched for row in rows) / count,
        fields={name: average([row.fields.get(name) for row in rows]) for name in FIELDS},
    )


def table(rows: Sequence[QualityRow]) -> Table:
    """Return rows as a table for the terminal."""
    names = "correct,wrong,missed,body F1,title,precision,recall,strict,matched,pages/s,x parse"
    shown = _table(names.split(","))
    for row in rows:
        f = row.figures
        values = (f.correct, f.wrong, f.missed, f.body_f1, f.title, f.precision, f.recall)
        extra = (row.strict, row.matched) if row.method == OURS else (None, None)
        speed = f"{row.pages_per_second:.0f}", f"{row.parses:.1f}"
        shown.add_row(row.site, row.method, *map(_shown, (*values, *extra)), *speed)
    return shown


def fields_table(rows: Sequence[QualityRow]) -> Table:
    """Return the figures of fields and structure as a table for the terminal."""
    shown = _table(FIELDS)
    for row in rows:
        if row.method == OURS:
            shown.add_row(row.site, row.method, *(_shown(row.fields.get(name)) for name in FIELDS))
    return shown


def _table(names: Sequence[str]) -> Table:
    shown = Table()
    for name in ("site", "method"):
        shown.add_column(name)
    for name in names:
        shown.add_column(name, justify="right")
    return shown


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _as_json(row: QualityRow) -> dict[str, object]:
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
    known = [OURS, *PUBLISHED, *EXTRACTORS, *PEERS]
    methods = known if args.methods == "all" else args.methods.split(",")
    if not {*methods} <= {*known}:
        parser.error(f"--methods {args.methods!r}: there are {', '.join(known)}, and all")
    rows: list[QualityRow] = []
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
        Console(width=160).print(table(rows), fields_table(rows))
        print(*worst[: args.worst], sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
