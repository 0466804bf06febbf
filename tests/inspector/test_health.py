"""Health, metrics, HEAD and the description of the API."""

import re
from dataclasses import replace

import pytest
from lxml import html as markup

from flong.inspector import create_app
from flong.inspector.rendering import published, value
from flong.states import Precision
from flong.storage import Store
from tests.inspector.conftest import HOME, NOON, SITE, asking


def test_health_names_sites_that_need_attention(client, store):
    health = client.get("/health").json()
    assert (health["status"], health["attention"]) == ("attention", [SITE])
    assert health["sites"] == len(store.sites.all())
    assert health["last_run"] == max(run.started_at for run in store.runs.all()).strftime(
        "%Y-%m-%dT%H:%M:%SZ"
    )


def test_empty_database_is_healthy(empty_client):
    health = empty_client.get("/health").json()
    assert (health["status"], health["sites"], health["last_run"]) == ("ok", 0, None)


def test_metrics_have_figures_of_each_site(client, store):
    text = client.get("/metrics").text
    found = dict(
        re.findall(r'^(flong_site_\w+\{site="courier.example"\}) (\S+)$', text, re.MULTILINE)
    )
    labels = '{site="courier.example"}'
    assert float(found[f"flong_site_articles{labels}"]) == store.articles.count(
        store.sites.find(HOME)
    )
    assert float(found[f"flong_site_failed_urls{labels}"]) == 1
    assert float(found[f"flong_site_attention{labels}"]) == 1
    assert float(found[f"flong_site_night_failed{labels}"]) == 1
    for line in text.splitlines():
        assert re.fullmatch(r"# TYPE \w+ gauge|\w+(\{.*\})? [-+.e\d]+", line), line


def test_free_disk_space_is_reported_for_a_file(tmp_path):
    with (
        Store.open(f"sqlite:///{tmp_path / 'flong.db'}") as store,
        asking(create_app(store)) as client,
    ):
        assert client.get("/health").json()["free_bytes"] > 0
        assert "flong_disk_free_bytes" in client.get("/metrics").text


@pytest.mark.parametrize("path", ["/night", "/sites.json", "/health", "/feed.atom", "/nothing"])
def test_head_has_the_headers_of_get(client, path):
    shown, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (shown.status_code, b"")
    names = ("content-type", "content-security-policy", "content-length")
    assert [head.headers[name] for name in names] == [shown.headers[name] for name in names]


def test_docs_list_every_described_path(client):
    described = client.get("/openapi.json").json()["paths"]
    document = markup.fromstring(client.get("/docs").text)
    rows = {row.xpath("string(td[1])"): row for row in document.xpath("//tbody/tr")}
    assert set(rows) == set(described)
    assert all(row.xpath("normalize-space(td[2])") for row in rows.values())
    assert rows["/edits.json"].xpath("td[3]/code/text()") == ["site", "days", "headlines"]


def test_operations_have_the_names_of_their_views(client):
    described = client.get("/openapi.json").json()["paths"]
    names = {each["get"]["operationId"]: path for path, each in described.items()}
    assert len(names) == len(described)
    assert names["night"] == "/night.json"
    assert names["versions"] == "/articles/{article_id}/versions.json"
    assert all(re.fullmatch("[a-z_]{4,13}", name) for name in names), names


@pytest.mark.parametrize(("path", "number"), [("", 1), ("/coverage?month=", 1), ("/remove", 0)])
def test_views_link_to_their_json_if_they_have_it(client, path, number):
    document = markup.fromstring(client.get(f"/sites/{SITE}{path}").text)
    links = document.xpath("//footer//a[text()='This view as JSON']/@href")
    assert [client.get(link).status_code for link in links] == [200] * number


def test_authors_are_a_list(client, articles):
    names = next(row.article.authors for row in articles if row.article.authors)
    listed = client.get("/articles.json").json()["articles"]
    assert list(names) in [each["authors"] for each in listed]


@pytest.mark.parametrize(
    ("text", "precision", "shown"),
    [
        (
            "2026-05-01T14:00:00+02:00",
            Precision.MINUTE,
            '<time datetime="2026-05-01T12:00:00+00:00" title="2026-05-01 12:00 UTC">'
            "2026-05-01 14:00 +02:00</time>",
        ),
        (
            "yesterday",
            Precision.MINUTE,
            '<time datetime="2026-05-01T12:00:00+00:00" title="2026-05-01 12:00 UTC">'
            "2026-05-01 12:00 UTC</time>",
        ),
        ("1 May 2026", Precision.DAY, "<time>2026-05-01</time>"),
    ],
)
def test_times_are_shown_in_the_zone_of_the_page(articles, text, precision, shown):
    dated = replace(
        articles[0].article, published=NOON, published_precision=precision, published_text=text
    )
    row = replace(articles[0], article=dated)
    assert published(row) == shown
    local = markup.fromstring(shown).text
    utc = " (2026-05-01 12:00 UTC)" if "+" in local else ""
    assert value(dated, "published") == local + utc, "as in `flong explain`"


def test_articles_without_date_show_their_first_visit(articles):
    row = replace(articles[0], article=replace(articles[0].article, published=None))
    assert published(row) == '<time title="First seen, UTC">2026-05-01 12:00</time>'
