"""`flong load`: load the pages of a mirror or a WARC file as if they had been crawled."""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import ClassVar

from flong.command import DONE, NEEDS_ATTENTION, Command, Group
from flong.console import progress_bar, say, show_error, told
from flong.errors import PipelineError
from flong.page import Page
from flong.states import RunKind, RunStatus
from flong.storage import Store, UnknownSite

BATCH = 100
"""Number of pages per transaction."""


class LoadCommand(Command):
    """Store the pages of a wget mirror or a WARC file."""

    group = Group.CRAWL
    summary: ClassVar[str] = "Store the pages of a mirror or WARC file, without requests"
    arguments: ClassVar[str] = "SITE PATH"
    examples: ClassVar[str] = """
        flong load https://news.example/ mirror/
        flong load news.example pages.warc.gz
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the site and the path of its pages."""
        parser.add_argument("site", metavar="SITE", help="URL, or name of a known site")
        parser.add_argument("path", metavar="PATH", type=Path, help="a folder or a WARC file")

    def creates(self, options: argparse.Namespace) -> bool:
        """Return True: the command may create the database."""
        return True

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Store every page; add the site if it is new."""
        home = _home(store, options.site)
        complaints: list[str] = []
        pages = _pages(options.path, home, complaints.append)
        first = list(islice(pages, 1))  # add nothing if the first page cannot be read
        site = store.sites.add(home)
        with (
            store.locks.hold(site),
            store.runs.attend(store.runs.start(site, RunKind.LOAD)) as run,
            progress_bar(f"Loading {site.name}") as tell,
        ):
            everything = told(chain(first, pages), tell, "pages", 0)
            while batch := list(islice(everything, BATCH)):
                store.retry_while_busy(partial(store.pages.save, site, run, batch))
            counts = store.runs.finish(run, RunStatus.DONE, note=str(options.path)).counts
        say(
            f"{site.name}: {counts.new} pages new, {counts.changed} changed, "
            f"{counts.unchanged} unchanged."
        )
        for complaint in complaints:
            show_error(complaint)
        return NEEDS_ATTENTION if complaints else DONE


def _home(store: Store, site: str) -> str:
    """Return the home page of a site, given its URL or name."""
    try:
        return store.sites.find(site).url
    except UnknownSite:
        return site if "://" in site else f"https://{site}/"


def _pages(path: Path, home: str, complain: Callable[[str], None]) -> Iterator[Page]:
    from flong.stages.archive import pages_of_archive  # noqa: PLC0415 - most commands need no WARC
    from flong.stages.mirror import pages_of_mirror  # noqa: PLC0415 - nor HTML

    if not path.exists():
        raise PipelineError(f"{path} does not exist.")
    if path.is_dir():
        return pages_of_mirror(path, home)
    return pages_of_archive(path, home, complain)
