"""A fresh database for each test, on SQLite and on PostgreSQL."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from flong.article import Article, Block, BlockKind, Provenance, Span, write_blocks
from flong.decision import Decision
from flong.page import Link, Mention, Page
from flong.states import Access, Genre, Precision
from flong.storage import ClusterRow, MemberRow, PatternRow, PublishedPattern, Store, VertexRow
from flong.storage.locks import this_process, write_lock
from flong.storage.tables import LockPart

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def url(dialect, databases, new_database):
    copy = new_database(dialect)
    yield copy
    databases(dialect).drop(copy)


@pytest.fixture
def store(url):
    with Store.open(url) as opened:
        yield opened


@pytest.fixture
def site(store):
    return store.sites.add("https://www.example.org/")


@pytest.fixture
def run(store, site):
    return store.runs.start(site, "crawl")


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
    store.pages.save(site, run, [page(f"{number}", html=f"<p>{number}") for number in range(50)])
    store.pages.save(site, run, [page("0", html="<p>changed")])
    store.pages.mark_failed(site, run, "https://www.example.org/broken", 500, "HTTP status 500", 1)
    store.links.save_mentions(site, [Mention(url=page("0").url, source="feed", title="Zero")])
    store.links.rebuild_anchors(site)
    rows = list(store.pages.rows(site))
    version = store.templates.save_model(site, run, "{}")
    members = tuple(MemberRow(page_id=row.id, distance=0.1) for row in rows)
    cluster = ClusterRow(kind="article", medoid_id=rows[0].id, radius=0.1, members=members)
    (cluster_id,) = store.templates.save_clusters(site, run, [cluster])
    title = VertexRow(vertex=3, path="html/body/h1", kind=".", role="title", coverage=1.0)
    pattern = PatternRow(
        cluster_id=cluster_id,
        version=version,
        kind="article",
        made_from=50,
        constants=7,
        text="html",
        vertices=(title,),
        pages=tuple(row.id for row in rows),
    )
    (pattern_id,) = store.templates.save_patterns(site, run, [pattern])
    published = PublishedPattern(number=1, vertices=2, wildcards=1, text="body\n  +")
    store.templates.save_published(site, [published])
    article = Article(
        url=rows[0].url,
        title="Zero",
        body="One line.\nAnother.",
        published=NOON,
        published_precision=Precision.DAY,
        published_text="1 May 2026",
        structure=write_blocks(
            [
                Block(kind=BlockKind.PARAGRAPH, spans=(Span("One line."),)),
                Block(
                    kind=BlockKind.PARAGRAPH, spans=(Span("Another.", (), "https://other.org/"),)
                ),
                Block(kind=BlockKind.IMAGE, url="https://example.org/i.png", alt="A cloud"),
            ]
        ),
        sections=("World", "Weather"),
        tags=("rain",),
        description="It rained.",
        publisher="Example",
        canonical_url="https://example.org/0?c",
        access=Access.FREE,
        genre=Genre.NEWS,
        authors=("A. Writer",),
        provenance=(Provenance(field="title", source="wildcard", place="/html/h1", vertex=3),),
    )
    shared = {"model_version": version, "pattern_id": pattern_id, "fit": "strict", "cost": 1.0}
    decisions = [
        Decision(
            page_id=row.id,
            content_hash=row.content_hash,
            verdict="other" if number else "article",
            article=None if number else article,
            reason="a test says so",
            **shared,
        )
        for number, row in enumerate(rows)
    ]
    store.extractions.save(site, run, decisions)
    with store.writing() as connection:  # not as the owner, who would end the run
        write_lock(connection, site, LockPart.CHILD, this_process(), store.locks.settings)
    return site
