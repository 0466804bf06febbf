"""A damaged stored page is reported and skipped, and the next crawl fetches it again."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from flong.storage import Store
from tests.stages.test_search import add, article


def damage(path, url, column):
    with closing(sqlite3.connect(path)) as connection, connection:
        change = f"UPDATE pages SET {column} = ? WHERE url = ?"  # noqa: S608 - ours
        connection.execute(change, (b"garbage", url))


@pytest.fixture(params=["html", "links"])
def damaged(request, harvest, tmp_path):
    """A shell on a copy of the learned portal, one article of which cannot be read; its URL."""
    path = tmp_path / "flong.db"
    shutil.copy(harvest.shell.database.removeprefix("sqlite:///"), path)
    with Store.open(f"sqlite:///{path}") as store:
        url = next(iter(store.articles.all())).article.url
    damage(path, url, request.param)
    return replace(harvest.shell, database=f"sqlite:///{path}"), url


@pytest.mark.parametrize(
    "command",
    [("learn",), ("extract", "--all"), ("export", "--format", "warc", "--output", "PAGES")],
    ids=lambda command: command[0],
)
def test_damaged_page_is_reported_and_others_are_processed(damaged, tmp_path, command):
    shell, url = damaged
    words = [word.replace("PAGES", str(tmp_path / "pages.warc.gz")) for word in command]
    done = shell(*words, check=0)
    assert f"{url} will be fetched again" in done.stderr
    with Store.open(shell.database) as store:
        [site] = store.sites.all()
        assert url not in store.pages.urls(site)
        assert url in {row.article.url for row in store.articles.all(site)}
        known = {page.url: page for page in store.pages.known_pages(site)}[url]
        assert (known.etag, known.last_modified, known.is_article) == (None, None, False)
    assert "fetched again" not in shell(*words, check=0).stderr


@pytest.mark.parametrize("value", ["[damaged", "{}", "[1]", "", "[" * 100_000])
def test_damaged_authors_are_reported_and_articles_still_listed(shell, value):
    with Store.open(shell.database) as store:
        add(store, "news.example", {name: article(name, "Rain.") for name in ("one", "two")})
        with store.writing() as connection:
            change = "UPDATE articles SET authors = ? WHERE page_id = 1"
            connection.exec_driver_sql(change, (value,))
    for words in (("articles", "--json"), ("export", "--format", "jsonl", "--output", "-")):
        done = shell(*words, check=0)
        assert len(done.stdout.splitlines()) == 2
        assert "The authors of article 1 are damaged" in done.stderr
