"""Fleet status, for people, for programs, and as Prometheus metrics."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from flong.console import Row
from flong.findings import needing_attention, shown
from flong.stages.report import NightReport, failed_night, write_html
from flong.states import JobState
from flong.storage import Round, Store
from flong.storage.fleet import Fleet, FleetJob, RoundTotals


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetStatus:
    """Current state of a round."""

    round: Round
    """The round."""
    jobs: Sequence[FleetJob]
    """Jobs, one per site."""
    totals: RoundTotals
    """Results so far."""

    @property
    def counts(self) -> dict[JobState, int]:
        """Number of jobs in each state."""
        found = Counter(job.state for job in self.jobs)
        return {state: found[state] for state in JobState}

    @property
    def running(self) -> list[FleetJob]:
        """Running jobs."""
        return [job for job in self.jobs if job.state is JobState.RUNNING]

    @property
    def trouble(self) -> list[FleetJob]:
        """Jobs that failed or wait for a retry."""
        return [job for job in self.jobs if job.note]

    def ends_at(self, now: datetime) -> datetime | None:
        """Return the expected end of the round at the current number of jobs; None if idle."""
        left = sum(job.expected_seconds for job in self.jobs if not job.state.is_over)
        late = max((job.due_at for job in self.jobs if job.state is JobState.WAITING), default=now)
        if not self.running:
            return None
        return max(late, now + timedelta(seconds=left / len(self.running)))


def fleet_status(store: Store, of: Round) -> FleetStatus:
    """Return the current status of a round."""
    return FleetStatus(round=of, jobs=Fleet(store).jobs(of), totals=Fleet(store).totals(of))


def metrics(status: FleetStatus) -> str:
    """Return the figures of a round in the text format of Prometheus."""
    round_, totals = status.round, status.totals
    labels = f'kind="{round_.kind}",round="{round_.name}"'
    lines = ["# TYPE flong_fleet_sites gauge"]
    lines += [
        f'flong_fleet_sites{{{labels},state="{state}"}} {number}'
        for state, number in status.counts.items()
    ]
    waiting = [job.due_at for job in status.jobs if job.state is JobState.WAITING]
    late = (datetime.now(UTC) - min(waiting)).total_seconds() if waiting else 0.0
    figures = {
        "pages": totals.pages,
        "articles_new": totals.articles,
        "job_seconds": totals.seconds,
        "sites_drifted": totals.drifted,
        "sites_to_look_at": totals.needs_attention,
        "attempts_failed": sum(job.attempts for job in status.jobs),
        "seconds_behind": max(0.0, late),
    }
    for name, value in figures.items():
        lines += [f"# TYPE flong_fleet_{name} gauge", f"flong_fleet_{name}{{{labels}}} {value:g}"]
    return "\n".join(lines) + "\n"


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
        return write_html(self.reports, fleet=self.summary(), inspector=inspector)


def report_fleet(store: Store, status: FleetStatus) -> FleetReport:
    """Return the report of a nightly round."""
    return FleetReport(status=status, reports=[_report(store, job) for job in status.jobs])


def _report(store: Store, job: FleetJob) -> NightReport:
    stored = None if job.run_id is None else store.nights.report(job.run_id)
    if stored is not None and job.state is not JobState.SET_ASIDE:
        return NightReport.from_json(stored)
    why = job.note or f"the nightly run is {job.state.value}"
    return failed_night(job.site, why, job.run_id or 0)
