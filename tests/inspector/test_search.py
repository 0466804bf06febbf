"""Search, suggestions and feeds."""

import feedparser
import pytest
from lxml import html as markup

from flong.inspector import add_newspaper, create_app
from flong.search.newspaper import typeset
from tests.inspector.conftest import asking


@pytest.fixture
def title(articles):
    return articles[0].article.title


@pytest.fixture
def word(articles):
    """A long word of a title, in English."""
    words = (word for row in articles for word in row.article.title.lower().split())
    return next(word for word in words if word.isascii() and word.isalpha() and len(word) > 6)


def test_search_finds_an_article_by_its_title(client, articles, title):
    found = client.get("/search.json", params={"q": f'title:"{title}"'}).json()["found"]
    assert articles[0].page_id in [each["row"]["page_id"] for each in found["results"]]
    assert found["results"][0]["excerpts"]
    assert client.get("/search.json", params={"q": "zzzzqqq"}).json()["found"]["total"] == 0


def test_suggestions_and_stories_are_lists(client, word):
    suggested = client.get("/suggest.json", params={"q": f"the {word[:5]}"}).json()
    assert any(each.startswith(f"the {word[:5]}") for each in suggested)
    assert isinstance(client.get("/stories.json").json()["stories"], list)
    assert client.get("/stories/999999.json").status_code == 404


@pytest.mark.parametrize("format", ["rss", "atom", "json"])
def test_feeds_are_sent_once(client, format):
    first = client.get(f"/feed.{format}?full=1")
    assert first.status_code == 200
    tag = first.headers["etag"]
    for known in (tag, f'"x", W/{tag}', "*"):
        again = client.get(f"/feed.{format}?full=1", headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    assert (
        client.get(f"/feed.{format}?q=zzzzqqq", headers={"if-none-match": tag}).status_code == 200
    )


def test_feed_reader_accepts_feeds(client):
    read = feedparser.parse(client.get("/feed.atom?q=site:courier.example").content)
    assert not read.bozo
    assert len(read.entries) > 10


def test_section_has_a_feed(client, articles):
    sections = {row.article.section for row in articles if row.article.section}
    section = min(sections)
    path = f'/feed.json?q=site:courier.example section:"{section}"'
    urls = {item["url"] for item in client.get(path).json()["items"]}
    assert urls
    assert urls <= {row.article.url for row in articles if row.article.section == section}


def test_unknown_feeds_are_404(client):
    assert client.get("/feed.pdf").status_code == 404
    assert client.get("/feed.rss?clipping=nothing").status_code == 404


def shown(client, path, **asked):
    return markup.fromstring(client.get(path, params=asked).text)


def test_results_show_the_terms_marked_in_title_and_summary(client, word):
    document = shown(client, "/search", q=word)
    [first, *_] = document.xpath("//ol[@class='results']/li")
    assert first.xpath(".//h2/a/@href")[0].startswith("/articles/")
    marked = {mark.text_content().lower() for mark in document.xpath("//mark")}
    assert marked == {word}


def test_filters_narrow_results_and_stay_in_the_url(client):
    asked = {"q": "the", "site": "courier.example", "language": "en"}
    found = client.get("/search.json", params={**asked, "limit": 200, "fold": 0}).json()["found"]
    assert found["results"]
    assert {each["row"]["site"] for each in found["results"]} == {"courier.example"}
    assert {each["row"]["article"]["language"] for each in found["results"]} == {"en"}
    rows = [each["row"] for each in found["results"]]
    days = sorted((row["article"]["published"] or row["first_seen"])[:10] for row in rows)
    part = client.get("/search.json", params={**asked, "since": days[-1], "fold": 0})
    part = part.json()["found"]
    assert 0 < part["total"] == days.count(days[-1]) < len(days)
    document = shown(client, "/search", **asked, since=days[-1])
    assert document.xpath("//select[@name='site']/option[@selected]")[0].text == "courier.example"
    assert document.xpath("//input[@name='since']/@value") == [days[-1]]
    assert document.xpath("//input[@id='find']/@value") == ["the"]


def test_feed_of_a_search_has_its_results(client):
    asked = {"q": 'the "open quotation', "site": "courier.example", "language": "en"}
    assert "No article matches" in client.get("/search", params=asked).text
    asked |= {"q": "the", "fold": "0", "limit": "50"}
    document = shown(client, "/search", **asked)
    [feed] = document.xpath("//link[@rel='alternate']/@href")
    read = feedparser.parse(client.get(feed).content)
    titles = {
        title.text_content().strip() for title in document.xpath("//ol[@class='results']//h2")
    }
    assert {entry.title for entry in read.entries} <= titles


def test_misspelt_word_is_corrected_and_filters_stay(client, word):
    typo = word[:3] + word[4:]
    document = shown(client, "/search", q=typo, site="courier.example")
    links = document.xpath("//div[@class='empty']//a/@href")
    assert any(f"q={word}" in link and "site=courier.example" in link for link in links)


def test_story_is_one_result_unless_unfolded(client):
    stories = client.get("/stories.json").json()["stories"]
    folded = client.get("/search.json?limit=200").json()["found"]["results"]
    every = client.get("/search.json?limit=200&fold=0").json()["found"]["results"]
    assert len(every) - len(folded) == sum(len(story["members"]) - 1 for story in stories)


def test_results_are_available_as_newspaper(inspector, word):
    pytest.importorskip("typst", reason="the extra `pdf` is not installed")
    assert "/search.pdf" not in inspector.client.get(f"/search?q={word}").text
    app = create_app(inspector.store)
    add_newspaper(app, lambda *parts: typeset(*parts)[0])
    with asking(app) as client:
        assert f"/search.pdf?q={word}&" in client.get(f"/search?q={word}").text.replace(
            "&amp;", "&"
        )
        made = client.get(f"/search.pdf?q={word}")
    assert made.headers["content-type"] == "application/pdf"
    assert made.content.startswith(b"%PDF")


@pytest.mark.parametrize("typed", ["!!!", '"', "-", '"" - () *'])
def test_punctuation_finds_the_latest_articles(client, typed):
    shown = markup.fromstring(client.get("/search", params={"q": typed}).text)
    assert shown.xpath("normalize-space(//h1)").startswith("The latest articles")
    assert "contains no word to search for" in shown.xpath("string(//main)")
    assert typed in shown.xpath("//input[@name='q']/@value")
    for query in ("-rain", "since:7d", "rain"):
        shown = markup.fromstring(client.get("/search", params={"q": query}).text)
        assert shown.xpath("normalize-space(//h1)").startswith(query)
        assert "There is no word to look for in" not in shown.xpath("string(//main)")
