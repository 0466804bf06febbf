"""Runs: what was done to a site, when, and what came of it."""

import os
import socket
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from storage import tables
from storage.columns import now
from storage.database import Database
from storage.processes import process_is_alive
from storage.sites import Site


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
    """Addresses that gave no page."""
    articles: int = 0
    """Articles written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One stage of work on one site."""

    id: int
    """Its number in the database, rising with time."""
    site_id: int
    """The site it works on."""
    kind: str
    """`crawl`, `load`, `learn`, `extract` or `nightly`."""
    status: str
    """`running`, then what `finish_run` was told (`done`, `failed` ...), or `killed`."""
    pid: int
    """Number of its process."""
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


class RunStore(Database):
    """Starts, finishes, resumes and lists runs."""

    def start_run(self, site: Site, kind: str) -> Run:
        """Begin a run; an earlier one of the same kind that was killed is marked so."""
        with self.writing() as connection:
            for run in _unfinished(connection, site, kind):
                if not _is_alive(run):
                    gone = update(tables.runs).where(tables.runs.c.id == run.id)
                    connection.execute(gone.values(status="killed"))
            row = {"site_id": site.id, "kind": kind, "status": "running", "note": ""}
            row |= _process() | {"started_at": now()} | asdict(RunCounts())
            added = insert(tables.runs).values(row).returning(tables.runs.c.id)
            return _find(connection, connection.execute(added).scalar_one())

    def unfinished_run(self, site: Site, kind: str) -> Run | None:
        """Return the latest run of this kind if it was killed, so that it can be resumed."""
        with self.reading() as connection:
            runs = _unfinished(connection, site, kind)
        if runs and not _is_alive(runs[0]):
            return runs[0]
        return None

    def resume_run(self, run: Run) -> Run:
        """Let this process go on with a run that was killed."""
        with self.writing() as connection:
            mine = update(tables.runs).where(tables.runs.c.id == run.id).values(**_process())
            connection.execute(mine)
            return _find(connection, run.id)

    def finish_run(
        self, run: Run, status: str, counts: RunCounts | None = None, note: str = ""
    ) -> Run:
        """End a run. Without counts they are taken from the pages it saw, also across a kill."""
        found = asdict(self.count_run(run) if counts is None else counts)
        end = {"status": status, "note": note, "finished_at": now()}
        with self.writing() as connection:
            connection.execute(
                update(tables.runs).where(tables.runs.c.id == run.id).values(end | found)
            )
            return _find(connection, run.id)

    def count_run(self, run: Run) -> RunCounts:
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
            .where(matches.c.verdict == "article")
        )
        with self.reading() as connection:
            counts = {row.outcome: row.number for row in connection.execute(seen)}
            return RunCounts(articles=connection.execute(articles).scalar_one(), **counts)

    def runs(self, site: Site | None = None, limit: int | None = None) -> list[Run]:
        """Return runs, the latest first."""
        query = select(tables.runs).order_by(tables.runs.c.id.desc()).limit(limit)
        if site is not None:
            query = query.where(tables.runs.c.site_id == site.id)
        with self.reading() as connection:
            return [_run(row) for row in connection.execute(query)]


def _is_alive(run: Run) -> bool:
    return process_is_alive(run.pid, run.host, run.started_at)


def _process() -> dict[str, Any]:
    return {"pid": os.getpid(), "host": socket.gethostname(), "status": "running"}


def _unfinished(connection: Connection, site: Site, kind: str) -> list[Run]:
    """Return the run of this kind that is still marked as running, in a list or none.

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
    return [run for run in latest if run.status == "running"]


def _find(connection: Connection, number: int) -> Run:
    query = select(tables.runs).where(tables.runs.c.id == number)
    return _run(connection.execute(query).one())


def _run(row: Row[*tuple[Any, ...]]) -> Run:
    return Run(
        id=row.id,
        site_id=row.site_id,
        kind=row.kind,
        status=row.status,
        pid=row.pid,
        host=row.host,
        started_at=row.started_at,
        finished_at=row.finished_at,
        note=row.note,
        counts=RunCounts(
            new=row.new,
            changed=row.changed,
            unchanged=row.unchanged,
            gone=row.gone,
            failed=row.failed,
            articles=row.articles,
        ),
    )
