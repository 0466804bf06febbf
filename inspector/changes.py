"""Everything that changes something: each is a POST, and leads back to a view."""

from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import Depends, FastAPI, HTTPException
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, ValidationError

from inspector.correction import Refused, What, propose
from inspector.database import NotThere, ReadOnlyDatabase
from inspector.editing import Editor, Form, read_form
from inspector.examined_pages import ExaminedPages
from inspector.jobs import JobState
from inspector.paging import Id
from storage import Site, UnknownCorrection, UnknownSite

LEARNING = "Learning with the corrections, reading the pages again"


class WhatAndPlace(BaseModel):
    """What a form says of an element."""

    what: What
    place: int | None = None


Filled = Annotated[Form, Depends(read_form)]


def add_changes(
    app: FastAPI, database: ReadOnlyDatabase, pages: ExaminedPages, editor: Editor
) -> None:
    """Give every change its URL."""
    _add_site_changes(app, editor)
    _add_corrections(app, database, pages, editor)


def _add_corrections(
    app: FastAPI, database: ReadOnlyDatabase, pages: ExaminedPages, editor: Editor
) -> None:
    @app.post("/pages/{number}/correct", include_in_schema=False)
    def correct(number: Id, form: Filled) -> Response:
        """Keep a correction, unless it contradicts another, and learn the site with it."""
        try:
            asked = WhatAndPlace.model_validate(dict(form))
        except ValidationError as error:
            raise HTTPException(422, "The form says nothing that can be corrected.") from error
        found = propose(database, pages, number, asked.what, asked.place)
        if found.refusal:
            raise Refused(found.refusal)
        editor.store.corrections.add(found.site, found.new)
        return apply(found.site.name)

    @app.post("/corrections/{number}/undo", include_in_schema=False)
    def undo(number: Id) -> Response:
        """Take a correction back, and learn the site without it."""
        try:
            return apply(editor.store.corrections.undo(number).site)
        except UnknownCorrection as error:
            raise NotThere(str(error)) from error

    def apply(site: str) -> Response:
        waiting = (job.name for job in editor.jobs.of(site) if job.state is JobState.WAITING)
        if LEARNING not in waiting:
            editor.jobs.submit(site, LEARNING, [("corrections", "apply", site)])
        return RedirectResponse(f"/corrections?{urlencode({'site': site})}", 303)


def _add_site_changes(app: FastAPI, editor: Editor) -> None:
    def of_site(name: str) -> Site:
        try:
            return editor.store.sites.find(name)
        except UnknownSite as error:
            raise NotThere(str(error)) from error

    @app.post("/sites/{name}/pause", include_in_schema=False)
    def pause(name: str) -> Response:
        """Leave a site out of the nights."""
        editor.store.sites.set_paused(of_site(name), True)
        return to_site(name)

    @app.post("/sites/{name}/resume", include_in_schema=False)
    def resume(name: str) -> Response:
        """Let a site be visited again."""
        editor.store.sites.set_paused(of_site(name), False)
        return to_site(name)


def to_site(name: str) -> Response:
    """Lead to the view of a site."""
    return RedirectResponse(f"/sites/{quote(name, safe='')}", 303)
