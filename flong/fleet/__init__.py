"""Fleet: crawl many sites on many machines, with jobs in PostgreSQL."""

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
