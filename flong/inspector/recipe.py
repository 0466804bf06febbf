"""Downloads of a site's selectors for other tools."""

from collections.abc import Callable, Mapping
from threading import Lock

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import Response

from flong.inspector.database import NotThere
from flong.inspector.routes import ViewContext
from flong.program import program
from flong.storage import Site, Store

RecipeWriter = Callable[[Store, Site, str], bytes]
"""Returns the recipe of a site in one of the formats; raises `NotThere` without a recipe."""

FILES: Mapping[str, tuple[str, str]] = {
    "json": ("JSON", "recipe.json"),
    "scrapy": ("Scrapy spider", "spider.py"),
    "fundus": ("Fundus parser", "parser.py"),
    "freshrss": ("FreshRSS", "feed.opml"),
    "rss-bridge": ("RSS-Bridge", "bridge.txt"),
}
"""Label and file name of each format."""


def add_recipes(app: FastAPI, write: RecipeWriter) -> None:
    """Add downloads of recipes for editors, one at a time.

    Each reads some hundred pages, which is too expensive for all visitors.
    """
    context: ViewContext = app.state.context
    context.templates.globals["recipe_forms"] = {form: name for form, (name, _) in FILES.items()}
    one_at_a_time = Lock()

    @app.get("/sites/{name}/recipe/{form}", include_in_schema=False)
    def recipe(request: Request, name: str, form: str) -> Response:
        if not context.may_edit(request):
            raise HTTPException(
                403,
                f"Start {program()} inspect --edit to make recipes, or run {program()} export.",
            )
        if form not in FILES:
            raise NotThere(f"Recipes are not written as {form!r}.")
        site = context.database.site(name)
        with one_at_a_time:
            written = write(context.database.store, site, form)
        saved = f'attachment; filename="{FILES[form][1]}"'
        return Response(written, media_type="text/plain", headers={"Content-Disposition": saved})
