"""Single pages: quality of `flong.read` on pages of many sites.

    python -m benchmarks.lone_pages
    python -m benchmarks.lone_pages --methods flong,trafilatura,readability --worst 9
    python -m benchmarks.lone_pages --others 12

The pages are in `FLONG_PAGES`, by default in `../shared/pages` beside the project: sets as
`NAME.tar`, each with `truth.jsonl`. The first measure is that of the public article-extraction
benchmark: F1 of runs of four words, where each page has equal weight. The second is the fraction of
titles that are equal after folding; then dates within a day of the true one, and pages with exactly
the true authors, of the pages where the truth has them. Rules were chosen while looking at errors
on these pages, so this is a development set.

`--others N` reads N articles and N other pages of each site of the corpus, one by one. It reports
precision and recall of the articles at several values of `least_confidence`.
"""

import argparse
import gzip
import json
import os
import sys
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import flong
from benchmarks import article_fields
from benchmarks.corpus import PROJECT, CorpusPage, cache_folder, find_sites
from benchmarks.field_scores import Reading, reading_of
from benchmarks.methods import NOW, PEERS
from benchmarks.scoring import FoundArticle
from flong.text import fold_text, words

RUN = 4
"""Number of words in a run."""
LEVELS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7)
"""Values of `least_confidence` that are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LonePage:
    """A page with its truth."""

    page: CorpusPage
    """HTML of the page."""
    title: str
    """Headline; empty if unknown."""
    body: str
    """Its text."""
    day: date | None = None
    """Day of publication; None if unknown."""
    authors: frozenset[str] = frozenset()
    """Folded names of its authors; empty if unknown."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Fractions of right, additional and lost runs of one page; the sum is 1."""

    right: float
    extra: float
    lost: float


def find_sets() -> dict[str, list[LonePage]]:
    """Return the sets of pages by name."""
    folder = Path(os.environ.get("FLONG_PAGES") or PROJECT.parent / "shared" / "pages")
    return {path.stem: list(_read(path)) for path in sorted(folder.glob("*.tar"))}


def _read(archive: Path) -> Iterator[LonePage]:
    target = cache_folder() / "pages"
    if not (target / archive.stem).is_dir():
        with tarfile.open(archive) as tar:
            tar.extractall(target, filter="data")
    for line in (target / archive.stem / "truth.jsonl").read_text().splitlines():
        row = json.loads(line)
        data = gzip.decompress(
            (target / archive.stem / "pages" / f"{row['id']}.html.gz").read_bytes()
        )
        page = CorpusPage(
            path=row["id"],
            url=row["url"] or f"https://news.example/{row['id']}",
            html=data.decode("utf-8", "replace"),
            kind="article",
        )
        yield LonePage(
            page=page,
            title=row["title"] or "",
            body=row["body"],
            day=date.fromisoformat(row["date"][:10]) if row.get("date") else None,
            authors=frozenset(map(fold_text, row.get("authors") or ())),
        )


def read_alone(page: CorpusPage) -> FoundArticle | None:
    """Return the article found by flong."""
    article = flong.read(page.url, page.html)
    return FoundArticle(article.title, article.body) if article else None


METHODS: dict[str, Callable[[CorpusPage], FoundArticle | None]] = {
    "flong": read_alone,
    **{name: peer for name, (_, peer) in PEERS.items()},
}


def read_fields_alone(page: CorpusPage) -> Reading:
    """Return date and authors found by flong."""
    article = flong.read(page.url, page.html, now=NOW)
    return reading_of(article) if article else Reading()


READERS: dict[str, Callable[[CorpusPage], Reading]] = {
    "flong": read_fields_alone,
    "trafilatura": article_fields.PEERS["trafilatura"],
    "newspaper": article_fields.PEERS["newspaper4k"],
}
"""Methods that find dates and authors."""


