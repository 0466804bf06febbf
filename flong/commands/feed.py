"""`flong feed`: write a search, a site or a clipping as a feed."""

import argparse
from pathlib import Path
from typing import ClassVar

from flong.command import DONE, Command, Group
from flong.listing import whole_number
from flong.program import program
from flong.search import FEED_FORMATS, Feed
from flong.stages.exports import whole_file
from flong.storage import Store
from flong.storage.search import Clippings, Search, search_feed


class FeedCommand(Command):
    """Write a feed to a file."""

    group = Group.SEARCH
    summary: ClassVar[str] = "Write a search or a clipping as RSS, Atom or JSON Feed"
    arguments: ClassVar[str] = "[WORD ...]"
    examples: ClassVar[str] = """
        flong feed title:flood --output floods.xml --url https://feeds.example/floods.xml
        flong feed site:news.example --format atom --full-text --output news.xml
        flong feed --clipping floods --format json
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the query or a clipping, and options of the feed."""
        parser.add_argument("words", nargs="*", metavar="WORD", help=f"as for {program()} search")
        parser.add_argument("--clipping", metavar="NAME", help="use the query of a clipping")
        parser.add_argument(
            "--format", choices=sorted(FEED_FORMATS), default="rss", help="default: rss"
        )
        parser.add_argument("--full-text", action="store_true", help="include full articles")
        parser.add_argument("--limit", type=whole_number, default=50, metavar="N", help="entries")
        parser.add_argument("--title", metavar="TEXT", help="title of the feed")
        parser.add_argument("--url", default="", metavar="URL", help="public URL of the feed")
        parser.add_argument(
            "--output", type=Path, default=Path("-"), metavar="FILE", help="default: - (stdout)"
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Write the feed atomically."""
        query, title, sites = " ".join(options.words), "", frozenset[str]()
        if options.clipping:
            kept = Clippings(store).find(options.clipping)
            query, title, sites = f"{kept.query} {query}", kept.name, frozenset(kept.sites)
        settings = self.searching(limit=options.limit, depth=4 * options.limit, sites=sites)
        name = options.title or title or query or "The latest articles"
        frame = Feed(
            title=name, home=options.url or "https://localhost/", url=options.url, entries=()
        )
        feed = search_feed(Search(store), query, settings, frame, full_text=options.full_text)
        with whole_file(options.output) as stream:
            stream.write(FEED_FORMATS[options.format](feed))
        return DONE
