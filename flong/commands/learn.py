"""`flong learn`: find the templates of sites and compose their patterns."""

import argparse
from contextlib import nullcontext
from dataclasses import replace
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
from flong.console import say, show_error, show_note
from flong.findings import needing_attention, sentence
from flong.stages.exports import whole_file
from flong.stages.hints import show_hint
from flong.storage import Site, Store
from flong.workers.pool import start_workers


class LearnCommand(Command):
    """Cluster stored pages, compose and label patterns."""

    group = Group.READ
    summary: ClassVar[str] = "Find the templates of sites and compose their patterns"
    examples: ClassVar[str] = """
        flong learn
        flong learn news.example -s FLONG_SIMILARITY=0.75
        flong learn news.example --as-published --output patterns.txt
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites and --as-published."""
        add_sites_argument(parser)
        add_jobs_argument(parser)
        parser.add_argument(
            "--as-published",
            action="store_true",
            help="store the patterns of Reis et al. as published; extraction does not use them",
        )
        parser.add_argument(
            "--output",
            type=Path,
            metavar="FILE",
            help="also write the patterns of --as-published as text, - for standard output",
        )

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Learn each site; a site without an article pattern needs attention."""
        if options.as_published or options.output:
            return self._learn_published(store, options)
        from flong.stages.learning import learn  # noqa: PLC0415 - loads the compiler

        sites = chosen_sites(store, options.sites)
        settings = replace(self.learning(), jobs=options.jobs)

        def work(site: Site) -> int:
            with store.locks.hold(site):
                found = learn(store, site, settings)
            for finding in found:
                (show_error if finding.kind.needs_attention else say)(sentence(finding))
            if needing_attention(found):
                return NEEDS_ATTENTION
            show_hint(store, site)
            return DONE

        start_workers()  # they import modules while we load the data
        return work_on_each(sites, work)

    def _learn_published(self, store: Store, options: argparse.Namespace) -> int:
        """Store the patterns described in the paper, and write them to --output."""
        from flong.stages.methods import store_published  # noqa: PLC0415 - loads the compiler

        if not options.as_published:
            raise UsageError("Only published patterns are written: --as-published --output FILE")
        count = 0
        with whole_file(options.output) if options.output else nullcontext() as stream:
            for site in chosen_sites(store, options.sites):
                for row in store_published(store, site, self.page_seconds()):
                    count += 1
                    head = f"# {site.name}, pattern {row.number}: {row.vertices} vertices, "
                    head += f"{row.wildcards} of them wildcards\n"
                    if stream is not None:
                        stream.write((head + row.text + "\n").encode())
        show_note(f"{count} patterns as published.")
        return DONE if count else NEEDS_ATTENTION
