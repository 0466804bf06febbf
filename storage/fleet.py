"""Jobs of a fleet: one for each site of a round, what became of it, and who did it.

The rows here are the truth; what waits in the queue of procrastinate only brings them to workers. A
job that comes twice, or comes again after its worker died, is found done here and not done again.
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
from flong.states import JobKind, JobState, RunStatus
from flong.storage import tables
from flong.storage.columns import now
from flong.storage.database import Connections, Repository, batches
from flong.storage.engine import HEAD, shown, translate_errors
from flong.storage.errors import FleetError

QUEUE = "flong_queue"
"""Schema of PostgreSQL that the tables of procrastinate are in, apart from flong's own."""
QUEUE_LOCK = 0x464C4F51
"""The advisory lock of whoever makes them."""
REPORT_LOCK = 0x464C4F52
"""The advisory lock, together with the number of a round, of whoever sends its report."""
SENT_NOW = """
    SELECT CAST(objid AS integer) FROM pg_locks WHERE locktype = 'advisory' AND classid = :lock
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
REMEMBERED = timedelta(days=30)
"""Time of which a site's durations count."""
LATEST = 5
"""Runs whose mean is expected of the next one."""
CLOCK_SECONDS = 60.0
"""What a machine's clock may be off: times of runs and pages come from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedJob:
    """What a site's job will be, before it is queued."""

    site_id: int
    """The site."""
    host: str
    """Whom it asks: jobs of one host are never done at the same time."""
    priority: int
    """The highest is done first, of those that are due."""
    due_at: datetime
    """When it may begin."""
    expected_seconds: float
    """How long it will take, by how long it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What a fleet was asked to do to many sites."""

    id: int
    """Its number."""
    kind: JobKind
    """What is done."""
    name: str
    """The day of a night; the time at which anything else was asked for."""
    version: str
    """Of flong, that queued it."""
    queued_at: datetime
    """When that was."""
    reported_at: datetime | None
    """When its report was sent; None if it was not, as while it is not over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetJob:
    """One site of a round."""

    id: int
    """Its number."""
    round_id: int
    """Its round."""
    kind: JobKind
    """What is done."""
    version: str
    """Of flong, that queued it."""
    site_id: int
    """The site."""
    site: str
    """Its name."""
    state: JobState
    """How far it is."""
    host: str
    """Whom it asks."""
    priority: int
    """The highest is done first."""
    due_at: datetime
    """When it may begin."""
    expected_seconds: float
    """How long it was thought to take."""
    run_before: int
    """The site's latest run of this kind that was done when this was queued; 0 if none was."""
    attempts: int
    """How often it was begun."""
    worker: str
    """Who began it last."""
    started_at: datetime | None
    """When it was begun last; None if never."""
    finished_at: datetime | None
    """When it was over; None if it is not."""
    run_id: int | None
    """The run that did it."""
    note: str
    """What went wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTotals:
    """What all jobs of a round that are over brought."""

    pages: int
    """Pages that were there: new, changed and unchanged ones."""
    articles: int
    """New articles."""
    seconds: float
    """What the jobs took, added up."""
    drifted: int
    """Sites with templates that have changed."""
    needs_look: int
    """Sites that somebody should look at."""


class Fleet(Repository):
    """Queues jobs, and keeps what became of them."""

    def __init__(self, database: Connections) -> None:
        super().__init__(database)
        self.engine = database.engine

    # What a fleet stands on

    def require_postgresql(self) -> None:
        """Raise `FleetError` unless the database is a PostgreSQL."""
        if self.engine.dialect.name != "postgresql":
            raise FleetError(
                f"A fleet needs PostgreSQL, and FLONG_DATABASE is {shown(self.engine.url)}: "
                f"{program()} database copy moves everything there."
            )

    def require_clock(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Raise `FleetError` if this machine's clock is not that of the database."""
        with self.reading() as connection:
            theirs: datetime = connection.execute(select(func.now())).scalar_one()
        off = (clock() - theirs).total_seconds()
        if abs(off) > CLOCK_SECONDS:
            raise FleetError(
                f"The clock of this machine is {abs(off) / 60:.0f} minutes "
                f"{'ahead of' if off > 0 else 'behind'} that of the database: set it first."
            )

    def schema_is_current(self) -> bool:
        """Tell whether the database still has the schema of this version of flong."""
        with self.reading() as connection:
            found = connection.execute(text("SELECT version_num FROM alembic_version"))
            return found.scalar() == HEAD

    def prepare_queue(self, version: str, make: Callable[[], None]) -> None:
        """Let the tables of the queue be made, once; `FleetError` if another version made them."""
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
                        f"The queue was made by {made} and this is {version}: install the same, "
                        f"or stop all workers, drop the schema {QUEUE}, {program()} fleet night."
                    )
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:lock)"), {"lock": QUEUE_LOCK})

    def queue_url(self) -> str:
        """Return where the queue is, as PostgreSQL's own library takes it."""
        return self.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)

    # Queueing

    def expected_seconds(self, kind: JobKind) -> dict[int, float]:
        """Return how long the latest runs of each site took on the mean, by its number."""
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
        """Return the sites with a job of this kind that is not over, but for one round's."""
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
        """Add jobs to a round, which is begun if it is new; return it, and how many were added.

        A site that is in the round stays as it is there.
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
        """Return a job; None if there is none of this number, as after its site was removed."""
        found = self._read(FleetJob, _jobs().where(tables.fleet_jobs.c.id == job_id))
        return found[0] if found else None

    def waiting(self) -> list[FleetJob]:
        """Return the jobs that nobody works on, the most urgent first."""
        jobs = tables.fleet_jobs
        query = _jobs().where(jobs.c.state == JobState.WAITING)
        return self._read(FleetJob, query.order_by(jobs.c.priority.desc(), jobs.c.id))

    def begin(self, job: FleetJob, worker: str) -> None:
        """Note that a worker does a job."""
        self._set(job, state=JobState.RUNNING, worker=worker, started_at=now(), note="")

    def count_attempt(self, job: FleetJob) -> int:
        """Note that a job went wrong once more; return how often by now."""
        self._set(job, attempts=job.attempts + 1)
        return job.attempts + 1

    def release(self, job: FleetJob, note: str) -> None:
        """Note that nobody does a job any more, and why."""
        self._set(job, state=JobState.WAITING, note=note)

    def end(self, job: FleetJob, state: JobState, run_id: int | None, note: str = "") -> None:
        """Note what became of a job."""
        self._set(job, state=state, run_id=run_id, note=note, finished_at=now())

    def _set(self, job: FleetJob, **values: object) -> None:
        jobs = tables.fleet_jobs
        with self.writing() as connection:
            connection.execute(update(jobs).where(jobs.c.id == job.id).values(values))

    def run_of(self, job: FleetJob) -> int | None:
        """Return the run that did what a job asks for, whoever began it; None if none has yet."""
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
        """Return why the crawl of a night did not end well, empty if it did."""
        runs = tables.runs
        query = select(runs.c.status, runs.c.note).where(runs.c.night_id == run_id)
        with self.reading() as connection:
            crawls = list(connection.execute(query.where(runs.c.kind == "crawl")))
        if any(crawl.status == RunStatus.DONE for crawl in crawls):
            return ""
        return (crawls[-1].note if crawls else "") or "it could not be crawled"

    def failures(self, job: FleetJob) -> int:
        """Return in how many rounds before this one the site failed, without a break."""
        jobs = tables.fleet_jobs
        query = _jobs().where(jobs.c.site_id == job.site_id, jobs.c.round_id < job.round_id)
        query = query.where(tables.fleet_rounds.c.kind == job.kind)
        count = 0
        for before in self._read(FleetJob, query.order_by(jobs.c.round_id.desc()).limit(10)):
            if before.state is not JobState.FAILED:
                break
            count += 1
        return count

    # Looking

    def latest_round(self, kind: JobKind | None = None) -> Round | None:
        """Return the latest round, perhaps of a kind; None if there was none."""
        rounds = tables.fleet_rounds
        query = select(rounds).order_by(rounds.c.id.desc()).limit(1)
        query = query if kind is None else query.where(rounds.c.kind == kind)
        found = self._read(Round, query)
        return found[0] if found else None

    def find_round(self, round_id: int) -> Round | None:
        """Return a round; None if there is none of this number."""
        rounds = tables.fleet_rounds
        found = self._read(Round, select(rounds).where(rounds.c.id == round_id))
        return found[0] if found else None

    def jobs(self, of: Round) -> list[FleetJob]:
        """Return the jobs of a round, the most urgent first."""
        jobs = tables.fleet_jobs
        query = _jobs().where(jobs.c.round_id == of.id)
        return self._read(FleetJob, query.order_by(jobs.c.priority.desc(), jobs.c.id))

    def totals(self, of: Round) -> RoundTotals:
        """Return what a round has brought so far."""
        jobs, runs, reports = tables.fleet_jobs, tables.runs, tables.reports
        query = (
            select(
                func.sum(runs.c.new + runs.c.changed + runs.c.unchanged).label("pages"),
                func.sum(runs.c.articles).label("articles"),
                # As `json.dumps` writes it; to parse all reports would take seconds.
                func.count().filter(reports.c.data.not_like('%"drifted": []%')).label("drifted"),
                func.count().filter(reports.c.needs_look.in_([True])).label("needs_look"),
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
            needs_look=found.needs_look,
        )

    # Reporting

    def unreported(self) -> list[Round]:
        """Return the rounds that are over and whose report nobody has sent, or sends."""
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
        """Tell whether a round's report is ours to send; sent it is when the block ends well.

        Nobody else gets it meanwhile. Whoever dies in the block leaves it to others: a report is
        sent once at least.
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
                with suppress(DBAPIError):  # a server that is gone has no locks
                    connection.execute(text("SELECT pg_advisory_unlock(:lock, :round)"), ours)


def _begin_round(connection: Connection, kind: JobKind, name: str, version: str) -> Round:
    """Return the round of this name, begun if it is new; until it is queued it is ours alone."""
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
        select(jobs, rounds.c.kind, rounds.c.version, sites.c.name.label("site"))
        .join_from(jobs, rounds, jobs.c.round_id == rounds.c.id)
        .join(sites, sites.c.id == jobs.c.site_id)
    )
