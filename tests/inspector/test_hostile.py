"""Hostile data is shown as text."""

import pytest
from lxml import etree
from lxml import html as markup

TRAP = "hostile.example"
OURS = {"/static/script.js"}


@pytest.fixture
def traps(client):
    site = client.get(f"/sites/{TRAP}.json").json()
    pages = client.get(f"/pages.json?site={TRAP}").json()["pages"]
    patterns = {page["pattern"] for page in pages if page["pattern"]}
    clusters = {cluster["id"] for cluster in site["clusters"]}
    assert patterns
    assert clusters
    return [
        "/night",
        f"/night?site={TRAP}",
        "/sites",
        f"/sites/{TRAP}",
        f"/sites/{TRAP}/remove",
        f"/sites/{TRAP}/coverage",
        f"/sites/{TRAP}/published?number=2",
        "/fleet",
        f"/corrections?site={TRAP}",
        f"/pages?site={TRAP}",
        f"/articles?site={TRAP}",
        "/pages?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        f"/search?q=site:{TRAP}&limit=200&fold=0",
        "/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&site=%22%3E%3Cb%3E",
        "/sites/%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        *(f"/patterns/{number}" for number in patterns),
        *(f"/clusters/{number}" for number in clusters),
        *(f"/pages/{page['page']}" for page in pages),
        *(
            f"/articles/{page['page']}{tab}"
            for page in pages
            if page["verdict"] == "article"
            for tab in ("", "/versions", "/story", "/page")
        ),
    ]


def test_hostile_data_adds_no_markup(client, traps):
    for address in traps:
        document = markup.fromstring(client.get(address, headers={"accept": "text/html"}).text)
        assert {script.get("src") for script in document.xpath("//script")} == OURS, address
        assert not document.xpath("//@*[starts-with(name(), 'on')]"), address
        assert not document.xpath("//img | //base | //object | //style"), address
        links = document.xpath("//@href | //@src | //@action")
        assert all(link.startswith(("/", "?", "#", "https://", "data:image/png")) for link in links)
        assert all(frame.get("sandbox") == "" for frame in document.xpath("//iframe"))


def test_hostile_class_names_and_titles_stay_text(client, traps):
    patterns = [address for address in traps if address.startswith("/patterns/")]
    shown = "".join(markup.fromstring(client.get(a).text).text_content() for a in patterns)
    assert '"><img' in shown.replace(".", "").replace(" ", "") or "onerror=alert(1)>" in shown
    assert ".{{" in shown, "templates in data are data"


def test_characters_that_turn_text_round_are_made_visible(client):
    pages = client.get(f"/pages.json?site={TRAP}").json()["pages"]
    whole = [client.get(f"/pages/{page['page']}").text for page in pages]
    assert any("⟨U+202E⟩" in shown for shown in whole)
    assert not any("\u202e" in shown for shown in whole)


def test_json_of_hostile_data_is_sent_as_json(client):
    answer = client.get(f"/pages.json?site={TRAP}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("form", ["rss", "atom"])
def test_hostile_query_is_text_in_its_feed(client, form):
    answer = client.get(f"/feed.{form}", params={"q": ']]>"><script>alert(1)</script>'})
    feed = etree.fromstring(answer.content)
    assert "script" not in {etree.QName(each).localname for each in feed.iter()}
    assert "<script>" in "".join(feed.itertext())
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_frame_has_its_own_policy(client):
    [page, *_] = client.get(f"/pages.json?site={TRAP}").json()["pages"]
    policy = client.get(f"/pages/{page['page']}/frame").headers["content-security-policy"]
    assert policy.startswith(
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    )
