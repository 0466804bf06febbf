"""Base class for commands: help text, error messages, exit codes."""

import argparse
import os
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

DONE, FAILED, WRONG_USAGE, NEEDS_ATTENTION = 0, 1, 2, 3
"""Exit codes."""


EXTRAS = {"fastapi": "app", "jinja2": "app", "uvicorn": "app"}
"""Optional packages, and the extra that installs each."""


class Group(StrEnum):
    """Headings of `flong -h`, in this order."""

    CRAWL = "Crawl"
    READ = "Learn and extract"
    LOOK = "Look"
    SEARCH = "Search"
    ADMIN = "Look after the database"


class Command(ScrapyCommand):
    """A command on the database; `work` returns the exit code."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "WARNING", **flong_settings()}
    """Defaults outside of flong's own project."""
    group: ClassVar[Group]
    """Heading in `flong -h`."""
    summary: ClassVar[str]
    """One line for `flong -h`."""
    arguments: ClassVar[str] = "[SITE ...]"
    """Arguments in the usage line."""
    examples: ClassVar[str]
    """Working command lines, one per line."""

    def syntax(self) -> str:
        """Return the options and arguments in the usage line."""
        return f"[options] {self.arguments}"

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return self.summary

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add Scrapy's options and the command's own."""
        name = type(self).__module__.rpartition(".")[2]
        show_usage(parser, name, self.syntax(), self.examples)
        self.add_arguments(parser)
        super().add_options(parser)

    @abstractmethod
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the command."""

    @abstractmethod
    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Do the work and return the exit code."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do the work, and turn errors into a message and an exit code."""
        if args:
            raise UsageError(f"Unknown argument {args[0]!r}. -h shows usage.")
        try:
            check_settings(self.settings or {})
        except ValueError as error:
            self.exitcode = WRONG_USAGE
            show_error(f"{error}.")
            return
        try:
            self.exitcode = self.start(opts)
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
            sys.stderr.close()  # the reader is gone, as with `| head`

    def start(self, options: argparse.Namespace) -> int:
        """Open the database, do the work and return the exit code."""
        locking = lock_settings(self.settings or {})
        with open_store(self.database(), locking, create=self.creates(options)) as store:
            return self.work(store, options)

    def creates(self, options: argparse.Namespace) -> bool:
        """Return True if the command may create the database; most only read it."""
        return False

    def database(self) -> str:
        """Return the URL of the database."""
        return str(self.setting("FLONG_DATABASE"))

    def child_settings(self, given: Sequence[str]) -> list[str]:
        """Return the settings for the command line of a child process, without the database."""
        return [each for each in given if not each.startswith("FLONG_DATABASE=")]

    def child_environment(self) -> dict[str, str]:
        """Return the environment of a child process.

        It contains the database: its URL may have a password, and `ps` shows command lines.
        """
        return {**os.environ, "FLONG_DATABASE": self.database()}

    def learning(self) -> LearningSettings:
        """Return the settings for learning."""
        return learning_settings(self.settings or {})

    def page_seconds(self) -> float:
        """Return the maximum processor time per page, in seconds."""
        return float(self.setting("FLONG_PAGE_SECONDS"))

    def searching(self, **given: Any) -> SearchSettings:
        """Return the settings for searches, with the given ones."""
        ranking = Ranking(
            half_life=float(self.setting("FLONG_SEARCH_HALF_LIFE")),
            window=int(self.setting("FLONG_SEARCH_WINDOW")),
        )
        return SearchSettings(ranking=ranking, **given)

    def setting(self, name: str) -> Any:
        """Return the value of a setting."""
        if self.settings is None:
            raise RuntimeError("Scrapy sets the settings before it runs a command")
        return self.settings[name]


def show_usage(parser: argparse.ArgumentParser, name: str, arguments: str, examples: str) -> None:
    """Set usage line and examples of a parser, under the name of the running program."""
    lines = "\n".join(f"  {line.strip()}" for line in examples.strip().splitlines())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.usage = f"{program()} {name} {arguments}"
    parser.epilog = "examples:\n" + lines.replace("flong ", f"{program()} ")


def open_store(url: str, locking: LockSettings, *, create: bool) -> Store:
    """Open a database. Report a new one: its name may be a typing error."""
    try:
        return Store.open(url, create=False, locking=locking)
    except MissingDatabase as error:
        if not create:
            raise MissingDatabase(f"{error} Set FLONG_DATABASE to use a different one.") from error
    store = Store.open(url, locking=locking)
    show_note(f"New database {store.engine.url}")
    return store


def work_on_each(sites: Sequence[Site], work: Callable[[Site], int]) -> int:
    """Work on each site and return the exit code for all.

    A failing site is reported and does not stop the others: exit code 3. If all sites fail, exit
    code 1.
    """
    if not sites:
        raise PipelineError(f"There is no site yet. Run: {program()} crawl https://...")
    codes = []
    for site in sites:
        try:
            codes.append(work(site))
        except (PipelineError, LockedSite) as error:
            show_error(str(error))
            codes.append(FAILED)
    if DONE not in codes and NEEDS_ATTENTION not in codes:
        return FAILED
    return NEEDS_ATTENTION if any(codes) else DONE


def add_sites_argument(parser: argparse.ArgumentParser) -> None:
    """Add an argument for any number of sites, by default all."""
    parser.add_argument(
        "sites", nargs="*", metavar="SITE", help="name or URL of a site; all sites if none"
    )


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Add an option for the number of worker processes, by default all cores."""
    parser.add_argument(
        "--jobs", type=_count, metavar="N", help="processes that read pages (default: all cores)"
    )


def _count(text: str) -> int:
    """Return a number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text!r}")
    return int(text)


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    """Add an option for JSON output."""
    parser.add_argument("--json", action="store_true", help="a line of JSON for each row")


def chosen_sites(store: Store, names: list[str]) -> list[Site]:
    """Return the named sites, or all sites."""
    return [store.sites.find(name) for name in names] if names else list(store.sites.all())