def share(truth: str, found: str) -> Shares:
    """Return the fractions of right, additional and lost runs of words.

    >>> share("a b c d e", "a b c d f")
    Shares(right=0.3333333333333333, extra=0.3333333333333333, lost=0.3333333333333333)
    """
    a, b = _runs(truth), _runs(found)
    right = (a & b).total()
    whole = a.total() + b.total() - right or 1
    return Shares(right / whole, (b.total() - right) / whole, (a.total() - right) / whole)


def _runs(text: str) -> Counter[tuple[str, ...]]:
    said = words(text)
    return Counter(tuple(said[at : at + RUN]) for at in range(max(1, len(said) - RUN + 1)) if said)


def f1(pages: Sequence[Shares]) -> float:
    """Return the F1 of runs over pages of equal weight."""
    right = sum(page.right for page in pages)
    wrong = sum(page.extra + page.lost for page in pages)
    return 2 * right / ((2 * right + wrong) or 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.lone_pages", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--methods", default="flong", help=f"some of {', '.join(METHODS)}")
    parser.add_argument("--worst", type=int, default=0, help="list so many pages of each set")
    parser.add_argument("--others", type=int, default=0, help="articles and other pages of a site")
    args = parser.parse_args(arguments)
    names = args.methods.split(",")
    if not {*names} <= METHODS.keys():
        parser.error(f"--methods {args.methods!r}: there are {', '.join(METHODS)}")
    if args.others:
        _report_confidence(args.others)
        return 0
    sets = find_sets()
    if not sets:
        print("there are no pages: set FLONG_PAGES", file=sys.stderr)
        return 2
    for name, pages in sets.items():
        for method in names:
            _report(name, method, pages, args.worst)
    return 0


def _report(name: str, method: str, pages: Sequence[LonePage], worst: int) -> None:
    found = [METHODS[method](one.page) or FoundArticle("", "") for one in pages]
    shares = [share(one.body, text.body) for one, text in zip(pages, found, strict=True)]
    titles = [
        fold_text(one.title) == fold_text(text.title)
        for one, text in zip(pages, found, strict=True)
        if one.title
    ]
    title = f"{sum(titles) / len(titles):.3f}" if titles else "-"
    print(
        f"{name:16}{method:14}{len(pages):5} pages   F1 {f1(shares):.3f}   titles {title}"
        f"   {_fields(method, pages)}"
    )
    for at in sorted(range(len(pages)), key=lambda at: shares[at].right)[:worst]:
        row, url = shares[at], pages[at].page.url
        print(f"  right {row.right:.2f} extra {row.extra:.2f} lost {row.lost:.2f} {url[:90]}")


def _fields(method: str, pages: Sequence[LonePage]) -> str:
    """Return the fractions of right dates and authors, if the method and the truth have them."""
    known = [one for one in pages if one.day or one.authors]
    if method not in READERS or not known:
        return ""
    found = [READERS[method](one.page) for one in known]
    days = [
        said.published is not None and abs(said.published.date() - one.day) <= timedelta(days=1)
        for one, said in zip(known, found, strict=True)
        if one.day
    ]
    names = [
        one.authors == {*map(fold_text, said.authors)}
        for one, said in zip(known, found, strict=True)
        if one.authors
    ]
    return f"dates {sum(days) / len(days):.3f}   authors {sum(names) / len(names):.3f}"


def _report_confidence(count: int) -> None:
    """Print precision and recall at each level, over the same number of pages of each site."""
    judged: list[tuple[bool, float]] = []
    for site in find_sites([]):
        for paths in (site.truth, site.other):
            for path in [path for path in site.paths if path in paths][:count]:
                page = site.page(path)
                article = flong.read(page.url, page.html, now=NOW)
                judged.append((paths is site.truth, article.confidence if article else -1.0))
    articles = sum(is_article for is_article, _ in judged)
    print(f"{articles} articles, {len(judged) - articles} other pages")
    for level in LEVELS:
        taken = [is_article for is_article, sure in judged if sure >= level]
        right = sum(taken)
        print(f"{level:.1f}  precision {right / len(taken):.3f}  recall {right / articles:.3f}")


if __name__ == "__main__":
    sys.exit(main())
