"""Examined pages: same result as extraction, parsed once."""

import re
import shutil
import sys
from datetime import timedelta

import pytest

from flong import tree as trees
from flong.inspector import create_app
from flong.inspector.highlights import Highlights
from flong.inspector.other_methods import SeenArticle
from flong.page import Page
from flong.stages.extraction import extract
from flong.storage import Store
from flong.visual import BlockTree, pack_blocks
from tests.inspector.conftest import HOME, NOON, asking


@pytest.fixture
def dialect():
    return "sqlite"


@pytest.fixture
def copied(database, tmp_path):
    """A writable copy of the database."""
    file = tmp_path / "flong.db"
    shutil.copy(database.removeprefix("sqlite:///"), file)
    with Store.open(f"sqlite:///{file}") as store:
        yield store


def is_published_shown(store, page_id):
    with Store.open(str(store.engine.url)) as other, asking(create_app(other)) as client:
        shown = client.get(f"/pages/{page_id}/frame").text
    return re.search(r'data-flong="[^"]*published', shown) is not None


def test_extracted_date_is_shown(copied, articles):
    """The metadata has a date in the future, which extraction refused."""
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


def test_page_is_parsed_once_for_its_view_and_its_document(store, articles, monkeypatch):
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


def laid_out(tree):
    """Return blocks of a page with one column."""
    rows = [[-1, 0, 0, 0, 1280, 20 * len(tree), 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]
    for leaf in tree.leaves():
        size, length = (32, len(tree.text_of(leaf))) if tree.name(leaf - 1) == "h1" else (16, 9)
        length = max(length, len(tree.text_of(leaf)))
        linked = length if tree.link_words[leaf] else 0
        place = [0, 1, 200, 20 * leaf, 700, 18, size, int(size > 16)]
        rows.append([*place, 0, 0, int(linked > 0), length, linked, 1, 0, leaf, 1, 0])
    return BlockTree.from_lists(rows)


def test_visual_result_is_shown_for_rendered_pages(copied, articles):
    site, row = copied.sites.find(HOME), copied.pages.find(articles[0].article.url)
    blocks = pack_blocks(laid_out(trees.build_tree(row.html)))
    page = Page(url=row.url, html=row.html, fetched_at=NOON, depth=row.depth, blocks=blocks)
    copied.pages.save(site, copied.runs.start(site, "crawl"), [page])
    with Store.open(str(copied.engine.url)) as other, asking(create_app(other)) as client:
        methods = client.get(f"/pages/{row.id}.json").json()["other_methods"]
        [seen] = [each for each in methods if each["method"] == "v-wrapper"]
        shown = client.get(f"/pages/{row.id}/frame").text
        beside = client.get(f"/pages/{articles[1].page_id}.json").json()["other_methods"]
    assert ("seen-body" in shown) == (seen["words"] > 0)
    assert "v-wrapper" not in [each["method"] for each in beside]


def test_visual_result_is_highlighted():
    tree = trees.build_tree("<h1>Rain</h1><p>It rains.</p><p>Imprint</p>")
    highlights = Highlights()
    SeenArticle(titles=(2,), content=(4,)).highlight(tree, highlights)
    assert sorted(map(tuple, highlights.values())) == [("seen-body",), ("seen-title",)]
