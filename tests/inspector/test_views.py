"""Every view, as HTML and as JSON, on the learned portal."""

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

SITE = "courier.example"


def edited(client):
    """Return the article that was edited."""
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
        "page": f"/pages/{article.page_id}",
        "pages": "/pages",
        "articles": "/articles",
        "article": f"/articles/{article.page_id}",
        "versions": f"/articles/{edited(client)}/versions",
        "story": f"/articles/{article.page_id}/story",
        "stored": f"/articles/{article.page_id}/page",
        "search": "/search?q=the",
    }


KINDS = (
    *("sites", "site", "cluster", "pattern", "page", "pages", "articles", "search"),
    *("night", "article", "versions", "story", "stored"),
)


@pytest.mark.parametrize("kind", KINDS)
def test_each_view_is_html_and_the_same_address_gives_json(client, views, kind):
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
        "/stories/{story_id}.json",
        "/suggest.json",
    }
    for path in paths:
        answer = described[path]["get"]["responses"]["200"]["content"]["application/json"]
        schema = answer["schema"].get("items", answer["schema"])
        assert "$ref" in schema or schema["type"] == "string", path


def test_a_site_shows_its_clusters_their_drawing_and_its_depths(client):
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


def test_a_site_says_what_its_last_night_had_to_say(client):
    assert "needs a look" in client.get("/sites").text
    shown = client.get(f"/sites/{SITE}").text
    assert "Pattern &lt;b&gt;1&lt;/b&gt; drifted." in shown
    assert client.get("/sites/hostile.example.json").json()["report"] is None


def test_a_cluster_lists_its_medoid_first_and_all_members_by_distance(client, views):
    cluster = client.get(f"{views['cluster']}.json").json()
    assert cluster["members"][0]["distance"] == 0
    distances = [member["distance"] for member in cluster["members"]]
    assert distances == sorted(distances)
    assert cluster["part"]["total"] == cluster["summary"]["size"]
    assert len(cluster["previews"]) == 6
    assert cluster["previews"][-1]["distance"] == cluster["summary"]["radius"]


def test_a_pattern_shows_what_its_title_took_on_sample_pages(client, articles):
    pattern = client.get(f"/patterns/{articles[0].pattern_id}.json").json()
    titles = {row.page_id: row.article.title for row in articles}
    [title] = [vertex for vertex in pattern["vertices"] if vertex["role"] == "title"]
    took = {taken["page"]: taken["text"] for taken in title["taken"]}
    assert len(took) == len(pattern["samples"]) > 2
    assert took == {page: titles.get(page, text) for page, text in took.items()}


def test_the_tree_of_a_pattern_is_nested_as_the_pattern_is(client, articles):
    address = f"/patterns/{articles[0].pattern_id}"
    vertices = client.get(f"{address}.json").json()["vertices"]
    document = markup.fromstring(client.get(address).text)
    lines = document.xpath(
        "//div[@class='tree']//summary | //div[@class='tree']//div[@class='leaf']"
    )
    depths = [len(line.xpath("ancestor::details")) - (line.tag == "summary") for line in lines]
    assert depths == [vertex["depth"] for vertex in vertices]


def test_a_page_says_why_with_signs_that_add_up(client, articles):
    page = client.get(f"/pages/{articles[0].page_id}.json").json()
    why = page["why"]
    assert why["fit"] == "strict"
    assert why["pattern"] == articles[0].pattern_id
    assert sum(sign["points"] for sign in why["signs"]) == pytest.approx(why["score"], abs=0.1)
    assert {"title", "body"} <= {field["field"] for field in page["article"]["fields"]}
    assert len(page["other_methods"]) >= 5
    assert max(each["agreement"] or 0 for each in page["other_methods"]) > 0.5


def test_a_page_without_document_is_told_so(client):
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
def test_what_is_not_there_is_told_in_a_sentence(client, path):
    shown = client.get(path, headers={"accept": "text/html"})
    assert shown.status_code == 404
    assert "Not there" in shown.text
    said = client.get(path, headers={"accept": "application/json"})
    assert said.status_code == 404
    assert said.json()["detail"].endswith(".")


