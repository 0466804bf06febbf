"""How far a fleet is with its latest round: what is done, by whom, and what went wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from flong.fleet import FleetStatus, fleet_status, metrics
from flong.inspector.database import ReadOnlyDatabase
from flong.storage.fleet import Fleet, FleetJob


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLine:
    """A site of a round."""

    site: str
    """Its name."""
    state: str
    """How far it is."""
    worker: str
    """Who began it last."""
    started_at: str
    """When that was; empty if never."""
    attempts: int
    """How often it went wrong."""
    note: str
    """What went wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetView:
    """The latest round of a fleet."""

    kind: str
    """What is done to the sites; empty if there was no round yet."""
    name: str
    """Of which day it is."""
    counts: Mapping[str, int]
    """Sites by state."""
    pages: int
    """Pages that were found so far."""
    articles: int
    """New articles among them."""
    ends_at: str
    """When it will be over at this pace; empty if nothing is being done."""
    running: list[JobLine]
    """What is being done."""
    trouble: list[JobLine]
    """What failed or is to be tried again."""


NO_ROUND = FleetView(
    kind="", name="", counts={}, pages=0, articles=0, ends_at="", running=[], trouble=[]
)


def view_fleet(database: ReadOnlyDatabase) -> FleetView:
    """Return the latest round; an empty one if there was none."""
    status = _status(database)
    if status is None:
        return NO_ROUND
    ends_at = status.ends_at(datetime.now(UTC))
    return FleetView(
        kind=status.round.kind.value,
        name=status.round.name,
        counts={state.value: number for state, number in status.counts.items()},
        pages=status.totals.pages,
        articles=status.totals.articles,
        ends_at="" if ends_at is None else _minute(ends_at),
        running=[_line(job) for job in status.running],
        trouble=[_line(job) for job in status.trouble],
    )


def fleet_metrics(database: ReadOnlyDatabase) -> str:
    """Return the same for Prometheus; nothing if there was no round."""
    status = _status(database)
    return "" if status is None else metrics(status)


def _status(database: ReadOnlyDatabase) -> FleetStatus | None:
    latest = Fleet(database.store).latest_round()
    return None if latest is None else fleet_status(database.store, latest)


def _line(job: FleetJob) -> JobLine:
    return JobLine(
        site=job.site,
        state=job.state.value,
        worker=job.worker,
        started_at="" if job.started_at is None else _minute(job.started_at),
        attempts=job.attempts,
        note=job.note,
    )


def _minute(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M}"
