"""A fresh database for each test, on SQLite, and on PostgreSQL where one is offered.

`FLONG_TEST_POSTGRESQL=postgresql+psycopg://user@host/database` lets the same tests run there;
everything in that database is deleted.
"""

import os
import shutil
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import create_engine, text

from items import Article, Link, Mention, Page, Provenance
from storage import ClusterRow, ExtractionRow, MemberRow, PatternRow, Store, WildcardRow

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    path = tmp_path_factory.mktemp("database") / "empty.db"
    Store.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, empty_database, tmp_path):
    if request.param == "sqlite":
        shutil.copy(empty_database, tmp_path / "flong.db")
        return f"sqlite:///{tmp_path / 'flong.db'}"
    server = os.environ.get("FLONG_TEST_POSTGRESQL")
    if not server:
        pytest.skip("FLONG_TEST_POSTGRESQL names no database")
    engine = create_engine(server)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return server


@pytest.fixture
def store(url):
    with Store.open(url) as opened:
        yield opened


@pytest.fixture
def site(store):
    return store.add_site("https://www.example.org/")


@pytest.fixture
def run(store, site):
    return store.start_run(site, "crawl")


@pytest.fixture
def page():
    def make(name="a", html="<p>text</p>", **changes):
        links = (Link("https://www.example.org/b", "B"),)
        url = f"https://www.example.org/{name}"
        return replace(Page(url=url, html=html, fetched_at=NOON, links=links), **changes)

    return make


@pytest.fixture
def filled_site(store, site, run, page):
    """A site with something in every table."""
    store.save_pages(site, run, [page(f"{number}", html=f"<p>{number}") for number in range(50)])
    store.save_pages(site, run, [page("0", html="<p>changed")])
    store.mark_failed(site, run, "https://www.example.org/broken", 500, "HTTP status 500", 1)
    store.save_mentions(site, [Mention(url=page("0").url, source="feed", title="Zero")])
    store.rebuild_anchors(site)
    rows = list(store.page_rows(site))
    version = store.save_model(site, run, "{}")
    members = tuple(MemberRow(page_id=row.id, distance=0.1) for row in rows)
    cluster = ClusterRow(kind="article", medoid_id=rows[0].id, radius=0.1, members=members)
    (cluster_id,) = store.save_clusters(site, run, [cluster])
    title = WildcardRow(vertex=3, path="html/body/h1", kind=".", role="title", coverage=1.0)
    pattern = PatternRow(
        cluster_id=cluster_id,
        version=version,
        kind="article",
        made_from=50,
        constants=7,
        text="html",
        wildcards=(title,),
    )
    (pattern_id,) = store.save_patterns(site, run, [pattern])
    article = Article(
        url=rows[0].url,
        title="Zero",
        body="One line.\nAnother.",
        published=NOON,
        authors=("A. Writer",),
        provenance=(Provenance(field="title", source="wildcard", place="/html/h1", vertex=3),),
    )
    shared = {"model_version": version, "pattern_id": pattern_id, "fit": "strict", "cost": 1.0}
    decisions = [
        ExtractionRow(
            page_id=row.id,
            content_hash=row.content_hash,
            verdict="other" if number else "article",
            article=None if number else article,
            reason="a test says so",
            **shared,
        )
        for number, row in enumerate(rows)
    ]
    store.save_extractions(site, run, decisions)
    store._take_lock(site)
    return site
