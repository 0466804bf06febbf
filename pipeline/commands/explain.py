"""`scrapy explain`: why a page gave what it gave."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import ClassVar

from items import Article
from pipeline.command import DONE, Command, PipelineError, add_json_argument
from pipeline.screen import Row, harmless, harmless_json, say, show_rows
from storage import PageRow, Site, Store

NEIGHBOURS = 40
"""Pages of the site that methods which compare pages are given beside the one in question."""


class ExplainCommand(Command):
    """Shows cluster, pattern, fields and signs of a page, or what other methods make of it."""

    summary: ClassVar[str] = "Say why a page gave this title and body, or none"
    arguments: ClassVar[str] = "URL"
    examples: ClassVar[str] = """
        scrapy explain https://news.example/2026/05/some-story.html
        scrapy explain https://news.example/2026/05/some-story.html --method all
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take the page and --method."""
        parser.add_argument("url", metavar="URL", help="address of a stored page")
        parser.add_argument(
            "--method", metavar="NAME", help="what this method (or all) makes of the page"
        )
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print the explanation."""
        row = store.page(options.url)
        site = next(site for site in store.sites() if site.id == row.site_id)
        decided = store.extraction(row.id)
        if decided is not None and decided.verdict == "failed":
            raise PipelineError(f"{row.url} is not looked at again, because {decided.reason}.")
        if options.method:
            _compare(store, site, row, options)
        else:
            _explain(store, site, row, as_json=options.json)
        return DONE


def _explain(store: Store, site: Site, row: PageRow, *, as_json: bool) -> None:
    from pipeline.stored import (  # noqa: PLC0415 - loads the compiler
        LearnedSite,
        anchors_by_url,
        document_of,
    )

    learned = LearnedSite.of(store, site)
    why = learned.reader.explain(document_of(row, anchors_by_url(store, site)))
    if as_json:
        print(harmless_json(json.dumps(asdict(why), ensure_ascii=False, default=str)))
        return
    found = why.extraction
    number = "none" if found.pattern is None else str(learned.pattern_ids[found.pattern])
    say(harmless(row.url), "bold", wraps=False)
    say(harmless(found.reason), wraps=False)
    say(
        f"pattern {number}, {found.match} match, cost {found.cost}, "
        f"{found.constants} constant vertices found\n"
    )
    fields = [asdict(field) for field in why.fields]
    show_rows("Fields, and where they come from", fields, as_json=False, empty="No field.")
    labels = [{"role": role, "place": place} for role, place in why.labels]
    show_rows("Where the pattern looks", labels, as_json=False, empty="")
    points: list[Row] = [{"points": p.points, "sign": p.words} for p in why.points]
    show_rows("Article or not", points, as_json=False, empty="No sign.")
    others: list[Row] = [
        {"pattern": learned.pattern_ids[o.pattern], "why not": o.reason} for o in why.others
    ]
    show_rows("Patterns that were not chosen", others, as_json=False, empty="There is no other.")


def _compare(store: Store, site: Site, row: PageRow, options: argparse.Namespace) -> None:
    from extractors import EXTRACTORS  # noqa: PLC0415 - loads the compiler
    from pipeline.stored import document_of  # noqa: PLC0415 - loads the compiler

    names = sorted(EXTRACTORS) if options.method == "all" else [options.method]
    if not EXTRACTORS.keys() >= {*names}:
        raise PipelineError(f"There is no method {names[0]!r}: {', '.join(sorted(EXTRACTORS))}.")
    pages = [document_of(each).page() for each in [row, *_neighbours(store, site, row)]]
    rows = [_answer(name, EXTRACTORS[name](pages)[0]) for name in names]
    show_rows(row.url, rows, as_json=options.json, empty="")


def _neighbours(store: Store, site: Site, row: PageRow) -> Sequence[PageRow]:
    """Return pages of the site, those with the most similar addresses first."""
    from rapidfuzz.distance import Prefix  # noqa: PLC0415 - only here

    others = [other for other in store.page_rows(site, with_html=False) if other.id != row.id]
    others.sort(key=lambda other: -Prefix.similarity(other.url, row.url))
    return list(store.page_rows(site, only=[other.id for other in others[:NEIGHBOURS]]))


def _answer(name: str, article: Article | None) -> Row:
    if article is None:
        return {"method": name, "title": "no article", "words": 0, "begins": "", "ends": ""}
    words = article.body.split()
    return {
        "method": name,
        "title": article.title,
        "words": len(words),
        "begins": " ".join(words[:12]),
        "ends": " ".join(words[-12:]),
    }
