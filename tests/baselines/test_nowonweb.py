"""NowOnWeb: four heuristics, title, image, and known failures."""

from dataclasses import replace

import pytest

from flong.baselines import RECOGNITION, Limits, nowonweb, nowonweb_article
from flong.tree import SitePage, build_tree
from tests.baselines.pages import SENTENCE, page, prose, texts


def article(html):
    return nowonweb_article(SitePage(url="http://paper.example/news/1", tree=build_tree(html)))


def test_close_paragraphs_are_one_body_despite_adverts():
    advert = "<div><img src=ad.gif><p>Buy now</p></div>"
    tree = build_tree(page(prose(2) + advert + prose(2)))
    assert len([line for line in texts(tree, nowonweb(tree)) if "Part" in line]) == 4


def test_first_long_body_wins_over_distant_paragraphs():
    tree = build_tree(prose(3) + "<hr>" * 30 + prose(4, "Comment. " + SENTENCE))
    assert len(nowonweb(tree)) == 3
    assert len(nowonweb(tree, limits=Limits(distance=100))) == 7


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [("paragraph_words", 100, 0), ("news_words", 1000, 0), ("link_density", 0.0, 2)],
)
def test_each_limit_can_be_set(name, value, kept):
    linked = f"<p>{SENTENCE} <a href=/x>two words</a></p>"
    tree = build_tree(f"<div>{prose(2)}{linked}</div>")
    assert len(nowonweb(tree)) == 3
    assert len(nowonweb(tree, limits=replace(Limits(), **{name: value}))) == kept


def test_section_page_of_links_is_not_news():
    items = "".join(f"<li><a href=/{n}>{SENTENCE}</a>" for n in range(20))
    assert article(page(f"<ul>{items}</ul>")) is None


def test_a_very_short_press_note_is_missed():
    assert article(page("<p>The bridge is closed today.</p>")) is None


def test_a_digest_with_long_summaries_is_taken_for_news():
    assert article(page("".join(f"<h2>Story {n}</h2>{prose(1)}" for n in range(5)))) is not None


def test_title_is_the_heading_that_matches_the_head():
    html = page(f"<h2>Politics</h2>{prose(5)}", title="Bridge will be built")
    assert article(html).title == "Bridge will be built"


def test_title_falls_back_to_the_head():
    assert article(f"<title>Bridge</title><div>{prose(5)}</div>").title == "Bridge"


@pytest.mark.parametrize(
    "line",
    [
        "<b>Bridge built</b>",
        "<font size='+2'>Bridge <i>built</i></font>",
        "<p><strong>Bridge built</strong></p>",
        "<span style='font-size: 24px'>Bridge built</span>",
        "<td><p style='font-weight:bold'>Bridge built</p></td>",
    ],
)
def test_bold_or_large_line_is_the_title_without_a_heading(line):
    html = f"<title>Bridge built today - Paper</title><div>Home</div><div>{line}</div>{prose(5)}"
    assert article(html).title == "Bridge built"


def test_partly_bold_line_is_not_a_title():
    html = f"<title>Paper</title><div>By <b>Ann</b> today</div><div>{prose(5)}</div>"
    assert article(html).title == "Paper"


def test_recognition_can_be_stricter_than_extraction():
    tree = build_tree("<title>Notes</title>" + prose(3) + "<hr>" * 5 + prose(3))
    found = SitePage(url="http://paper.example/news/1", tree=tree)
    strict = replace(RECOGNITION, news_words=int(tree.words[0]) // 6 * 4)
    assert len(nowonweb_article(found).body.splitlines()) == 6
    assert nowonweb_article(found, recognition=strict) is None


@pytest.mark.parametrize(
    ("pictures", "chosen"),
    [
        ("<img src=/logo.png><img src=/a.jpg>", "/a.jpg"),
        ("<img src=/a.gif><img src=/b.jpg>", "/b.jpg"),
        ("<img src=/a.jpg width=16 height=16><img src=/b.png width=640>", "/b.png"),
        ("<img src=/a.jpg alt=Sponsor><img src=/b.jpg alt='The new bridge'>", "/b.jpg"),
        ("<img src='data:image/gif;base64,R0' data-src=/lazy.jpg>", "/lazy.jpg"),
        ("<img src=/author-avatar.jpg>", None),
        ("<img>", None),
        ("<img src='http://[bad/a.jpg'>", None),
    ],
    ids=["address", "format", "size", "alt", "lazy", "decoration", "no source", "bad URL"],
)
def test_image_is_chosen_by_url_format_size_and_alt(pictures, chosen):
    found = article(page(pictures + prose(5), title="The bridge")).image
    assert found == (chosen and f"http://paper.example{chosen}")


def test_image_inside_the_body_wins_and_distant_ones_are_ignored():
    body = f"<img src=/above.jpg>{prose(2)}<img src=/inside.jpg>{prose(2)}"
    assert article(page(body)).image.endswith("inside.jpg")
    assert article("<img src=/far.jpg>" + "<hr>" * 50 + prose(5)).image is None
