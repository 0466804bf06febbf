"""A page is shown as extraction read it, and parsed once for that."""

import re
import shutil
import sys
from datetime import timedelta

import pytest

import trees
from inspector import create_app
from items import Page
from pipeline.extraction import extract
from storage import Store
from tests.inspector.conftest import HOME, NOON, asking


@pytest.fixture
def dialect():
    return "sqlite"


@pytest.fixture
def copied(database, tmp_path):
    """A copy of the database that a test may change."""
    file = tmp_path / "flong.db"
    shutil.copy(database.removeprefix("sqlite:///"), file)
    with Store.open(f"sqlite:///{file}") as store:
        yield store


def is_published_shown(store, page_id):
    with Store.open(str(store.engine.url)) as other, asking(create_app(other)) as client:
        shown = client.get(f"/pages/{page_id}/frame").text
    return re.search(r'data-flong="[^"]*published', shown) is not None


def test_the_date_that_extraction_took_is_shown(copied, articles):
    """Not the one of the metadata, which lies in the future and which extraction refused."""
    site, row = copied.sites.find(HOME), copied.pages.find(articles[0].article.url)
    published = articles[0].article.published
    html = re.sub(rf"{published.year}(-\d\d-\d\dT)", r"2064\1", row.html)
    assert html != row.html
    run = copied.runs.start(site, "crawl")
    page = Page(url=row.url, html=html, fetched_at=NOON + timedelta(1), depth=row.depth)
    copied.pages.save(site, run, [page])
    copied.runs.finish(run, "done")
    extract(copied, site)
    assert copied.extractions.find(row.id).article.published.date() == published.date()
    assert is_published_shown(copied, row.id)


def test_a_page_is_parsed_once_for_its_view_and_its_document(store, articles, monkeypatch):
    parse, parsed = trees.build_tree, []

    def counting(html):
        parsed.append(html)
        return parse(html)

    for module in [*sys.modules.values()]:
        if vars(module).get("build_tree") is parse:
            monkeypatch.setattr(module, "build_tree", counting)
    page_id = articles[1].page_id
    with asking(create_app(store)) as client:
        assert client.get(f"/pages/{page_id}").status_code == 200
        assert client.get(f"/pages/{page_id}/frame").status_code == 200
    assert len(parsed) == 1
