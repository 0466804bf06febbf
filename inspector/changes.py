"""Everything that changes something: each is a POST, and leads back to a view."""

from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, FastAPI
from fastapi.responses import RedirectResponse, Response

from inspector.database import NotThere
from inspector.editing import Editor, Form, read_form
from storage import Site, UnknownSite

Filled = Annotated[Form, Depends(read_form)]


def add_changes(app: FastAPI, editor: Editor) -> None:
    """Give every change its URL."""
    _add_site_changes(app, editor)


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
