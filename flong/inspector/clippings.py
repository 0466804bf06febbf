"""View of clippings: saved searches with their latest articles; saving and removing them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import FastAPI
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, StringConstraints

from flong.inspector.database import NotThere, ReadOnlyDatabase
from flong.inspector.editing import Editor, Filled, read
from flong.search import parse_query
from flong.storage import Store, UnknownClipping
from flong.storage.search import Clipping, Clippings, Hits, Search, SearchResults, SearchSettings

LATEST = 3
"""Number of articles shown per clipping."""
MOST = 10_000
"""Maximum number of articles of a clipping that are marked as read, the latest first."""

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClippingView:
    """A clipping with its latest articles."""

    clipping: Clipping
    """The saved search."""
    found: SearchResults
    """Its latest results."""
    unread: int
    """Number of its unread articles."""


class ClippingForm(BaseModel):
    """A search to save."""

    name: Words
    query: str = ""


class NamedClipping(BaseModel):
    """A clipping to remove, or to mark as read."""

    name: str


def view_clippings(database: ReadOnlyDatabase) -> list[ClippingView]:
    """List saved searches with their latest articles."""
    store = database.store
    found = []
    for each in Clippings(store).all():
        settings = SearchSettings(limit=LATEST, sites=frozenset(each.sites), is_latest_first=True)
        results = Search(store).find(each.query, settings)
        unread = _unread(store, each, most=1).total
        found.append(ClippingView(clipping=each, found=results, unread=unread))
    return found


def _unread(store: Store, clipping: Clipping, *, most: int) -> Hits:
    """Return the unread articles of a clipping, the latest first."""
    settings = SearchSettings(
        sites=frozenset(clipping.sites), mark="unread", depth=most, is_latest_first=True
    )
    return Search(store).hits(parse_query(clipping.query, datetime.now(UTC).date()), settings)


def add_clipping_changes(app: FastAPI, editor: Editor) -> None:
    """Add the forms that save, read and remove clippings."""

    def named(form: Filled) -> Clipping:
        try:
            return Clippings(editor.store).find(read(NamedClipping, form).name)
        except UnknownClipping as error:
            raise NotThere(str(error)) from error

    @app.post("/clippings", include_in_schema=False)
    def save(form: Filled) -> Response:
        """Save a search; a clipping of the same name is replaced."""
        given = read(ClippingForm, form)
        Clippings(editor.store).save(given.name, given.query)
        return RedirectResponse("/clippings", 303)

    @app.post("/clippings/read", include_in_schema=False)
    def read_all(form: Filled) -> Response:
        """Mark all articles of a clipping as read."""
        unread = _unread(editor.store, named(form), most=MOST).best
        editor.store.marks.set([hit.page_id for hit in unread], "read")
        return RedirectResponse("/clippings", 303)

    @app.post("/clippings/remove", include_in_schema=False)
    def remove(form: Filled) -> Response:
        """Remove a clipping."""
        Clippings(editor.store).remove(named(form).name)
        return RedirectResponse("/clippings", 303)
