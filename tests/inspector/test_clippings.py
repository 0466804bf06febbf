"""Clippings, stories and edits in the browser."""

import feedparser
import pytest
from lxml import html as markup

from flong.inspector import Editor, Jobs, create_app
from flong.storage import Store
from flong.storage.search import Clippings
from tests.inspector.conftest import HOME, asking


def shown(client, path, **asked):
    return markup.fromstring(client.get(path, params=asked).text)


def test_menu_leads_to_all_views_for_reading(client):
    menu = shown(client, "/night").xpath("//header//nav/a/@href")
    assert menu == ["/night", "/search", "/clippings", "/stories", "/edits", "/sites"]
    for path in menu:
        assert shown(client, path).xpath("//header//nav/a[@aria-current]/@href") == [path]


def test_clipping_shows_latest_articles_and_feeds(client, store):
    [found] = client.get("/clippings.json").json()
    assert found["clipping"]["name"] == "rain & snow"
    page = store.pages.find(f"{HOME}newsletter").id
    assert page in [each["row"]["page_id"] for each in found["found"]["results"]]
    document = shown(client, "/clippings")
    assert f"/articles/{page}" in document.xpath("//section[@class='clipping']//li/a/@href")
    [rss] = [link for link in document.xpath("//a/@href") if link.startswith("/feed.rss")]
    assert feedparser.parse(client.get(rss).content).feed.title == "rain & snow"
    assert not document.xpath("//main//form"), "visitors cannot remove clippings"


def test_night_shows_new_articles_of_clippings(client):
    [section] = shown(client, "/night").xpath("//section[@aria-labelledby='clipped']")
    assert "rain & snow" in section.text_content()
    assert "3 new" in section.text_content()
    [link] = section.xpath(".//li/a/@href")
    assert client.get(link).status_code == 200


@pytest.fixture
def edited(new_database, dialect):
    """Client and store of an editor."""
    url = new_database(dialect)
    with Store.open(url) as store, Store.open(url) as writable:
        editor = Editor(store=writable, jobs=Jobs())
        with asking(create_app(store, editor=editor)) as client:
            client.headers["authorization"] = f"Bearer {editor.token}"
            yield client, writable


def test_search_is_kept_and_removed(edited):
    client, store = edited
    document = shown(client, "/search", q="rain", since="2026-05-01")
    [form] = document.xpath("//form[@action='/clippings']")
    fields = dict(form.form_values())
    assert fields == {"name": "rain", "query": 'since:"2026-05-01" rain'}
    assert client.post("/clippings", data=fields).headers["location"] == "/clippings"
    [kept] = Clippings(store).all()
    assert (kept.name, kept.query) == ("rain", fields["query"])
    [form] = shown(client, "/clippings").xpath("//form[@action='/clippings/remove']")
    assert client.post("/clippings/remove", data=dict(form.form_values())).status_code == 303
    assert Clippings(store).all() == []


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("/clippings", {"query": "rain"}, 422),
        ("/clippings", {"name": "  ", "query": "rain"}, 422),
        ("/clippings/remove", {"name": "unknown"}, 404),
    ],
)
def test_invalid_clipping_is_refused(edited, path, form, status):
    client, store = edited
    assert client.post(path, data=form).status_code == status
    assert Clippings(store).all() == []


def test_only_editors_keep_searches(client):
    assert not shown(client, "/search", q="rain").xpath("//form[@action='/clippings']")
    assert client.post("/clippings", data={"name": "x", "query": "x"}).status_code == 403


def test_stories_lead_to_their_articles(client):
    stories = client.get("/stories.json").json()["stories"]
    assert stories
    document = shown(client, "/stories")
    links = document.xpath("//ol[@class='results']//h2/a/@href")
    assert links == [f"/stories/{story['id']}" for story in stories]
    members = client.get(f"{links[0]}.json").json()["members"]
    rows = shown(client, links[0]).xpath("//table//td[contains(@class, 'main')]/a/@href")
    assert rows == [f"/articles/{each['appearance']['key']}" for each in members]
    assert len(rows) == len(stories[0]["members"])


def test_stories_are_limited_to_recent_days(client):
    assert client.get("/stories.json?days=1").json()["stories"] == []
    assert "Show all stories" in client.get("/stories?days=1").text
    assert client.get("/stories?days=0").status_code == 422


def test_edits_show_word_differences(client):
    view = client.get("/edits.json").json()
    newsletters = [each for each in view["edits"] if each["article"]["title"] == "Newsletter"]
    [first, *_] = newsletters
    assert first["title"] == []
    removed = [c["text"] for line in first["paragraphs"] for c in line if c["kind"] == "removed"]
    assert removed == ["Trains "]
    document = shown(client, "/edits", site="courier.example")
    assert "Trains " in document.xpath("//ol[contains(@class, 'diff')]//del/text()")
    assert "Schools <b>stay</b> closed." in document.xpath("//ins/text()")


def test_edits_can_be_limited_to_headlines_and_sites(client):
    assert client.get("/edits.json?headlines=true").json()["edits"] == []
    assert client.get("/edits.json?site=hostile.example").json()["edits"] == []
    assert client.get("/edits?site=nowhere.example").status_code == 404


def test_edits_have_a_feed(client):
    [entry, *_] = feedparser.parse(client.get("/edits.rss?site=courier.example").content).entries
    assert "[-Trains -]{+Buses +}were late." in entry.summary
    assert client.get("/edits.pdf").status_code == 404
