"""Job queue: procrastinate, in its own schema of the database.

It carries only ids of `fleet_jobs` rows, so a job that is queued twice still runs once.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version as installed_version

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.jobs import Job

from flong.fleet.plan import UNKNOWN_SECONDS, SiteToVisit, plan, politeness_names
from flong.program import VERSION
from flong.states import JobKind
from flong.storage import Site, Store, batches
from flong.storage.fleet import QUEUE, Fleet, FleetJob

TASK = "work"
"""Name of the only task, and of its queue."""
CONNECTIONS = 2
"""Maximum connections of a worker's queue, besides the listening one."""


def make_app(store: Store) -> App:
    """Return procrastinate's app, not opened yet; create its tables if missing."""
    connector = PsycopgConnector(
        conninfo=Fleet(store).queue_url(),
        kwargs={"options": f"-c search_path={QUEUE}", "application_name": "flong fleet"},
        min_size=1,
        max_size=CONNECTIONS,
    )
    app = App(connector=connector)
    made_by = f"procrastinate {installed_version('procrastinate')}"
    with app.open():
        Fleet(store).prepare_queue(made_by, app.schema_manager.apply_schema)
    return app


def queue_sites(store: Store, kind: JobKind, sites: Sequence[Site], hours: float) -> str:
    """Queue a job for each site; return a summary sentence.

    Nightly jobs are queued once per site and night.
    """
    begin = datetime.now(UTC)
    name = f"{begin:%Y-%m-%d}" if kind is JobKind.NIGHTLY else f"{begin:%Y-%m-%d %H:%M:%S}"
    late = Fleet(store).unfinished_sites(kind, but=name)
    wanted = [site for site in sites if site.id not in late]
    planned = plan(_candidates(store, kind, wanted), begin=begin, hours=hours)
    _, added = Fleet(store).queue(kind, name, VERSION, planned)
    queue_waiting(store)
    there = len(wanted) - added
    return (
        f"{kind.value} {name}: {added} sites are queued"
        f"{f', {there} already were' if there else ''}"
        f"{f', {len(late)} are still busy with an earlier round' if late else ''}."
    )


def _candidates(store: Store, kind: JobKind, sites: Sequence[Site]) -> list[SiteToVisit]:
    seconds = Fleet(store).expected_seconds(kind)
    hosts = politeness_names([site.url for site in sites])
    return [
        SiteToVisit(
            site_id=site.id,
            host=host,
            importance=site.importance,
            seconds=seconds.get(site.id, UNKNOWN_SECONDS),
        )
        for site, host in zip(sites, hosts, strict=True)
    ]


def queue_waiting(store: Store) -> None:
    """Queue every waiting job that is not in the queue yet."""
    with make_app(store).open() as app:
        jobs = app.job_manager
        there = {
            job.queueing_lock for state in ("todo", "doing") for job in jobs.list_jobs(status=state)
        }
        missing = [
            job for job in map(_queued, Fleet(store).waiting()) if job.queueing_lock not in there
        ]
        for batch in batches(missing):
            _put(app, batch)


def _put(app: App, jobs: Sequence[Job]) -> None:
    try:
        app.job_manager.batch_defer_jobs(list(jobs))
    except AlreadyEnqueued:  # another process queued some of them
        for job in jobs:
            with suppress(AlreadyEnqueued):
                app.job_manager.defer_job(job)


def _queued(job: FleetJob) -> Job:
    return Job(
        id=None,
        queue=TASK,
        task_name=TASK,
        priority=job.priority,
        lock=job.host,
        queueing_lock=str(job.id),
        task_kwargs={"job_id": job.id},
        scheduled_at=job.due_at,
    )
