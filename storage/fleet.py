"""Jobs of a fleet: one for each site of a round.

These rows are the truth; the queue of procrastinate only brings jobs to workers. A job that arrives
twice, or again after its worker died, is found done here and skipped.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from statistics import mean

from sqlalchemy import Connection, Select, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError

from flong.program import program
from flong.states import JobKind, JobState, RunKind, RunStatus
from flong.storage import tables
from flong.storage.columns import now, row_class
from flong.storage.database import Connections, Repository, batches
from flong.storage.engine import HEAD, shown, translate_errors
from flong.storage.errors import FleetError
from flong.storage.tables import Job, PlannedJob, Round

QUEUE = "flong_queue"
"""PostgreSQL schema of the tables of procrastinate."""
QUEUE_LOCK = 0x464C4F51
"""Advisory lock for creating these tables."""
REPORT_LOCK = 0x464C4F52
"""Advisory lock for sending the report of a round; its second key is the id of the round."""
SENT_NOW = """
    SELECT CAST(objid AS integer) FROM pg_locks WHERE locktype = 'advisory' AND classid = :lock
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
REMEMBERED = timedelta(days=30)
"""Age of runs whose durations count."""
LATEST = 5
"""Number of runs whose mean duration is expected of the next one."""
CLOCK_SECONDS = 60.0
"""Maximum difference between the clocks of worker and database, which both write times."""


