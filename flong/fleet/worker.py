"""Fleet worker: takes jobs from the queue and runs each in a child process.

Failures and their handling:

- A job fails: it is retried later by any free worker, up to `ATTEMPTS` times.
- A worker dies: its jobs die with it. Every worker looks for jobs of workers without a heartbeat
  and puts them back.
- The database goes away: child processes fail, and the worker waits until it is back.
- A worker is stopped: its jobs get some time to finish, then they are released.
"""

import asyncio
import logging
import os
import re
import signal
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from procrastinate import BaseRetryStrategy, JobContext, RetryDecision
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job

from flong.fleet.child_process import ExitStatus, run_child
from flong.fleet.queue import TASK, make_app, queue_waiting
from flong.fleet.worker_settings import WorkerSettings
from flong.program import VERSION, program
from flong.states import JobKind, JobState
from flong.storage import Round, StorageError, Store
from flong.storage.fleet import Fleet, FleetJob

logger = logging.getLogger(__name__)
T = TypeVar("T")

ATTEMPTS = 3
"""Maximum attempts per job and round."""
FAILED_ROUNDS = 3
"""Consecutive failed nights before a site is suspended."""
BEATS_MISSED = 3
"""Missed heartbeats before a worker's jobs are put back."""
OFFLINE_SECONDS = 2.0
"""Seconds between attempts to reach the database."""
UNFORESEEN_SECONDS = 30
"""Seconds before retrying a job that could not start, for lack of memory for example."""
SENT = (0, 3)
"""Exit codes of a report that was sent: without findings, with findings."""
QUEUE_LOGGERS = ("procrastinate.utils", "procrastinate.worker")
"""Loggers of procrastinate that report a lost connection."""
COMMANDS: Mapping[JobKind, Sequence[str]] = {
    JobKind.NIGHTLY: ("nightly", "-s", "FLONG_WEBHOOK=", "-s", "FLONG_SMTP="),
    JobKind.LEARN: ("learn",),
    JobKind.EXTRACT: ("extract", "--all"),
}
"""Command of each kind of job. Notifications are off: the fleet sends one report for all sites."""


def _without_traceback(record: logging.LogRecord) -> bool:
    """Remove the traceback of a lost connection from a log record; keep all records."""
    if record.exc_info and isinstance(record.exc_info[1], ConnectorException):
        record.exc_info = None
    return True


class Retry(Exception):
    """The job is to be retried after some seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"retry in {seconds:g} seconds")
        self.seconds = seconds


class _Retrying(BaseRetryStrategy):
    """Retry strategy: failed jobs later and after all others, released jobs immediately."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if isinstance(exception, Retry):
            seconds = max(1, round(exception.seconds))
            return RetryDecision(retry_in={"seconds": seconds}, priority=-job.attempts - 1)
        handed_back = isinstance(exception, asyncio.CancelledError)
        return RetryDecision(retry_in={"seconds": 1 if handed_back else UNFORESEEN_SECONDS})


def work(store: Store, settings: WorkerSettings) -> str:
    """Work until stopped; return an error message, or ""."""
    queue_waiting(store)
    return asyncio.run(Worker(store, settings).run())


