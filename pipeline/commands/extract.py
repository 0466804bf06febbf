"""`scrapy extract`: gets the articles out of stored pages."""

import argparse
from typing import ClassVar

from pipeline.command import DONE, NEEDS_A_LOOK, Command, add_sites_argument, chosen_sites
from pipeline.screen import say
from storage import Store


class ExtractCommand(Command):
    """Matches stored pages with the patterns of their site and writes articles."""

    summary: ClassVar[str] = "Get the articles out of stored pages"
    examples: ClassVar[str] = """
        scrapy extract
        scrapy extract news.example --all
        scrapy extract news.example --method consensus
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites and --all."""
        add_sites_argument(parser)
        parser.add_argument(
            "--all", action="store_true", help="also pages that were extracted before"
        )
        parser.add_argument(
            "--method",
            metavar="NAME",
            help="all pages, by another method than the patterns: coreex, econ, tsrec ...",
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Extract each site; one whose pages give no article needs a look."""
        from pipeline.extraction import extract, extract_by  # noqa: PLC0415 - loads the compiler

        exitcode, seconds = DONE, self.page_seconds()
        for site in chosen_sites(store, options.sites):
            if options.method:
                extracted = extract_by(store, site, options.method, seconds=seconds)
            else:
                extracted = extract(store, site, everything=options.all, seconds=seconds)
            say(f"{site.name}: {extracted.summary}")
            if not next(store.articles(site, limit=1), None):
                exitcode = NEEDS_A_LOOK
        return exitcode
