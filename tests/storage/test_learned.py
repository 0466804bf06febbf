from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, text

from flong.model_document import ModelDocument, PatternDocument
from flong.storage import (
    ClusterRow,
    GroupingRow,
    MemberRow,
    PatternRow,
    PublishedPattern,
    VertexRow,
    tables,
)
from tests.storage.conftest import NOON


@pytest.fixture
def numbers(store, site, run, page):
    store.pages.save(site, run, [page(name) for name in "abcdef"])
    return [row.id for row in store.pages.rows(site)]


def cluster(numbers, **changes):
    members = tuple(MemberRow(page_id=n, distance=i / 10) for i, n in enumerate(numbers))
    made = ClusterRow(kind="article", medoid_id=numbers[0], radius=0.2, members=members)
    return replace(made, **changes)


def pattern(cluster_id, **changes):
    made = PatternRow(cluster_id=cluster_id, version=1, kind="article", made_from=3, constants=9)
    return replace(made, **changes)


def content(row):
    none = {"id": None, "created_at": None, "retired_at": None}
    seen = {"id": None, "first_seen": None, "last_seen": None, "size": 0}
    return replace(row, **(none if isinstance(row, PatternRow) else seen))


def test_clusters_are_listed_largest_first(store, site, run, numbers):
    small, large = cluster(numbers[:2], kind="listing"), cluster(numbers[2:])
    ids = store.templates.save_clusters(site, run, [small, large])
    found = store.templates.clusters(site)
    assert [row.id for row in found] == [ids[1], ids[0]]
    assert [content(row) for row in found] == [large, small]
    assert [row.size for row in found] == [4, 2]
    assert [row.members for row in store.templates.clusters(site, members=False)] == [(), ()]


def test_clusters_keep_their_ids_and_missing_ones_retire(store, site, run, numbers):
    first, second = store.templates.save_clusters(
        site, run, [cluster(numbers[:3]), cluster(numbers[3:])]
    )
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE clusters SET first_seen = '2020-01-01T00:00:00Z'")
    moved = cluster(numbers[1:], id=first, kind="other")
    assert store.templates.save_clusters(site, run, [moved]) == [first]
    (found,) = store.templates.clusters(site)
    assert (found.id, found.kind, found.size, found.first_seen.year) == (first, "other", 5, 2020)
    retired = [row for row in store.templates.clusters(site, retired=True) if row.retired_at]
    assert [(row.id, row.members) for row in retired] == [(second, ())]


def test_retired_cluster_can_be_restored(store, site, run, numbers):
    (first,) = store.templates.save_clusters(site, run, [cluster(numbers)])
    store.templates.save_clusters(site, run, [])
    assert store.templates.clusters(site) == []
    store.templates.save_clusters(site, run, [cluster(numbers, id=first)])
    assert [(row.id, row.retired_at) for row in store.templates.clusters(site)] == [(first, None)]


def test_cluster_id_of_another_site_is_refused(store, site, run, numbers):
    (first,) = store.templates.save_clusters(site, run, [cluster(numbers)])
    other = store.sites.add("https://other.org/")
    with pytest.raises(ValueError, match=f"no row {first} in clusters of this site"):
        store.templates.save_clusters(
            other, run, [ClusterRow(id=first, kind="other", medoid_id=None, radius=0)]
        )
    assert len(store.templates.clusters(site)) == 1


def test_patterns_survive_storage_unchanged(store, site, run, numbers):
    (cluster_id,) = store.templates.save_clusters(site, run, [cluster(numbers)])
    places = (
        VertexRow(vertex=2, path="html/h1", kind=".", role="title", coverage=1.0),
        VertexRow(vertex=5, path="html/div", kind="n", role="body", coverage=0.9),
        VertexRow(vertex=8, path="html/ul", kind="*"),
    )
    given = [
        pattern(cluster_id, score=0.9, text="html\n  .", vertices=places),
        pattern(cluster_id, kind="listing"),
    ]
    store.templates.save_patterns(site, run, given)
    assert [content(row) for row in store.templates.patterns(site)] == given


def test_patterns_are_updated_replaced_or_retired(store, site, run, numbers):
    (cluster_id,) = store.templates.save_clusters(site, run, [cluster(numbers)])
    place = VertexRow(vertex=2, path="html/h1", kind=".")
    kept, dropped = store.templates.save_patterns(
        site, run, [pattern(cluster_id, vertices=(place,)), pattern(cluster_id)]
    )
    added = store.templates.save_patterns(
        site, run, [pattern(cluster_id, id=kept, version=2), pattern(cluster_id, version=2)]
    )
    found = store.templates.patterns(site)
    assert [row.id for row in found] == added == [kept, added[1]]
    assert [(row.version, row.vertices) for row in found] == [(2, ()), (2, ())]
    assert [row.id for row in store.templates.patterns(site, retired=True) if row.retired_at] == [
        dropped
    ]


