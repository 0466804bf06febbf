"""Lists of articles: their order, and that an index has it."""

from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest
from sqlalchemy import event

from flong.article import Article
from flong.decision import Decision
from flong.states import ArticleKind, Verdict
from flong.storage import ArticleFilters
from tests.storage.conftest import NOON

INDEXES = {"look": "ix_articles_doubt", "latest": "ix_search_documents_dated_page_id"}


@pytest.fixture
def kept(store, site, run, page):
    """Articles of all sorts of doubt; one more is retired."""
    sorts = list(product((0.5, 0.7, 0.9), ("pattern", "bounded"), (None, 1, 3)))
    pages = [page(f"a{n}") for n in range(len(sorts))]
    when = NOON + timedelta(days=2)
    store.pages.save(site, run, [replace(each, fetched_at=when) for each in pages])
    rows = []
    for each, (confidence, method, day) in zip(pages, sorts, strict=True):
        published = None if day is None else NOON + timedelta(days=day)
        article = Article(
            url=each.url,
            title="Rain",
            body=f"It rains at {each.url}.",
            confidence=confidence,
            method=method,
            published=published,
        )
        found = store.pages.find(each.url)
        rows.append(
            Decision(
                page_id=found.id,
                content_hash=found.content_hash,
                model_version=1,
                verdict=Verdict.ARTICLE,
                reason="a test says so",
                article=article,
            )
        )
    store.extractions.save(site, run, rows)
    store.articles.retire([rows[0].page_id], run)
    return [row for row in store.articles.all() if row.page_id != rows[0].page_id]


def needs_look(row):
    article = row.article
    doubt = 2 * (article.confidence < 0.7) + 2 * (article.method != "pattern")
    return -doubt - (article.published is None), article.confidence, row.page_id


def is_old(row):
    return -(row.article.published or row.first_seen).timestamp(), row.page_id


@pytest.mark.parametrize(("order", "key"), [("look", needs_look), ("latest", is_old)])
def test_lists_follow_the_requested_order(store, kept, order, key):
    filters = ArticleFilters(order=order)
    expected = [row.page_id for row in sorted(kept, key=key)]
    assert list(store.lists.article_ids(filters)) == expected
    assert store.lists.count_articles(filters) == len(expected)
    part = store.lists.articles(filters, first=3, rows=5)
    assert [line.page for line in part] == expected[3:8]


@pytest.mark.parametrize("order", INDEXES)
def test_date_filter_works_in_either_order(store, kept, order):
    since = f"{NOON + timedelta(days=2):%Y-%m-%d}"
    filters = ArticleFilters(order=order, since=since, until=since)
    undated = {row.page_id for row in kept if row.article.published is None}
    assert set(store.lists.article_ids(filters)) == undated
    assert store.lists.count_articles(filters) == len(undated)


def test_retired_articles_are_listed_separately(store, kept):
    filters = ArticleFilters(order="latest", retired=True)
    (page_id,) = store.lists.article_ids(filters)
    assert page_id not in {row.page_id for row in kept}
    assert [each.page for each in store.lists.articles(filters, first=0, rows=9)] == [page_id]


def test_pages_that_are_not_news_have_a_list_of_their_own(store, site, run, kept):
    before = set(store.lists.article_ids(ArticleFilters()))
    changed = store.extractions.find(kept[0].page_id)
    page = replace(changed.article, kind=ArticleKind.PAGE)
    store.extractions.save(site, run, [replace(changed, article=page, verdict=Verdict.OTHER)])
    for order in INDEXES:
        filters = ArticleFilters(order=order, kind=ArticleKind.PAGE)
        assert list(store.lists.article_ids(filters)) == [kept[0].page_id]
        assert store.lists.count_articles(filters) == 1
        assert [each.page for each in store.lists.articles(filters, first=0, rows=9)] == [
            kept[0].page_id
        ]
        rest = ArticleFilters(order=order)
        assert set(store.lists.article_ids(rest)) == before - {kept[0].page_id}
        assert store.lists.count_articles(rest) == len(before) - 1


@pytest.mark.parametrize("order", INDEXES)
def test_lists_are_sorted_by_an_index(store, kept, order):
    asked = []

    @event.listens_for(store.engine, "before_cursor_execute")
    def note(connection, cursor, *given):
        asked.append(given[:2])

    store.lists.articles(ArticleFilters(order=order), first=0, rows=5)
    event.remove(store.engine, "before_cursor_execute", note)
    statement, parameters = next(each for each in asked if "LIMIT" in each[0])
    is_sqlite = store.engine.dialect.name == "sqlite"
    with store.reading() as connection:
        if not is_sqlite:  # of so few rows it would rather read all
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
            connection.exec_driver_sql("SET LOCAL enable_sort = off")
            connection.exec_driver_sql("SET LOCAL enable_bitmapscan = off")
        explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
        plan = connection.exec_driver_sql(f"{explain} {statement}", parameters).all()
    assert INDEXES[order] in str(plan)
