"""Head titles, anchor texts and metadata of pages."""

import json

import pytest

from flong.page import Anchor
from flong.patterns.metadata import read_metadata
from flong.patterns.page_titles import (
    Affixes,
    PageNames,
    head_titles,
    learn_affixes,
    learn_conventions,
)
from flong.tree import Head


def test_the_site_name_is_learned_at_either_end():
    after = learn_affixes([f"Story {i} | Sport | The Paper" for i in range(5)])
    assert after.headline("News of today | Sport | The Paper") == "News of today"
    before = learn_affixes([f"The Paper: Story {i}" for i in range(5)])
    assert before.headline("The Paper: News of today") == "News of today"


def test_a_dash_in_a_headline_is_not_a_site_name():
    learned = learn_affixes([f"Story {i} - part {i} - The Paper" for i in range(9)])
    assert learned.headline("Rain - and snow - The Paper") == "Rain - and snow"


def test_a_title_of_all_pages_identifies_none():
    heads = {f"http://a/{i}": Head(title="The Paper") for i in range(9)}
    conventions = learn_conventions(heads, {})
    assert conventions.name_page(heads["http://a/1"], ()).heads == ()


def test_anchor_texts_of_many_pages_are_not_headlines():
    heads = {f"http://a/{i}": Head(title=f"Story {i}") for i in range(9)}
    anchors = {url: [Anchor("Read more", 3), Anchor(f"All about {url}")] for url in heads}
    page_names = learn_conventions(heads, anchors).name_page(
        heads["http://a/1"], anchors["http://a/1"]
    )
    assert page_names.anchors == ("all about http a 1",)
    assert page_names.linked_by == pytest.approx(3 / 9)
    assert page_names.linked_as == "read more"


def test_head_titles_are_unique():
    head = Head(title="Rain - Paper", meta={"og:title": "Rain", "twitter:title": "Much rain"})
    found = head_titles(head, Affixes(suffixes=frozenset([" - Paper"])))
    assert list(found.values()) == ["Rain", "Much rain"]


def test_a_headline_at_the_beginning_of_a_teaser_link_is_recognised():
    page_names = PageNames(anchors=("storm over the coast the worst in years",))
    assert page_names.by_anchors("storm over the coast") == 0.9
    assert page_names.by_anchors("quiet day") < 0.5


def graph(*nodes):
    return Head(json_ld=(json.dumps({"@graph": nodes}),))


def test_the_article_is_found_in_a_graph():
    author = {"@type": "Person", "name": "Ann Lee"}
    found = read_metadata(
        graph(
            {"@type": "WebPage", "datePublished": "1999-01-01"},
            {
                "@type": ["NewsArticle"],
                "headline": "Rain",
                "author": [author],
                "image": {"url": "/a"},
            },
        )
    )
    assert found.json_ld_article
    assert [said.value for said in found.authors] == ["Ann Lee"]
    assert [said.value for said in found.image] == ["/a"]
    assert found.published == ()


def test_an_author_may_be_elsewhere_in_the_graph():
    found = read_metadata(
        graph(
            {"@type": "Article", "author": {"@id": "#ann"}, "image": {"@id": "#gone"}},
            {"@type": "Person", "@id": "#ann", "name": "Ann Lee"},
        )
    )
    assert [said.value for said in found.authors] == ["Ann Lee"]
    assert found.image == ()


@pytest.mark.parametrize("script", ["", "{", "[]", "null", '"x"', "[[{}]]", '{"@type": 5}'])
def test_structured_data_may_be_anything(script):
    assert not read_metadata(Head(json_ld=(script,))).json_ld_article


def test_meta_tags_stand_in_for_structured_data():
    meta = {"article:published_time": "2024-05-01", "author": "Ann", "og:type": "article"}
    found = read_metadata(Head(meta=meta))
    assert (found.published[0].source, found.authors[0].value) == ("opengraph", "Ann")
    assert found.og_article
