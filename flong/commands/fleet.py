"""`flong fleet`: crawl many sites every night, on many machines."""

import argparse
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import ClassVar

from scrapy.exceptions import UsageError

from flong.command import (
    DONE,
    FAILED,
    NEEDS_ATTENTION,
    Command,
    Group,
    add_json_argument,
    chosen_sites,
)
from flong.console import Row, harmless, say, show_error, show_rows
from flong.crawler import set_up_log
from flong.errors import PipelineError
from flong.fleet import WorkerSettings, check_fleet, fleet_status, metrics, queue_round, run_worker
from flong.fleet.status import FleetReport, report_fleet
from flong.listing import whole_number
from flong.program import program
from flong.search.clippings import mail
from flong.stages.delivery import post_reports
from flong.stages.report import show_attention
from flong.states import JobKind
from flong.storage import Round, Store
from flong.storage.fleet import Fleet, FleetJob

STAGES = (JobKind.LEARN, JobKind.EXTRACT)
"""Stages that can be run for all sites besides nightly runs."""


class FleetCommand(Command):
    """Queue nightly runs, work on them, and show their status."""

    group = Group.CRAWL
    summary: ClassVar[str] = "Crawl thousands of sites every night, on several machines"
    arguments: ClassVar[str] = "night|work|run|status|report [SITE ...]"
    examples: ClassVar[str] = """
        flong fleet night
        flong fleet work --jobs 8
        flong fleet status
        flong fleet status --metrics
        flong fleet run learn
        flong fleet report --html night.html
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the action, sites and options."""
        verbs = ("night", "work", "run", "status", "report")
        parser.add_argument("verb", choices=verbs, metavar="VERB", help=", ".join(verbs))
        parser.add_argument("words", nargs="*", metavar="SITE", help="sites (default: all)")
        parser.add_argument("--jobs", type=_jobs, default=1, metavar="N", help="concurrent sites")
        parser.add_argument(
            "--drain", action="store_true", help="with work: exit when no job is left"
        )
        parser.add_argument("--metrics", action="store_true", help="with status: Prometheus format")
        parser.add_argument(
            "--round", type=whole_number, metavar="N", help="round id (default: the latest)"
        )
        parser.add_argument(
            "--html", type=Path, metavar="FILE", help="with report: write it as HTML"
        )
        parser.add_argument("--post", action="store_true", help="with report: to FLONG_WEBHOOK")
        parser.add_argument(
            "--due", action="store_true", help="with --post: unless already sent or being sent"
        )
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Run the action."""
        check_fleet(store)
        verbs: dict[str, Callable[[Store, argparse.Namespace], int]] = {
            "night": partial(self._queue, JobKind.NIGHTLY, options.words),
            "work": self._work,
            "run": self._run,
            "status": _show_status,
            "report": self._report,
        }
        return verbs[options.verb](store, options)

    def _queue(
        self, kind: JobKind, names: list[str], store: Store, options: argparse.Namespace
    ) -> int:
        sites = [s for s in chosen_sites(store, names) if names or not s.paused]
        if not sites:
            raise PipelineError(
                f"There is no site to visit. Run: {program()} sites add https://..."
            )
        hours = float(self.setting("FLONG_FLEET_HOURS")) if kind is JobKind.NIGHTLY else 0.0
        say(queue_round(store, kind, sites, hours))
        return DONE

    def _run(self, store: Store, options: argparse.Namespace) -> int:
        if not options.words or options.words[0] not in STAGES:
            raise UsageError(f"A stage is missing. Run: {program()} fleet run {'|'.join(STAGES)}")
        kind, *names = options.words
        return self._queue(JobKind(kind), names, store, options)

    def _work(self, store: Store, options: argparse.Namespace) -> int:
        settings = WorkerSettings(
            jobs=options.jobs,
            host=str(self.setting("FLONG_HOST")),
            heartbeat_seconds=float(self.setting("FLONG_HEARTBEAT_SECONDS")),
            grace_seconds=float(self.setting("FLONG_FLEET_GRACE_SECONDS")),
            retry_seconds=float(self.setting("FLONG_FLEET_RETRY_SECONDS")),
            drain=options.drain,
            options=self.child_settings(options.set),
            environment=self.child_environment(),
        )
        set_up_log(self.settings or {})
        why = run_worker(store, settings)
        if why:
            show_error(why)
        return FAILED if why else DONE

    def _report(self, store: Store, options: argparse.Namespace) -> int:
        status = fleet_status(store, _round(store, options, JobKind.NIGHTLY))
        report = report_fleet(store, status)
        show_rows("The night of the fleet", [report.summary()], as_json=options.json, empty="")
        for each in () if options.json else report.attention:
            show_attention(each)
        if options.html:
            page = report.html(self.setting("FLONG_INSPECTOR"))
            options.html.write_text(page, encoding="utf-8")
        if options.post and options.due:
            with Fleet(store).reporting(status.round) as is_ours:
                if is_ours:
                    self._post(report)
        elif options.post:
            self._post(report)
        return NEEDS_ATTENTION if report.attention else DONE

    def _post(self, report: FleetReport) -> None:
        """Send the report of a night, and mail new articles of clippings; nightly rounds only."""
        if report.status.round.kind is JobKind.NIGHTLY:
            post_reports([report.posted()], self.setting)
            mail(report.reports, self.setting)


def _round(store: Store, options: argparse.Namespace, kind: JobKind | None = None) -> Round:
    fleet = Fleet(store)
    found = fleet.latest_round(kind) if options.round is None else fleet.find_round(options.round)
    if found is None:
        raise PipelineError(f"Nothing was queued yet. Run: {program()} fleet night")
    return found


def _show_status(store: Store, options: argparse.Namespace) -> int:
    status = fleet_status(store, _round(store, options))
    if options.metrics:
        print(metrics(status), end="")
        return DONE
    if options.json:
        show_rows("", [_row(job) for job in status.jobs], as_json=True, empty="")
        return DONE
    now = datetime.now(UTC)
    about: Row = {"round": status.round.id, "kind": status.round.kind, "name": status.round.name}
    counts = {state.value: number for state, number in status.counts.items()}
    figures: Row = {**counts, **asdict(status.totals), "ends": status.ends_at(now)}
    show_rows("The fleet", [{**about, **figures}], as_json=False, empty="")
    running = [_row(job) for job in status.running]
    show_rows("At work", running, as_json=False, empty="Nothing is being done.")
    for job in status.trouble:
        say(harmless(f"{job.site} ({job.state.value}): {job.note}"))
    return DONE


def _row(job: FleetJob) -> Row:
    hidden = ("id", "round_id", "site_id", "run_before", "version")
    return {name: value for name, value in asdict(job).items() if name not in hidden}


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)
