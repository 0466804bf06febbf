"""`scrapy learn`: finds the templates of sites and composes their patterns."""

import argparse
from typing import ClassVar

from pipeline.command import (
    DONE,
    NEEDS_A_LOOK,
    Command,
    add_sites_argument,
    chosen_sites,
    work_on_each,
)
from pipeline.console import say
from pipeline.hints import show_hint
from storage import Site, Store


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

        def work(site: Site) -> int:
            with store.locks.hold(site):
                learned = learn(store, site, self.learning())
            say(f"{site.name}: {learned.summary}")
            show_hint(store, site, few_articles=not learned.article_patterns)
            return DONE if learned.article_patterns and not learned.look else NEEDS_A_LOOK

        return work_on_each(chosen_sites(store, options.sites), work)
