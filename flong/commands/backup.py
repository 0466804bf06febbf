"""`flong backup`: a copy of the database, while others work on it."""

import argparse
from pathlib import Path
from typing import ClassVar

from flong.command import DONE, Command, Group
from flong.console import say
from flong.errors import PipelineError
from flong.storage import Store


class BackupCommand(Command):
    """Writes the database to a file and checks it."""

    group = Group.ADMIN
    summary: ClassVar[str] = "Copy the database to a file, whole and checked, while others use it"
    arguments: ClassVar[str] = "FILE"
    examples: ClassVar[str] = """
        flong backup flong-monday.db
        flong backup /mnt/backup/flong.db --replace
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take the file."""
        parser.add_argument("file", type=Path, metavar="FILE", help="where the copy goes")
        parser.add_argument("--replace", action="store_true", help="over a file that is there")

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Write the file and say how large it is."""
        if options.file.exists() and not options.replace:
            raise PipelineError(f"{options.file} is there already: --replace writes over it.")
        store.back_up(options.file)
        size = options.file.stat().st_size / 1e6
        say(f"{options.file}: {size:,.1f} MB, and it is sound.", wraps=False)
        return DONE
