"""`flong search`: search the articles of all sites."""

import argparse
from datetime import UTC, datetime
from typing import ClassVar

from scrapy.exceptions import UsageError

from flong.command import DONE, Command, Group, add_json_argument
from flong.listing import whole_number
from flong.search import Query, parse_query
from flong.search.output import show_results
from flong.storage import Store
from flong.storage.search import Search


class SearchCommand(Command):
    """Find articles, one result per story."""

    group = Group.SEARCH
    summary: ClassVar[str] = "Search the articles of all sites"
    arguments: ClassVar[str] = "WORD ..."
    examples: ClassVar[str] = """
        flong search climate election
        flong search '"prime minister" -coal since:7d'
        flong search title:flood site:news.example language:en until:2026-01 author:lee
        flong search 日本 --all --json
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the query and options of the output."""
        parser.add_argument(
            "words", nargs="*", metavar="WORD", help="query; quote words that begin with -"
        )
        parser.add_argument("--all", action="store_true", help="do not group stories")
        most = "maximum results (default: 10)"
        parser.add_argument("--limit", type=whole_number, default=10, metavar="N", help=most)
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print matches, best first; without a query the latest articles."""
        text = " ".join(options.words)
        if text and parse_query(text, datetime.now(UTC).date()) == Query():
            raise UsageError(f"{text!r} has no word to search for.")
        settings = self.searching(
            limit=options.limit, depth=max(100, 5 * options.limit), is_folded=not options.all
        )
        show_results(Search(store).find(text, settings), as_json=options.json)
        return DONE
