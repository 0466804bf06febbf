"""Every view as HTML and as JSON."""

import csv
import io
import json
import time

import pytest
from lxml import html as markup
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from flong.inspector import create_app
from flong.inspector.database import ReadOnlyDatabase
from flong.states import Outcome
from flong.storage import SlowQuery, Store, UnreadableDatabase
from tests.inspector.conftest import HOME, asking, pages_of_portal
from tests.waiting import HANG_SECONDS

SITE = "courier.example"


def edited(client):
    """Return the id of an edited article."""
    found = client.get("/articles.json", params={"q": "newsletter"}).json()["articles"]
    return found[0]["page"]


@pytest.fixture
def views(client, articles):
    """A URL for each kind of view."""
    article = articles[0]
    cluster = client.get(f"/sites/{SITE}.json").json()["clusters"][0]["id"]
    return {
        "night": "/night",
        "sites": "/sites",
        "site": f"/sites/{SITE}",
        "cluster": f"/clusters/{cluster}",
        "pattern": f"/patterns/{article.pattern_id}",
        "published": f"/sites/{SITE}/published",
        "page": f"/pages/{article.page_id}",
        "pages": "/pages",
        "articles": "/articles",
        "article": f"/articles/{article.page_id}",
        "versions": f"/articles/{edited(client)}/versions",
        "story": f"/articles/{article.page_id}/story",
        "stored": f"/articles/{article.page_id}/page",
        "search": "/search?q=the",
        "clippings": "/clippings",
        "stories": "/stories",
        "edits": "/edits",
    }


KINDS = (
    *("sites", "site", "cluster", "pattern", "published", "page", "pages", "articles", "search"),
    *("night", "article", "versions", "story", "stored", "clippings", "stories", "edits"),
)


@pytest.mark.parametrize("kind", KINDS)
def test_each_view_is_html_and_json(client, views, kind):
    shown = client.get(views[kind], headers={"accept": "text/html"})
    assert shown.status_code == 200
    assert shown.headers["content-type"].startswith("text/html")
    document = markup.fromstring(shown.text)
    assert document.xpath("//h1")
    assert document.xpath("//main[@id='main']")
    path, _, asked = views[kind].partition("?")
    by_name = client.get(f"{path}.json?{asked}")
    by_header = client.get(views[kind], headers={"accept": "application/json"})
    assert by_name.json() == by_header.json()


@pytest.mark.parametrize("kind", KINDS)
def test_every_link_of_a_view_to_another_one_works(client, views, kind):
    document = markup.fromstring(client.get(views[kind]).text)
    inner = {link for link in document.xpath("//a/@href") if link.startswith("/")}
    assert len(inner) > 3
    for link in sorted(inner)[:25]:
        assert client.get(link.partition("#")[0]).status_code in (200, 307), link


@pytest.mark.parametrize("kind", KINDS)
def test_headers_forbid_everything_from_outside(client, views, kind):
    headers = client.get(views[kind]).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_all_json_views_are_described_by_openapi(client):
    described = client.get("/openapi.json").json()["paths"]
    paths = {path for path in described if path.endswith(".json")}
    assert paths == {
        "/corrections.json",
        "/pages/{page_id}/correct.json",
        "/fleet.json",
        "/night.json",
        "/sites.json",
        "/sites/{name}.json",
        "/sites/{name}/coverage.json",
        "/sites/{name}/published.json",
        "/clusters/{cluster_id}.json",
        "/patterns/{pattern_id}.json",
        "/pages.json",
        "/pages/{page_id}.json",
        "/articles.json",
        "/articles/{article_id}.json",
        "/articles/{article_id}/versions.json",
        "/articles/{article_id}/story.json",
        "/articles/{article_id}/page.json",
        "/search.json",
        "/stories.json",
        "/clippings.json",
        "/edits.json",
        "/stories/{story_id}.json",
        "/suggest.json",
    }
    for path in paths:
        answer = described[path]["get"]["responses"]["200"]["content"]["application/json"]
        schema = answer["schema"].get("items", answer["schema"])
        kinds = schema.get("anyOf", [schema])
        assert "$ref" in kinds[0] or schema["type"] == "string", path


def test_site_shows_its_clusters_their_drawing_and_its_depths(client):
    site = client.get(f"/sites/{SITE}.json").json()
    assert sum(part["pages"] for part in site["depths"]) == site["summary"]["pages"]
    assert sum(cluster["size"] for cluster in site["clusters"]) == site["summary"]["pages"]
    assert sum(cluster["share"] for cluster in site["clusters"]) == pytest.approx(1)
    drawing = site["drawing"]
    assert len(drawing["merges"]) == len(drawing["leaves"]) - 1
    assert drawing["clusters"] == len(site["clusters"])
    [night] = site["nights"]
    assert night["new"] == site["summary"]["pages"]
    assert night["failed"] == 1
    assert 0 <= night["drift"] <= 1


def test_site_shows_its_last_report(client):
    assert "needs attention" in client.get("/sites").text
    shown = client.get(f"/sites/{SITE}").text
    assert "Pattern &lt;b&gt;1&lt;/b&gt; drifted." in shown
    assert client.get("/sites/hostile.example.json").json()["report"] is None


