"""What is going on with a site, told while it goes on (server-sent events)."""

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
"""Time between two looks: a look takes some milliseconds, which the crawl does not have then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """A site at some moment."""

    figures: LiveFigures
    """How much there is."""
    titles: tuple[str, ...]
    """The latest articles."""
    state: str
    """How far the latest job has come; empty if there is none."""
    over: bool
    """Nothing is going on any more."""


_WRITTEN = TypeAdapter(Live)


def look(database: ReadOnlyDatabase, editor: Editor | None, name: str) -> Live:
    """Return how far a site has come."""
    site = database.site(name)
    activity = database.store.activity
    jobs = editor.jobs.of(site.name) if editor else []
    return Live(
        figures=activity.figures(site),
        titles=tuple(activity.latest_titles(site)),
        state=jobs[0].state if jobs else "",
        over=all(job.is_over for job in jobs),
    )


def add_live(app: FastAPI, database: ReadOnlyDatabase, editor: Editor | None) -> None:
    """Tell everybody who asks, until there is nothing more to tell."""

    @app.get("/sites/{name}/live", include_in_schema=False)
    async def live(name: str) -> Response:
        await run_in_threadpool(database.site, name)  # or it is not there

        async def told() -> AsyncIterator[bytes]:
            while True:
                now = await run_in_threadpool(look, database, editor, name)
                yield b"data: " + _WRITTEN.dump_json(now) + b"\n\n"
                if now.over:
                    return
                await asyncio.sleep(SECONDS)

        return StreamingResponse(told(), media_type="text/event-stream")
