"""An article whose page becomes a soft 404: it is kept, and the page marked as gone."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from flong.document import says_missing
from flong.page import Page
from flong.stages.after_crawl import after_crawl


@pytest.fixture
def store(copied_harvest):
    return copied_harvest


def crawl(store, pages=(), unchanged=()):
    """Store the pages of a crawl and process them; return the run."""
    [site] = store.sites.all()
    run = store.runs.start(site, "crawl")
    store.pages.save(site, run, pages)
    store.pages.mark_unchanged(site, run, unchanged)
    run = store.runs.finish(run, "done")
    after_crawl(store, site, run)
    return run


def page(url, html):
    return Page(url=url, html=html, fetched_at=datetime.now(UTC), depth=2, etag='"x"')


@pytest.fixture
def gone(harvest, store):
    """An article replaced by an error page: the row before, the error text, the run."""
    row = next(iter(store.articles.all()))
    before = store.pages.find(row.article.url)
    text = replace(harvest.portal, soft_404=True).get("/nowhere").text
    return before, text, crawl(store, [page(before.url, text)])


def test_soft_404_is_marked_and_its_article_kept(store, gone):
    before, _, run = gone
    after = store.pages.find(before.url)
    assert (after.outcome, after.error, after.run_id) == ("soft_404", None, run.id)
    assert len(store.runs.gone_articles(run)) == 1
    assert store.articles.find(before.id).article.title in before.html
    assert [version.html for version in store.pages.versions(before.id)] == [before.html]


@pytest.mark.parametrize("how", ["304", "200"])
def test_soft_404_lasts_while_the_page_is_unchanged(store, gone, how):
    before, text, run = gone
    crawl(store, *([], [before.url]) if how == "304" else ([page(before.url, text)],))
    after = store.pages.find(before.url)
    assert (after.outcome, after.error, after.run_id) == ("soft_404", None, run.id)


def test_page_that_comes_back_is_an_article_again(store, gone):
    before, _, _ = gone
    run = crawl(store, [page(before.url, before.html)])
    after = store.pages.find(before.url)
    assert (after.outcome, after.error, after.run_id) == ("changed", None, run.id)
    assert store.extractions.find(before.id).verdict == "article"


@pytest.mark.parametrize(
    ("html", "missing"),
    [
        ("<title>404 - Seite nicht gefunden</title><p>Zur Startseite", True),
        ("<title>News</title><h1>Página no encontrada</h1>", True),
        ("<title>News</title><h1>La page n\u2019existe plus</h1>", True),
        ("<title>Storm</title><p>The boat was lost.", False),
        ("<title>Storm</title><p>It was not found." + "".join(f" w{n}" for n in range(400)), False),
        ("", False),
    ],
)
def test_error_pages_are_recognised_by_their_text(html, missing):
    assert says_missing(html) == missing
