"""Pruning of documents, and backups."""

import stat
from datetime import timedelta

import pytest

from flong.article import Article
from flong.decision import Decision
from flong.storage import Store, UnreadableDatabase
from tests.storage.conftest import NOON

LATER = NOON + timedelta(days=100)


def article_of(row):
    article = Article(url=row.url, title="Rain", body="It rained.")
    return Decision(
        page_id=row.id,
        content_hash=row.content_hash,
        model_version=1,
        verdict="article",
        article=article,
    )


@pytest.fixture
def old_site(store, site, run, page):
    """A site with two changed and two gone pages; one of each was the source of an article."""
    store.pages.save(site, run, [page(name, html=f"<p>{name}") for name in "abcd"])
    rows = {row.url[-1]: row for row in store.pages.rows(site)}
    store.extractions.save(site, run, [article_of(rows[name]) for name in "ac"])
    changed = [page(name, html=f"<p>{name} anew", fetched_at=LATER) for name in "ab"]
    store.pages.save(site, run, changed)
    store.pages.mark_gone(site, run, [page(name).url for name in "cd"])
    return site


def documents(store, site):
    return {row.url[-1]: row.html for row in store.pages.rows(site)}


def test_pruning_drops_old_documents_without_articles(store, old_site):
    before = LATER - timedelta(days=1)
    use = store.documents.disk_use(old_site, before)
    assert (use.pages, use.versions, use.old_versions, use.gone_pages) == (4, 2, 1, 1)
    assert 0 < use.freed_bytes < use.page_bytes + use.version_bytes
    assert store.documents.database_bytes() > use.page_bytes + use.version_bytes
    articles = list(store.articles.all(old_site))
    store.documents.prune(old_site, before)
    assert documents(store, old_site) == {"a": "<p>a anew", "b": "<p>b anew", "c": "<p>c"}
    versions = [store.pages.versions(row.page_id) for row in articles]
    assert sorted(version.html for found in versions for version in found) == ["<p>a"]
    assert list(store.articles.all(old_site)) == articles
    again = store.documents.disk_use(old_site, before)
    assert (again.old_versions, again.gone_pages, again.freed_bytes) == (0, 0, 0)
    assert (again.pages, again.versions) == (3, 1)


def test_pruning_keeps_recent_documents_and_other_sites(store, old_site):
    other = store.sites.add("https://elsewhere.example/")
    before = documents(store, old_site)
    store.documents.prune(old_site, NOON - timedelta(days=1))
    store.documents.prune(other, LATER + timedelta(days=1))
    assert documents(store, old_site) == before
    assert store.documents.disk_use(old_site, NOON).versions == 2


def test_pruned_page_is_stored_again_when_it_returns(store, old_site, page):
    store.documents.prune(old_site, LATER)
    run = store.runs.start(old_site, "crawl")
    counts = store.pages.save(old_site, run, [page("d", html="<p>back", fetched_at=LATER)])
    assert counts.new == 1
    assert documents(store, old_site)["d"] == "<p>back"


def test_backup_is_complete_and_private(store, old_site, tmp_path, dialect):
    file = tmp_path / "copy.db"
    if dialect != "sqlite":
        with pytest.raises(UnreadableDatabase, match="pg_dump --format=custom"):
            store.back_up(file)
        assert not any(tmp_path.iterdir())
        return
    with store.writing() as connection:  # another process is in the middle of something
        connection.exec_driver_sql("DELETE FROM pages")
        store.back_up(file)
        connection.rollback()
    assert [path.name for path in tmp_path.iterdir()] == ["copy.db"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with Store.open(f"sqlite:///{file}", create=False) as copy:
        (site,) = copy.sites.all()
        assert documents(copy, site) == documents(store, old_site)
        assert list(copy.articles.all(site)) == list(store.articles.all(old_site))


def test_failed_backup_leaves_no_file(store, tmp_path, dialect):
    if dialect == "sqlite":
        with pytest.raises(UnreadableDatabase, match="cannot be written: No such file"):
            store.back_up(tmp_path / "none" / "copy.db")
    assert not any(tmp_path.iterdir())
