"""Changes by editors: each is a POST that redirects to a view."""

import re
from dataclasses import replace
from typing import Annotated
from urllib.parse import quote, urlencode, urlsplit

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field, field_validator

from flong.findings import Finding
from flong.inspector.article import AskedArticles, find_article
from flong.inspector.clippings import add_clipping_changes
from flong.inspector.correction import WHOLE, Refused, What, propose
from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.editing import Editor, Filled, own_path, read
from flong.inspector.examined_pages import ExaminedPages
from flong.inspector.jobs import CommandState
from flong.inspector.paging import Id
from flong.states import FindingKind, FindingState
from flong.storage import (
    InvalidUrl,
    ReaderMark,
    Site,
    SiteSettings,
    UnknownCorrection,
    UnknownSite,
    site_name,
)

LEARNING = "Learning with the corrections, reading the pages again"
"""Label of the job that applies corrections."""


class FindingForm(BaseModel):
    """A finding and its new state; without a state, it becomes open again."""

    site: str
    kind: FindingKind
    subject: str = ""
    said_at: str
    state: FindingState | None = None
    day: str = ""
    only: str = ""


class MarkForm(BaseModel):
    """A mark of an article, to set or to remove."""

    mark: ReaderMark
    to: bool = False


class NewSite(BaseModel):
    """A site to add."""

    url: str
    depth: int = Field(default=3, ge=0, le=9)
    max_pages: int | None = Field(default=None, ge=1, le=999_999_999)


class SettingsForm(BaseModel):
    """Crawl settings; browsers omit unchecked boxes."""

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
        """Refuse an invalid regular expression."""
        try:
            re.compile(text or "")
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from error
        return text


class WhatAndPlace(BaseModel):
    """A statement about an element."""

    what: What
    place: int | None = None


def add_changes(
    app: FastAPI, database: ReadOnlyDatabase, pages: ExaminedPages, editor: Editor
) -> None:
    """Add the routes of all changes."""
    add_clipping_changes(app, editor)
    _add_visits(app, editor)
    _add_site_changes(app, editor)
    _add_corrections(app, database, pages, editor)
    _add_findings(app, editor)
    _add_marks(app, database, editor)


def _add_marks(app: FastAPI, database: ReadOnlyDatabase, editor: Editor) -> None:
    @app.post("/articles/{article_id}/marks", include_in_schema=False)
    def mark(request: Request, article_id: Id, form: Filled) -> Response:
        """Set or remove a mark, and return to the view that has the button."""
        given = read(MarkForm, form)
        find_article(database, article_id)
        editor.store.marks.set([article_id], given.mark, to=given.to)
        shown = urlsplit(request.headers.get("referer", f"/articles/{article_id}"))
        path = own_path(shown.path)
        return RedirectResponse(f"{path}?{shown.query}" if shown.query else path, 303)

    @app.post("/articles/read", include_in_schema=False)
    def read_all(request: Request, filters: Annotated[AskedArticles, Depends()]) -> Response:
        """Mark all articles of a list as read."""
        editor.store.marks.set(editor.store.lists.article_ids(filters), "read")
        return RedirectResponse(f"/articles?{request.url.query}", 303)


def _add_findings(app: FastAPI, editor: Editor) -> None:
    @app.post("/night/finding", include_in_schema=False)
    def mark(form: Filled) -> Response:
        """Mark a finding as seen, mute it, or reopen it."""
        given = read(FindingForm, form)
        site, nights = find_site(editor, given.site), editor.store.nights
        finding = Finding(kind=given.kind, site=site.name, subject=given.subject)
        if given.state is None:
            nights.unmute(site, finding)
        else:
            nights.mute(site, finding, given.said_at, given.state)
        asked = {"day": given.day, "site": given.only}
        shown = urlencode({name: value for name, value in asked.items() if value})
        return RedirectResponse(f"/night?{shown}" if shown else "/night", 303)


