"""`flong extract`: gets the articles out of stored pages."""

import argparse
from collections.abc import Sequence
from functools import partial
from itertools import chain
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
from flong.stages.exports import FORMATS, whole_file
from flong.storage import Site, Store
from flong.workers.pool import start_workers


class ExtractCommand(Command):
    """Matches stored pages with the patterns of their site and writes articles."""

    group = Group.READ
    summary: ClassVar[str] = "Get the articles out of stored pages"
    examples: ClassVar[str] = """
        flong extract
        flong extract news.example --all --jobs 1
        flong extract news.example --method consensus --output consensus.jsonl
        flong extract news.example --method v-wrapper --output visual.jsonl
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites and --all."""
        add_sites_argument(parser)
        parser.add_argument(
            "--all", action="store_true", help="also pages that were extracted before"
        )
        add_jobs_argument(parser)
        parser.add_argument(
            "--method",
            metavar="NAME",
            help="all pages, by another method than the patterns, into --output: coreex, econ ...",
        )
        parser.add_argument(
            "--output",
            type=Path,
            metavar="FILE",
            help="where --method writes, - is standard output",
        )
        parser.add_argument(
            "--format", choices=[*FORMATS], default="jsonl", help="of --output (default: jsonl)"
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Extract each site; one whose pages give no article needs a look."""
        sites = chosen_sites(store, options.sites)
        if options.method or options.output:
            return self._compare(store, sites, options)
        start_workers()  # they load what they need while we do
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
            return DONE if next(store.articles.all(site, limit=1), None) else NEEDS_A_LOOK

        return work_on_each(sites, work)

    def _compare(self, store: Store, sites: Sequence[Site], options: argparse.Namespace) -> int:
        """Write what another method finds; the database is only read."""
        if not options.method or not options.output:
            raise UsageError(
                "Another method writes to a file, the database keeps the articles of the patterns: "
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
        return DONE if count else NEEDS_A_LOOK
