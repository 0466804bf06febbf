"""The library gives the results of the commands, and the code in its documents runs."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import flong
from flong.demo import Portal
from flong.storage import ArticleChoice
from tests.flong.pages import portal_pages

ROOT = Path(__file__).parents[2]


@pytest.fixture
def stored(harvested):
    """URL and HTML of all stored pages."""
    (site,) = harvested.sites.all()
    return [(row.url, row.html) for row in harvested.pages.rows(site) if row.html]


@pytest.fixture
def database(harvest):
    """The harvest, as the library sees it."""
    with flong.open(harvest.shell.database) as database:
        yield database


@pytest.fixture
def extracted(harvested):
    """The article of each page, before pages of one story were joined."""
    (site,) = harvested.sites.all()
    rows = harvested.articles.chosen(ArticleChoice(sites=(site,), every_page=True))
    return {row.article.url: row.article for row in rows}


def read_all(model, pages):
    found = {url: model.read(url, html) for url, html in pages}
    return {url: replace(article, provenance=()) for url, article in found.items() if article}


def test_library_extracts_the_same_as_the_commands(extracted, stored):
    assert extracted
    assert read_all(flong.learn(stored), stored) == extracted


def test_library_returns_the_stored_articles(database, harvested):
    (name,) = database.sites()
    rows = harvested.articles.all(harvested.sites.find(name))
    assert list(database.site(name).articles()) == [row.article for row in rows] != []


def test_saved_model_extracts_the_same_articles(database, extracted, stored, tmp_path):
    (name,) = database.sites()
    database.site(name).model().save(tmp_path / "model.json")
    assert read_all(flong.load(tmp_path / "model.json"), stored) == extracted


def test_unknown_and_unlearned_sites_are_named(shell, harvest):
    shell("sites", "add", "https://new.example", check=0)
    with flong.open(shell.database) as database:
        with pytest.raises(flong.FlongError, match=r"new\.example has not been learned yet"):
            database.site("new.example").model()
        with pytest.raises(flong.FlongError, match=r"No site 'other\.example' is stored"):
            database.site("other.example")


@pytest.mark.parametrize("document", ["README.md", "docs/library.md"])
def test_the_code_in_the_documents_runs(document, harvest, tmp_path, monkeypatch, capsys):
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / document).read_text(), re.MULTILINE | re.DOTALL
    )
    assert blocks
    (tmp_path / "pages").mkdir()
    for number, (_, html) in enumerate(portal_pages(Portal(articles=20))):
        (tmp_path / "pages" / f"{number}.html").write_text(html)
    shutil.copy(harvest.shell.database.removeprefix("sqlite:///"), tmp_path / "flong.db")
    monkeypatch.chdir(tmp_path)
    known: dict = {}
    for block in blocks:
        exec(block, known)  # noqa: S102 - our own documents
    assert len(capsys.readouterr().out.splitlines()) >= 15
    assert (tmp_path / "news.example.json").exists()
