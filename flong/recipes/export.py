"""Export recipes: extract stored pages again and learn selectors that give the same result."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from flong.clustering import sample_pages
from flong.console import progress_bar, show_error, told
from flong.document import Document
from flong.errors import PipelineError
from flong.patterns import ExtractionModel
from flong.program import program
from flong.recipes.examples import ExamplePage
from flong.recipes.learning import learn_recipe
from flong.recipes.recipe import Recipe
from flong.stages.page_reader import read_documents
from flong.stages.stored_pages import documents, load_stored_model
from flong.storage import Site, Store
from flong.urls import canonical_url
from flong.workers.pool import PAGE_SECONDS, WorkerDied, worker_pool

logger = logging.getLogger(__name__)

PAGES = 600
"""Default number of pages to learn and judge a recipe."""


def make_recipes(
    store: Store, sites: Sequence[Site], *, pages: int = PAGES, seconds: float = PAGE_SECONDS
) -> list[Recipe]:
    """Return the recipes of sites; print an error for each site without one.

    Raises `PipelineError` if the only site has no recipe.
    """
    if not sites:
        raise PipelineError(f"There is no site yet. Run: {program()} crawl https://...")
    made: list[Recipe] = []
    for site in sites:
        try:
            made.append(make_recipe(store, site, pages=pages, seconds=seconds))
        except PipelineError as error:
            if len(sites) == 1:
                raise
            show_error(str(error))
    return made


def make_recipe(store: Store, site: Site, *, pages: int, seconds: float) -> Recipe:
    """Return the recipe of a site; raise `PipelineError` if it has none."""
    model = load_stored_model(store, site)
    recipe = learn_recipe(
        site.name,
        site.url,
        _read_pages(store, site, model, _chosen(store, site, pages), seconds),
        {known.id: known.labels for known in model.patterns if known.id is not None},
        articles=[row.article.url for row in store.articles.all(site)],
    )
    if recipe is None:
        raise PipelineError(
            f"No selector finds an article of {site.name}. Run: {program()} articles {site.name}"
        )
    return recipe


def _chosen(store: Store, site: Site, size: int) -> list[int]:
    """Return ids of sampled pages, including the home page."""
    rows = list(store.pages.rows(site, with_html=False))
    home = [row.id for row in rows if row.url == canonical_url(site.url)]
    some = sample_pages([(row.url, row.depth) for row in rows], size or len(rows))
    return list(dict.fromkeys([*home, *(rows[at].id for at in some)]))


def _read_pages(
    store: Store, site: Site, model: ExtractionModel, numbers: Sequence[int], seconds: float
) -> list[ExamplePage]:
    """Return stored pages, extracted in the same way as by `extract`."""
    read_all = partial(read_documents, model=model, now=datetime.now(UTC))
    found = []
    with (
        progress_bar(f"Reading {site.name}") as tell,
        worker_pool() as pool,
    ):
        rows = documents(store, site, store.pages.rows(site, only=numbers))
        results = pool.map(read_all, rows, seconds=seconds, weigh=Document.weight)
        for page, read in told(results, tell, "pages", len(numbers)):
            if isinstance(read, WorkerDied):
                logger.warning("%s cannot be read: %s.", page.url, read.reason)
                continue
            pattern = read.pattern_id
            html = page.data.decode(errors="replace")
            found.append(ExamplePage(url=page.url, html=html, article=read.news, pattern=pattern))
    return found
