"""`flong extract`: extract articles from stored pages."""

import argparse
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import ClassVar

from scrapy.exceptions import UsageError

from flong.command import (
    DONE,
    NEEDS_ATTENTION,
    Command,
    Group,
    add_jobs_argument,
    add_sites_argument,
    chosen_sites,
    work_on_each,
)
from flong.console import say, show_note
from flong.stages.exports import FORMATS, whole_file
from flong.storage import Site, Store
from flong.workers.pool import start_workers


class ExtractCommand(Command):
    """Match stored pages with the patterns of their site and write articles."""

    group = Group.READ
    summary: ClassVar[str] = "Extract articles from stored pages"
    examples: ClassVar[str] = """
        flong extract
        flong extract news.example --all --jobs 1
        flong extract news.example --method consensus --output consensus.jsonl
        flong extract news.example --method v-wrapper --output visual.jsonl
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites and --all."""
        add_sites_argument(parser)
        parser.add_argument(
            "--all", action="store_true", help="also pages that were already extracted"
        )
        add_jobs_argument(parser)
        parser.add_argument(
            "--method",
            metavar="NAME",
            help="extract all pages by another method (coreex, econ ...) into --output",
        )
        parser.add_argument(
            "--output",
            type=Path,
            metavar="FILE",
            help="output of --method, - for standard output",
        )
        parser.add_argument(
            "--format", choices=[*FORMATS], default="jsonl", help="file format (default: jsonl)"
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Extract each site; a site without articles needs attention."""
        sites = chosen_sites(store, options.sites)
        if options.method or options.output:
            return self._compare(store, sites, options)
        start_workers()  # they import modules while we load the data
        return self._extract(store, sites, options)

    def _extract(self, store: Store, sites: Sequence[Site], options: argparse.Namespace) -> int:
        from flong.stages.extraction import extract  # noqa: PLC0415 - slow to load

        def work(site: Site) -> int:
            with store.locks.hold(site):
                extracted = extract(
                    store,
                    site,
                    everything=options.all,
                    seconds=self.page_seconds(),
                    jobs=options.jobs,
                )
            say(f"{site.name}: {extracted.summary}")
            return DONE if next(store.articles.all(site, limit=1), None) else NEEDS_ATTENTION

        return work_on_each(sites, work)

    def _compare(self, store: Store, sites: Sequence[Site], options: argparse.Namespace) -> int:
        """Write the articles of another method; the database is only read."""
        if not options.method or not options.output:
            raise UsageError(
                "The database holds only articles found by patterns. Write others to a file:"
                "--method NAME --output FILE"
            )
        from flong.visual.methods import (  # noqa: PLC0415 - loads the compiler
            METHOD_NAMES,
            articles_by_method,
        )

        if options.method not in METHOD_NAMES:
            known = ", ".join(METHOD_NAMES)
            raise UsageError(f"There is no method {options.method!r}: {known}.")
        find = partial(
            articles_by_method,
            store,
            method=options.method,
            chromium=self.setting("FLONG_CHROMIUM"),
            seconds=self.page_seconds(),
        )
        with whole_file(options.output) as stream:
            count = FORMATS[options.format](chain.from_iterable(map(find, sites)), stream)
        show_note(f"{options.method} finds {count} articles.")
        return DONE if count else NEEDS_ATTENTION
