"""`flong newspaper`: typeset a search or a clipping as a PDF newspaper."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from flong.command import DONE, Command, Group
from flong.console import show_note
from flong.listing import whole_number
from flong.program import program
from flong.search.newspaper import typeset
from flong.stages.exports import whole_file
from flong.storage import Store
from flong.storage.search import Clippings, Search


class NewspaperCommand(Command):
    """Typeset search results."""

    group = Group.SEARCH
    summary: ClassVar[str] = "Typeset a search or a clipping as a newspaper, in PDF"
    arguments: ClassVar[str] = "[WORD ...]"
    examples: ClassVar[str] = """
        flong newspaper since:1d --output today.pdf
        flong newspaper --clipping floods --limit 30 --title "Floods" --output floods.pdf
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the query or a clipping, and options of the newspaper."""
        parser.add_argument("words", nargs="*", metavar="WORD", help=f"as for {program()} search")
        parser.add_argument("--clipping", metavar="NAME", help="use the query of a clipping")
        parser.add_argument("--limit", type=whole_number, default=20, metavar="N", help="articles")
        parser.add_argument("--title", metavar="TEXT", help="title of the newspaper")
        parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="the PDF")

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Write the file atomically."""
        query, name, sites = " ".join(options.words), "", frozenset[str]()
        if options.clipping:
            kept = Clippings(store).find(options.clipping)
            query, name, sites = f"{kept.query} {query}", kept.name, frozenset(kept.sites)
        settings = self.searching(limit=options.limit, depth=5 * options.limit, sites=sites)
        found = Search(store).find(query, settings)
        title = options.title or name or query.strip() or "The latest articles"
        subtitle = f"{datetime.now(UTC):%Y-%m-%d}, {len(found.results)} of {found.total} articles"
        made, notes = typeset(title, subtitle, found.results)
        with whole_file(options.output) as stream:
            stream.write(made)
        for note in notes:
            show_note(note)
        return DONE