@pytest.mark.parametrize("asked", ["least=2", "since=soon", "order=odd", "page=0", "pattern=x"])
def test_what_is_not_understood_is_told_in_a_sentence(client, asked):
    shown = client.get(f"/articles?{asked}", headers={"accept": "text/html"})
    assert shown.status_code == 422
    assert "Not understood" in shown.text
    assert ("a day is written as 2026-05-01" in shown.text) == (asked == "since=soon")


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
def test_an_empty_database_says_what_to_do(empty_client, path, words):
    assert words in empty_client.get(path).text


def test_a_page_is_found_by_its_address(client, articles):
    url = articles[0].article.url
    assert client.get("/go", params={"q": url}).headers["location"] == (
        f"/pages/{articles[0].page_id}"
    )
    unknown = client.get("/go", params={"q": "https://elsewhere.example/"})
    assert unknown.headers["location"].startswith("/pages?q=https")


def test_other_words_are_searched_for_with_the_filters(client):
    led = client.get("/go", params={"q": "rain", "site": SITE, "since": ""})
    assert led.headers["location"] == f"/search?q=rain&site={SITE}"


def test_the_articles_of_the_list_can_be_taken_away(client):
    asked = f"site={SITE}&least=0.9"
    listed = client.get(f"/articles.json?{asked}").json()
    lines = client.get(f"/export/articles.jsonl?{asked}").text.splitlines()
    rows = list(csv.DictReader(io.StringIO(client.get(f"/export/articles.csv?{asked}").text)))
    assert len(lines) == len(rows) == listed["part"]["total"]
    assert json.loads(lines[0])["title"] == listed["articles"][0]["title"]


def test_other_hosts_are_refused(client):
    assert client.get("/sites", headers={"host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("number", [2**31, 2**63 - 1, 2**63, 10**30, -1])
def test_numbers_of_any_size_are_answered_with_a_sentence(client, number):
    paths = [f"/{kind}/{number}" for kind in ("pages", "clusters", "patterns", "articles")]
    lists = [f"/pages?{name}={number}" for name in ("depth", "cluster", "pattern")]
    for path in [*paths, f"/pages/{number}/frame", *lists, f"/articles?pattern={number}"]:
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
def test_a_nul_is_answered_with_a_sentence(client, path):
    shown = client.get(path)
    assert (shown.status_code, shown.text) == (400, "No stored text holds a NUL.")
    assert "default-src 'none'" in shown.headers["Content-Security-Policy"]


COUNTING = """WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
    SELECT count(*) FROM numbers"""


@pytest.mark.timeout(100)
def test_a_question_without_end_is_given_up(databases, dialect):
    begun = time.monotonic()
    with Store.open(databases(dialect).create()) as store:
        ReadOnlyDatabase(store, seconds=0.2)
        with pytest.raises(SlowQuery, match="took too long"), store.reading() as connection:
            connection.exec_driver_sql(COUNTING).scalar()
        with store.reading() as connection:
            assert connection.exec_driver_sql("SELECT 7").scalar() == 7
    # The end of the test's own time would interrupt SQLite as well.
    assert time.monotonic() - begun < 60


def test_the_database_cannot_be_written_any_more(store, client):
    with pytest.raises((OperationalError, UnreadableDatabase), match=r"read-?only"):
        store.sites.add("https://new.example/")


def test_a_crawl_may_go_on_meanwhile(client, database):
    with Store.open(database) as other:
        site = other.sites.find(HOME)
        run = other.runs.start(site, "crawl")
        assert client.get("/sites").status_code == 200
        assert client.get("/sites.json").json()["sites"][0]["summary"]["last_status"] == "running"
        other.runs.finish(run, "done")


def test_a_site_that_was_only_crawled_can_be_looked_at(tmp_path, portal):
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


def test_a_site_of_walls_says_so_in_words_and_advises_nothing_in_vain(databases):
    with Store.open(databases("sqlite").create()) as store:
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
