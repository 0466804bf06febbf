"""`flong backup`: copy the database while it is in use."""

import argparse
from pathlib import Path
from typing import ClassVar

from flong.command import DONE, Command, Group
from flong.console import say
from flong.errors import PipelineError
from flong.storage import Store


class BackupCommand(Command):
    """Write the database to a file and check it."""

    group = Group.ADMIN
    summary: ClassVar[str] = "Copy the database to a file and check it; safe while in use"
    arguments: ClassVar[str] = "FILE"
    examples: ClassVar[str] = """
        flong backup flong-monday.db
        flong backup /mnt/backup/flong.db --replace
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the target file."""
        parser.add_argument("file", type=Path, metavar="FILE", help="path of the copy")
        parser.add_argument("--replace", action="store_true", help="overwrite an existing file")

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Write the file and print its size."""
        if options.file.exists() and not options.replace:
            raise PipelineError(f"{options.file} already exists. Add --replace to overwrite it.")
        store.back_up(options.file)
        size = options.file.stat().st_size / 1e6
        say(f"{options.file}: {size:,.1f} MB, integrity check passed.", wraps=False)
        return DONE
