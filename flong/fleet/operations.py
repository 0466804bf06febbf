"""Fleet operations, with a check that this machine supports them."""

from collections.abc import Sequence
from importlib.util import find_spec

from flong.fleet.worker_settings import WorkerSettings
from flong.states import JobKind
from flong.storage import FleetError, Site, Store
from flong.storage.fleet import Fleet


def check_fleet(store: Store) -> None:
    """Raise `FleetError` if this machine or database cannot run a fleet."""
    Fleet(store).require_postgresql()
    if find_spec("procrastinate") is None:
        raise FleetError("A fleet needs procrastinate. Run: pip install 'flong[fleet]'")
    Fleet(store).require_clock()


def queue_round(store: Store, kind: JobKind, sites: Sequence[Site], hours: float) -> str:
    """Queue a job for each site over some hours; return a summary sentence.

    Nightly jobs are queued once per site and night.
    """
    check_fleet(store)
    from flong.fleet.queue import queue_sites  # noqa: PLC0415 - needs an extra

    return queue_sites(store, kind, sites, hours)


def run_worker(store: Store, settings: WorkerSettings) -> str:
    """Work until stopped; return an error message, or ""."""
    check_fleet(store)
    from flong.fleet.worker import work  # noqa: PLC0415 - needs an extra

    return work(store, settings)
