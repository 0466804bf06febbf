"""Doubtful fields in the inspector and in its exports."""

import json
import re
from dataclasses import replace

import pytest
from lxml import html as markup

from flong.inspector import create_app
from flong.stages.exports import FORMATS
from flong.storage import Store
from tests.inspector.conftest import HOME, asking, fill, pages_of_portal

DOUBTS = {"language": "guessed from the words"}


def without_language(portal):
    """Yield the pages of the portal, which do not state their language."""
    for page in pages_of_portal(portal):
        yield replace(page, html=re.sub(r'lang="[^"]*"|<meta[^>]*locale[^>]*>', "", page.html))


@pytest.fixture
def dialect():
    return "sqlite"


@pytest.fixture
def client(databases, dialect, portal):
    url = databases(dialect).create()
    with Store.open(url) as store:
        fill(store, HOME, without_language(portal))
        with asking(create_app(store, writers=FORMATS)) as client:
            yield client


def test_doubts_are_in_why_and_in_exports(client):
    exported = map(json.loads, client.get("/export/articles.jsonl").text.splitlines())
    doubtful = [article for article in exported if article["doubts"] == DOUBTS]
    assert doubtful
    rows = client.get("/articles.json?q=" + doubtful[0]["url"]).json()["articles"]
    path = f"/pages/{rows[0]['page']}"
    assert client.get(f"{path}.json").json()["doubts"] == DOUBTS
    fields = markup.fromstring(client.get(path).text).xpath("//dl[@class='fields']/div")
    tags = {field.get("class"): field.xpath(".//*[contains(@class, 'doubt')]") for field in fields}
    assert [name for name, found in tags.items() if found] == ["r-language"]
    assert tags["r-language"][0].text == DOUBTS["language"]
