"""`flong nightly`: recrawl all sites and report, for cron."""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import ClassVar

from flong.command import (
    DONE,
    FAILED,
    NEEDS_ATTENTION,
    Command,
    Group,
    add_json_argument,
    add_sites_argument,
    chosen_sites,
)
from flong.errors import PipelineError
from flong.program import program
from flong.stages.delivery import deliver
from flong.stages.night import CrawlSettings, NightSettings, crawl, nightly
from flong.stages.report import NightReport, failed_night, show_reports, write_html
from flong.storage import Site, StorageError, Store


class NightlyCommand(Command):
    """Crawl, extract, learn where needed, and report."""

    group = Group.CRAWL
    summary: ClassVar[str] = "Crawl, extract, learn where needed and report: for every night"
    examples: ClassVar[str] = """
        flong nightly
        flong nightly news.example --json
        flong nightly --jobs 4 --html report.html
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites, the number of concurrent sites, and options of the report."""
        add_sites_argument(parser)
        parser.add_argument(
            "--jobs", type=_jobs, default=1, metavar="N", help="concurrent sites (default: 1)"
        )
        parser.add_argument("--html", type=Path, metavar="FILE", help="also write an HTML report")
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Run the night of every active site; named sites even if paused."""
        sites = [s for s in chosen_sites(store, options.sites) if options.sites or not s.paused]
        if not sites:
            raise PipelineError(
                f"There is no site to visit. Run: {program()} sites add https://..."
            )
        nights = self._side_by_side if min(options.jobs, len(sites)) > 1 else self._in_turn
        reports = list(nights(store, sites, options))
        show_reports(reports, as_json=options.json)
        if options.html:
            page = write_html(reports, inspector=self.setting("FLONG_INSPECTOR"))
            options.html.write_text(page, encoding="utf-8")
        deliver(reports, self.setting)
        if any(report.run == 0 for report in reports):
            return FAILED
        return NEEDS_ATTENTION if any(report.needs_attention for report in reports) else DONE

    def _in_turn(
        self, store: Store, sites: Sequence[Site], options: argparse.Namespace
    ) -> Iterator[NightReport]:
        crawls = CrawlSettings(database=self.database(), options=options.set)
        settings = NightSettings(
            learning=self.learning(),
            resumable=timedelta(hours=float(self.setting("FLONG_RESUME_HOURS"))),
        )
        for site in sites:
            try:
                yield nightly(store, site, partial(crawl, settings=crawls), settings)
            except (StorageError, PipelineError) as error:
                yield failed_night(site.name, str(error))

    def _side_by_side(
        self, store: Store, sites: Sequence[Site], options: argparse.Namespace
    ) -> Iterator[NightReport]:
        """Run each site in its own process, so a crash affects one site only."""
        with ThreadPoolExecutor(options.jobs) as threads:
            yield from threads.map(lambda site: self._alone(site, options.set), sites)

    def _alone(self, site: Site, given: Sequence[str]) -> NightReport:
        # Reports are sent and mailed once, for all sites.
        quiet = (*self.child_settings(given), "FLONG_WEBHOOK=", "FLONG_SMTP=")
        options = [word for option in quiet for word in ("-s", option)]
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "scrapy", "nightly", site.name, "--json", *options],
            env=self.child_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        try:
            return NightReport.from_json(done.stdout)
        except (json.JSONDecodeError, KeyError, TypeError):
            lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            return failed_night(site.name, lines[-1])


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)
