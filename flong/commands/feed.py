"""`flong feed`: a search, a site or a clipping as a feed in a file."""

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
    """Writes a feed, for a web server to serve."""

    group = Group.SEARCH
    summary: ClassVar[str] = "Write a search or a clipping as RSS, Atom or JSON Feed"
    arguments: ClassVar[str] = "[WORD ...]"
    examples: ClassVar[str] = """
        flong feed title:flood --output floods.xml --url https://feeds.example/floods.xml
        flong feed site:news.example --format atom --full-text --output news.xml
        flong feed --clipping floods --format json
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take the query or a clipping, and what the feed is like."""
        parser.add_argument("words", nargs="*", metavar="WORD", help=f"as for {program()} search")
        parser.add_argument("--clipping", metavar="NAME", help="the feed of a clipping")
        parser.add_argument(
            "--format", choices=sorted(FEED_FORMATS), default="rss", help="default: rss"
        )
        parser.add_argument("--full-text", action="store_true", help="with the whole articles")
        parser.add_argument("--limit", type=whole_number, default=50, metavar="N", help="entries")
        parser.add_argument("--title", metavar="TEXT", help="what the feed is called")
        parser.add_argument("--url", default="", metavar="URL", help="where it will be served")
        parser.add_argument(
            "--output", type=Path, default=Path("-"), metavar="FILE", help="default: -, the screen"
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Write the feed, whole or not at all."""
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
