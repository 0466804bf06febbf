"""`scrapy export`: articles, or whole pages, into a file."""

import argparse
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import IO, ClassVar

from pipeline.command import DONE, NEEDS_A_LOOK, Command, add_sites_argument, chosen_sites
from pipeline.exports import FORMATS, whole_file, write_urls
from pipeline.screen import say
from storage import Site, Store


class ExportCommand(Command):
    """Writes articles as JSON Lines, CSV, Parquet or RSS, or pages as WARC."""

    summary: ClassVar[str] = "Write articles (or pages as WARC) to a file"
    examples: ClassVar[str] = """
        scrapy export --format jsonl --output articles.jsonl
        scrapy export news.example --format csv --output articles.csv --pages pages.txt
        scrapy export news.example --format warc --output pages.warc.gz
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites, format and files."""
        add_sites_argument(parser)
        choices = (*FORMATS, "warc")
        parser.add_argument("--format", choices=choices, default="jsonl", help="default: jsonl")
        parser.add_argument("--output", type=Path, required=True, metavar="FILE")
        parser.add_argument(
            "--pages", type=Path, metavar="FILE", help="also the address of every page looked at"
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Write the files whole or not at all; an empty one needs a look."""
        sites = chosen_sites(store, options.sites)
        with whole_file(options.output) as stream:
            count = _write(store, sites, options.format, stream)
        if options.pages:
            with whole_file(options.pages) as stream:
                write_urls(chain.from_iterable(map(store.urls, sites)), stream)
        what = "pages" if options.format == "warc" else "articles"
        say(f"{count} {what} are in {options.output}.")
        return DONE if count else NEEDS_A_LOOK


def _write(store: Store, sites: Iterable[Site], form: str, stream: IO[bytes]) -> int:
    if form == "warc":
        from pipeline.archive import write_archive  # noqa: PLC0415 - most exports need no WARC

        rows = chain.from_iterable(map(store.page_rows, sites))
        return write_archive((row.page() for row in rows), stream)
    return FORMATS[form](chain.from_iterable(map(store.articles, sites)), stream)
