"""`flong demo`: run all stages on the embedded news site, without network access."""

import argparse
from pathlib import Path
from typing import ClassVar

from flong.command import DONE, NEEDS_ATTENTION, Command, Group
from flong.storage import Store

ENOUGH = 0.9
"""Minimum fraction of correct articles."""


class DemoCommand(Command):
    """Serve the demo site on loopback, crawl it, learn it, extract it, and show the result."""

    group = Group.CRAWL
    summary: ClassVar[str] = "Run all stages on an embedded news site, without network access"
    arguments: ClassVar[str] = ""
    examples: ClassVar[str] = """
        flong demo
        flong demo --articles 500 --seed 7
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the size of the site and the database file."""
        parser.add_argument("--articles", type=int, default=120, metavar="N", help="default: 120")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="another site")
        parser.add_argument(
            "--database",
            type=Path,
            default=Path("demo.db"),
            metavar="FILE",
            help="overwritten (default: demo.db)",
        )

    def database(self) -> str:
        """Delete the demo's database, if any, and return its URL."""
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._file}{suffix}").unlink(missing_ok=True)
        return f"sqlite:///{self._file}"

    def creates(self, options: argparse.Namespace) -> bool:
        """Return True: the command creates its database."""
        return True

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Store the file, then run as usual."""
        self._file: Path = opts.database
        super().run(args, opts)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Crawl, learn, extract, judge, and suggest next steps."""
        from flong.demo.demonstration import demonstrate  # noqa: PLC0415 - loads the compiler

        share = demonstrate(
            store,
            self._file,
            articles=options.articles,
            seed=options.seed,
            learning=self.learning(),
        )
        return DONE if share >= ENOUGH else NEEDS_ATTENTION