def _add_corrections(
    app: FastAPI, database: ReadOnlyDatabase, pages: ExaminedPages, editor: Editor
) -> None:
    @app.post("/pages/{page_id}/correct", include_in_schema=False)
    def correct(page_id: Id, form: Filled) -> Response:
        """Save a correction that contradicts no other, and learn the site again."""
        asked = read(WhatAndPlace, form)
        if asked.place is None and asked.what not in WHOLE:
            raise HTTPException(422, "Choose an element of the page.")
        found = propose(database, pages, page_id, asked.what, asked.place)
        if found.refusal:
            raise Refused(found.refusal)
        editor.store.extractions.add_correction(found.site, found.new)
        return apply(found.site.name)

    @app.post("/corrections/{correction_id}/undo", include_in_schema=False)
    def undo(correction_id: Id) -> Response:
        """Undo a correction, and learn the site again."""
        try:
            return apply(editor.store.extractions.undo_correction(correction_id).site)
        except UnknownCorrection as error:
            raise NotThere(str(error)) from error

    @app.post("/sites/{name}/learn", include_in_schema=False)
    def learn(name: str) -> Response:
        """Learn a site with the corrections in force."""
        site = find_site(editor, name)
        applied = apply(name)
        return applied if editor.store.extractions.corrections_in_force(site) else to_site(name)

    def apply(site: str) -> Response:
        waiting = (job.name for job in editor.jobs.of(site) if job.state is CommandState.WAITING)
        if LEARNING not in waiting:
            editor.jobs.submit(site, LEARNING, [("corrections", "apply", site)])
        return RedirectResponse(f"/corrections?{urlencode({'site': site})}", 303)


def find_site(editor: Editor, name: str) -> Site:
    """Return the site of this name."""
    try:
        return editor.store.sites.find(name)
    except UnknownSite as error:
        raise NotThere(str(error)) from error


def _add_visits(app: FastAPI, editor: Editor) -> None:
    @app.post("/sites", include_in_schema=False)
    def add(form: Filled) -> Response:
        """Add a site and crawl it; redirect to a known site with pages.

        A known site without pages is replaced, because its URL may have been wrong.
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
        """Run the nightly job of a site now."""
        site = find_site(editor, name)
        if all(job.is_over for job in editor.jobs.of(site.name)):
            editor.jobs.submit(site.name, "Visiting the site", [("nightly", site.name)])
        return to_site(site.name)

    @app.post("/sites/{name}/stop", include_in_schema=False)
    def stop(name: str) -> Response:
        """Stop the jobs of a site; their progress is saved."""
        site = find_site(editor, name)
        editor.jobs.stop(site.name)
        return to_site(site.name)


def _is_begun(editor: Editor, site: Site) -> bool:
    """Return True if a site has pages or a job in progress."""
    going = any(not job.is_over for job in editor.jobs.of(site.name))
    return going or editor.store.overview.figures(site).pages > 0


def _add_site_changes(app: FastAPI, editor: Editor) -> None:
    @app.post("/sites/{name}/settings", include_in_schema=False)
    def settings(name: str, form: Filled) -> Response:
        """Change the crawl settings of a site."""
        site, given = find_site(editor, name), read(SettingsForm, form)
        editor.store.sites.add(site.url, replace(site.settings, **given.model_dump()))
        return to_site(site.name)

    @app.post("/sites/{name}/remove", include_in_schema=False)
    def remove(name: str) -> Response:
        """Delete a site with all its data."""
        site = find_site(editor, name)
        with editor.store.locks.hold(site):
            editor.store.sites.remove(site)
        return RedirectResponse("/sites", 303)

    @app.post("/sites/{name}/pause", include_in_schema=False)
    def pause(name: str) -> Response:
        """Exclude a site from nightly runs."""
        editor.store.sites.set_paused(find_site(editor, name), True)
        return to_site(name)

    @app.post("/sites/{name}/resume", include_in_schema=False)
    def resume(name: str) -> Response:
        """Include a site in nightly runs again."""
        editor.store.sites.set_paused(find_site(editor, name), False)
        return to_site(name)


def to_site(name: str) -> Response:
    """Redirect to the view of a site."""
    return RedirectResponse(f"/sites/{quote(name, safe='')}", 303)