class Worker:
    """Runs jobs, and puts back those of dead workers."""

    def __init__(self, store: Store, settings: WorkerSettings) -> None:
        self._store, self._settings = store, settings
        for name in QUEUE_LOGGERS:
            logging.getLogger(name).addFilter(_without_traceback)
        self._app = make_app(store)
        self._app.task(name=TASK, queue=TASK, pass_context=True, retry=_Retrying())(self._work)
        self._name = f"{settings.host or socket.gethostname()}:{os.getpid()}"
        self._stopping = asyncio.Event()
        self._why = ""
        self._unsendable: set[int] = set()

    async def run(self) -> str:
        """Work until stopped; return an error message, or ""."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopping.set)
        async with self._app.open_async():
            care = asyncio.create_task(self._take_care())
            try:
                while not self._stopping.is_set():
                    await self._take_jobs()
            finally:
                care.cancel()
                with suppress(asyncio.CancelledError):
                    await care
        return self._why

    async def _take_jobs(self) -> None:
        """Let procrastinate deliver jobs until the worker is stopped or the database is gone."""
        beat = self._settings.heartbeat_seconds
        working = asyncio.create_task(
            self._app.run_worker_async(
                queues=[TASK],
                name=self._name,
                concurrency=self._settings.jobs,
                install_signal_handlers=False,
                fetch_job_polling_interval=min(5.0, beat),
                update_heartbeat_interval=beat,
                stalled_worker_timeout=BEATS_MISSED * beat,
                shutdown_graceful_timeout=self._settings.grace_seconds,
                delete_jobs="always",
            )
        )
        stopping = asyncio.create_task(self._stopping.wait())
        await asyncio.wait([working, stopping], return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        working.cancel()
        try:
            await working
        except asyncio.CancelledError:
            pass
        except ConnectorException as error:
            logger.warning("The queue cannot be reached: %s", error)
        if not self._stopping.is_set():
            await asyncio.sleep(OFFLINE_SECONDS)

    # Jobs

    async def _work(self, context: JobContext, job_id: int) -> None:
        """Run a job unless it is done; raise `Retry` if it is to be retried."""
        fleet = Fleet(self._store)
        job = await self._insist(lambda: fleet.find(job_id))
        if job is None or job.state.is_over:
            return
        await self._refuse_newer(job)
        if job.paused:
            note = f"The site is paused. Run: {program()} sites resume {job.site}"
            await self._insist(lambda: fleet.end(job, JobState.SET_ASIDE, None, note))
            return
        done_by = await self._insist(lambda: fleet.run_of(job))
        if done_by is not None:  # a worker finished it and died before recording that
            await self._note(job, done_by)
            return
        await self._insist(lambda: fleet.begin(job, self._name))
        logger.info("%s of %s begins", job.kind.value, job.site)
        beating = asyncio.create_task(self._beat(context.job.worker_id))
        try:
            ended = await run_child(self._words(job), self._settings.environment)
        except asyncio.CancelledError:
            await self._insist(lambda: fleet.release(job, f"{self._name} was stopped"))
            raise
        finally:
            beating.cancel()
        await self._conclude(job, ended)

    def _words(self, job: FleetJob) -> list[str]:
        options = [word for option in self._settings.options for word in ("-s", option)]
        command, *rest = COMMANDS[job.kind]
        return [command, job.site, *options, *rest]

    async def _refuse_newer(self, job: FleetJob) -> None:
        """Release a job and stop if a newer version of flong queued it or changed the schema."""
        current = await self._insist(Fleet(self._store).schema_is_current)
        if current and _numbers(job.version) <= _numbers(VERSION):
            return
        newer = f"flong {job.version} queued the jobs" if current else "The schema is a newer one"
        self._why = f"{newer}, but this worker runs {VERSION}. Update it."
        self._stopping.set()
        raise Retry(1)

    async def _conclude(self, job: FleetJob, ended: ExitStatus) -> None:
        """Record the result of a job."""
        done_by = await self._insist(lambda: Fleet(self._store).run_of(job))
        if done_by is not None:
            await self._note(job, done_by)
            return
        why = ended.said or f"exit code {ended.code}"
        await self._fail(job, None, why)

    async def _note(self, job: FleetJob, run_id: int) -> None:
        """Record the run that did a job; a nightly run whose crawl failed counts as failed."""
        fleet = Fleet(self._store)
        why = ""
        if job.kind is JobKind.NIGHTLY:
            why = await self._insist(lambda: fleet.crawl_failed(run_id))
        if why:
            await self._fail(job, run_id, why)
        else:
            await self._insist(lambda: fleet.end(job, JobState.DONE, run_id))
            logger.info("%s of %s is done: run %d", job.kind.value, job.site, run_id)

    async def _fail(self, job: FleetJob, run_id: int | None, why: str) -> None:
        """Count a failed attempt; raise `Retry` unless it was the last."""
        logger.warning("%s of %s failed: %s", job.kind.value, job.site, why)
        attempts = await self._insist(lambda: Fleet(self._store).count_attempt(job, run_id))
        if attempts < ATTEMPTS:
            await self._insist(lambda: Fleet(self._store).release(job, why))
            raise Retry(self._settings.retry_seconds * 2 ** (attempts - 1))
        await self._insist(lambda: fail(self._store, job, run_id, why))

    async def _beat(self, worker_id: int | None) -> None:
        """Send heartbeats; procrastinate's own stop when the worker is stopping."""
        while worker_id is not None:
            await asyncio.sleep(self._settings.heartbeat_seconds)
            with suppress(ConnectorException):
                await self._app.job_manager.update_heartbeat(worker_id)

    async def _insist(self, ask: Callable[[], T]) -> T:
        """Query the database until it answers."""
        while True:
            try:
                return await asyncio.to_thread(ask)
            except StorageError as error:
                logger.warning("%s Trying again.", error)
                await asyncio.sleep(OFFLINE_SECONDS)

    # Care of other workers' jobs

    async def _take_care(self) -> None:
        """Put back jobs of dead workers, send due reports, and stop when everything is done."""
        while True:
            for care in (self._rescue, self._report, self._drain):
                try:
                    await care()
                except (ConnectorException, StorageError) as error:
                    logger.warning("%s", error)
            await asyncio.sleep(min(5.0, self._settings.heartbeat_seconds))

    async def _rescue(self) -> None:
        limit = BEATS_MISSED * self._settings.heartbeat_seconds
        jobs = self._app.job_manager
        for job in await jobs.get_stalled_jobs(queue=TASK, seconds_since_heartbeat=limit):
            with suppress(ConnectorException):  # another worker was faster
                await jobs.retry_job(job)
                logger.warning("Put back job %s of a dead worker", job.queueing_lock)

    async def _report(self) -> None:
        """Send the due reports; leave those that cannot be sent to other workers."""
        for over in await asyncio.to_thread(Fleet(self._store).unreported):
            if over.id not in self._unsendable:
                ended = await self._send_report(over)
                if ended.code not in SENT:
                    self._unsendable.add(over.id)
                    logger.warning("The report of %s was not sent: %s", over.name, ended.said)

    def _send_report(self, over: Round) -> Awaitable[ExitStatus]:
        options = [word for option in self._settings.options for word in ("-s", option)]
        words = ["fleet", "report", "--round", str(over.id), "--post", "--due", *options]
        return run_child(words, self._settings.environment)

    async def _drain(self) -> None:
        """Stop when all jobs are done and reported; a round may have ended after `_report`."""
        if self._settings.drain and await asyncio.to_thread(_is_idle, self._store):
            unsent = await asyncio.to_thread(Fleet(self._store).unreported)
            if {over.id for over in unsent} <= self._unsendable:
                self._stopping.set()


def fail(store: Store, job: FleetJob, run_id: int | None, why: str) -> None:
    """Record a failed job; suspend a site after `FAILED_ROUNDS` failed nights."""
    nights = Fleet(store).failures(job) + 1
    if job.kind is not JobKind.NIGHTLY or nights < FAILED_ROUNDS:
        Fleet(store).end(job, JobState.FAILED, run_id, why)
        return
    with store.transaction():
        store.sites.set_paused(store.sites.find(job.site), True)
        note = (
            f"Failed {nights} nights: {why.rstrip('.')}. Run: {program()} sites resume {job.site}"
        )
        Fleet(store).end(job, JobState.SET_ASIDE, run_id, note)


def _is_idle(store: Store) -> bool:
    return not any(Fleet(store).unfinished_sites(kind) for kind in JobKind)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
