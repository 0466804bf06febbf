"""View of a fleet's latest round: progress, running jobs and failures."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from flong.fleet import fleet_status
from flong.inspector.database import ReadOnlyDatabase
from flong.states import JobState
from flong.storage import Round
from flong.storage.fleet import Fleet, FleetJob, RoundTotals


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetView:
    """The latest round of a fleet."""

    round: Round
    """The round."""
    counts: Mapping[JobState, int]
    """Number of sites by state."""
    totals: RoundTotals
    """Results so far."""
    ends_at: datetime | None
    """Expected end; None if no job is running."""
    running: list[FleetJob]
    """Running jobs."""
    trouble: list[FleetJob]
    """Jobs that failed or wait for a retry."""


def view_fleet(database: ReadOnlyDatabase) -> FleetView | None:
    """Show the latest round of a fleet; null before the first."""
    latest = Fleet(database.store).latest_round()
    if latest is None:
        return None
    status = fleet_status(database.store, latest)
    return FleetView(
        round=status.round,
        counts=status.counts,
        totals=status.totals,
        ends_at=status.ends_at(datetime.now(UTC)),
        running=status.running,
        trouble=status.trouble,
    )
