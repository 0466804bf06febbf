"""Articles that no browser shows well: read, stored and exported within bounds all the same."""

from io import BytesIO

import pytest

from flong.article import read_blocks
from flong.stages.exports import FORMATS, BodyForm, with_body
from flong.storage import Store
from tests.patterns.small_site import article_page, story

ROW = "<tr>" + "<td>cell</td>" * 100 + "</tr>"
HEAVY = {
    50: f"<table>{ROW * 100}</table>",
    51: "<ul><li>deep " * 200 + "</li></ul>" * 200,
    52: "<img src=/i.png alt=rain>" * 5_000,
    53: "<p>14:05</p><p>An entry of many.</p>" * 3_000,
    54: "<p>Rain<a href='#n'>1</a></p>" * 2_000 + "<p id=n>A note.</p>" * 2_000,
}
"""What stands at the end of a text, by the number of its story."""
MOST = 3_000_000
"""Bytes of the largest stored structure: what the heaviest page has itself is a tenth of that."""


@pytest.fixture(scope="module")
def heavy(scrapy, tmp_path_factory):
    """Return a shell on a database with these articles."""
    from tests.stages.conftest import Shell  # noqa: PLC0415 - not before fixtures are known

    folder = tmp_path_factory.mktemp("heavy")
    pages = folder / "www"
    pages.mkdir()
    for number in [*range(14), *HEAVY]:
        html = article_page(story(number), related=[story(number + 1)])
        end = "</p></div><div class=share>"
        assert end in html
        html = html.replace(end, f"</p>{HEAVY.get(number, '')}</div><div class=share>")
        (pages / f"{number}.html").write_text(html)
    shell = Shell(scrapy, f"sqlite:///{folder / 'flong.db'}")
    shell("load", "http://news.example/", pages, check=0)
    shell("learn", check=0)
    shell("extract", check=0)
    return shell


@pytest.fixture(scope="module")
def rows(heavy):
    with Store.open(heavy.database) as store:
        return list(store.articles.all(store.sites.all()[0]))


def test_heavy_pages_give_articles_of_bounded_size(rows):
    articles = {row.article.url: row.article for row in rows}
    for number in HEAVY:
        article = articles[f"http://news.example/{number}.html"]
        assert article.title == story(number).title
        assert story(number).paragraphs[0] in article.body
        assert len(article.structure or "") < MOST
        blocks = read_blocks(article.structure or "[]")
        assert max(len(block.boxes) for block in blocks) <= 24
        assert sum(block.kind == "img" for block in blocks) <= 1_000


@pytest.mark.parametrize("form", BodyForm)
def test_heavy_pages_are_exported_in_each_body_form(rows, form):
    bodies = [with_body(row, form).article.body for row in rows]
    assert len(bodies) == 14 + len(HEAVY)
    assert max(map(len, bodies)) < MOST


@pytest.mark.parametrize("name", FORMATS)
def test_heavy_pages_are_exported_in_each_format(rows, name):
    stream = BytesIO()
    assert FORMATS[name](rows, stream) == len(rows)
    assert 0 < len(stream.getvalue()) < 10 * MOST


def test_export_command_writes_heavy_pages(heavy, rows, tmp_path):
    heavy("export", "--format", "markdown", "--output", tmp_path, check=0)
    assert len(list(tmp_path.rglob("*.md"))) == len(rows)
