"""`flong fleet`: many sites every night, on many machines."""

import argparse
import os
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
    NEEDS_A_LOOK,
    Command,
    Group,
    add_json_argument,
    chosen_sites,
)
from flong.console import Row, harmless, say, show_error, show_rows
from flong.crawler import set_up_log
from flong.errors import PipelineError
from flong.fleet import WorkerSettings, check_fleet, fleet_status, metrics, queue_round, run_worker
from flong.fleet.report import FleetReport, report_fleet
from flong.program import program
from flong.search.clippings import mail
from flong.stages.delivery import post_reports
from flong.states import JobKind
from flong.storage import Store
from flong.storage.fleet import Fleet, FleetJob, Round

STAGES = (JobKind.LEARN, JobKind.EXTRACT)
"""What can be done to all sites besides their nights."""


class FleetCommand(Command):
    """Queues nights, works on them, and says how far they are."""

    group = Group.CRAWL
    summary: ClassVar[str] = "Visit thousands of sites every night, on several machines"
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
        """Take what to do, sites, and how."""
        verbs = ("night", "work", "run", "status", "report")
        parser.add_argument("verb", choices=verbs, metavar="VERB", help=", ".join(verbs))
        parser.add_argument("words", nargs="*", metavar="SITE", help="sites; all if none")
        parser.add_argument("--jobs", type=_jobs, default=1, metavar="N", help="sites at a time")
        parser.add_argument(
            "--drain", action="store_true", help="with work: end when nothing is left to do"
        )
        parser.add_argument("--metrics", action="store_true", help="with status: for Prometheus")
        parser.add_argument("--round", type=int, metavar="N", help="another round than the latest")
        parser.add_argument("--html", type=Path, metavar="FILE", help="with report: write it there")
        parser.add_argument("--post", action="store_true", help="with report: to FLONG_WEBHOOK")
        parser.add_argument(
            "--due", action="store_true", help="with --post: unless it was sent, or is being sent"
        )
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Do what the first word says."""
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
            raise PipelineError(f"There is no site to visit: {program()} sites add https://...")
        hours = float(self.setting("FLONG_FLEET_HOURS")) if kind is JobKind.NIGHTLY else 0.0
        say(queue_round(store, kind, sites, hours))
        return DONE

    def _run(self, store: Store, options: argparse.Namespace) -> int:
        if not options.words or options.words[0] not in STAGES:
            raise UsageError(f"Say what to run: {program()} fleet run {'|'.join(STAGES)}")
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
            options=options.set,
            environment={**os.environ, "FLONG_DATABASE": self.database()},
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
        for each in () if options.json else report.look:
            for sentence in each.look:
                say(harmless(f"Look: {sentence}"))
        if options.html:
            page = report.html(self.setting("FLONG_INSPECTOR"))
            options.html.write_text(page, encoding="utf-8")
        if options.post and options.due:
            with Fleet(store).reporting(status.round) as is_ours:
                if is_ours:
                    self._post(report)
        elif options.post:
            self._post(report)
        return NEEDS_A_LOOK if report.look else DONE

    def _post(self, report: FleetReport) -> None:
        """Post the report of a night, and mail what is new in clippings; no other round has one."""
        if report.status.round.kind is JobKind.NIGHTLY:
            post_reports([report.posted()], self.setting)
            mail(report.reports, self.setting)


def _round(store: Store, options: argparse.Namespace, kind: JobKind | None = None) -> Round:
    fleet = Fleet(store)
    found = fleet.latest_round(kind) if options.round is None else fleet.find_round(options.round)
    if found is None:
        raise PipelineError(f"Nothing was queued yet: {program()} fleet night")
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
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)
