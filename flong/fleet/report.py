"""What a night has to say about all sites of a fleet: figures, one line a site, what to look at."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from flong.console import Row
from flong.fleet.status import FleetStatus
from flong.stages.report import NightReport, write_html
from flong.states import JobState
from flong.storage import Store
from flong.storage.fleet import FleetJob


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetReport:
    """All sites of a fleet, one night."""

    status: FleetStatus
    """How the night went."""
    reports: Sequence[NightReport]
    """One for each site, those that could not be visited among them."""

    @property
    def look(self) -> list[NightReport]:
        """Those that somebody should look at."""
        return [report for report in self.reports if report.needs_look]

    def summary(self) -> Row:
        """Return the figures of the whole night."""
        jobs = self.status.jobs
        begun = [job.started_at for job in jobs if job.started_at]
        ended = [job.finished_at for job in jobs if job.finished_at]
        return {
            "night": self.status.round.name,
            "sites": len(jobs),
            **{state.value: number for state, number in self.status.counts.items()},
            **asdict(self.status.totals),
            "began": min(begun, default=None),
            "ended": max(ended, default=None),
        }

    def posted(self) -> Mapping[str, Any]:
        """Return what goes to the webhook: the figures, and what to look at of which site."""
        figures = {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in self.summary().items()
        }
        return {**figures, "look": {report.site: list(report.look) for report in self.look}}

    def html(self, inspector: str) -> str:
        """Return a page with the figures, and all that is to be said of sites to look at.

        It links to the views of the inspector at this URL.
        """
        return write_html(
            self.look,
            summary=self.summary(),
            rows=[report.row() for report in self.reports if report.run],
            inspector=inspector,
        )


def report_fleet(store: Store, status: FleetStatus) -> FleetReport:
    """Return the report of a round of nights."""
    return FleetReport(status=status, reports=[_report(store, job) for job in status.jobs])


def _report(store: Store, job: FleetJob) -> NightReport:
    stored = None if job.run_id is None else store.reports.find(job.run_id)
    if stored is not None and job.state is not JobState.SET_ASIDE:
        return NightReport.from_json(stored)
    why = job.note or f"its night is {job.state.value}"
    return NightReport(site=job.site, run=job.run_id or 0, look=[f"{job.site}: {why}"])
