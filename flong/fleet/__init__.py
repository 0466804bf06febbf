"""Many sites on many machines: jobs in PostgreSQL, workers that may die."""

from flong.fleet.operations import check_fleet, queue_round, run_worker
from flong.fleet.status import FleetStatus, fleet_status, metrics
from flong.fleet.worker_settings import WorkerSettings

__all__ = [
    "FleetStatus",
    "WorkerSettings",
    "check_fleet",
    "fleet_status",
    "metrics",
    "queue_round",
    "run_worker",
]
