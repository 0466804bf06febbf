"""`scrapy learn`: finds the templates of sites and composes their patterns."""

import argparse
from typing import ClassVar

from pipeline.command import DONE, NEEDS_A_LOOK, Command, add_sites_argument, chosen_sites
from pipeline.screen import say
from storage import Store


class LearnCommand(Command):
    """Clusters stored pages, composes and labels patterns."""

    summary: ClassVar[str] = "Find the templates of sites and compose their patterns"
    examples: ClassVar[str] = """
        scrapy learn
        scrapy learn news.example -s FLONG_SIMILARITY=0.75
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites."""
        add_sites_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Learn each site; a site without an article pattern needs a look."""
        from pipeline.learning import learn  # noqa: PLC0415 - loads the compiler

        exitcode = DONE
        for site in chosen_sites(store, options.sites):
            learned = learn(store, site, self.learning())
            say(f"{site.name}: {learned.summary}")
            if not learned.article_patterns:
                exitcode = NEEDS_A_LOOK
        return exitcode
