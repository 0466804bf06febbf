"""What all commands have in common: help with examples, errors in one sentence, exit codes."""

import argparse
import sys
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler import check_settings
from pipeline.screen import show_error
from pipeline.worker import PAGE_SECONDS
from storage import InvalidAddress, Site, StorageError, Store, UnknownPage, UnknownSite

DONE, FAILED, WRONG_USAGE, NEEDS_A_LOOK = 0, 1, 2, 3
"""Exit codes that a scheduler can trust."""


class PipelineError(Exception):
    """A stage cannot do what it was asked, for a reason that fits in one sentence."""


class OutdatedModel(PipelineError):
    """What was learned about a site was stored by another version of this program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSettings:
    """How a site is learned."""

    similarity: float = 0.8
    """Pages at least so similar share a template."""
    sample_size: int = 3000
    """Pages that are clustered at most; the others are only matched."""
    page_seconds: float = PAGE_SECONDS
    """Processor time that the reading of one page may take."""
    replace_cost: int = 1
    """What it costs to give a vertex another tag; to remove or add one costs 1."""


class Command(ScrapyCommand):
    """A command on the database: `work` does it and returns the exit code."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "WARNING"}
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
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        lines = "\n".join(f"  {line.strip()}" for line in self.examples.strip().splitlines())
        parser.epilog = f"examples:\n{lines}"
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
            with Store.open(self.database()) as store:
                self.exitcode = self.work(store, opts)
        except (InvalidAddress, UnknownPage, UnknownSite) as error:
            self.exitcode = WRONG_USAGE
            show_error(str(error))
        except (StorageError, PipelineError) as error:
            self.exitcode = FAILED
            show_error(str(error))
        except BrokenPipeError:
            sys.stderr.close()  # the reader went away, as with `| head`: nobody is left to tell

    def database(self) -> str:
        """Return the address of the database."""
        return str(self.setting("FLONG_DATABASE"))

    def learning(self) -> LearningSettings:
        """Return how the settings say that sites are learned."""
        return LearningSettings(
            similarity=float(self.setting("FLONG_SIMILARITY")),
            sample_size=int(self.setting("FLONG_SAMPLE_SIZE")),
            page_seconds=self.page_seconds(),
            replace_cost=int(self.setting("FLONG_REPLACE_COST")),
        )

    def page_seconds(self) -> float:
        """Return the processor time that one page may take."""
        return float(self.setting("FLONG_PAGE_SECONDS"))

    def setting(self, name: str) -> Any:
        """Return the value of a setting."""
        if self.settings is None:
            raise RuntimeError("Scrapy gives a command its settings before it runs it")
        return self.settings[name]


def add_sites_argument(parser: argparse.ArgumentParser) -> None:
    """Let the command take any number of sites, all if none is named."""
    parser.add_argument(
        "sites", nargs="*", metavar="SITE", help="name or address of a site; all sites if none"
    )


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    """Let the command print for programs."""
    parser.add_argument("--json", action="store_true", help="a line of JSON for each row")


def chosen_sites(store: Store, names: list[str]) -> list[Site]:
    """Return the sites named, or all that there are."""
    return [store.find_site(name) for name in names] if names else list(store.sites())
