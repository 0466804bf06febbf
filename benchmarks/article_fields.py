"""Fields and structure found by flong and by public extractors, on the same pages.

usage: python -m benchmarks.article_fields [--sites Ghost,Arc] [--pages N]

The pages are those of the generated sites and of the demo portal, whose truth is complete. flong
learns one half of each site; all methods read articles of the other half. Headings, lists,
quotations, tables and links are parsed from trafilatura's Markdown; newspaper4k has no structure.
Each cell has the fraction of true values found, and the fraction of found values that are wrong.
"""

import argparse
import logging
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.corpus import CorpusPage
from benchmarks.demo_site import write_demo
from benchmarks.field_scores import FIELDS, Reading, Tally, judge_fields, reading_of
from benchmarks.methods import Half, extract_half, learn_half
from benchmarks.strangers import STRANGERS
from benchmarks.strangers.__main__ import write
from flong.text import fold_text

_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(<?([^)>\s]+)>?\)")
_MARKS = re.compile(r"[*_`\\]")
Tallies = Mapping[str, Tally]


def read_markdown(text: str) -> Iterator[tuple[str, str]]:
    r"""Yield headings, items, quotations and cells of a Markdown text, as the truth names them.

    >>> list(read_markdown("# A\n\n- b\n> c\n\n| d | e |\n|---|---|"))
    [('h', 'a'), ('ul', 'b'), ('quote', 'c'), ('table', 'd'), ('table', 'e')]
    """
    signs = {"#": "h", "-": "ul", "*": "ul", ">": "quote"}
    for line in text.splitlines():
        plain = _MARKS.sub("", _LINK.sub(r"\1", line.strip()))
        sign = line.strip()[:1]
        if sign == "|" and not re.fullmatch(r"[|\s:-]+", plain):
            yield from (("table", fold_text(cell)) for cell in plain.strip("|").split("|"))
        elif sign in signs and " " in line.strip():
            yield signs[sign], fold_text(plain.lstrip("#->* "))


def _trafilatura(page: CorpusPage) -> Reading:
    from trafilatura import bare_extraction, extract  # noqa: PLC0415 - an extra

    found = bare_extraction(page.html, url=page.url, with_metadata=True)
    row = {} if found is None else found if isinstance(found, dict) else found.as_dict()
    text = extract(
        page.html, url=page.url, output_format="markdown", include_links=True,
        include_images=True, include_formatting=True,
    ) or ""  # fmt: skip
    day = row.get("date")
    return Reading(
        published=datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None,
        published_text=day or "",
        authors=tuple((row.get("author") or "").split("; ")) if row.get("author") else (),
        description=row.get("description") or "",
        sections=tuple(row.get("categories") or ()),
        tags=tuple(row.get("tags") or ()),
        image=row.get("image") or "",
        blocks=tuple(read_markdown(text)),
        links=frozenset(url for _, url in _LINK.findall(text)),
    )


def _newspaper(page: CorpusPage) -> Reading:
    import newspaper  # noqa: PLC0415 - an extra

    article = newspaper.article(page.url, input_html=page.html, fetch_images=False)
    when = article.publish_date
    return Reading(
        published=when if isinstance(when, datetime) else None,
        published_text=str(when or ""),
        authors=tuple(article.authors or ()),
        description=article.meta_description or "",
        tags=tuple(article.tags or ()),
        image=article.top_image or "",
    )


PEERS: Mapping[str, Callable[[CorpusPage], Reading]] = {
    "trafilatura": _trafilatura,
    "newspaper4k": _newspaper,
}


def measure(names: Sequence[str], pages: int) -> dict[str, Tallies]:
    """Return the figures of each method over all sites."""
    found: dict[str, dict[str, Tally]] = {}
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        papers = {paper.__name__: paper for paper in STRANGERS}
        for name in names or [*papers, "Demo"]:
            site = write(papers[name], folder) if name in papers else write_demo(folder)
            half = Half.of(site, pages, 0)
            results = extract_half(half, learn_half(half))
            readings = {"flong": {p: reading_of(a) for p, a in results.articles.items()}}
            readings |= {
                peer: {page.path: read(page) for page in half.judged}
                for peer, read in PEERS.items()
            }
            for method, said in readings.items():
                whole = found.setdefault(method, dict.fromkeys(FIELDS, Tally()))
                missing = {page.path: Reading() for page in half.judged}
                for field, tally in judge_fields(half.site, missing | said).items():
                    whole[field] += tally
            print(f"{name} is done", file=sys.stderr)
    return dict(found)


def table(found: Mapping[str, Tallies]) -> Table:
    """Return a row for each field, a column for each method."""
    shown = Table()
    for name in ("field", "values", *found):
        shown.add_column(name, justify="left" if name == "field" else "right")
    for field in FIELDS:
        tallies = [found[method][field] for method in found]
        expected = max(tally.right + tally.missed for tally in tallies)
        shown.add_row(field, str(expected), *map(_cell, tallies))
    return shown


def _cell(tally: Tally) -> str:
    given = tally.right + tally.wrong
    if not given or tally.share is None:
        return "-"
    return f"{tally.share:.3f} ({tally.wrong / given:.3f})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.article_fields", description=(__doc__ or "").strip()
    )
    parser.add_argument("--sites", default="", help="names of sites, separated by commas")
    parser.add_argument("--pages", type=int, default=10, help="articles of a site (default: 10)")
    args = parser.parse_args(arguments)
    known = [*(paper.__name__ for paper in STRANGERS), "Demo"]
    names = [name for name in args.sites.split(",") if name]
    if not {*names} <= {*known}:
        parser.error(f"--sites {args.sites!r}: there are {', '.join(known)}")
    Console(width=120).print(table(measure(names, args.pages)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
