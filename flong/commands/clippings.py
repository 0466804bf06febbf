"""`flong clippings`: saved searches, reported every night."""

import argparse
from typing import ClassVar

from scrapy.exceptions import UsageError

from flong.command import DONE, Command, Group, add_json_argument
from flong.console import Row, say, show_rows
from flong.listing import whole_number
from flong.program import program
from flong.search.output import show_results
from flong.storage import Store
from flong.storage.search import Clipping, Clippings, Search

VERBS = ("list", "add", "show", "remove")


class ClippingsCommand(Command):
    """List, add, show and remove clippings."""

    group = Group.SEARCH
    summary: ClassVar[str] = "Save searches; nightly reports list their new articles"
    arguments: ClassVar[str] = "[list | add NAME WORD ... | show NAME | remove NAME]"
    examples: ClassVar[str] = """
        flong clippings add floods 'title:flood -sport' --site news.example
        flong clippings
        flong clippings show floods --limit 20 --json
        flong clippings remove floods
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the action, the clipping's name and its query."""
        parser.add_argument("words", nargs="*", metavar="WORD", help="action, name and query")
        parser.add_argument(
            "--site", action="append", default=[], metavar="SITE", help="search this site only"
        )
        most = "maximum results (default: 10)"
        parser.add_argument("--limit", type=whole_number, default=10, metavar="N", help=most)
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Run the action."""
        verb, *words = options.words or ["list"]
        if verb not in VERBS:
            raise UsageError(f"Unknown action {verb!r}. Use one of: {', '.join(VERBS)}.")
        if verb == "list":
            rows = [_row(each) for each in Clippings(store).all()]
            empty = f"There is no clipping yet. Run: {program()} clippings add NAME WORD ..."
            show_rows("Clippings", rows, as_json=options.json, empty=empty)
        elif not words or (verb == "add" and len(words) < 2):
            raise UsageError(f"Run: {program()} clippings {verb} NAME{' WORD' * (verb == 'add')}")
        elif verb == "add":
            sites = [store.sites.find(name).name for name in options.site]
            Clippings(store).save(words[0], " ".join(words[1:]), sites)
            say(f"{words[0]} is saved. Nightly reports list its new articles.")
        elif verb == "show":
            self._show(store, Clippings(store).find(words[0]), options)
        else:
            Clippings(store).remove(words[0])
            say(f"{words[0]} is removed.")
        return DONE

    def _show(self, store: Store, clipping: Clipping, options: argparse.Namespace) -> None:
        settings = self.searching(limit=options.limit, sites=frozenset(clipping.sites))
        show_results(Search(store).find(clipping.query, settings), as_json=options.json)


def _row(clipping: Clipping) -> Row:
    return {
        "clipping": clipping.name,
        "query": clipping.query,
        "sites": ", ".join(clipping.sites) or "all",
        "since": clipping.created_at,
    }
