"""Live progress of a site as server-sent events."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from fastapi import FastAPI
from fastapi.responses import Response, StreamingResponse
from pydantic import TypeAdapter
from starlette.concurrency import run_in_threadpool

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.editing import Editor
from flong.storage import LiveFigures

SECONDS = 1.0
"""Seconds between two events; each costs some milliseconds of database time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """Progress of a site."""

    figures: LiveFigures
    """Current counts."""
    titles: tuple[str, ...]
    """Titles of the latest articles."""
    state: str
    """State of the latest job; empty without jobs."""
    line: str
    """Last line of its output, such as the number of URLs to go."""
    over: bool
    """True if no job is waiting or running."""


_WRITTEN = TypeAdapter(Live)


def look(database: ReadOnlyDatabase, editor: Editor | None, name: str) -> Live:
    """Return the progress of a site."""
    site = database.site(name)
    store = database.store
    jobs = editor.jobs.of(site.name) if editor else []
    return Live(
        figures=store.overview.figures(site),
        titles=tuple(store.lists.latest_titles(site)),
        state=jobs[0].state if jobs else "",
        line=jobs[0].said[-1] if jobs and jobs[0].said else "",
        over=all(job.is_over for job in jobs),
    )


def add_live(app: FastAPI, database: ReadOnlyDatabase, editor: Editor | None) -> None:
    """Add the stream of events, which ends with the last job."""

    @app.get("/sites/{name}/live", include_in_schema=False)
    async def live(name: str) -> Response:
        await run_in_threadpool(database.site, name)  # raises NotThere

        async def events() -> AsyncIterator[bytes]:
            while True:
                now = await run_in_threadpool(look, database, editor, name)
                yield b"data: " + _WRITTEN.dump_json(now) + b"\n\n"
                if now.over:
                    return
                await asyncio.sleep(SECONDS)

        return StreamingResponse(events(), media_type="text/event-stream")