def test_model_versions_increase_and_only_the_latest_is_kept(store, site, run):
    assert (store.templates.model(site), store.templates.model_version(site)) == (None, 0)
    assert [store.templates.save_model(site, run, f'{{"v": {n}}}') for n in range(5)] == [
        1,
        2,
        3,
        4,
        5,
    ]
    assert store.templates.model(site) == ModelDocument(version=5, data='{"v": 4}', patterns=())
    with store.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM models").scalar() == 1


def test_model_is_loaded_with_its_current_patterns(store, site, run):
    old, *_ = store.templates.save_patterns(site, run, [pattern(None, labels="old"), pattern(None)])
    title = VertexRow(vertex=2, path="html/h1", kind=".", role="title")
    made = [
        pattern(None, labels="first", text="html", article_share=0.5, vertices=(title,)),
        pattern(None, id=old, labels="second", position=1),
    ]
    with store.transaction():
        version = store.templates.save_model(site, run, "{}")
        first, second = store.templates.save_patterns(site, run, made)
    assert second == old < first, "it lives on"
    found = store.templates.model(site)
    assert found.version == version
    assert found.patterns == (
        PatternDocument(
            id=first,
            text="html",
            labels="first",
            made_from=3,
            article_share=0.5,
            roles=((2, "title"),),
        ),
        PatternDocument(id=old, text="", labels="second", made_from=3, article_share=0),
    )


def test_grouping_is_stored_with_the_model(store, site, run):
    assert store.templates.grouping(site) is None
    store.templates.save_model(site, run, "{}")
    assert store.templates.grouping(site) is None
    given = GroupingRow(similarity=0.7, replace_cost=2, dendrogram='{"leaves": []}')
    store.templates.save_model(site, run, "{}", given)
    assert store.templates.grouping(site) == given


def test_fitted_pages_are_those_of_the_last_extraction(store, filled_site):
    (row,) = store.templates.patterns(filled_site)
    pages = frozenset(page.id for page in store.pages.rows(filled_site))
    assert store.templates.fitted_pages(filled_site) == {row.id: pages}
    store.templates.save_patterns(filled_site, store.runs.start(filled_site, "learn"), [])
    assert store.templates.fitted_pages(filled_site) == {}


def test_pages_fetched_since_learning_are_counted(store, site, run, page):
    now = datetime.now(UTC)
    store.pages.save(site, run, [page("a", fetched_at=now - timedelta(days=1))])
    assert store.templates.pages_since_learned(site) == 0
    store.templates.save_model(site, run, "{}")
    store.pages.save(site, run, [page("b", fetched_at=now + timedelta(days=1))])
    assert store.templates.pages_since_learned(site) == 1


def test_view_can_be_restricted_to_sites(store, filled_site):
    other = store.sites.add("https://other.org/")
    assert [row["pages"] for row in store.overview.view("v_site_summary", [filled_site])] == [50]
    assert len(store.overview.view("v_site_summary", [filled_site, other])) == 2
    assert store.overview.view("v_article", []) == []


def test_views_answer_the_common_questions(store, filled_site):
    with store.reading() as connection:

        def ask(view):
            return connection.execute(select(text("*")).select_from(text(view))).one()

        site = ask("v_site_summary")
        assert (site.site, site.pages, site.failed, site.articles) == ("example.org", 50, 1, 1)
        assert (site.clusters, site.patterns, site.last_run, site.last_status) == (
            1,
            1,
            "crawl",
            "running",
        )
        cluster = ask("v_cluster_summary")
        assert (cluster.kind, cluster.size, cluster.patterns, cluster.articles) == (
            "article",
            50,
            1,
            1,
        )
        assert cluster.medoid == "https://www.example.org/0"
        health = ask("v_pattern_health")
        assert (health.pages, health.strict, health.bounded, health.articles) == (50, 50, 0, 1)
        assert (health.title_path, health.body_path, health.mean_cost) == ("html/body/h1", None, 1)
        article = ask("v_article")
        assert (article.site, article.title, article.authors, article.published) == (
            "example.org",
            "Zero",
            '["A. Writer"]',
            NOON.strftime("%Y-%m-%dT%H:%M:%SZ"),
        )


def test_relearning_replaces_published_patterns(store, site):
    rows = [
        PublishedPattern(number=n, vertices=9, wildcards=n, text=f"body\n  {n}") for n in (1, 2, 3)
    ]
    store.templates.save_published(site, rows)
    store.templates.save_published(site, rows[1:])
    with store.reading() as connection:
        stored = connection.execute(select(tables.published_patterns)).all()
    assert [(row.number, row.text) for row in stored] == [(2, "body\n  2"), (3, "body\n  3")]
