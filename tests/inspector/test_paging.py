"""Lists of articles and pages: order, filters and paging."""

import pytest
from fastapi.testclient import TestClient
from lxml import html as markup

from flong.inspector import create_app
from flong.stages.exports import FORMATS
from flong.storage import Store

SITE = "courier.example"


def found_on(article):
    return (article["published"] or article["first_seen"])[:10]


def test_doubtful_articles_come_first(client):
    found = client.get("/articles.json").json()["articles"]
    assert found[0]["title"] == "Newsletter"
    certain = [article["method"] == "pattern" and article["confidence"] >= 0.7 for article in found]
    assert certain == sorted(certain)
    shown = markup.fromstring(client.get("/articles").text)
    doubts = shown.xpath("//tbody/tr[1]//span[contains(@class, 'doubt')]/text()")
    assert doubts == ["unsure", "read without a pattern", "no date"]
    latest = client.get("/articles.json?order=latest").json()["articles"]
    times = [article["published"] or article["first_seen"] for article in latest]
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        (f"site={SITE}", lambda article: article["site"] == SITE),
        ("least=0.9", lambda article: article["confidence"] >= 0.9),
        ("most=0.9", lambda article: article["confidence"] <= 0.9),
        ("since=2024-10-01", lambda article: found_on(article) >= "2024-10-01"),
        ("until=2024-10-01", lambda article: found_on(article) <= "2024-10-01"),
        ("q=sport", lambda article: "sport" in (article["title"] + article["url"]).lower()),
    ],
)
def test_articles_are_filtered(client, asked, holds):
    everything = client.get(f"/articles.json?site={SITE}").json()
    found = client.get(f"/articles.json?site={SITE}&{asked}").json()
    expected = [article for article in everything["articles"] if holds(article)]
    assert found["part"]["total"] == len(expected) > 0
    assert {article["page"] for article in found["articles"]} == {a["page"] for a in expected}


def test_articles_are_filtered_by_pattern(client, articles):
    number = articles[0].pattern_id
    found = client.get(f"/articles.json?pattern={number}").json()["articles"]
    assert {article["pattern"] for article in found} == {number}
    assert len(found) == sum(row.pattern_id == number for row in articles)


def test_search_characters_match_themselves(client):
    urls = [page["url"] for page in client.get("/pages.json?q=%25").json()["pages"]]
    assert urls
    assert all("%" in url for url in urls)
    assert client.get("/pages.json?q=_zz_").json()["part"]["total"] == 0


@pytest.mark.parametrize("asked", ["verdict=article", "verdict=other", "depth=1", "fit=strict"])
def test_pages_are_filtered_and_paged_without_loss(client, asked):
    name, _, value = asked.partition("=")
    first = client.get(f"/pages.json?{asked}").json()
    numbers = []
    for part in range(1, first["part"]["pages"] + 1):
        rows = client.get(f"/pages.json?{asked}&page={part}").json()["pages"]
        assert all(str(row[name]) == value for row in rows)
        numbers += [row["page"] for row in rows]
    assert len(numbers) == len(set(numbers)) == first["part"]["total"] > 0


def test_many_sites_are_shown_in_parts(tmp_path):
    with Store.open(f"sqlite:///{tmp_path / 'flong.db'}") as store:
        for number in range(60):
            store.sites.add(f"https://site{number:02}.example/")
        client = TestClient(create_app(store, writers=FORMATS))
        parts = [client.get(f"/sites.json?page={page}").json() for page in (1, 2)]
        shown = [site["site"] for part in parts for site in part["sites"]]
        assert shown == [f"site{number:02}.example" for number in range(60)]
        assert parts[0]["part"] == {"total": 60, "page": 1, "pages": 2}
        assert 'rel="next"' in client.get("/sites").text