def test_cluster_lists_its_medoid_first_and_all_members_by_distance(client, views):
    cluster = client.get(f"{views['cluster']}.json").json()
    assert cluster["members"][0]["distance"] == 0
    distances = [member["distance"] for member in cluster["members"]]
    assert distances == sorted(distances)
    assert cluster["part"]["total"] == cluster["summary"]["size"]
    assert len(cluster["previews"]) == 6
    assert cluster["previews"][-1]["distance"] == cluster["summary"]["radius"]


def test_pattern_shows_titles_of_sample_pages(client, articles):
    pattern = client.get(f"/patterns/{articles[0].pattern_id}.json").json()
    titles = {row.page_id: row.article.title for row in articles}
    [title] = [vertex for vertex in pattern["vertices"] if vertex["role"] == "title"]
    took = {taken["page"]: taken["text"] for taken in title["taken"]}
    assert len(took) == len(pattern["samples"]) > 2
    assert took == {page: titles.get(page, text) for page, text in took.items()}


def test_tree_of_a_pattern_is_nested_as_the_pattern_is(client, articles):
    address = f"/patterns/{articles[0].pattern_id}"
    vertices = client.get(f"{address}.json").json()["vertices"]
    document = markup.fromstring(client.get(address).text)
    lines = document.xpath(
        "//div[@class='tree']//summary | //div[@class='tree']//div[@class='leaf']"
    )
    depths = [len(line.xpath("ancestor::details")) - (line.tag == "summary") for line in lines]
    assert depths == [vertex["depth"] for vertex in vertices]


def test_patterns_as_published_are_shown_as_trees(client):
    path = f"/sites/{SITE}/published"
    assert path in markup.fromstring(client.get(f"/sites/{SITE}").text).xpath("//a/@href")
    told = client.get(f"{path}.json").json()
    assert [each["number"] for each in told["patterns"]] == [1, 2]
    assert [each["name"] or each["kind"] for each in told["vertices"]] == ["body", "h1", "+"]
    second = markup.fromstring(client.get(path, params={"number": 2}).text)
    [tree] = second.xpath("//div[@class='tree']")
    assert "<b>Imprint</b>" in tree.text_content()
    assert not client.get(f"{path}.json", params={"number": 3}).json()["vertices"]


def test_site_without_patterns_as_published_names_the_command(databases, dialect):
    url = databases(dialect).create()
    with Store.open(url) as store:
        store.sites.add(HOME)
    with Store.open(url) as store, asking(create_app(store)) as client:
        assert f"learn {SITE} --as-published" in client.get(f"/sites/{SITE}/published").text


def test_evidence_of_a_page_adds_up_to_its_score(client, articles):
    page = client.get(f"/pages/{articles[0].page_id}.json").json()
    why = page["why"]
    assert why["fit"] == "strict"
    assert why["pattern"] == articles[0].pattern_id
    assert sum(sign["points"] for sign in why["signs"]) == pytest.approx(why["score"], abs=0.1)
    assert {"title", "body"} <= {field["field"] for field in page["article"]["provenance"]}
    assert len(page["other_methods"]) >= 5
    assert max(each["agreement"] or 0 for each in page["other_methods"]) > 0.5


def test_page_without_document_has_a_message(client):
    [failed] = client.get(f"/pages.json?outcome=failed&site={SITE}").json()["pages"]
    shown = client.get(f"/pages/{failed['page']}").text
    assert "No document" in shown
    assert "HTTP status 500" in shown
    assert client.get(f"/pages/{failed['page']}/frame").status_code == 200


def test_fields_left_empty_in_a_form_count_as_not_given(client):
    whole = client.get("/articles.json").json()["part"]
    assert client.get("/articles.json?site=&least=&pattern=&since=").json()["part"] == whole


@pytest.mark.parametrize(
    "path",
    [
        "/sites/nowhere.example",
        "/night?site=nowhere.example",
        "/clusters/9999",
        "/patterns/9999",
        "/pages/9999",
        "/pages/9999/frame",
        "/articles/9999",
        "/articles/9999/versions",
        "/articles/9999/story",
        "/articles/9999/page",
        "/export/articles.exe",
        "/nothing",
    ],
)
def test_missing_objects_have_a_message(client, path):
    shown = client.get(path, headers={"accept": "text/html"})
    assert shown.status_code == 404
    assert "Not found" in shown.text
    said = client.get(path, headers={"accept": "application/json"})
    assert said.status_code == 404
    assert said.json()["detail"].endswith(".")


@pytest.mark.parametrize("asked", ["least=2", "since=soon", "order=odd", "page=0", "pattern=x"])
def test_invalid_parameters_have_a_message(client, asked):
    shown = client.get(f"/articles?{asked}", headers={"accept": "text/html"})
    assert shown.status_code == 422
    assert "Not valid" in shown.text
    assert ("write a day as 2026-05-01" in shown.text) == (asked == "since=soon")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/night", "No night yet"),
        ("/sites", "No site yet"),
        ("/articles", "No site yet"),
        ("/search?q=rain", "No site yet"),
        ("/pages", "No site yet"),
    ],
)
def test_empty_database_gives_instructions(empty_client, path, words):
    assert words in empty_client.get(path).text


