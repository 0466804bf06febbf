"""What all commands have in common: help with examples, errors in one sentence, exit codes."""

import argparse
import sys
from abc import abstractmethod
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from flong.console import show_error, show_note
from flong.crawler import check_settings, flong_settings, lock_settings
from flong.errors import PipelineError
from flong.program import program
from flong.search import Ranking
from flong.stages.learning_settings import LearningSettings, learning_settings
from flong.storage import (
    InvalidUrl,
    LockedSite,
    LockSettings,
    MissingDatabase,
    Site,
    StorageError,
    Store,
    UnknownClipping,
    UnknownCorrection,
    UnknownPage,
    UnknownSite,
)
from flong.storage.search import SearchSettings

DONE, FAILED, WRONG_USAGE, NEEDS_A_LOOK = 0, 1, 2, 3
"""Exit codes that a scheduler can trust."""


EXTRAS = {"fastapi": "app", "jinja2": "app", "uvicorn": "app"}
"""Packages outside the base installation, and the extra that has them."""


class Group(StrEnum):
    """Headings under which `flong -h` lists the commands, in this order."""

    CRAWL = "Crawl"
    READ = "Learn and extract"
    LOOK = "Look"
    SEARCH = "Search"
    ADMIN = "Look after the database"


class Command(ScrapyCommand):
    """A command on the database: `work` does it and returns the exit code."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "WARNING", **flong_settings()}
    """What holds where there is no project, or another one than flong's own."""
    group: ClassVar[Group]
    """Heading in `flong -h`."""
    summary: ClassVar[str]
    """One line for `scrapy -h`."""
    arguments: ClassVar[str] = "[SITE ...]"
    """What follows the command's name."""
    examples: ClassVar[str]
    """Command lines that work, one a line."""

    def syntax(self) -> str:
        """Return what follows the command's name."""
        return f"[options] {self.arguments}"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return self.summary

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take Scrapy's options and the command's own."""
        name = type(self).__module__.rpartition(".")[2]
        show_usage(parser, name, self.syntax(), self.examples)
        self.add_arguments(parser)
        super().add_options(parser)

    @abstractmethod
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's own arguments."""

    @abstractmethod
    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Do the work; return the exit code."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Open the database, do the work, turn errors into one sentence and an exit code."""
        if args:
            raise UsageError(f"{args[0]!r} is not understood; -h shows what is.")
        try:
            check_settings(self.settings or {})
        except ValueError as error:
            self.exitcode = WRONG_USAGE
            show_error(f"{error}.")
            return
        try:
            locking = lock_settings(self.settings or {})
            with open_store(self.database(), locking, create=self.creates(opts)) as store:
                self.exitcode = self.work(store, opts)
        except (
            InvalidUrl,
            MissingDatabase,
            UnknownClipping,
            UnknownCorrection,
            UnknownPage,
            UnknownSite,
        ) as error:
            self.exitcode = WRONG_USAGE
            show_error(str(error))
        except (StorageError, PipelineError) as error:
            self.exitcode = FAILED
            show_error(str(error))
        except ModuleNotFoundError as error:
            extra = EXTRAS.get((error.name or "").partition(".")[0])
            if extra is None:
                raise
            self.exitcode = FAILED
            show_error(f"This needs {error.name}. Run: pip install 'flong[{extra}]'")
        except KeyboardInterrupt:
            self.exitcode = FAILED
            show_error("Interrupted. Progress is saved; run the same command to continue.")
        except BrokenPipeError:
            sys.stderr.close()  # the reader went away, as with `| head`: nobody is left to tell

    def creates(self, options: argparse.Namespace) -> bool:
        """Return whether the command makes a database where there is none; most only look."""
        return False

    def database(self) -> str:
        """Return the URL of the database."""
        return str(self.setting("FLONG_DATABASE"))

    def learning(self) -> LearningSettings:
        """Return how the settings say that sites are learned."""
        return learning_settings(self.settings or {})

    def page_seconds(self) -> float:
        """Return the processor time that one page may take."""
        return float(self.setting("FLONG_PAGE_SECONDS"))

    def searching(self, **given: Any) -> SearchSettings:
        """Return how the settings say that searches are answered, with what else is given."""
        ranking = Ranking(
            half_life=float(self.setting("FLONG_SEARCH_HALF_LIFE")),
            window=int(self.setting("FLONG_SEARCH_WINDOW")),
        )
        return SearchSettings(ranking=ranking, **given)

    def setting(self, name: str) -> Any:
        """Return the value of a setting."""
        if self.settings is None:
            raise RuntimeError("Scrapy gives a command its settings before it runs it")
        return self.settings[name]


def show_usage(parser: argparse.ArgumentParser, name: str, arguments: str, examples: str) -> None:
    """Give a parser its usage line and examples, with the name that the program was called by."""
    lines = "\n".join(f"  {line.strip()}" for line in examples.strip().splitlines())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.usage = f"{program()} {name} {arguments}"
    parser.epilog = "examples:\n" + lines.replace("flong ", f"{program()} ")


def open_store(url: str, locking: LockSettings, *, create: bool) -> Store:
    """Open a database; say so if a new one is made, since its name may be mistyped."""
    try:
        return Store.open(url, create=False, locking=locking)
    except MissingDatabase as error:
        if not create:
            raise MissingDatabase(f"{error} Set FLONG_DATABASE to use a different one.") from error
    store = Store.open(url, locking=locking)
    show_note(f"New database {store.engine.url}")
    return store


def work_on_each(sites: Sequence[Site], work: Callable[[Site], int]) -> int:
    """Do the work on each site; return the exit code for all.

    A site that cannot be worked on is named and holds up no other: that needs a look. If it is the
    same with all of them, they failed.
    """
    if not sites:
        raise PipelineError(f"There is no site yet: {program()} crawl https://...")
    codes = []
    for site in sites:
        try:
            codes.append(work(site))
        except (PipelineError, LockedSite) as error:
            show_error(str(error))
            codes.append(FAILED)
    if DONE not in codes and NEEDS_A_LOOK not in codes:
        return FAILED
    return NEEDS_A_LOOK if any(codes) else DONE


def add_sites_argument(parser: argparse.ArgumentParser) -> None:
    """Let the command take any number of sites, all if none is named."""
    parser.add_argument(
        "sites", nargs="*", metavar="SITE", help="name or URL of a site; all sites if none"
    )


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Let the command take the number of cores to use, all if it is not given."""
    parser.add_argument(
        "--jobs", type=_count, metavar="N", help="processes that read pages (default: all cores)"
    )


def _count(text: str) -> int:
    """Return a number of things, one at least."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"one or more, not {text!r}")
    return int(text)


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    """Let the command print for programs."""
    parser.add_argument("--json", action="store_true", help="a line of JSON for each row")


def chosen_sites(store: Store, names: list[str]) -> list[Site]:
    """Return the sites named, or all that there are."""
    return [store.sites.find(name) for name in names] if names else list(store.sites.all())
