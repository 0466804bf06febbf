"""View of clippings: saved searches with their latest articles; saving and removing them."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import FastAPI
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, StringConstraints

from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.editing import Editor, Filled, read
from flong.storage import UnknownClipping
from flong.storage.search import Clipping, Clippings, Search, SearchResults, SearchSettings

LATEST = 3
"""Number of articles shown per clipping."""

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClippingView:
    """A clipping with its latest articles."""

    clipping: Clipping
    """The saved search."""
    found: SearchResults
    """Its latest results."""


class ClippingForm(BaseModel):
    """A search to save."""

    name: Words
    query: str = ""


class RemovalForm(BaseModel):
    """A clipping to remove."""

    name: str


def view_clippings(database: ReadOnlyDatabase) -> list[ClippingView]:
    """Return all clippings by name."""
    store = database.store
    found = []
    for each in Clippings(store).all():
        settings = SearchSettings(limit=LATEST, sites=frozenset(each.sites), is_latest_first=True)
        found.append(ClippingView(clipping=each, found=Search(store).find(each.query, settings)))
    return found


def add_clipping_changes(app: FastAPI, editor: Editor) -> None:
    """Add the forms that save and remove clippings."""

    @app.post("/clippings", include_in_schema=False)
    def save(form: Filled) -> Response:
        """Save a search; a clipping of the same name is replaced."""
        given = read(ClippingForm, form)
        Clippings(editor.store).save(given.name, given.query)
        return RedirectResponse("/clippings", 303)

    @app.post("/clippings/remove", include_in_schema=False)
    def remove(form: Filled) -> Response:
        """Remove a clipping."""
        try:
            Clippings(editor.store).remove(read(RemovalForm, form).name)
        except UnknownClipping as error:
            raise NotThere(str(error)) from error
        return RedirectResponse("/clippings", 303)
