"""An article whose page says that nothing is there, with status 200: kept, and marked as gone."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from items import Page
from pipeline.nightly_intake import MISSING, take_in
from pipeline.reader import says_missing
from storage import Store


@pytest.fixture
def store(harvest, tmp_path):
    """A copy of the learned portal's database that may be changed."""
    file = tmp_path / "flong.db"
    shutil.copy(harvest.shell.database.removeprefix("sqlite:///"), file)
    with Store.open(f"sqlite:///{file}") as store:
        yield store


def crawl(store, pages=(), unchanged=()):
    """Store what a crawl brings, and do what follows; return its run."""
    [site] = store.sites()
    run = store.start_run(site, "crawl")
    store.save_pages(site, run, pages)
    store.mark_unchanged(site, run, unchanged)
    run = store.finish_run(run, "done")
    take_in(store, site, run)
    return run


def page(url, html):
    return Page(url=url, html=html, fetched_at=datetime.now(UTC), depth=2, etag='"x"')


@pytest.fixture
def gone(harvest, store):
    """The page of an article that has been replaced by an error page; what was there before."""
    row = next(iter(store.articles()))
    before = store.page(row.article.url)
    text = replace(harvest.portal, soft_404=True).get("/nowhere").text
    return before, text, crawl(store, [page(before.url, text)])


def test_it_is_marked_as_gone_and_the_article_kept(store, gone):
    before, _, run = gone
    after = store.page(before.url)
    assert (after.outcome, after.error, after.run_id) == ("gone", MISSING, run.id)
    assert store.gone_articles(run) == 1
    assert store.article(before.id).article.title in before.html
    assert [version.html for version in store.versions_of(before.id)] == [before.html]


@pytest.mark.parametrize("how", ["304", "200"])
def test_it_stays_so_as_long_as_the_page_says_so(store, gone, how):
    before, text, run = gone
    crawl(store, *([], [before.url]) if how == "304" else ([page(before.url, text)],))
    after = store.page(before.url)
    assert (after.outcome, after.error, after.run_id) == ("gone", MISSING, run.id)


def test_a_page_that_comes_back_is_there_again(store, gone):
    before, _, _ = gone
    run = crawl(store, [page(before.url, before.html)])
    after = store.page(before.url)
    assert (after.outcome, after.error, after.run_id) == ("changed", None, run.id)
    assert store.extraction(before.id).verdict == "article"


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
def test_error_pages_are_known_by_what_they_say(html, missing):
    assert says_missing(html) == missing