def test_page_is_found_by_its_url(client, articles):
    url = articles[0].article.url
    assert client.get("/go", params={"q": url}).headers["location"] == (
        f"/pages/{articles[0].page_id}"
    )
    unknown = client.get("/go", params={"q": "https://elsewhere.example/"})
    assert unknown.headers["location"].startswith("/pages?q=https")


def test_other_words_are_searched_with_the_filters(client):
    led = client.get("/go", params={"q": "rain", "site": SITE, "since": ""})
    assert led.headers["location"] == f"/search?q=rain&site={SITE}"


def test_listed_articles_can_be_exported(client):
    asked = f"site={SITE}&least=0.9"
    listed = client.get(f"/articles.json?{asked}").json()
    lines = client.get(f"/export/articles.jsonl?{asked}").text.splitlines()
    rows = list(csv.DictReader(io.StringIO(client.get(f"/export/articles.csv?{asked}").text)))
    assert len(lines) == len(rows) == listed["part"]["total"]
    assert json.loads(lines[0])["title"] == listed["articles"][0]["title"]


def test_other_hosts_are_refused(client):
    assert client.get("/sites", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("number", [2**31, 2**63 - 1, 2**63, 10**30, -1])
def test_numbers_of_any_size_are_handled(client, number):
    paths = [f"/{kind}/{number}" for kind in ("pages", "clusters", "patterns", "articles")]
    lists = [f"/pages?{name}={number}" for name in ("depth", "cluster", "pattern")]
    lists += [f"/articles?pattern={number}", f"/stories/{number}.json"]
    for path in [*paths, f"/pages/{number}/frame", *lists]:
        shown = client.get(path, headers={"accept": "text/html"})
        assert shown.status_code in (200, 404, 422), path


@pytest.mark.parametrize(
    "path",
    [
        "/sites/a%00b",
        "/pages?q=%00",
        "/pages?site=a%00",
        "/articles?q=%00",
        "/go?q=%00",
        "/search?q=%00",
        "/%00",
    ],
)
def test_nul_is_refused_with_a_message(client, path):
    shown = client.get(path)
    assert (shown.status_code, shown.text) == (400, "NUL characters are not allowed.")
    assert "default-src 'none'" in shown.headers["Content-Security-Policy"]


COUNTING = """WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
    SELECT count(*) FROM numbers"""


def test_endless_query_is_cancelled(new_database, dialect):
    begun = time.monotonic()
    with Store.open(new_database(dialect)) as store:
        ReadOnlyDatabase(store, seconds=0.5)
        with pytest.raises(SlowQuery, match="took too long"), store.reading() as connection:
            connection.exec_driver_sql(COUNTING).scalar()
        with store.reading() as connection:
            assert connection.exec_driver_sql("SELECT 7").scalar() == 7
    # A signal, such as that of pytest's timeout, would interrupt SQLite too.
    assert time.monotonic() - begun < HANG_SECONDS


def test_database_is_read_only(store, client):
    with pytest.raises((OperationalError, UnreadableDatabase), match=r"read-?only"):
        store.sites.add("https://new.example/")


def test_views_work_during_a_crawl(client, database):
    with Store.open(database) as other:
        site = other.sites.find(HOME)
        run = other.runs.start(site, "crawl")
        assert client.get("/sites").status_code == 200
        assert client.get("/sites.json").json()["sites"][0]["last_status"] == "running"
        other.runs.finish(run, "done")


def test_crawled_site_without_model_is_shown(tmp_path, portal):
    with Store.open(f"sqlite:///{tmp_path / 'flong.db'}") as store:
        site = store.sites.add(HOME)
        run = store.runs.start(site, "crawl")
        store.pages.save(site, run, list(pages_of_portal(portal))[:3])
        with asking(create_app(store)) as client:
            assert "Nothing learned yet" in client.get(f"/sites/{SITE}").text
            shown = client.get("/pages/1").text
            assert "Not read yet" in shown
            assert "</html>" in client.get("/pages/1/frame").text
            assert "No article" in client.get("/articles").text


def test_site_behind_walls_has_a_message_and_no_useless_advice(new_database):
    with Store.open(new_database("sqlite")) as store:
        site = store.sites.add(HOME)
        run = store.runs.start(site, "crawl")
        store.pages.mark_failed(site, run, HOME, 200, "", 0)
        with store.writing() as connection:
            connection.execute(text("UPDATE pages SET outcome = 'walled', error = NULL"))
        page = store.pages.find(HOME).id
        with asking(create_app(store)) as client:
            for path in (f"/sites/{SITE}", f"/pages/{page}"):
                shown = client.get(path).text
                assert Outcome.WALLED.sentence in shown
                assert "walled</li>" not in shown
                assert "Nothing was received" not in shown
                assert "flong learn" not in shown
