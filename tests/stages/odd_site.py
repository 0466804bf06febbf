"""A site whose template misleads: a phrase for search engines stands where titles stand."""

from datetime import UTC, datetime

from flong.page import Page
from flong.patterns import Selector, write_selector
from flong.states import CorrectedField, CorrectionKind
from flong.storage import NewCorrection
from tests.patterns.test_corrections import PAGES, STORIES

SITE = "news.example"
HEADLINES = [one.title for one in STORIES]


def fill(store):
    """Store the pages, not learned yet; return the site."""
    site = store.sites.add(f"http://{SITE}/")
    run = store.runs.start(site, "crawl")
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    pages = [Page(url=url, html=html, fetched_at=noon, depth=1) for url, html in PAGES.items()]
    store.pages.save(site, run, pages)
    store.runs.finish(run, "done")
    return site


def correct(  # noqa: PLR0913 - a row
    store, site, token, *, number=0, field=CorrectedField.TITLE, kind=CorrectionKind.IS
):
    """Say that an element of a story's page is its title, or something else."""
    return store.extractions.add_correction(
        site,
        NewCorrection(
            page_id=store.pages.find(STORIES[number].url, site).id,
            field=field,
            kind=kind,
            place="/html/body/main/div/p",
            selector=write_selector(Selector("p", token)),
            text="Some words",
        ),
    )


def titles(store, site):
    found = {row.article.url: row.article.title for row in store.articles.all(site)}
    return [found.get(one.url) for one in STORIES]