@row_class
class FleetJob(Job):
    """A job with columns of its round and site."""

    kind: JobKind
    """The work."""
    version: str
    """Version of flong that queued it."""
    site: str
    """Name of the site."""
    paused: bool
    """True if the site is paused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTotals:
    """Results of all finished jobs of a round."""

    pages: int
    """Number of pages found: new, changed and unchanged."""
    articles: int
    """Number of new articles."""
    seconds: float
    """Sum of the durations of jobs."""
    drifted: int
    """Number of sites whose templates changed."""
    needs_attention: int
    """Number of sites with findings that need attention."""


class Fleet(Repository):
    """Queues jobs and stores their results."""

    def __init__(self, database: Connections) -> None:
        super().__init__(database)
        self.engine = database.engine

    # Requirements

    def require_postgresql(self) -> None:
        """Raise `FleetError` unless the database is PostgreSQL."""
        if self.engine.dialect.name != "postgresql":
            raise FleetError(
                f"A fleet needs PostgreSQL, and FLONG_DATABASE is {shown(self.engine.url)}: "
                f"copy the data with {program()} database copy."
            )

    def require_clock(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Raise `FleetError` if the clocks of this machine and of the database differ."""
        with self.reading() as connection:
            theirs: datetime = connection.execute(select(func.now())).scalar_one()
        off = (clock() - theirs).total_seconds()
        if abs(off) > CLOCK_SECONDS:
            raise FleetError(
                f"The clock of this machine is {abs(off) / 60:.0f} minutes "
                f"{'ahead of' if off > 0 else 'behind'} the database: set it first."
            )

    def schema_is_current(self) -> bool:
        """Return True if the database still has the schema of this version of flong."""
        with self.reading() as connection:
            found = connection.execute(text("SELECT version_num FROM alembic_version"))
            return found.scalar() == HEAD

    def prepare_queue(self, version: str, make: Callable[[], None]) -> None:
        """Create the tables of the queue once; `FleetError` if another version created them."""
        comment = "SELECT obj_description(to_regnamespace(:schema), 'pg_namespace')"
        alone = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        with translate_errors(self.engine), alone.connect() as connection:
            connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": QUEUE_LOCK})
            try:
                made = connection.execute(text(comment), {"schema": QUEUE}).scalar()
                if made is None:
                    connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {QUEUE}")
                    make()
                    connection.exec_driver_sql(f"COMMENT ON SCHEMA {QUEUE} IS '{version}'")
                elif made != version:
                    raise FleetError(
                        f"{made} created the queue and this is {version}. Install the same, "
                        f"or stop all workers, drop schema {QUEUE} and run {program()} fleet night."
                    )
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": QUEUE_LOCK})

    def queue_url(self) -> str:
        """Return the URL of the queue for libpq."""
        return self.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)

    # Queueing

    def expected_seconds(self, kind: JobKind) -> dict[int, float]:
        """Return the mean duration of each site's latest runs, by the id of the site."""
        runs = tables.runs
        query = select(runs.c.site_id, runs.c.started_at, runs.c.finished_at).where(
            runs.c.kind == kind.value,
            runs.c.status == RunStatus.DONE,
            runs.c.started_at > now() - REMEMBERED,
        )
        took = defaultdict(list)
        with self.reading() as connection:
            for row in connection.execute(query.order_by(runs.c.id)):
                took[row.site_id].append((row.finished_at - row.started_at).total_seconds())
        return {site_id: mean(seconds[-LATEST:]) for site_id, seconds in took.items()}

    def unfinished_sites(self, kind: JobKind, *, but: str = "") -> set[int]:
        """Return the sites with an unfinished job of this kind, except jobs of the round `but`."""
        jobs, rounds = tables.fleet_jobs, tables.fleet_rounds
        query = (
            select(jobs.c.site_id)
            .join_from(jobs, rounds, jobs.c.round_id == rounds.c.id)
            .where(rounds.c.kind == kind, rounds.c.name != but)
            .where(jobs.c.state.in_([JobState.WAITING, JobState.RUNNING]))
        )
        with self.reading() as connection:
            return set(connection.execute(query).scalars())

    def queue(
        self, kind: JobKind, name: str, version: str, planned: Sequence[PlannedJob]
    ) -> tuple[Round, int]:
        """Add jobs to a round, begun if new; return it with the number of added jobs.

        Sites that are in the round keep their jobs.
        """
        jobs = tables.fleet_jobs
        with self.writing() as connection:
            found = _begin_round(connection, kind, name, version)
            known = select(jobs.c.site_id).where(jobs.c.round_id == found.id)
            there = set(connection.execute(known).scalars())
            latest = _latest_runs(connection, kind)
            rows = [
                {
                    **asdict(each),
                    "round_id": found.id,
                    "state": JobState.WAITING,
                    "run_before": latest.get(each.site_id, 0),
                    "attempts": 0,
                    "worker": "",
                    "note": "",
                }
                for each in planned
                if each.site_id not in there
            ]
            for batch in batches(rows):
                connection.execute(insert(jobs), list(batch))
        return found, len(rows)

    # Working

    def find(self, job_id: int) -> FleetJob | None:
        """Return a job, or None, such as after its site was removed."""
        return self._first(FleetJob, _jobs().where(tables.fleet_jobs.c.id == job_id))

    def waiting(self) -> list[FleetJob]:
        """Return the waiting jobs, the most urgent first."""
        jobs = tables.fleet_jobs
        query = _jobs().where(jobs.c.state == JobState.WAITING)
        return self._read(FleetJob, query.order_by(jobs.c.priority.desc(), jobs.c.id))

    def begin(self, job: FleetJob, worker: str) -> None:
        """Record that a worker begins a job."""
        self._set(job, state=JobState.RUNNING, worker=worker, started_at=now(), note="")

    def count_attempt(self, job: FleetJob, run_id: int | None = None) -> int:
        """Count a failed attempt; return the number of attempts.

        `run_id` is the run of this attempt, if it began. The next attempt needs a later one.
        """
        before = job.run_before if run_id is None else run_id
        self._set(job, attempts=job.attempts + 1, run_before=before)
        return job.attempts + 1

    def release(self, job: FleetJob, note: str) -> None:
        """Record that a job waits again, and why."""
        self._set(job, state=JobState.WAITING, note=note)

    def end(self, job: FleetJob, state: JobState, run_id: int | None, note: str = "") -> None:
        """Record the result of a job."""
        self._set(job, state=state, run_id=run_id, note=note, finished_at=now())

    def _set(self, job: FleetJob, **values: object) -> None:
        jobs = tables.fleet_jobs
        with self.writing() as connection:
            connection.execute(update(jobs).where(jobs.c.id == job.id).values(values))

    def run_of(self, job: FleetJob) -> int | None:
        """Return the run that did the work of a job, by whichever worker; None before."""
        runs = tables.runs
        query = select(func.max(runs.c.id)).where(
            runs.c.site_id == job.site_id,
            runs.c.kind == job.kind.value,
            runs.c.status == RunStatus.DONE,
            runs.c.id > job.run_before,
        )
        with self.reading() as connection:
            return connection.execute(query).scalar()

    def crawl_failed(self, run_id: int) -> str:
        """Return the error of a night's crawl; empty if it succeeded."""
        runs = tables.runs
        query = select(runs.c.status, runs.c.note).where(runs.c.night_id == run_id)
        with self.reading() as connection:
            crawls = list(connection.execute(query.where(runs.c.kind == RunKind.CRAWL)))
        if any(crawl.status == RunStatus.DONE for crawl in crawls):
            return ""
        return (crawls[-1].note if crawls else "") or "it could not be crawled"

    def failures(self, job: FleetJob) -> int:
        """Return the number of consecutive earlier rounds in which the site failed."""
        jobs = tables.fleet_jobs
        query = _jobs().where(jobs.c.site_id == job.site_id, jobs.c.round_id < job.round_id)
        query = query.where(tables.fleet_rounds.c.kind == job.kind)
        count = 0
        for before in self._read(FleetJob, query.order_by(jobs.c.round_id.desc()).limit(10)):
            if before.state is not JobState.FAILED:
                break
            count += 1
        return count

    # Reading

    def latest_round(self, kind: JobKind | None = None) -> Round | None:
        """Return the latest round, also of one kind, or None."""
        rounds = tables.fleet_rounds
        query = select(rounds).order_by(rounds.c.id.desc()).limit(1)
        query = query if kind is None else query.where(rounds.c.kind == kind)
        return self._first(Round, query)

    def find_round(self, round_id: int) -> Round | None:
        """Return a round, or None."""
        rounds = tables.fleet_rounds
        return self._first(Round, select(rounds).where(rounds.c.id == round_id))

    def jobs(self, of: Round) -> list[FleetJob]:
        """Return the jobs of a round, the most urgent first."""
        jobs = tables.fleet_jobs
        query = _jobs().where(jobs.c.round_id == of.id)
        return self._read(FleetJob, query.order_by(jobs.c.priority.desc(), jobs.c.id))

    def totals(self, of: Round) -> RoundTotals:
        """Return the results of a round so far."""
        jobs, runs, reports = tables.fleet_jobs, tables.runs, tables.reports
        query = (
            select(
                func.sum(runs.c.new + runs.c.changed + runs.c.unchanged).label("pages"),
                func.sum(runs.c.articles).label("articles"),
                # As written by `json.dumps`; parsing all reports would take seconds.
                func.count().filter(reports.c.data.like('%"kind": "drift_%')).label("drifted"),
                func.count().filter(reports.c.needs_attention.in_([True])).label("needs_attention"),
            )
            .join_from(jobs, runs, jobs.c.run_id == runs.c.id)
            .outerjoin(reports, reports.c.run_id == runs.c.id)
            .where(jobs.c.round_id == of.id)
        )
        with self.reading() as connection:
            found = connection.execute(query).one()
        took = [
            (job.finished_at - job.started_at).total_seconds()
            for job in self.jobs(of)
            if job.started_at and job.finished_at
        ]
        return RoundTotals(
            pages=found.pages or 0,
            articles=found.articles or 0,
            seconds=sum(took),
            drifted=found.drifted,
            needs_attention=found.needs_attention,
        )

    # Reporting

    def unreported(self) -> list[Round]:
        """Return finished rounds whose report was not sent and is not being sent."""
        rounds, jobs = tables.fleet_rounds, tables.fleet_jobs
        unfinished = select(jobs.c.round_id).where(
            jobs.c.state.in_([JobState.WAITING, JobState.RUNNING])
        )
        query = select(rounds).where(rounds.c.reported_at.is_(None), rounds.c.id.not_in(unfinished))
        with self.reading() as connection:
            if connection.dialect.name == "postgresql":
                query = query.where(rounds.c.id.not_in(text(f"({SENT_NOW})")))
            values = {"lock": REPORT_LOCK}
            found = connection.execute(query.order_by(rounds.c.id), values)
            return [Round(**row._asdict()) for row in found]

    @contextmanager
    def reporting(self, of: Round) -> Iterator[bool]:
        """Yield True if this process has to send a round's report; the end of the block records it.

        Only one process at a time sends it. If that dies, another one sends it: a report is sent at
        least once.
        """
        alone = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        rounds, ours = tables.fleet_rounds, {"lock": REPORT_LOCK, "round": of.id}
        with translate_errors(self.engine), alone.connect() as connection:
            taken = text("SELECT pg_try_advisory_lock(:lock, :round)")
            if not connection.execute(taken, ours).scalar_one():
                yield False
                return
            try:
                due = select(rounds.c.id).where(rounds.c.id == of.id)
                due = due.where(rounds.c.reported_at.is_(None))
                is_ours = connection.execute(due).first() is not None
                yield is_ours
                if is_ours:
                    sent = update(rounds).where(rounds.c.id == of.id)
                    connection.execute(sent.values(reported_at=now()))
            finally:
                with suppress(DBAPIError):  # the locks end with the server
                    connection.execute(text("SELECT pg_advisory_unlock(:lock, :round)"), ours)


