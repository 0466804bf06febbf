"""Everything that changes something: each is a POST, and leads back to a view."""

import re
from dataclasses import replace
from typing import Annotated, TypeVar
from urllib.parse import quote, urlencode

from fastapi import Depends, FastAPI, HTTPException
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field, ValidationError, field_validator

from flong.inspector.correction import WHOLE, Refused, What, propose
from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.editing import Editor, Form, read_form
from flong.inspector.examined_pages import ExaminedPages
from flong.inspector.jobs import CommandState
from flong.inspector.paging import Id
from flong.states import LookState
from flong.storage import InvalidUrl, Site, SiteSettings, UnknownCorrection, UnknownSite, site_name

LEARNING = "Learning with the corrections, reading the pages again"


T = TypeVar("T", bound=BaseModel)


class LookForm(BaseModel):
    """What became of something that needs a look."""

    site: str
    sentence: str
    said_at: str
    state: LookState | None = None
    day: str = ""
    only: str = ""


class NewSite(BaseModel):
    """A site to be added."""

    url: str
    depth: int = Field(default=3, ge=0, le=9)
    max_pages: int | None = Field(default=None, ge=1, le=999_999_999)


class SettingsForm(BaseModel):
    """How a site is crawled; a box that is not ticked is not sent."""

    depth: int = Field(default=3, ge=0, le=9)
    delay: float | None = Field(default=None, ge=0, lt=86400)
    max_pages: int | None = Field(default=None, ge=1, le=999_999_999)
    render: bool = False
    subdomains: bool = False
    include: str | None = None
    exclude: str | None = None

    @field_validator("include", "exclude")
    @classmethod
    def is_pattern(cls, text: str | None) -> str | None:
        """Refuse what is no regular expression."""
        try:
            re.compile(text or "")
        except re.error as error:
            raise ValueError(f"no regular expression: {error}") from error
        return text


class WhatAndPlace(BaseModel):
    """What a form says of an element."""

    what: What
    place: int | None = None


Filled = Annotated[Form, Depends(read_form)]


def add_changes(
    app: FastAPI, database: ReadOnlyDatabase, pages: ExaminedPages, editor: Editor
) -> None:
    """Give every change its URL."""
    _add_visits(app, editor)
    _add_site_changes(app, editor)
    _add_corrections(app, database, pages, editor)
    _add_looks(app, editor)


def _add_looks(app: FastAPI, editor: Editor) -> None:
    @app.post("/night/look", include_in_schema=False)
    def look(form: Filled) -> Response:
        """Note that something was seen, or is not to come again; or bring it back."""
        given = read(LookForm, form)
        site, states = find_site(editor, given.site), editor.store.look_states
        if given.state is None:
            states.forget(site, given.sentence)
        else:
            states.mark(site, given.sentence, given.said_at, given.state)
        asked = {"day": given.day, "site": given.only}
        shown = urlencode({name: value for name, value in asked.items() if value})
        return RedirectResponse(f"/night?{shown}" if shown else "/night", 303)


def _add_corrections(
    app: FastAPI, database: ReadOnlyDatabase, pages: ExaminedPages, editor: Editor
) -> None:
    @app.post("/pages/{page_id}/correct", include_in_schema=False)
    def correct(page_id: Id, form: Filled) -> Response:
        """Keep a correction, unless it contradicts another, and learn the site with it."""
        asked = read(WhatAndPlace, form)
        if asked.place is None and asked.what not in WHOLE:
            raise HTTPException(422, "Say which element of the page is meant.")
        found = propose(database, pages, page_id, asked.what, asked.place)
        if found.refusal:
            raise Refused(found.refusal)
        editor.store.corrections.add(found.site, found.new)
        return apply(found.site.name)

    @app.post("/corrections/{correction_id}/undo", include_in_schema=False)
    def undo(correction_id: Id) -> Response:
        """Take a correction back, and learn the site without it."""
        try:
            return apply(editor.store.corrections.undo(correction_id).site)
        except UnknownCorrection as error:
            raise NotThere(str(error)) from error

    @app.post("/sites/{name}/learn", include_in_schema=False)
    def learn(name: str) -> Response:
        """Learn a site with what is in force, as after a correction."""
        return apply(find_site(editor, name).name)

    def apply(site: str) -> Response:
        waiting = (job.name for job in editor.jobs.of(site) if job.state is CommandState.WAITING)
        if LEARNING not in waiting:
            editor.jobs.submit(site, LEARNING, [("corrections", "apply", site)])
        return RedirectResponse(f"/corrections?{urlencode({'site': site})}", 303)


