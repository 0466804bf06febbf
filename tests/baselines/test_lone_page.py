"""Extraction from a single page of an unknown site."""

import pytest

from flong.baselines.single_page import find_asides, read_single_page_body
from flong.tree import SitePage, build_tree

LINE = "<p>The council met on Monday and talked about the harbour for three hours or more.</p>"
OTHER = "<p>Nobody knows what will become of the old tunnel under the river in winter.</p>"


def body(html):
    article = read_single_page_body(SitePage(url="http://a.example/", tree=build_tree(html)))
    return article.body if article else ""


@pytest.mark.parametrize(
    "aside",
    [
        "<figcaption>{}</figcaption>",
        "<aside>{}</aside>",
        "<div class='related-stories'>{}</div>",
        "<div class=newsletterSignup>{}</div>",
        "<div id=author-bio>{}</div>",
        "<div style='display: none'>{}</div>",
    ],
)
def test_blocks_named_as_something_else_are_excluded(aside):
    html = f"<h1>Harbour</h1><div>{LINE * 6}{aside.format(OTHER)}{LINE * 2}</div>"
    assert body(html).count("council") == 8
    assert "tunnel" not in body(html)


def test_names_are_ignored_if_little_text_would_remain():
    html = "<h1>Harbour</h1>" + f"<div class='page-share'>{LINE * 3}</div>" * 4
    assert body(html).count("council") == 12


def test_similar_containers_are_joined_into_one_body():
    sections = f"<section class=part><h2>Part</h2>{LINE * 4}</section>" * 3
    assert body(f"<h1>Harbour</h1><main>{sections}</main>").count("council") == 12


REVIEWS = "".join(f"<div class=review-{at}><div>{OTHER * 4}</div></div>" for at in range(4))


@pytest.mark.parametrize(
    ("around", "reviews"), [("<div>{}</div>", 16), ("<div class=comments>{}</div>", 0)]
)
def test_different_boxes_are_joined_unless_named_as_something_else(around, reviews):
    html = f"<h1>Harbour</h1><div class=intro><div>{LINE * 5}</div></div>{around.format(REVIEWS)}"
    assert (body(html).count("council"), body(html).count("tunnel")) == (5, reviews)


@pytest.mark.parametrize("html", ["", "<p>", "<nav>Home</nav>", "<div>" * 500 + "deep"])
def test_any_page_is_read(html):
    assert isinstance(body(html), str)
    assert len(find_asides(build_tree(html))) == len(build_tree(html))
