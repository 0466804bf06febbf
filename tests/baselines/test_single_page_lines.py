"""Lines that are removed from the body of a single page, and texts that are not hidden."""

import pytest

from flong.baselines import find_boilerplate
from flong.baselines.single_page import read_single_page_body
from flong.tree import SitePage, build_tree

LINE = "<p>The council met on Monday and talked about the harbour for three hours or more.</p>"
BARE = LINE.replace("p>", "div>")


def body(text, *, above="<h1>Harbour</h1>"):
    html = f"{above}<div class=text>{text}</div>"
    article = read_single_page_body(SitePage(url="http://a.example/", tree=build_tree(html)))
    return article.body if article else ""


@pytest.mark.parametrize(
    "stray",
    [
        "<div>Three tunnel pictures</div>",
        "<div class=x><span>By the tunnel team</span></div>",
        "<a href=/tunnel><div>The old tunnel under the river will be closed in May.</div></a>",
        "<p class=post-meta>Written in the tunnel.</p>",
        "<p class=publishedAt>Read in the tunnel.</p>",
        "<p class=date>Monday in the tunnel.</p>",
    ],
)
def test_lines_between_paragraphs_that_are_not_text_are_removed(stray):
    found = body(LINE * 4 + stray + LINE * 4)
    assert (found.count("council"), "tunnel" in found) == (8, False)


@pytest.mark.parametrize(
    "stray",
    [
        "<p><a href=/tunnel>The old tunnel under the river</a></p>",
        "<p>\u00a9 The tunnel company</p>",
    ],
)
def test_links_and_copyright_below_the_text_are_removed(stray):
    assert "tunnel" not in body(LINE * 8 + stray)
    assert "tunnel" in body(LINE * 4 + stray + LINE * 4)


@pytest.mark.parametrize(
    "text",
    [
        "<div>The old tunnel was closed.</div>",
        "<h2><div>The old tunnel</div></h2>",
        "<ul><li><div>An old tunnel</div></li></ul>",
        "<table><tr><td><div>An old tunnel</div></td></tr></table>",
    ],
)
def test_sentences_headings_items_and_cells_are_kept(text):
    assert "tunnel" in body(LINE * 4 + text + LINE * 4)


def test_short_lines_are_kept_where_the_text_is_in_no_paragraphs():
    assert "tunnel" in body(BARE * 4 + "<div>An old tunnel</div>" + BARE * 4)


def test_nothing_is_removed_if_little_would_be_left():
    links = "".join(f"<p><a href=/{at}>The old tunnel number {at}</a></p>" for at in range(30))
    assert body(LINE + links).count("tunnel") == 30


def paragraphs(count):
    return [LINE.replace("Monday", f"day {at}") for at in range(count)]


def test_a_second_copy_of_the_article_is_removed():
    text = "".join(paragraphs(6))
    assert body(f"<div>{text}</div><div>{text}</div>").count("council") == 6


@pytest.mark.parametrize("text", [LINE * 6, "".join(paragraphs(8)) + "".join(paragraphs(2))])
def test_single_lines_may_recur_in_an_article(text):
    assert body(text).count("council") == text.count("council")


@pytest.mark.parametrize(("count", "kept"), [(1, 0), (5, 5)])
def test_an_introduction_between_headline_and_text_is_kept_but_no_standfirst(count, kept):
    lead = "".join(paragraphs(count)).replace("council", "senate")
    links = "".join(f"<li><a href=/{at}>The old story of crane {at}</a></li>" for at in range(12))
    above = f"<title>Harbour</title><h1>Harbour</h1><div>{lead}</div><ul>{links}</ul>"
    found = body("".join(paragraphs(30)), above=above)
    assert (found.count("senate"), found.count("council")) == (kept, 30)


def test_sections_whose_headings_are_built_like_the_title_belong_to_the_article():
    sections = "".join(f"<h1>Part {at}</h1>{LINE * 3}" for at in range(3))
    assert body(sections, above="<title>Part 0</title>").count("council") == 9


def test_text_above_a_heading_is_visible_if_it_is_longer_than_the_rest():
    tree = build_tree(f"<title>Signals</title>{LINE * 6}<h1>Signals</h1>{LINE * 3}")
    assert not find_boilerplate(tree).any()
    tree = build_tree(f"<title>Signals</title>{LINE * 3}<h1>Signals</h1>{LINE * 6}")
    assert find_boilerplate(tree).sum() == 4


@pytest.mark.parametrize("html", ["<body class=x>Rain<br>Snow", "<body class=x><h1>Rain</h1>Snow"])
def test_a_headline_may_be_right_below_the_root(html):
    assert len(find_boilerplate(build_tree(f"<title>Rain</title>{html}"))) > 1
