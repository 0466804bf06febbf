"""The library without Scrapy and without a database."""

import json
import subprocess
import sys
from datetime import UTC, datetime

import pytest

import flong
from flong.demo import Portal
from tests.flong.pages import portal_pages

PORTAL = Portal(articles=30)
HOME = "http://courier.example/"


@pytest.fixture(scope="module")
def pages():
    """Pages of a site, as a user has them."""
    return portal_pages(PORTAL)


@pytest.fixture(scope="module")
def model(pages):
    """The model learned from them."""
    return flong.learn(pages)


def test_articles_are_read_and_other_pages_yield_none(model, pages):
    truth = {f"{HOME[:-1]}{each.path}": each for each in PORTAL.truth()}
    found = {url: article for url, html in pages if (article := model.read(url, html))}
    right = [url for url in found.keys() & truth if found[url].title == truth[url].title]
    assert len(right) >= 0.95 * len(truth)
    others = {f"{HOME[:-1]}{path}" for path in PORTAL.others()}
    assert len(found.keys() & others) <= 0.05 * len(others)


def test_a_new_page_is_read(model):
    later = PORTAL.with_changes(new=2)
    new = next(each for each in later.truth() if each.path not in {t.path for t in PORTAL.truth()})
    article = model.read(f"{HOME[:-1]}{new.path}", later.get(new.path).text, anchors=[new.title])
    assert article is not None
    assert article.title == new.title


def test_another_spelling_of_a_url_is_the_same_page(model, pages):
    url, html = next((url, html) for url, html in pages if model.read(url, html))
    other = url.replace("http://", "https://www.") + "?utm_source=feed#top"
    assert model.read(other, html) == model.read(url, html)


def test_a_model_survives_saving_and_loading(model, pages, tmp_path):
    model.save(tmp_path / "model.json")
    again = flong.load(tmp_path / "model.json")
    for url, html in pages:
        assert again.read(url, html) == model.read(url, html)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()


def test_a_single_page_is_read_with_its_metadata():
    truth = next(each for each in PORTAL.truth() if each.kind == "story")
    article = flong.read(f"{HOME[:-1]}{truth.path}", PORTAL.get(truth.path).text)
    assert (article.title, article.published) == (truth.title, truth.published)
    assert (article.language, article.authors) == (truth.language, (truth.author,))
    assert article.method == "lone-page"


def test_dates_in_the_future_are_ignored():
    truth = next(each for each in PORTAL.truth() if each.kind == "story")
    url, html = f"{HOME[:-1]}{truth.path}", PORTAL.get(truth.path).text
    assert flong.read(url, html, now=datetime(1999, 1, 1, tzinfo=UTC)).published is None


def test_a_page_without_text_has_no_article():
    assert flong.read(HOME, "") is None


QUIET = """
import sys, flong
flong.learn([("http://a.example/1", "<p>One"), ("http://a.example/2", "<p>Two")]).read(
    "http://a.example/3", "<p>Three")
flong.read("http://a.example/", "<p>Some text")
print(*sys.modules.keys() & {"scrapy", "sqlalchemy", "twisted", "alembic"})
"""


def test_neither_scrapy_nor_a_database_is_loaded():
    command = [sys.executable, "-c", QUIET]
    assert not subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


@pytest.mark.parametrize(
    ("work", "sentence"),
    [
        (lambda folder: flong.learn([]), "No pages were given to learn from."),
        (
            lambda folder: flong.learn([("http://a.example/", ""), ("http://b.example/x", "")]),
            "'http://b.example/x' is not a page of http://a.example/. Learn one site at a time.",
        ),
        (lambda folder: flong.learn([("a.html", "")]), "'a.html' is not the URL of a web page."),
        (lambda folder: flong.read("/a", ""), "'/a' is not the URL of a web page."),
        (lambda folder: flong.load(folder / "none"), "none: No such file or directory."),
        (lambda folder: flong.load(folder / "text"), "is not a model saved by this version"),
        (lambda folder: flong.load(folder / "list"), "is not a model saved by this version"),
        (lambda folder: flong.load(folder / "later"), "is not a model saved by this version"),
        (lambda folder: flong.open(folder / "none.db"), "none.db"),
        (lambda folder: flong.open("nothing://x"), "nothing"),
    ],
)
def test_unusable_input_is_reported_in_a_sentence(tmp_path, work, sentence):
    (tmp_path / "text").write_text("no JSON")
    (tmp_path / "list").write_text("[]")
    (tmp_path / "later").write_text(json.dumps({"flong": 99}))
    with pytest.raises(flong.FlongError) as caught:
        work(tmp_path)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_page_of_another_site_is_refused(model):
    with pytest.raises(flong.FlongError, match="is not a page of http://courier"):
        model.read("http://elsewhere.example/", "")


def test_pages_on_several_hosts_of_a_site_are_learned_together():
    hosts = ["www.paper.example.com", "sport.paper.example.com"]
    pages = [(f"https://{host}/{n}", f"<p>Page {n}") for host in hosts for n in range(3)]
    model = flong.learn(pages)
    assert model.scope.canonical("https://weather.paper.example.com/") is not None


def test_a_file_of_nested_lists_is_refused_in_one_sentence(tmp_path):
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    with pytest.raises(flong.FlongError, match="is not a model"):
        flong.load(deep)


def test_a_page_without_html_is_refused_in_one_sentence():
    with pytest.raises(flong.FlongError, match="html must be a string, not NoneType"):
        flong.read("https://news.example/", None)


def test_a_single_page_needs_no_url():
    html = "<h1>Rain</h1>" + "<p>It rained all day long in the whole town.</p>" * 9
    assert flong.read(None, html).title == "Rain"
