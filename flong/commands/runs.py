"""`flong runs`: list runs and their results."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar

from flong.command import DONE, Command, Group, add_sites_argument, chosen_sites
from flong.console import Row
from flong.errors import PipelineError
from flong.findings import sentence
from flong.listing import Listing, whole_number
from flong.stages.report import NightReport, show_reports, write_html
from flong.states import RunKind
from flong.storage import Run, Store

LISTING = Listing(
    title="Runs",
    kinds=tuple(RunKind),
    when="started",
    happened="started",
    empty="There are no runs yet.",
)


class RunsCommand(Command):
    """List the latest runs."""

    group = Group.LOOK
    summary: ClassVar[str] = "List runs: crawls, learning, extraction"
    examples: ClassVar[str] = """
        flong runs
        flong runs news.example --kind nightly --limit 5 --json
        flong runs --run 12 --html report.html
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites, --run, --html and filters."""
        add_sites_argument(parser)
        parser.add_argument(
            "--run", type=whole_number, metavar="N", help="show the report of nightly run N"
        )
        parser.add_argument(
            "--html", type=Path, metavar="FILE", help="with --run: also write the report as HTML"
        )
        LISTING.add_arguments(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row per run, latest first, or the report of one."""
        if options.run is not None:
            return self._show_report(store, options)
        names = {site.id: site.name for site in chosen_sites(store, options.sites)}
        runs = (run for run in store.runs.all() if run.site_id in names)
        rows = (_row(run, names[run.site_id], run.note or _note(store, run)) for run in runs)
        LISTING.show(rows, options)
        return DONE

    def _show_report(self, store: Store, options: argparse.Namespace) -> int:
        stored = store.nights.report(options.run)
        if stored is None:
            raise PipelineError(f"Run {options.run} has no report; only finished nightly runs do.")
        report = NightReport.from_json(stored)
        show_reports([report], as_json=options.json)
        if options.html:
            page = write_html([report], inspector=self.setting("FLONG_INSPECTOR"))
            options.html.write_text(page, encoding="utf-8")
        return DONE


def _note(store: Store, run: Run) -> str:
    """Return the findings of a nightly run in words; empty if it has none."""
    stored = store.nights.report(run.id) if run.kind is RunKind.NIGHTLY else None
    findings = NightReport.from_json(stored).findings if stored else ()
    return " ".join(map(sentence, findings))


def _row(run: Run, site: str, note: str) -> Row:
    end = run.finished_at
    seconds = None if end is None else round((end - run.started_at).total_seconds(), 1)
    about: Row = {"run": run.id, "site": site, "kind": run.kind, "status": run.status}
    when: Row = {"started": run.started_at, "seconds": seconds}
    return {**about, **when, **asdict(run.counts), "note": note}
