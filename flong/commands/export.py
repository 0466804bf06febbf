"""`flong export`: write articles, pages or selectors to a file."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, ClassVar

from scrapy.exceptions import UsageError

from flong.command import (
    DONE,
    FAILED,
    NEEDS_ATTENTION,
    Command,
    Group,
    add_sites_argument,
    chosen_sites,
)
from flong.console import say, show_note
from flong.listing import ALL, add_filters, chosen_kinds
from flong.stages.exports import (
    COLUMNS,
    FORMATS,
    SHEET_COLUMNS,
    SHEETS,
    STDOUT,
    BodyForm,
    whole_file,
    with_body,
    write_markdown_folder,
    write_sheet,
    write_urls,
)
from flong.states import ArticleKind
from flong.storage import ArticleChoice, ArticleRow, Site, Store

RECIPE_FORMS = ("json", "scrapy", "fundus", "freshrss", "rss-bridge")
"""Tools for which recipes are written."""


class ExportCommand(Command):
    """Write articles in several formats, pages as WARC, or selectors for other tools."""

    group = Group.READ
    summary: ClassVar[str] = "Write articles (or pages as WARC, or selectors) to a file"
    examples: ClassVar[str] = """
        flong export --output articles.jsonl
        flong export news.example --output articles.csv --pages pages.txt
        flong export news.example --output articles.xlsx --columns title,published,tags
        flong export --format markdown --output articles/ --since 2026-01-01
        flong export --format jsonl --body html --contains flood --limit 10 --output -
        flong export news.example --format warc --output pages.warc.gz
        flong export --output - | jq .title
        flong export news.example --format recipe --output recipe.json
        flong export news.example --format recipe --as scrapy --output news_spider.py
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites, format and files."""
        add_sites_argument(parser)
        choices = (*FORMATS, "warc", "recipe")
        parser.add_argument(
            "--format", choices=choices, help="default: by the name of FILE, else jsonl"
        )
        parser.add_argument(
            "--output",
            type=Path,
            required=True,
            metavar="FILE",
            help="- for standard output; a folder with --format markdown",
        )
        parser.add_argument(
            "--as", dest="form", choices=RECIPE_FORMS, default=RECIPE_FORMS[0],
            help="target tool of --format recipe (default: json)",
        )  # fmt: skip
        parser.add_argument(
            "--body", choices=[form.value for form in BodyForm], default=BodyForm.TEXT.value,
            help="format of bodies (default: text)",
        )  # fmt: skip
        parser.add_argument(
            "--columns",
            type=_columns,
            metavar="NAME,...",
            help=f"columns of csv and xlsx (default: {','.join(SHEET_COLUMNS)})",
        )
        parser.add_argument(
            "--all",
            dest="columns",
            action="store_const",
            const=COLUMNS,
            help="all columns in csv and xlsx",
        )
        parser.add_argument(
            "--bom", action="store_true", help="write csv so that Excel recognises UTF-8"
        )
        add_filters(parser)
        parser.add_argument("--site", action="append", default=[], help="as SITE; may be repeated")
        parser.add_argument(
            "--kind", choices=(*ArticleKind, ALL), default=ArticleKind.NEWS,
            help="news (default), or pages in prose that are not news",
        )  # fmt: skip
        parser.add_argument(
            "--retired",
            action="store_true",
            help="only pages that are no longer articles",
        )
        parser.add_argument(
            "--every-page",
            action="store_true",
            help="do not merge the pages and copies of an article",
        )
        parser.add_argument(
            "--pages", type=Path, metavar="FILE", help="also list the URLs of all pages considered"
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Write the files atomically; an empty file needs attention."""
        sites = chosen_sites(store, [*options.sites, *options.site])
        named = options.output.suffix.removeprefix(".")
        options.format = options.format or (named if named in FORMATS else "jsonl")
        if (options.columns or options.bom) and options.format not in SHEETS:
            raise UsageError("--columns, --all and --bom need --format csv or xlsx.")
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
        return DONE if count else NEEDS_ATTENTION

    def _write_recipes(
        self, store: Store, sites: Sequence[Site], options: argparse.Namespace
    ) -> int:
        """Write the selectors of sites; print their agreement with flong."""
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
                f"{recipe.site}: the selectors give {found.same} of {found.articles}"
                f" articles ({found.share:.1%}) as flong does."
            )
        if not made:
            return FAILED
        return DONE if len(made) == len(sites) else NEEDS_ATTENTION


def _write(
    store: Store, sites: Iterable[Site], options: argparse.Namespace, stream: IO[bytes]
) -> int:
    if options.format == "warc":
        from flong.stages.archive import write_archive  # noqa: PLC0415 - most exports need no WARC

        rows = chain.from_iterable(map(store.pages.sound_rows, sites))
        return write_archive((row.page() for row in rows), stream)
    write = FORMATS[options.format]
    if options.format in SHEETS:
        encoding = "utf-8-sig" if options.bom else "utf-8"
        columns = options.columns or SHEET_COLUMNS
        write = partial(
            write_sheet, kind=SHEETS[options.format], columns=columns, encoding=encoding
        )
    return write(_articles(store, sites, options), stream)


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
        kinds=chosen_kinds(options.kind),
        every_page=options.every_page,
        with_provenance=options.format not in SHEETS or "doubts" in (options.columns or ()),
    )
    for row in store.articles.chosen(chosen):
        yield with_body(row, BodyForm(options.body))


def _columns(names: str) -> list[str]:
    found = names.split(",")
    for name in found:
        if name not in COLUMNS:
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(COLUMNS)}")
    return found


def _midnight(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)
