"""`flong export`: articles, whole pages, or the selectors that give articles, into a file."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import IO, ClassVar

from flong.command import (
    DONE,
    FAILED,
    NEEDS_A_LOOK,
    Command,
    Group,
    add_sites_argument,
    chosen_sites,
)
from flong.console import say, show_note
from flong.listing import add_filters
from flong.stages.exports import (
    FORMATS,
    STDOUT,
    BodyForm,
    whole_file,
    with_body,
    write_markdown_folder,
    write_urls,
)
from flong.storage import ArticleChoice, ArticleRow, Site, Store

RECIPE_FORMS = ("json", "scrapy", "fundus", "freshrss", "rss-bridge")
"""For which tools recipes are written."""


class ExportCommand(Command):
    """Writes articles in many formats, pages as WARC, or selectors that other tools run."""

    group = Group.READ
    summary: ClassVar[str] = "Write articles (or pages as WARC, or selectors) to a file"
    examples: ClassVar[str] = """
        flong export --format jsonl --output articles.jsonl
        flong export news.example --format csv --output articles.csv --pages pages.txt
        flong export --format markdown --output articles/ --since 2026-01-01
        flong export --format jsonl --body html --contains flood --limit 10 --output -
        flong export news.example --format warc --output pages.warc.gz
        flong export --output - | jq .title
        flong export news.example --format recipe --output recipe.json
        flong export news.example --format recipe --as scrapy --output news_spider.py
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites, format and files."""
        add_sites_argument(parser)
        choices = (*FORMATS, "warc", "recipe")
        parser.add_argument("--format", choices=choices, default="jsonl", help="default: jsonl")
        parser.add_argument(
            "--output",
            type=Path,
            required=True,
            metavar="FILE",
            help="- is standard output; with --format markdown a folder",
        )
        parser.add_argument(
            "--as", dest="form", choices=RECIPE_FORMS, default=RECIPE_FORMS[0],
            help="for which tool --format recipe is written (default: json)",
        )  # fmt: skip
        parser.add_argument(
            "--body", choices=[form.value for form in BodyForm], default=BodyForm.TEXT.value,
            help="how bodies are written (default: text)",
        )  # fmt: skip
        add_filters(parser)
        parser.add_argument("--site", action="append", default=[], help="as SITE; may be repeated")
        parser.add_argument(
            "--retired",
            action="store_true",
            help="the articles that are none any more, instead of those that are",
        )
        parser.add_argument(
            "--every-page",
            action="store_true",
            help="each page of a story, and each copy of an article, on its own",
        )
        parser.add_argument(
            "--pages", type=Path, metavar="FILE", help="also the URL of every page looked at"
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Write the files whole or not at all; an empty one needs a look."""
        sites = chosen_sites(store, [*options.sites, *options.site])
        if options.format == "recipe":
            return self._write_recipes(store, sites, options)
        if options.format == "markdown" and options.output != STDOUT:
            count = write_markdown_folder(_articles(store, sites, options), options.output)
        else:
            with whole_file(options.output) as stream:
                count = _write(store, sites, options, stream)
        if options.pages:
            with whole_file(options.pages) as stream:
                write_urls(chain.from_iterable(map(store.pages.urls, sites)), stream)
        what = "pages" if options.format == "warc" else "articles"
        if options.output == STDOUT:
            show_note(f"{count} {what} were written.")
        else:
            say(f"{count} {what} are in {options.output}.")
        return DONE if count else NEEDS_A_LOOK

    def _write_recipes(
        self, store: Store, sites: Sequence[Site], options: argparse.Namespace
    ) -> int:
        """Write the selectors of sites; say how often they give what flong does."""
        from flong.recipes import FORMS as WRITERS  # noqa: PLC0415
        from flong.recipes.export import PAGES, make_recipes  # noqa: PLC0415 - loads the compiler

        pages = options.limit or PAGES
        made = make_recipes(store, sites, pages=pages, seconds=self.page_seconds())
        if made:
            with whole_file(options.output) as stream:
                stream.write(WRITERS[options.form](made).encode())
        for recipe in made:
            found = recipe.agreement
            show_note(
                f"{recipe.site}: the selectors alone give {found.same} of {found.articles}"
                f" articles ({found.share:.1%}) as flong does."
            )
        if not made:
            return FAILED
        return DONE if len(made) == len(sites) else NEEDS_A_LOOK


def _write(
    store: Store, sites: Iterable[Site], options: argparse.Namespace, stream: IO[bytes]
) -> int:
    if options.format == "warc":
        from flong.stages.archive import write_archive  # noqa: PLC0415 - most exports need no WARC

        rows = chain.from_iterable(map(store.pages.sound_rows, sites))
        return write_archive((row.page() for row in rows), stream)
    return FORMATS[options.format](_articles(store, sites, options), stream)


def _articles(
    store: Store, sites: Iterable[Site], options: argparse.Namespace
) -> Iterator[ArticleRow]:
    chosen = ArticleChoice(
        sites=tuple(sites),
        since=_midnight(options.since) if options.since else None,
        until=_midnight(options.until) + timedelta(days=1) if options.until else None,
        contains=options.contains or "",
        limit=options.limit or None,
        retired=options.retired,
        every_page=options.every_page,
    )
    for row in store.articles.chosen(chosen):
        yield with_body(row, BodyForm(options.body))


def _midnight(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)
