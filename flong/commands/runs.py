"""`flong runs`: what was done, when, and what came of it."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar

from flong.command import DONE, Command, Group, add_sites_argument, chosen_sites
from flong.console import Row
from flong.errors import PipelineError
from flong.listing import Listing
from flong.stages.report import NightReport, show_reports, write_html
from flong.storage import Run, Store

LISTING = Listing(
    title="Runs",
    kinds=("crawl", "load", "learn", "extract", "nightly"),
    when="started",
    happened="started",
    empty="Nothing was done yet.",
)


class RunsCommand(Command):
    """Lists the latest runs."""

    group = Group.LOOK
    summary: ClassVar[str] = "List what was done: crawls, learning, extraction"
    examples: ClassVar[str] = """
        flong runs
        flong runs news.example --kind nightly --limit 5 --json
        flong runs --run 12 --html report.html
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites, --run, --html and filters."""
        add_sites_argument(parser)
        parser.add_argument("--run", type=int, metavar="N", help="the report of nightly run N")
        parser.add_argument(
            "--html", type=Path, metavar="FILE", help="with --run: also write the report there"
        )
        LISTING.add_arguments(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row for each run, the latest first, or the report of one."""
        if options.run is not None:
            return self._show_report(store, options)
        names = {site.id: site.name for site in chosen_sites(store, options.sites)}
        rows = (_row(run, names[run.site_id]) for run in store.runs.all() if run.site_id in names)
        LISTING.show(rows, options)
        return DONE

    def _show_report(self, store: Store, options: argparse.Namespace) -> int:
        stored = store.reports.find(options.run)
        if stored is None:
            raise PipelineError(f"Run {options.run} left no report: only nightly runs that end do.")
        report = NightReport.from_json(stored)
        show_reports([report], as_json=options.json)
        if options.html:
            page = write_html([report], inspector=self.setting("FLONG_INSPECTOR"))
            options.html.write_text(page, encoding="utf-8")
        return DONE


def _row(run: Run, site: str) -> Row:
    end = run.finished_at
    seconds = None if end is None else round((end - run.started_at).total_seconds(), 1)
    about: Row = {"run": run.id, "site": site, "kind": run.kind, "status": run.status}
    when: Row = {"started": run.started_at, "seconds": seconds}
    return {**about, **when, **asdict(run.counts), "note": run.note}
