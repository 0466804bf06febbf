"""The selectors of a site, as files for other tools."""

from collections.abc import Callable, Mapping
from threading import Lock

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import Response

from flong.inspector.database import NotThere
from flong.inspector.routes import ViewContext
from flong.program import program
from flong.storage import Site, Store

RecipeWriter = Callable[[Store, Site, str], bytes]
"""Returns the recipe of a site in some form; raises `NotThere` if there is none."""

FILES: Mapping[str, tuple[str, str]] = {
    "json": ("JSON", "recipe.json"),
    "scrapy": ("Scrapy spider", "spider.py"),
    "fundus": ("Fundus parser", "parser.py"),
    "freshrss": ("FreshRSS", "feed.opml"),
    "rss-bridge": ("RSS-Bridge", "bridge.txt"),
}
"""What each form is called, and its file."""


def add_recipes(app: FastAPI, write: RecipeWriter) -> None:
    """Let those who may change something take recipes away from an inspector, one at a time.

    Some hundred pages are read for each, which is not for everybody.
    """
    screen: ViewContext = app.state.screen
    screen.templates.globals["recipe_forms"] = {form: name for form, (name, _) in FILES.items()}
    one_at_a_time = Lock()

    @app.get("/sites/{name}/recipe/{form}", include_in_schema=False)
    def recipe(request: Request, name: str, form: str) -> Response:
        if not screen.may_edit(request):
            raise HTTPException(
                403, f"Recipes are made by {program()} inspect --edit, or {program()} export."
            )
        if form not in FILES:
            raise NotThere(f"Recipes are not written as {form!r}.")
        site = screen.database.site(name)
        with one_at_a_time:
            written = write(screen.database.store, site, form)
        saved = f'attachment; filename="{FILES[form][1]}"'
        return Response(written, media_type="text/plain", headers={"Content-Disposition": saved})
