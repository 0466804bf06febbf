"""Fields of a page of an unknown site, and the probability that it is an article."""

from datetime import date

import pytest

import flong

TEXT = "<p>" + "It rained all day and nobody went out of the house. " * 6 + "</p>"
LONG = TEXT * 4


def read(around, *, head="", text=LONG, **how):
    html = f"<head>{head}</head><body><h1>Rain all day</h1>{around}<div class=text>{text}</div>"
    return flong.read("http://a.example/rain", html, **how)


@pytest.mark.parametrize(
    "byline",
    [
        "<p>By Ann Lee</p>",
        "<p>Written by <a href=/x>Ann Lee</a> | 3 May 2024</p>",
        "<p>Von Ann Lee</p>",
        "<div class=post-author>Ann Lee</div>",
        "<p><a rel=author href=/x>Ann Lee</a>, Berlin</p>",
        "<div><span itemprop=author>Ann Lee</span> <span>3 min. read</span></div>",
    ],
)
def test_the_byline_of_a_single_page_is_read(byline):
    assert read(byline).authors == ("Ann Lee",)
    assert read("", text=f"{byline}{LONG}").authors == ("Ann Lee",)
    assert read("", text=f"{LONG}</div>{byline}<div>").authors == ("Ann Lee",)


def test_all_names_of_a_byline_are_read():
    byline = "<p>By <a class=author href=/a>Ann Lee</a>, <a class=author href=/b>Bo Ek</a></p>"
    assert read(byline).authors == ("Ann Lee", "Bo Ek")


@pytest.mark.parametrize(
    "line",
    [
        "<p>Ann Lee</p>",
        "<div class=comment-author>Ann Lee</div>",
        "<div class=author><span>Written:</span></div>",
        "<div class=author-date><span>Mar 3</span></div>",
        "<div class=author-date><span>Mar 3, 2024</span></div>",
        "<p>by the river of our town</p>",
    ],
)
def test_other_lines_are_no_bylines(line):
    assert read(line).authors == ()


def test_a_line_in_the_middle_of_the_text_is_no_byline():
    items = "".join(f"<li>{TEXT}</li>" for _ in range(6))
    assert read("", text=f"<ul>{items}<li>By Cloudy Day</li></ul>").authors == ()


SIGNED = (
    '<script type="application/ld+json">{{"@type": "NewsArticle", "author": {{"name": "{}"}},'
    ' "publisher": {{"name": "Rain News"}}}}</script>'
)


@pytest.mark.parametrize(("stated", "author"), [("Rain News", "Ann Lee"), ("Bo Ek", "Bo Ek")])
def test_a_byline_replaces_only_the_publisher_in_the_metadata(stated, author):
    assert read("<p>By Ann Lee</p>", head=SIGNED.format(stated)).authors == (author,)


@pytest.mark.parametrize(
    ("label", "value", "authors"),
    [
        ("Written by", "Ann Lee", ("Ann Lee",)),
        ("Escrito por", "Ann Lee", ("Ann Lee",)),
        ("Est. reading time", "Ann Lee", ()),
    ],
)
def test_the_author_of_a_twitter_card_is_read(label, value, authors):
    said = {"twitter:label1": label, "twitter:data1": value}
    head = "".join(f"<meta name={name} content='{text}'>" for name, text in said.items())
    assert read("", head=head).authors == authors


@pytest.mark.parametrize(
    "around",
    [
        "<p>3 May 2024</p>",
        "<p>By Ann Lee, May 3rd, 2024</p>",
        "<div><time>May 3, 2024</time></div>",
        "<div><time datetime=2024-05-03>today</time></div>",
    ],
)
def test_the_date_near_title_or_text_is_read(around):
    assert read(around).published.date() == date(2024, 5, 3)
    assert read("", text=f"{LONG}</div>{around}<div>").published.date() == date(2024, 5, 3)


def test_the_time_of_an_article_above_the_title_is_not_the_date():
    html = (
        "<div><time datetime=2020-01-01>other</time></div><h1>Rain all day</h1>"
        f"<p><time datetime=2024-05-03>today</time></p><div>{LONG}</div>"
    )
    assert flong.read(None, html).published.date() == date(2024, 5, 3)


def test_the_date_above_a_text_without_headline_is_read():
    links = "".join(f"<div><a href=/{at}>Page {at}</a></div>" for at in range(30))
    html = f"{links}<div><p>3 May 2024</p>{LONG}</div>"
    assert flong.read(None, html).published.date() == date(2024, 5, 3)


def test_a_telephone_number_is_not_the_date():
    assert read("<p>Tel. 030 12-05-24</p>").published is None


def test_the_confidence_is_the_probability_of_an_article():
    entries = "".join(
        f"<div><h2><a href=/{at}>Rain in town {at}</a></h2><p>It rained.</p></div>"
        for at in range(20)
    )
    listing = flong.read(None, f"<title>All news</title><h1>News</h1>{entries}")
    article = read("<p>By Ann Lee, 3 May 2024</p>", head="<title>Rain all day</title>")
    assert listing.confidence < 0.3
    assert article.confidence > 0.7


def test_other_pages_are_refused_on_request():
    sure = read("").confidence
    assert 0 < sure < 1
    assert read("", least_confidence=sure) is not None
    assert read("", least_confidence=sure + 0.01) is None
