"""Reports of nightly runs: findings with their state, and news of clippings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flong.findings import Finding, sentence
from flong.inspector.database import ReadOnlyDatabase
from flong.stages.report import ClippingNews, NightReport
from flong.states import FindingState
from flong.storage import Site, StoredReport


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFinding(Finding):
    """A finding with its sentence and state."""

    sentence: str
    """The finding in words."""
    said_at: str
    """Start of the nightly run that reported it."""
    state: FindingState | None = None
    """Seen or muted; None if neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The report of a nightly run."""

    started: str
    """Start of the run."""
    attention: list[ShownFinding]
    """Findings that need attention; empty after a quiet night."""
    notes: list[ShownFinding]
    """Drift and finished work."""
    clippings: Sequence[ClippingNews]
    """Clippings with new articles."""


def read_reports(
    database: ReadOnlyDatabase, stored: Sequence[StoredReport], *, with_seen: bool
) -> Mapping[str, Report]:
    """Return reports by the name of their site, with or without findings seen or muted."""
    muted = database.store.nights.muted_findings()
    reports = {}
    for row in stored:
        report = NightReport.from_json(row.data)
        found = []
        for each in report.findings:
            finding = replace(each, site=row.site)
            known = muted.get((row.site, finding.kind, finding.subject))
            state = known.state if known and known.covers(row.started) else None
            found.append(
                ShownFinding(
                    **finding.to_json(),
                    sentence=sentence(finding),
                    said_at=row.started,
                    state=state,
                )
            )
        reports[row.site] = Report(
            started=row.started,
            attention=[
                each
                for each in found
                if each.kind.needs_attention and (with_seen or not each.state)
            ],
            notes=[each for each in found if not each.kind.needs_attention],
            clippings=report.clippings,
        )
    return reports


def last_reports(database: ReadOnlyDatabase, sites: Sequence[Site]) -> Mapping[str, Report]:
    """Return the latest report of some sites by name, without findings seen or muted."""
    stored = database.store.nights.last_reports(sites)
    return read_reports(database, stored, with_seen=False)
