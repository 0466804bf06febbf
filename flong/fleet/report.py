"""Report of a fleet's night: figures, one line a site, and findings that need attention."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from flong.console import Row
from flong.findings import needing_attention, shown
from flong.fleet.status import FleetStatus
from flong.stages.report import NightReport, failed_night, write_html
from flong.states import JobState
from flong.storage import Store
from flong.storage.fleet import FleetJob


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetReport:
    """Report of a fleet's night."""

    status: FleetStatus
    """Status of the round."""
    reports: Sequence[NightReport]
    """One report per site, including sites that could not be visited."""

    @property
    def attention(self) -> list[NightReport]:
        """Reports with findings that need attention."""
        return [report for report in self.reports if report.needs_attention]

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
        """Return the webhook's JSON: the figures, and by site the findings that need attention."""
        figures = {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in self.summary().items()
        }
        findings = {
            report.site: [shown(each) for each in needing_attention(report.findings)]
            for report in self.attention
        }
        return {**figures, "findings": findings}

    def html(self, inspector: str) -> str:
        """Return a page with the figures, and the reports of sites that need attention.

        It links to views of the inspector at this URL.
        """
        return write_html(
            self.attention,
            summary=self.summary(),
            rows=[report.row() for report in self.reports if report.run],
            inspector=inspector,
        )


def report_fleet(store: Store, status: FleetStatus) -> FleetReport:
    """Return the report of a nightly round."""
    return FleetReport(status=status, reports=[_report(store, job) for job in status.jobs])


def _report(store: Store, job: FleetJob) -> NightReport:
    stored = None if job.run_id is None else store.nights.report(job.run_id)
    if stored is not None and job.state is not JobState.SET_ASIDE:
        return NightReport.from_json(stored)
    why = job.note or f"the nightly run is {job.state.value}"
    return failed_night(job.site, why, job.run_id or 0)