def read(kind: type[T], form: Form) -> T:
    """Return what a form says; fields that were left empty count as not given."""
    try:
        return kind.model_validate({name: value for name, value in form.items() if value})
    except ValidationError as error:
        wrong = "; ".join(f"{each['loc'][-1]}: {each['msg']}" for each in error.errors())
        raise HTTPException(422, f"The form is not understood ({wrong}).") from error


def find_site(editor: Editor, name: str) -> Site:
    """Return the site of this name."""
    try:
        return editor.store.sites.find(name)
    except UnknownSite as error:
        raise NotThere(str(error)) from error


def _add_visits(app: FastAPI, editor: Editor) -> None:
    @app.post("/sites", include_in_schema=False)
    def add(form: Filled) -> Response:
        """Add a site and begin to crawl it; one that has pages is only shown.

        One that never gave a page is added anew: its URL may have been wrong.
        """
        given = read(NewSite, form)
        url = given.url if "://" in given.url else f"https://{given.url}"
        try:
            name = site_name(url)
        except InvalidUrl as error:
            raise HTTPException(422, str(error)) from error
        store = editor.store
        known = [site for site in store.sites.all() if site.name == name]
        if any(_is_begun(editor, site) for site in known):
            return to_site(name)
        for site in known:
            with store.locks.hold(site):
                store.sites.remove(site)
        site = store.sites.add(url, SiteSettings(depth=given.depth, max_pages=given.max_pages))
        words = ("crawl", "site", "-a", f"url={site.url}")
        editor.jobs.submit(site.name, "Crawling, finding templates, reading articles", [words])
        return to_site(site.name)

    @app.post("/sites/{name}/run", include_in_schema=False)
    def run(name: str) -> Response:
        """Visit a site now, as a night does."""
        site = find_site(editor, name)
        if all(job.is_over for job in editor.jobs.of(site.name)):
            editor.jobs.submit(site.name, "Visiting the site", [("nightly", site.name)])
        return to_site(site.name)

    @app.post("/sites/{name}/stop", include_in_schema=False)
    def stop(name: str) -> Response:
        """Stop what is done with a site; what it has is stored."""
        site = find_site(editor, name)
        editor.jobs.stop(site.name)
        return to_site(site.name)


def _is_begun(editor: Editor, site: Site) -> bool:
    """Tell whether there are pages of a site, or something is being done to get some."""
    going = any(not job.is_over for job in editor.jobs.of(site.name))
    return going or editor.store.activity.figures(site).pages > 0


def _add_site_changes(app: FastAPI, editor: Editor) -> None:
    @app.post("/sites/{name}/settings", include_in_schema=False)
    def settings(name: str, form: Filled) -> Response:
        """Say how a site is crawled from now on."""
        site, given = find_site(editor, name), read(SettingsForm, form)
        editor.store.sites.add(site.url, replace(site.settings, **given.model_dump()))
        return to_site(site.name)

    @app.post("/sites/{name}/remove", include_in_schema=False)
    def remove(name: str) -> Response:
        """Forget a site, with all that is stored of it."""
        site = find_site(editor, name)
        with editor.store.locks.hold(site):
            editor.store.sites.remove(site)
        return RedirectResponse("/sites", 303)

    @app.post("/sites/{name}/pause", include_in_schema=False)
    def pause(name: str) -> Response:
        """Leave a site out of the nights."""
        editor.store.sites.set_paused(find_site(editor, name), True)
        return to_site(name)

    @app.post("/sites/{name}/resume", include_in_schema=False)
    def resume(name: str) -> Response:
        """Let a site be visited again."""
        editor.store.sites.set_paused(find_site(editor, name), False)
        return to_site(name)


def to_site(name: str) -> Response:
    """Lead to the view of a site."""
    return RedirectResponse(f"/sites/{quote(name, safe='')}", 303)
