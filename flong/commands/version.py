"""`flong version`: the versions of flong and of Scrapy."""

import argparse

from scrapy.commands.version import Command as ScrapyVersion

from flong.command import Group, show_usage
from flong.program import VERSION


class VersionCommand(ScrapyVersion):
    """Print flong's version, then Scrapy's."""

    group = Group.ADMIN

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return "Print the versions of flong and of Scrapy."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add all options of Scrapy's command."""
        super().add_options(parser)
        show_usage(parser, "version", self.syntax(), "flong version -v")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the versions; with -v also those of libraries."""
        print(f"flong {VERSION}")
        super().run(args, opts)
