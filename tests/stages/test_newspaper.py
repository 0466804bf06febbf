"""The newspaper, opened and read again."""

import os

import pytest

from flong.storage import Store
from tests.stages.test_search import add, article

typst = pytest.importorskip("typst")
pypdf = pytest.importorskip("pypdf")

WILD = '#panic("x") $x$ *bold* _it_ @ref <label> // comment \\ #include "/etc/passwd" ]['


@pytest.fixture(scope="module")
def made(scrapy, tmp_path_factory):
    folder = tmp_path_factory.mktemp("newspaper")
    database = f"sqlite:///{folder / 'flong.db'}"
    with Store.open(database) as store:
        add(
            store,
            "news.example",
            {
                "a": article("Rain in Linden", "It rained in Linden.\nThe bridge is closed."),
                "b": article(WILD, f"Rain {WILD}\n{WILD}", authors=("Ann Lee",)),
                "c": article("باران", "باران در شهر. rain", language="fa"),
                "d": article("東京の雨", "東京は雨です。 rain", language="ja"),
            },
        )
    path = folder / "rain.pdf"
    words = ("newspaper", "rain", "--title", "The Rain", "--output", path)
    done = scrapy(*words, FLONG_DATABASE=database)
    assert done.returncode == 0, done.stderr
    return done, pypdf.PdfReader(path)


def test_query_that_is_not_utf_8_is_typeset(scrapy, tmp_path):
    database = f"sqlite:///{tmp_path / 'flong.db'}"
    Store.open(database).close()
    words = ("newspaper", os.fsdecode(b"r\xe9gen"), "--output", tmp_path / "rain.pdf")
    done = scrapy(*words, FLONG_DATABASE=database)
    assert (done.returncode, done.stderr) == (0, "")
    assert "r?gen" in pypdf.PdfReader(tmp_path / "rain.pdf").pages[0].extract_text()


def plain(text):
    return "".join(text.split())


def test_newspaper_contains_title_text_and_source_of_every_article(made):
    _, paper = made
    text = plain(" ".join(page.extract_text() for page in paper.pages))
    for part in ("The Rain", "Rain in Linden", "The bridge is closed.", "https://news.example/a"):
        assert plain(part) in text


def test_article_text_is_not_run_as_typst_code(made):
    _, paper = made
    text = plain(" ".join(page.extract_text() for page in paper.pages))
    assert plain(WILD) in text
    assert "root:" not in text


def test_newspaper_has_contents_and_a_front_page(made):
    _, paper = made
    assert len(paper.outline) == 4
    assert paper.metadata.title == "The Rain"
    assert plain("Rain in Linden") in plain(paper.pages[0].extract_text())


def test_missing_font_names_its_package(made):
    done, _ = made
    has_font = any("CJK" in family for family in typst.Fonts().families())
    assert ("install fonts-noto-cjk" in done.stderr) != has_font
