"""Runs: what was done to a site, when, and what came of it."""

import os
import socket
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Row, Text, cast, func, insert, select, update

from flong.states import STORED_OUTCOMES, RunStatus, Verdict
from flong.storage import tables
from flong.storage.columns import from_row, now
from flong.storage.database import Repository
from flong.storage.errors import StorageError
from flong.storage.liveness import pid_is_alive
from flong.storage.sites import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCounts:
    """What a run found."""

    new: int = 0
    """Pages seen for the first time."""
    changed: int = 0
    """Pages whose content is another than before."""
    unchanged: int = 0
    """Pages whose content is the same as before."""
    gone: int = 0
    """Pages that are no longer there."""
    failed: int = 0
    """URLs that gave no page."""
    articles: int = 0
    """Articles written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One stage of work on one site."""

    id: int
    """Its id in the database, rising with time."""
    site_id: int
    """The site it works on."""
    kind: str
    """`crawl`, `load`, `learn`, `extract` or `nightly`."""
    status: RunStatus
    """How far it is."""
    pid: int
    """Id of its process."""
    host: str
    """Name of the machine of its process."""
    started_at: datetime
    """When it began."""
    finished_at: datetime | None
    """When it ended; None while it runs, and for one that was killed."""
    counts: RunCounts
    """What it found."""
    note: str
    """A remark for people."""
    night_id: int | None = None
    """The nightly run that this one is a part of; None if it is of none."""


class Runs(Repository):
    """Starts, finishes, resumes and lists runs."""

    def start(self, site: Site, kind: str, *, night_id: int | None = None) -> Run:
        """Begin a run, perhaps a part of a night; an earlier one that was killed is marked so."""
        with self.writing() as connection:
            for run in _unfinished(connection, site, kind):
                if run.status == RunStatus.KILLED:
                    gone = update(tables.runs).where(tables.runs.c.id == run.id)
                    connection.execute(gone.values(status=RunStatus.KILLED))
            row = {"site_id": site.id, "kind": kind, "note": ""}
            row |= _process() | {"started_at": now(), "night_id": night_id} | asdict(RunCounts())
            added = insert(tables.runs).values(row).returning(tables.runs.c.id)
            return _find(connection, connection.execute(added).scalar_one())

    def unfinished(self, site: Site, kind: str) -> Run | None:
        """Return the latest run of this kind if it was stopped, so that it can be resumed."""
        with self.reading() as connection:
            runs = _unfinished(connection, site, kind)
        return runs[0] if runs and runs[0].status != RunStatus.RUNNING else None

    def resume(self, run: Run, *, night_id: int | None = None) -> Run:
        """Let this process go on with a run that was interrupted, perhaps in another night."""
        mine = _process() | {"finished_at": None, "note": ""}
        mine |= {} if night_id is None else {"night_id": night_id}
        with self.writing() as connection:
            connection.execute(update(tables.runs).where(tables.runs.c.id == run.id).values(mine))
            return _find(connection, run.id)

    @contextmanager
    def attend(self, run: Run) -> Iterator[Run]:
        """Mark a run as `interrupted` if the block is left by Ctrl-C, as `failed` by an error.

        The error goes on, also if there is no marking it. A night that failed can be resumed, so
        it counts as interrupted, too.
        """
        try:
            yield run
        except BaseException as error:
            stopped = run.kind == "nightly" or not isinstance(error, Exception)
            with suppress(StorageError):
                self.leave(run, RunStatus.INTERRUPTED if stopped else RunStatus.FAILED, str(error))
            raise

    def leave(self, run: Run, status: RunStatus, note: str = "") -> None:
        """End a run before it was done; what it found is not counted."""
        end = {"status": status, "note": note, "finished_at": now()}
        with self.writing() as connection:
            connection.execute(update(tables.runs).where(tables.runs.c.id == run.id).values(end))

    def finish(
        self, run: Run, status: RunStatus, counts: RunCounts | None = None, note: str = ""
    ) -> Run:
        """End a run. Without counts they are taken from the pages it saw, also across a kill."""
        found = asdict(self.count(run) if counts is None else counts)
        end = {"status": status, "note": note, "finished_at": now()}
        with self.writing() as connection:
            connection.execute(
                update(tables.runs).where(tables.runs.c.id == run.id).values(end | found)
            )
            return _find(connection, run.id)

    def count(self, run: Run) -> RunCounts:
        """Return what a run has found so far, counted from the pages and their articles."""
        pages, matches = tables.pages, tables.matches
        seen = (
            select(pages.c.outcome, func.count().label("number"))
            .where(pages.c.site_id == run.site_id, pages.c.run_id == run.id)
            .group_by(pages.c.outcome)
        )
        articles = (
            select(func.count())
            .join_from(matches, pages, matches.c.page_id == pages.c.id)
            .where(pages.c.site_id == run.site_id, matches.c.run_id == run.id)
            .where(matches.c.verdict == Verdict.ARTICLE)
        )
        with self.reading() as connection:
            counts: Counter[str] = Counter()
            for row in connection.execute(seen):
                counts[row.outcome.counted_as] += row.number
            return RunCounts(articles=connection.execute(articles).scalar_one(), **counts)

    def count_depths(self, run: Run) -> dict[int, int]:
        """Return how many pages a run has found at each depth, also before it was resumed."""
        pages = tables.pages
        query = (
            select(pages.c.depth, func.count().label("number"))
            .where(pages.c.site_id == run.site_id, pages.c.run_id == run.id)
            .where(pages.c.outcome.in_(STORED_OUTCOMES))
            .group_by(pages.c.depth)
            .order_by(pages.c.depth)
        )
        with self.reading() as connection:
            return {row.depth: row.number for row in connection.execute(query)}

    def new_articles_by_day(self, site: Site, before: Run) -> dict[date, int]:
        """Return how many new articles the nights before one brought, by day.

        The first night of a site is left out: everything was new then.
        """
        runs = tables.runs
        query = (
            select(runs.c.started_at, runs.c.articles)
            .where(
                runs.c.site_id == site.id, runs.c.kind == "nightly", runs.c.status == RunStatus.DONE
            )
            .where(runs.c.id < before.id)
            .order_by(runs.c.id)
            .offset(1)
        )
        found: Counter[date] = Counter()
        with self.reading() as connection:
            for started_at, articles in connection.execute(query):
                found[started_at.date()] += articles
        return dict(found)

    def new_articles_of_sites(self, before: Sequence[Run]) -> dict[int, dict[date, int]]:
        """Return the same for many nights, by the ids of their runs, in one question."""
        runs = tables.runs
        # One row a site: to fetch one a night would take longer than all the rest.
        day = func.substr(runs.c.started_at, 1, 10, type_=Text)
        night = cast(runs.c.id, Text) + " " + day + " " + cast(runs.c.articles, Text)
        query = select(runs.c.site_id, func.aggregate_strings(night, ","))
        query = query.where(runs.c.kind == "nightly", runs.c.status == RunStatus.DONE)
        query = query.where(runs.c.id < max((run.id for run in before), default=0))
        with self.reading() as connection:
            rows = connection.execute(query.group_by(runs.c.site_id))
            past = {site_id: _nights(written) for site_id, written in rows}
        found = {}
        for run in before:
            days: Counter[date] = Counter()
            for run_id, then, articles in past.get(run.site_id, [])[1:]:
                if run_id < run.id:
                    days[then] += articles
            found[run.id] = dict(days)
        return found

    def of_night(self, night: Run, kind: str) -> list[Run]:
        """Return the runs of this kind that are parts of a night, the latest first."""
        runs = tables.runs
        query = select(runs).where(runs.c.site_id == night.site_id, runs.c.kind == kind)
        query = query.where(runs.c.night_id == night.id).order_by(runs.c.id.desc())
        with self.reading() as connection:
            return [_run(row) for row in connection.execute(query)]

    def nightly(self, since: datetime, until: datetime) -> list[Run]:
        """Return the nightly runs that began in a time, in this order."""
        runs = tables.runs
        query = select(runs).where(runs.c.kind == "nightly", runs.c.started_at >= since)
        query = query.where(runs.c.started_at < until).order_by(runs.c.id)
        with self.reading() as connection:
            return [_run(row) for row in connection.execute(query)]

    def all(self, site: Site | None = None, limit: int | None = None) -> list[Run]:
        """Return runs, the latest first."""
        query = select(tables.runs).order_by(tables.runs.c.id.desc()).limit(limit)
        if site is not None:
            query = query.where(tables.runs.c.site_id == site.id)
        with self.reading() as connection:
            return [_run(row) for row in connection.execute(query)]


