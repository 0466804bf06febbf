"""`flong search`: the articles of all sites, by their words."""

import argparse
from typing import ClassVar

from flong.command import DONE, Command, Group, add_json_argument
from flong.listing import whole_number
from flong.search.output import show_results
from flong.storage import Store
from flong.storage.search import Search


class SearchCommand(Command):
    """Finds articles, one result a story."""

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
        """Take the query, and how much of what is found is shown."""
        parser.add_argument(
            "words", nargs="*", metavar="WORD", help="what to look for; quote what begins with -"
        )
        parser.add_argument("--all", action="store_true", help="every article of a story by itself")
        most = "results at the most (default: 10)"
        parser.add_argument("--limit", type=whole_number, default=10, metavar="N", help=most)
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print what fits, the best first; with no word the latest articles."""
        settings = self.searching(
            limit=options.limit, depth=max(100, 5 * options.limit), is_folded=not options.all
        )
        show_results(Search(store).find(" ".join(options.words), settings), as_json=options.json)
        return DONE
