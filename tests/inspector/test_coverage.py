"""View of coverage: announced and stored pages."""

from lxml import html as markup

from tests.inspector.test_views import SITE


def test_site_leads_to_its_coverage_and_back(client):
    site = markup.fromstring(client.get(f"/sites/{SITE}").text)
    path = f"/sites/{SITE}/coverage"
    assert path in site.xpath("//a/@href")
    page = markup.fromstring(client.get(path).text)
    assert f"/sites/{SITE}" in page.xpath("//a/@href")
    assert page.xpath("//h1/text()") == ["Coverage"]


def test_coverage_shows_eras_and_months(client):
    path = f"/sites/{SITE}/coverage"
    told, page = client.get(f"{path}.json").json(), markup.fromstring(client.get(path).text)
    assert told["eras"][0]["first_day"] <= told["eras"][0]["last_day"]
    assert told["eras"][0]["first_day"] in page.text_content()
    assert sum(month["announced"] for month in told["months"]) > 0
    assert {month["source"] for month in told["months"]} == {"archive"}
    one = client.get(f"{path}.json", params={"month": "1999-01"}).json()
    assert (one["month"], one["missing"]) == ("1999-01", [])


def test_unknown_site_is_not_found(client):
    answer = client.get("/sites/nowhere.example/coverage")
    assert (answer.status_code, "nowhere.example" in answer.text) == (404, True)