def _begin_round(connection: Connection, kind: JobKind, name: str, version: str) -> Round:
    """Return the round of this name, begun if it is new, and lock the table until it is queued."""
    rounds = tables.fleet_rounds
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE fleet_rounds IN SHARE ROW EXCLUSIVE MODE"))
    query = select(rounds).where(rounds.c.kind == kind, rounds.c.name == name)
    row = connection.execute(query).first()
    if row is None:
        values = {"kind": kind, "name": name, "version": version, "queued_at": now()}
        connection.execute(insert(rounds).values(values))
        row = connection.execute(query).one()
    return Round(**row._asdict())


def _latest_runs(connection: Connection, kind: JobKind) -> dict[int, int]:
    runs = tables.runs
    query = select(runs.c.site_id, func.max(runs.c.id).label("latest"))
    query = query.where(runs.c.kind == kind.value, runs.c.status == RunStatus.DONE)
    return {row.site_id: row.latest for row in connection.execute(query.group_by(runs.c.site_id))}


def _jobs() -> Select[*tuple[object, ...]]:
    jobs, rounds, sites = tables.fleet_jobs, tables.fleet_rounds, tables.sites
    return (
        select(jobs, rounds.c.kind, rounds.c.version, sites.c.name.label("site"), sites.c.paused)
        .join_from(jobs, rounds, jobs.c.round_id == rounds.c.id)
        .join(sites, sites.c.id == jobs.c.site_id)
    )
