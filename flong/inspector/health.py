"""Health and Prometheus metrics of one machine, and of a fleet if there is one."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import disk_usage

from fastapi import FastAPI
from fastapi.responses import Response

from flong.fleet import fleet_status, metrics
from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.editing import Editor
from flong.inspector.night import nights_of
from flong.inspector.reports import last_reports
from flong.storage.fleet import Fleet


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """State of this machine."""

    status: str
    """`ok`, or `attention` if the last night of a site has findings that need it."""
    sites: int
    """Number of sites."""
    last_run: str | None
    """Start of the latest run; None before the first."""
    attention: list[str]
    """Names of sites that need attention."""
    waiting: int
    """Number of jobs that wait or run."""
    free_bytes: int | None
    """Free disk space beside the database; None for a database server."""


def health(database: ReadOnlyDatabase, editor: Editor | None) -> Health:
    """Return the state of this machine; raises `StorageError` if the database cannot be read."""
    store = database.store
    sites = store.sites.all()
    attention = [name for name, report in last_reports(database, sites).items() if report.attention]
    started = [row.last_started_at for row in store.overview.sites(sites) if row.last_started_at]
    return Health(
        status="attention" if attention else "ok",
        sites=len(sites),
        last_run=max(started, default=None),
        attention=sorted(attention),
        waiting=editor.jobs.waiting() if editor else 0,
        free_bytes=_free_bytes(database),
    )


def _free_bytes(database: ReadOnlyDatabase) -> int | None:
    url = database.store.engine.url
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    return disk_usage(Path(url.database).parent).free


def add_health(app: FastAPI, database: ReadOnlyDatabase, editor: Editor | None) -> None:
    """Add `/health` and `/metrics`."""

    @app.get("/health", name="health")
    def check() -> Health:
        """Return the state of this machine."""
        return health(database, editor)

    @app.get("/metrics", include_in_schema=False)
    def prometheus() -> Response:
        text = "\n".join(_metrics(database, editor)) + "\n"
        latest = Fleet(database.store).latest_round()
        if latest is not None:
            text += metrics(fleet_status(database.store, latest))
        return Response(text, media_type="text/plain; version=0.0.4")


def _metrics(database: ReadOnlyDatabase, editor: Editor | None) -> Iterator[str]:
    """Yield the lines of the text format of Prometheus."""
    state, sites = health(database, editor), database.store.sites.all()
    figures: dict[str, dict[str, float]] = {
        name: {} for name in "pages articles failed_urls last_run_seconds attention".split()
    }
    for row in database.store.overview.sites(sites):
        figures["pages"][row.site] = row.pages
        figures["articles"][row.site] = row.articles
        figures["failed_urls"][row.site] = row.failed
        figures["attention"][row.site] = row.site in state.attention
        if row.last_started_at:
            started = datetime.fromisoformat(row.last_started_at)
            figures["last_run_seconds"][row.site] = started.timestamp()
    for site, nights in nights_of(database, sites).items():
        for name in ("new", "changed", "gone", "failed", "articles", "broken"):
            figures.setdefault(f"night_{name}", {})[site] = getattr(nights[-1], name)
    for name, values in figures.items():
        yield f"# TYPE flong_site_{name} gauge"
        for site, number in values.items():
            label = site.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
            yield f'flong_site_{name}{{site="{label}"}} {float(number):.16g}'
    yield f"# TYPE flong_jobs_waiting gauge\nflong_jobs_waiting {state.waiting}"
    if state.free_bytes is not None:
        yield f"# TYPE flong_disk_free_bytes gauge\nflong_disk_free_bytes {state.free_bytes}"