def _process() -> dict[str, Any]:
    return {"pid": os.getpid(), "host": socket.gethostname(), "status": RunStatus.RUNNING}


def _unfinished(connection: Connection, site: Site, kind: str) -> list[Run]:
    """Return the run of this kind that runs, or was stopped, in a list or none.

    Only the latest counts: what came before it was given up.
    """
    runs = tables.runs
    query = (
        select(runs)
        .where(runs.c.site_id == site.id, runs.c.kind == kind)
        .order_by(runs.c.id.desc())
        .limit(1)
    )
    latest = [_run(row) for row in connection.execute(query)]
    over = (RunStatus.DONE, RunStatus.FAILED)
    return [run for run in latest if run.status not in over]


def _nights(written: str) -> list[tuple[int, date, int]]:
    """Return runs with their days and articles, in order.

    >>> _nights("12 2026-05-02 0,7 2026-05-01 3")[0]
    (7, datetime.date(2026, 5, 1), 3)
    """
    nights = (night.split(" ") for night in written.split(","))
    return sorted((int(run), _date(day), int(articles)) for run, day, articles in nights)


_date = lru_cache(date.fromisoformat)


def _find(connection: Connection, run_id: int) -> Run:
    query = select(tables.runs).where(tables.runs.c.id == run_id)
    return _run(connection.execute(query).one())


def _run(row: Row[*tuple[Any, ...]]) -> Run:
    # One on another machine cannot be asked for: who takes its lock says that it is gone.
    alive = (
        row.status != RunStatus.RUNNING or row.host != socket.gethostname() or pid_is_alive(row.pid)
    )
    status = row.status if alive else RunStatus.KILLED
    return from_row(Run, row, status=status, counts=from_row(RunCounts, row))
