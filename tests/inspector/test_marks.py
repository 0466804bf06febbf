"""Marks of readers: read and starred, by form and by key."""

from urllib.parse import urlsplit

import pytest
from lxml import html as markup

from flong.inspector import Editor, Jobs, create_app
from flong.storage import Store, copy_database
from flong.storage.search import Clippings
from tests.inspector.conftest import SITE, asking
from tests.inspector.test_correcting import editing

CLIPPING = "storm"


@pytest.fixture
def copied(databases, dialect, inspectors):
    """URL of a database that tests may change, with a clipping of several articles."""
    url = databases(dialect).create()
    with Store.open(url) as store:
        copy_database(inspectors("sqlite").store, store)
        Clippings(store).save(CLIPPING, f"site:{SITE}")
    return url


@pytest.fixture
def client(copied):
    """Client with the token of an editor."""
    with Store.open(copied) as store, Store.open(copied) as writable:
        editor = Editor(store=writable, jobs=Jobs())
        with asking(create_app(store, editor=editor)) as client:
            client.headers["authorization"] = f"Bearer {editor.token}"
            yield client


def listed(client, **asked):
    """Return the ids of the articles of a site in the list and in the search."""
    asked = {"site": SITE, **asked}
    rows = client.get("/articles.json", params=asked).json()["articles"]
    found = client.get("/search.json", params={**asked, "limit": 200, "fold": 0}).json()["found"]
    ids = {row["page"] for row in rows}
    assert ids == {each["row"]["page_id"] for each in found["results"]}
    return ids


def unread(client):
    """Return the numbers of unread articles of the site and of the clipping."""
    clippings = client.get("/clippings.json").json()
    [of_clipping] = [c["unread"] for c in clippings if c["clipping"]["name"] == CLIPPING]
    return client.get("/sites.json").json()["unread"].get(SITE, 0), of_clipping


@pytest.fixture
def all_ids(client):
    return listed(client)


def mark(client, page, name, to="1", **headers):
    form = {"mark": name, "to": to}
    return client.post(f"/articles/{page}/marks", data=form, headers=headers)


def test_lists_show_unread_and_starred_articles(client, all_ids):
    read, starred, both = sorted(all_ids)[:3]
    for page, name in ((read, "read"), (starred, "starred"), (both, "read"), (both, "starred")):
        assert mark(client, page, name).status_code == 303
    assert listed(client, mark="unread") == all_ids - {read, both}
    assert listed(client, mark="starred") == {starred, both}
    assert unread(client) == (len(all_ids) - 2,) * 2
    shown = markup.fromstring(client.get("/articles", params={"site": SITE}).text)
    links = shown.xpath("//a[@data-article and @class='was-read']/@href")
    assert {int(link.rpartition("/")[2]) for link in links} == {read, both}
    mark(client, both, "read", to="")
    assert listed(client, mark="unread") == all_ids - {read}
    assert listed(client, mark="starred") == {starred, both}, "the star stays"


def test_all_articles_of_a_list_become_read(client, all_ids):
    query = {"site": SITE, "q": "sport", "mark": "unread"}
    chosen = {row["page"] for row in client.get("/articles.json", params=query).json()["articles"]}
    assert 0 < len(chosen) < len(all_ids)
    shown = markup.fromstring(client.get("/articles", params=query).text)
    [form] = shown.xpath("//form[starts-with(@action, '/articles/read')]")
    assert client.post(form.action).headers["location"].startswith("/articles?")
    assert listed(client, mark="unread") == all_ids - chosen


def test_all_articles_of_a_clipping_become_read(client, all_ids):
    assert unread(client) == (len(all_ids), len(all_ids))
    assert client.post("/clippings/read", data={"name": CLIPPING}).status_code == 303
    assert unread(client) == (0, 0)
    assert "0 unread" not in client.get("/clippings").text
    assert client.post("/clippings/read", data={"name": "unknown"}).status_code == 404


REFUSED = [
    ({"origin": "https://evil.example"}, 403),
    ({"sec-fetch-site": "cross-site"}, 403),
    ({"authorization": "Bearer wrong"}, 403),
]
LOCATIONS = {
    "/search?q=rain": "/search?q=rain",
    "//evil.example/x": "/evil.example/x",
    "/\\evil.example": "/evil.example",
}


def test_refused_mark_changes_nothing(client, all_ids):
    page = min(all_ids)
    for headers, status in REFUSED:
        assert mark(client, page, "read", **headers).status_code == status
    assert mark(client, 0, "read").status_code == 404
    assert mark(client, page, "eaten").status_code == 422
    assert listed(client, mark="unread") == all_ids


def test_mark_leads_back_to_the_view_on_this_host(client, all_ids):
    for path, location in LOCATIONS.items():
        answer = mark(client, min(all_ids), "read", referer=f"http://here.example{path}")
        assert answer.headers["location"] == location


def test_visitors_see_marks_without_buttons(copied):
    with Store.open(copied) as store:
        page = next(row for row in store.articles.all() if row.site == SITE).page_id
        store.marks.set([page], "starred")
        with asking(create_app(store)) as visitor:
            shown = markup.fromstring(visitor.get("/articles?mark=starred").text)
            assert shown.xpath("//a[@data-article]/@href") == [f"/articles/{page}"]
            assert shown.xpath("//td//span[@class='tag']/text()") == ["starred"]
            assert not shown.xpath("//form[@method='post']")
            assert mark(visitor, page, "read").status_code == 403


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_list_is_read_with_the_keyboard_alone(browser, copied, dialect):
    with editing(copied) as (address, editor, store):
        context = browser.new_context(base_url=address)
        tab, asked = context.new_page(), []
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto(f"/articles?site={SITE}&token={editor.token}")
        assert tab.locator(".keys").inner_text().startswith("Keys: j next article")
        links = tab.locator("a[data-article]")
        first, second = (urlsplit(links.nth(n).get_attribute("href")).path for n in (0, 1))
        focused = tab.locator(":focus")
        for key, path in (("j", first), ("j", second), ("j", None), ("k", second)):
            tab.keyboard.press(key)
            assert path in (None, focused.get_attribute("href"))
        row = tab.locator("tr", has=focused)
        with tab.expect_response(f"**{second}/marks"):
            tab.keyboard.press("s")
        row.locator("[data-mark=starred] button[aria-pressed=true]").wait_for()
        tab.keyboard.press("o")
        tab.wait_for_url(f"**{second}")
        tab.locator("form[data-mark=read] button[aria-pressed=true]").wait_for()
        with tab.expect_response(f"**{second}/marks"):
            tab.keyboard.press("s")
        tab.locator("form[data-mark=starred] button[aria-pressed=false]").wait_for()
        page = int(second.rpartition("/")[2])
        row = store.articles.find(page)
        assert (row.read_at is not None, row.starred_at) == (True, None)
        assert [url for url in asked if not url.startswith(address)] == []
        context.close()


@pytest.mark.parametrize("dialect", ["sqlite"])
def test_marks_work_without_scripts(browser, copied, dialect):
    with editing(copied) as (address, editor, store):
        context = browser.new_context(base_url=address, java_script_enabled=False)
        tab = context.new_page()
        tab.goto(f"/articles?site={SITE}&token={editor.token}")
        assert not tab.locator(".keys").is_visible()
        tab.locator("form[data-mark=starred] button").first.click()
        tab.locator("form[data-mark=starred] button[aria-pressed=true]").wait_for()
        assert tab.url == f"{address}/articles?site={SITE}"
        [starred] = [row for row in store.articles.all() if row.starred_at]
        assert starred.read_at is None
        context.close()
