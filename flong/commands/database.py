"""`flong database`: copy one database to another."""

import argparse
from dataclasses import asdict
from typing import ClassVar

from flong.command import DONE, Command, Group, add_json_argument
from flong.console import progress_bar, show_rows
from flong.storage import Store, copy_database


class DatabaseCommand(Command):
    """Copy a database, also between SQLite and PostgreSQL."""

    group = Group.ADMIN
    summary: ClassVar[str] = (
        "Copy everything to another database, from SQLite to PostgreSQL or back"
    )
    arguments: ClassVar[str] = "copy SOURCE TARGET"
    examples: ClassVar[str] = """
        flong database copy sqlite:///flong.db postgresql+psycopg://flong@localhost/flong
        flong database copy postgresql+psycopg://flong@localhost/flong sqlite:///flong.db
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the action and two databases."""
        parser.add_argument("verb", choices=["copy"], help="what to do")
        parser.add_argument("source", metavar="SOURCE", help="URL of the database to read")
        parser.add_argument("target", metavar="TARGET", help="URL of a new or empty one")
        add_json_argument(parser)

    def database(self) -> str:
        """Return the URL of the source, regardless of FLONG_DATABASE."""
        return self._source

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Store the source, then run as usual."""
        self._source: str = opts.source
        super().run(args, opts)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Copy, and print the number of rows per table."""
        with Store.open(options.target) as target, progress_bar("Copying") as tell:
            copied = copy_database(store, target, tell)
        rows = [asdict(each) for each in copied if each.rows or options.json]
        show_rows("Copied, nothing differs", rows, as_json=options.json, empty="Nothing to copy.")
        return DONE
