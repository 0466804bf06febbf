"""Links, canonical URL, feeds and refresh of a page."""

from types import SimpleNamespace

import pytest

from flong import links as link_extractor
from flong.links import ParsingTimeout, extract_links, limit_attributes, page_links
from flong.urls import Scope
from tests.waiting import cpu_limit

HOME = "http://a.org/"
SCOPE = Scope.of(HOME)


def links(html, url="http://a.org/x/y"):
    return [(link.url, link.text) for link in page_links(html, url, SCOPE)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href='/b'> Two\n <b>words</b> </a>", [("http://a.org/b", "Two words")]),
        ("<a href='z'>near</a>", [("http://a.org/x/z", "near")]),
        ("<a href='/b'><img alt='A picture'></a>", [("http://a.org/b", "A picture")]),
        ("<a href='/b' title='Tip'><img></a>", [("http://a.org/b", "Tip")]),
        ("<a href='/b'>a <b>b <i>c</i> d</b> e</a> f", [("http://a.org/b", "a b c d e")]),
        ("<a href='/b'><b>b<a href='/c'><i>c", [("http://a.org/b", "b"), ("http://a.org/c", "c")]),
        ("<a href='/b'>b<?odd?>c</a>", [("http://a.org/b", "bc")]),
        ("<a href='/b' aria-label='Said'></a>", [("http://a.org/b", "Said")]),
        ("<a href='/b'></a><a href='/b#c'>Later</a>", [("http://a.org/b", "Later")]),
        ("<a href='/b'>First</a><a href='/b'>Second</a>", [("http://a.org/b", "First")]),
        ("<base href='/deep/'><a href='b'>x</a>", [("http://a.org/deep/b", "x")]),
        ("<base href='http://evil.org/'><a href='/b'>x</a>", [("http://a.org/b", "x")]),
        ("<select><option value='/2026/'>2026</select>", [("http://a.org/2026/", "2026")]),
        ("<select><option value='2026'>2026</select>", []),
        ("<frameset><frame src='/menu.html'></frameset>", [("http://a.org/menu.html", "")]),
        ("<map><area href='/b' alt='Here'></map>", [("http://a.org/b", "Here")]),
        ("<link rel=next href='/page/2/'>", [("http://a.org/page/2/", "")]),
        ("<a href='y'>self</a><a href='#top'>up</a>", []),
        ("<a href='http://b.org/'>away</a><a href='mailto:x@a.org'>mail</a>", []),
        ("<a href='javascript:go()'>js</a><a href='tel:1'>call</a><a href='//['>odd</a>", []),
        ("<a href='/pic.jpg'>picture</a><a href='/b?replytocom=1'>reply</a>", []),
        ("<!-- <a href='/b'>hidden</a> -->", []),
        ("", []),
        ("plain text", []),
    ],
)
def test_links_of_a_page(html, expected):
    assert links(html) == expected


def test_links_are_read_at_any_depth_of_nesting():
    html = "<div>" * 2000 + "<a href='/b'>deep</a>"
    assert links(html) == [("http://a.org/b", "deep")]


def test_a_page_with_a_hundred_thousand_links_is_read_in_time():
    html = "".join(f"<a href='/{n}'>{n}</a>" for n in range(100_000))
    with cpu_limit(20):
        assert len(links(html)) == 100_000


def test_nested_links_are_read_once(monkeypatch):
    walked = []
    walk = link_extractor.etree.iterwalk

    def counting(*arguments, **options):
        for step in walk(*arguments, **options):
            walked.append(step)
            yield step

    counted = SimpleNamespace(**vars(link_extractor.etree) | {"iterwalk": counting})
    monkeypatch.setattr(link_extractor, "etree", counted)
    assert len(links("".join(f"<a href='/{n}'><b>" for n in range(500)))) == 500
    assert len(walked) <= 4 * 500


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 2000 + "</i>" * 100_000,
        "".join(f"<a href='/{n}'>{n}</a>" for n in range(30_000)),
    ],
    ids=["parsing", "visiting"],
)
def test_reading_stops_after_its_time(html):
    with pytest.raises(ParsingTimeout, match=r"took more than 0\.01 s"):
        extract_links(html, HOME, SCOPE, seconds=0.01)


def test_tags_with_thousands_of_attributes_are_cut():
    many = "".join(f" a{n}='>'" for n in range(4_900))
    html = f"<a href='/b'{many}>first</a><p{many}>" * 5 + f"<a{many} href='/c'>second</a>"
    assert links(html) == [("http://a.org/b", "first")]
    assert len(limit_attributes(html)) < len(html) / 5
    assert limit_attributes(html[:40_000]) == html[:40_000]


def test_surrogates_and_nuls_are_accepted():
    assert links("<a href='/b'>x\ud800\0</a>")[0][0] == "http://a.org/b"


def test_the_canonical_url_is_read():
    html = "<link rel='shortlink canonical' href='http://www.a.org/real?utm_source=1'>"
    assert extract_links(html, HOME, SCOPE).canonical == "http://a.org/real"


@pytest.mark.parametrize("html", ["", "<link rel=canonical href='http://b.org/'>"])
def test_a_canonical_url_of_another_site_is_ignored(html):
    assert extract_links(html, HOME, SCOPE).canonical is None


def test_feeds_inside_the_site_are_noted():
    html = """
        <link rel=alternate type=application/rss+xml href=/rss>
        <link rel=alternate type=application/atom+xml href=http://feeds.b.org/>
        <link rel=alternate hreflang=de href=/de/>"""
    assert extract_links(html, HOME, SCOPE).feeds == ("http://a.org/rss",)


@pytest.mark.parametrize(
    ("content", "refresh"),
    [
        ("0;url=/new", "http://a.org/new"),
        ("0; URL='http://a.org/new'", "http://a.org/new"),
        ("3,/new", "http://a.org/new"),
        ("0;url=http://b.org/", ""),
        ("300;url=/new", None),
        ("300", None),
        ("0;url=/", None),
        ("never", None),
    ],
)
def test_a_refresh_is_followed(content, refresh):
    html = f'<meta http-equiv="Refresh" content="{content}">'
    assert extract_links(html, HOME, SCOPE).refresh == refresh
