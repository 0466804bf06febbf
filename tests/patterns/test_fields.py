"""Fields beside title, date and authors, with their provenance."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.patterns.fields import _CATEGORY, _MARK, _TAG, _marked_links
from flong.patterns.label_voting import Voter, label_imprint
from flong.patterns.labels import Labels
from flong.patterns.selectors import Selector
from flong.states import Access, Genre
from flong.tree import Head, build_tree
from tests.patterns.one_page import CONVENTIONS, TEXT, fields


def linked_data(**said):
    return (
        '<script type="application/ld+json">'
        + json.dumps({"@type": "NewsArticle", **said})
        + "</script>"
    )


def source_of(found, field):
    return next(note.source for note in found.provenance if note.field == field)


@pytest.mark.parametrize(
    ("head", "field", "value", "source"),
    [
        (linked_data(description="It <b>rained</b>."), "description", "It rained.", "json-ld"),
        (
            '<meta name=description content="Rain &amp;amp; hail">',
            "description",
            "Rain & hail",
            "meta",
        ),
        (linked_data(keywords=["rain", "hail"]), "tags", ("rain", "hail"), "json-ld"),
        (linked_data(keywords="rain, hail"), "tags", ("rain", "hail"), "json-ld"),
        ('<meta name=news_keywords content="rain,hail">', "tags", ("rain", "hail"), "meta"),
        (linked_data(articleSection=["World", "Asia"]), "sections", ("World", "Asia"), "json-ld"),
        ("<meta property=article:section content=World>", "sections", ("World",), "opengraph"),
        (linked_data(publisher={"name": "The Day"}), "publisher", "The Day", "json-ld"),
        ('<meta property=og:site_name content="The Day">', "publisher", "The Day", "opengraph"),
        (
            "<link rel=canonical href=/b>",
            "canonical_url",
            "https://news.example/b",
            "link",
        ),
        (linked_data(isAccessibleForFree=False), "access", Access.PAYWALLED, "json-ld"),
        (linked_data(isAccessibleForFree="True"), "access", Access.FREE, "json-ld"),
        (
            "<meta property=article:content_tier content=locked>",
            "access",
            Access.PAYWALLED,
            "opengraph",
        ),
        (linked_data(**{"@type": "OpinionNewsArticle"}), "genre", Genre.OPINION, "json-ld"),
        (linked_data(**{"@type": ["LiveBlogPosting"]}), "genre", Genre.LIVE_BLOG, "json-ld"),
        (linked_data(), "genre", Genre.NEWS, "json-ld"),
    ],
)
def test_fields_from_the_head(head, field, value, source):
    found = fields(head)
    assert getattr(found, field) == value
    assert source_of(found, field) == source


def test_marked_links_are_tags_if_the_head_has_none():
    marked = "<a rel=tag href=/t/1>rain</a> <a href=/t/2 rel=tag><b>Big</b> hail</a>"
    sections = "<a href=/c rel='category tag'>World</a>"
    found = fields(meta=f"<p>{marked} {sections}</p>")
    assert (found.tags, found.sections) == (("rain", "Big hail"), ("World",))
    assert source_of(found, "tags") == "link"
    assert fields('<meta name=keywords content="snow">', f"<p>{marked}</p>").tags == ("snow",)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "http://[", "data:,x"])
def test_a_canonical_url_that_runs_a_script_is_ignored(url):
    assert fields(f'<link rel=canonical href="{url}">').canonical_url is None


def test_a_page_without_metadata_has_none_of_these_fields():
    found = fields()
    said = (
        found.description,
        found.tags,
        found.sections,
        found.publisher,
        found.access,
        found.genre,
    )
    assert said == (None, (), (), None, None, None)


def test_lists_are_bounded():
    found = fields(linked_data(keywords=[f"tag {number}" for number in range(1000)] + ["x" * 500]))
    assert len(found.tags) == 50


pieces = st.sampled_from([
    '<a href="/category/a" rel="category tag">', '<a rel="tag" href="/tag">', '<a rel="tag">',
    '<a href="/category">', '<abbr title="tag">', "<b>", "</b>", "</a>", 'tag"', "category",
    "x" * 90,
])  # fmt: skip


@given(st.lists(pieces, max_size=20), st.integers(0, 300), st.integers(0, 900))
def test_marked_links_are_those_of_a_search_of_the_whole(parts, start, length):
    data = ("".join(parts) + "</body>").encode()
    for field, marked in (("tags", _TAG), ("sections", _CATEGORY)):
        found = _marked_links(data, (start, start + length), marked, _MARK[field])
        slowly = marked.finditer(data, start, start + length)
        assert [link.span() for link in found] == [link.span() for link in slowly]


@pytest.mark.parametrize(
    ("meta", "url", "day"),
    [
        ("<p>3 May 2019</p>", "rain", "2019-05-03"),
        ("<p>3 May 1999</p>", "rain", None),
        ("<p>3 May 1999</p>", "1999/rain", "1999-05-03"),
        ("<footer><p>3 May 2019</p></footer>", "rain", None),
        ("<footer><p>3 May 2019</p></footer>", "2019/rain", "2019-05-03"),
    ],
)
def test_a_date_in_a_footer_or_a_lonely_year_needs_a_second_witness(meta, url, day):
    found = fields(meta=meta, url=f"https://news.example/{url}", labels=Labels(first_year=2010))
    assert (f"{found.published.day}" if found.published else None) == day


def test_an_author_on_all_pages_without_a_byline_is_the_publisher():
    head = linked_data(author={"name": "Sunny Travel"})
    assert fields(head).authors == ("Sunny Travel",)
    found = fields(head, labels=Labels(publishers=frozenset({"sunny travel"})))
    assert (found.authors, found.publisher) == ((), "Sunny Travel")
    assert source_of(found, "publisher") == "json-ld"


def learned(author, byline, pages=12):
    """Return the labels of some pages with an author in their metadata."""
    head = f"<head><meta name=author content='{author}'></head>"
    voters = [
        Voter(
            tree=build_tree(f"{head}<h1>Rain {n} all day</h1>{byline}<div>{TEXT}</div>"),
            page_names=CONVENTIONS.name_page(Head(), ()),
            starts=None,
        )
        for n in range(pages)
    ]
    return label_imprint(Labels(title=Selector("h1")), voters)[0]


def test_publishers_are_learned_from_the_metadata_of_nearly_all_pages():
    assert learned("Sunny Travel", "").publishers == {"sunny travel"}
    assert learned("Sunny Travel", "", pages=9).publishers == set()
    assert learned("Ann Lee", "<p>By Ann Lee</p>").publishers == set()
