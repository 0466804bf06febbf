"""`flong demo`: the whole job on the embedded news site, no network."""

import argparse
from pathlib import Path
from typing import ClassVar

from flong.command import DONE, NEEDS_A_LOOK, Command, Group
from flong.storage import Store

ENOUGH = 0.9
"""Share of the articles that must be right."""


class DemoCommand(Command):
    """Serves the demo portal on loopback, crawls it, learns it, extracts it, shows the result."""

    group = Group.CRAWL
    summary: ClassVar[str] = "Do the whole job on an embedded news site, without a network"
    arguments: ClassVar[str] = ""
    examples: ClassVar[str] = """
        flong demo
        flong demo --articles 500 --seed 7
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take the size of the site and where to put the result."""
        parser.add_argument("--articles", type=int, default=120, metavar="N", help="default: 120")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="another site")
        parser.add_argument(
            "--database",
            type=Path,
            default=Path("demo.db"),
            metavar="FILE",
            help="written anew (default: demo.db)",
        )

    def database(self) -> str:
        """Return the URL of the demo's own database, emptied first."""
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._file}{suffix}").unlink(missing_ok=True)
        return f"sqlite:///{self._file}"

    def creates(self, options: argparse.Namespace) -> bool:
        """Return that a database is made."""
        return True

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Remember the file, then do as every command does."""
        self._file: Path = opts.database
        super().run(args, opts)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Crawl, learn, extract, judge, and say what to try next."""
        from flong.demo.demonstration import demonstrate  # noqa: PLC0415 - loads the compiler

        share = demonstrate(
            store,
            self._file,
            articles=options.articles,
            seed=options.seed,
            learning=self.learning(),
        )
        return DONE if share >= ENOUGH else NEEDS_A_LOOK
