"""`flong learn`: finds the templates of sites and composes their patterns."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from scrapy.exceptions import UsageError

from flong.command import (
    DONE,
    NEEDS_A_LOOK,
    Command,
    Group,
    add_jobs_argument,
    add_sites_argument,
    chosen_sites,
    work_on_each,
)
from flong.console import say, show_note
from flong.stages.exports import whole_file
from flong.stages.hints import show_hint
from flong.storage import Site, Store
from flong.workers.pool import start_workers


class LearnCommand(Command):
    """Clusters stored pages, composes and labels patterns."""

    group = Group.READ
    summary: ClassVar[str] = "Find the templates of sites and compose their patterns"
    examples: ClassVar[str] = """
        flong learn
        flong learn news.example -s FLONG_SIMILARITY=0.75
        flong learn news.example --as-published --output patterns.txt
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites and --as-published."""
        add_sites_argument(parser)
        add_jobs_argument(parser)
        parser.add_argument(
            "--as-published",
            action="store_true",
            help="the patterns of Reis et al. as printed, into --output; nothing is stored",
        )
        parser.add_argument(
            "--output",
            type=Path,
            metavar="FILE",
            help="where --as-published writes, - is standard output",
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Learn each site; a site without an article pattern needs a look."""
        if options.as_published or options.output:
            return self._write_published(store, options)
        from flong.stages.learning import learn  # noqa: PLC0415 - loads the compiler

        sites = chosen_sites(store, options.sites)
        settings = replace(self.learning(), jobs=options.jobs)

        def work(site: Site) -> int:
            with store.locks.hold(site):
                learned = learn(store, site, settings)
            say(f"{site.name}: {learned.summary}")
            show_hint(store, site, few_articles=not learned.article_patterns)
            return DONE if learned.article_patterns and not learned.look else NEEDS_A_LOOK

        start_workers()  # they load what they need while we do
        return work_on_each(sites, work)

    def _write_published(self, store: Store, options: argparse.Namespace) -> int:
        """Write the patterns that the paper describes; the database is only read."""
        if not options.as_published or not options.output:
            raise UsageError(
                "The patterns of the paper are written to a file, the database keeps those that "
                "articles are extracted with: --as-published --output FILE"
            )
        from flong.stages.published import write_published  # noqa: PLC0415 - loads the compiler

        sites = chosen_sites(store, options.sites)
        with whole_file(options.output) as stream:
            counts = [write_published(store, site, stream, self.page_seconds()) for site in sites]
        show_note(f"{sum(counts)} patterns as published.")
        return DONE if sum(counts) else NEEDS_A_LOOK
