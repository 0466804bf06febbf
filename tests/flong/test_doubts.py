"""Doubts about single fields."""

from dataclasses import replace

import pytest

import flong
from flong.article import Article, Provenance

SURE = (
    Provenance(field="title", source="wildcard"),
    Provenance(field="body", source="container"),
    Provenance(field="published", source="json-ld", place="datePublished"),
    Provenance(field="authors", source="vertex"),
    Provenance(field="publisher", source="opengraph", place="og:site_name"),
    Provenance(field="language", source="html", place="lang"),
)
ARTICLE = Article(
    url="https://news.example/rain",
    title="Rain",
    body="It rains.",
    authors=("Ann Lee",),
    publisher="The News",
    provenance=SURE,
)
BY_METHOD = ("title", "body", "authors")
"""Fields of the article that were found in its text."""
PAGE = """<p>On Monday it rained in the town for many hours, and the people of it stayed at home.
<p>On Tuesday the rain went on, and the river rose by a metre, as the mayor said in the evening.
<p>On Wednesday the sun came back, and the people of the town went out to see what was left."""


def with_source(field, source, place=""):
    others = [note for note in SURE if note.field != field]
    note = Provenance(field=field, source=source, place=place)
    return replace(ARTICLE, provenance=(*others, note))


@pytest.mark.parametrize(
    ("article", "doubts"),
    [
        (ARTICLE, {}),
        (replace(ARTICLE, provenance=()), {}),
        (replace(ARTICLE, method="bounded"), dict.fromkeys(BY_METHOD, "no pattern fits exactly")),
        (replace(ARTICLE, method="coreex"), dict.fromkeys(BY_METHOD, "read without a pattern")),
        (replace(ARTICLE, authors=("THE NEWS",)), {"authors": "the name of the publisher"}),
        (replace(ARTICLE, authors=("Ann Lee", "The News")), {}),
        (replace(ARTICLE, authors=(), publisher=None), {}),
        (with_source("title", "head"), {"title": "only in the head of the page"}),
        (with_source("published", "url"), {"published": "only in the URL"}),
        (with_source("language", "guess"), {"language": "guessed from the words"}),
        (with_source("access", "parser"), {"access": "only a part of the page was read"}),
        (
            with_source("publisher", "meta", "dc.creator"),
            {"publisher": "the author, the same on every page"},
        ),
    ],
)
def test_doubts_come_from_sources_and_method(article, doubts):
    assert article.doubts == doubts


def test_page_without_metadata_has_doubts():
    article = flong.read("https://news.example/2024/05/03/rain", f"<title>Rain</title>{PAGE}")
    assert article.doubts["published"] == "only in the URL"
    assert article.doubts["language"] == "guessed from the words"
    assert article.doubts["body"] == "read without a pattern"
